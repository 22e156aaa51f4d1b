import type { FactorId, TenantId, UserId } from '@keywright/contract/ids';
import { guessTotps, type GuessTotpsRow } from '../../../../sql/authentication/kw_guess_totps.ts';
import { useRecoveryCode } from '../../../../sql/authentication/kw_use_recovery_code.ts';
import { useTotps } from '../../../../sql/authentication/kw_use_totps.ts';
import { batched } from '../../../platform/db/batch.ts';
import { rowsByPlace, sortedBatch, writeTogether } from '../../../platform/db/writes.ts';
import { counted, type Subject } from '../../../tenancy/counters.ts';
import type { TenantData, Gate } from '../../../tenancy/gate.ts';
import { maxFailuresOf } from '../proofs/index.ts';

/** Codes of one method that can be tried for a user. */
export const GUESS_LIMITS = { login_attempts_limit: 20, login_attempts_window: 3600 } as const;
/** Codes that can be tried in one flow. */
const CHALLENGE_LIMIT = 5;

type CountedMethod = 'totp' | 'recovery_code';

/**
 * What guesses at a user's factors are counted by. Guesses on each known device are counted separately, so that someone who
 * knows the password, or has stolen one of the devices, cannot use up those of the others.
 */
export function guessSubject(method: CountedMethod, userId: UserId, known = ''): Subject {
  return counted(method === 'totp' ? 'totp' : 'recovery code', userId, known);
}

/** The limits of guesses. */
const LIMITS = {
  limit: GUESS_LIMITS.login_attempts_limit,
  windowSeconds: GUESS_LIMITS.login_attempts_window,
  challengeLimit: CHALLENGE_LIMIT,
} as const;

/** Whose factors are guessed at, and in which flow. */
interface Guess {
  readonly tenantId: TenantId;
  readonly userId: UserId;
  readonly challengeId: string;
  /** The ID of the known device that it is made on. Undefined: on another device. */
  readonly known: string | undefined;
  readonly now: Date;
}

/** What one guess is counted by. */
function countersOf(method: CountedMethod, { userId, challengeId, known }: Guess) {
  return {
    subject: guessSubject(method, userId, known),
    challenge: counted('challenge', challengeId),
  };
}

/** The associated data with which the secret of an authenticator is sealed. */
export function totpPlace(tenantId: TenantId, id: FactorId): string {
  return `user_factors/${tenantId}/${id}/totp_secret`;
}

/** Counts a guess at the recovery codes. If it is right, the next code replaces it. */
export async function tradeRecoveryCode(
  data: TenantData,
  guess: Guess,
  hashes: { readonly code: Buffer; readonly next: Buffer },
) {
  const { userId: user, now } = guess;
  const limits = { ...LIMITS, maxFailures: maxFailuresOf(guess.known) };
  const given = { ...limits, ...countersOf('recovery_code', guess), ...hashes, user, now };
  const [row] = await data.call(useRecoveryCode, given);
  return row;
}

/** A right code. */
interface RightCode {
  readonly tenantId: TenantId;
  readonly userId: UserId;
  readonly factor: FactorId;
  /** The time step of the code. */
  readonly step: number;
  readonly now: Date;
}

/** Guesses at authenticators. Concurrent ones, of any tenants, are one statement and one commit. */
export interface TotpStore {
  /** Counts a guess. @returns the authenticators whose code it may be */
  guess(guess: Guess): Promise<readonly GuessTotpsRow[]>;
  /** @returns `users.auth_version`; undefined if a code of this time step was used before */
  accept(code: RightCode): Promise<number | undefined>;
}

const BATCH = { size: 32, flights: 2 };

export function createTotpStore(gate: Gate): TotpStore {
  return {
    guess: batched(
      (some: readonly Guess[]) => writeTogether(some, (guesses) => guessAll(gate, guesses)),
      BATCH,
    ),
    accept: batched(
      (some: readonly RightCode[]) => writeTogether(some, (codes) => acceptAll(gate, codes)),
      BATCH,
    ),
  };
}

async function guessAll(gate: Gate, guesses: readonly Guess[]): Promise<GuessTotpsRow[][]> {
  const { sorted, unsorted } = sortedBatch(guesses, keyOf);
  const counters = sorted.map((one) => countersOf('totp', one));
  const rows = await gate.callMany(guessTotps, {
    ...LIMITS,
    tenants: sorted.map((one) => one.tenantId),
    users: sorted.map((one) => one.userId),
    subjects: counters.map((one) => one.subject),
    challenges: counters.map((one) => one.challenge),
    now: sorted.map((one) => one.now),
    maxFailures: sorted.map(({ known }) => maxFailuresOf(known)),
  });
  return unsorted(rowsByPlace(sorted.length, rows));
}

async function acceptAll(gate: Gate, codes: readonly RightCode[]): Promise<(number | undefined)[]> {
  const { sorted, unsorted } = sortedBatch(codes, keyOf);
  const rows = await gate.callMany(useTotps, {
    tenants: sorted.map((one) => one.tenantId),
    users: sorted.map((one) => one.userId),
    factors: sorted.map((one) => one.factor),
    steps: sorted.map((one) => one.step),
    now: sorted.map((one) => one.now),
  });
  return unsorted(rowsByPlace(sorted.length, rows).map(([row]) => row?.auth_version));
}

function keyOf({ tenantId, userId }: Pick<Guess, 'tenantId' | 'userId'>): string {
  return `${tenantId} ${userId}`;
}
