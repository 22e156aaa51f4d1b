import type { FactorId, TenantId, UserId } from '@keywright/contract/ids';
import { guessTotps, type GuessTotpsRow } from '../../../../sql/authentication/kw_guess_totps.ts';
import { useRecoveryCode } from '../../../../sql/authentication/kw_use_recovery_code.ts';
import { useTotp } from '../../../../sql/authentication/kw_use_totp.ts';
import { batched, rowsByPlace, sortedBatch, writeTogether } from '../../../platform/db/calls.ts';
import { counted, type Subject } from '../../../tenancy/counters.ts';
import type { Gate, TenantData } from '../../../tenancy/gate.ts';
import { maxFailuresOf } from '../proofs/index.ts';

/** How many codes of one method can be tried for a user. */
export const GUESS_LIMITS = { login_attempts_limit: 20, login_attempts_window: 3600 } as const;
/** How many codes can be tried in one flow. */
const CHALLENGE_LIMIT = 5;
const LIMITS = {
  limit: GUESS_LIMITS.login_attempts_limit,
  windowSeconds: GUESS_LIMITS.login_attempts_window,
  challengeLimit: CHALLENGE_LIMIT,
} as const;

type CountedMethod = 'totp' | 'recovery_code';

/** The user, the flow and the device of a guess. */
interface Guess {
  readonly tenantId: TenantId;
  readonly userId: UserId;
  readonly challengeId: string;
  /** The ID of the known device where the guess is made; undefined on any other device. */
  readonly knownDevice: string | undefined;
  readonly now: Date;
}

/**
 * The counter of guesses at a user's factors. Guesses on each known device are counted separately, so that an attacker
 * who knows the password, or has stolen one of the devices, cannot use up the guesses of the others.
 */
export function guessSubject(method: CountedMethod, userId: UserId, knownDevice = ''): Subject {
  return counted(method === 'totp' ? 'totp' : 'recovery code', userId, knownDevice);
}

function countersOf(method: CountedMethod, { userId, challengeId, knownDevice }: Guess) {
  return {
    subject: guessSubject(method, userId, knownDevice),
    challenge: counted('challenge', challengeId),
  };
}

/** The associated data for sealing the secret of an authenticator. */
export function totpPlace(tenantId: TenantId, id: FactorId): string {
  return `user_factors/${tenantId}/${id}/totp_secret`;
}

/** Counts a guess at the recovery codes. If the guess is correct, the next code replaces the used one. */
export async function replaceRecoveryCode(
  data: TenantData,
  guess: Guess,
  hashes: { readonly code: Buffer; readonly next: Buffer },
) {
  const { userId: user, now } = guess;
  const limits = { ...LIMITS, maxFailures: maxFailuresOf(guess.knownDevice) };
  const counters = countersOf('recovery_code', guess);
  const [row] = await data.call(useRecoveryCode, {
    ...limits,
    ...counters,
    ...hashes,
    user,
    now,
  });
  return row;
}

interface TotpCode {
  readonly tenantId: TenantId;
  readonly userId: UserId;
  readonly factor: FactorId;
  /** The time step of the code. */
  readonly step: number;
  readonly now: Date;
}

const BATCH = { size: 32, flights: 2 };

/** Batches guesses at authenticators: concurrent guesses of any tenants are one statement and one commit. */
export class TotpStore {
  /** Counts a guess. @returns the authenticators that the code could belong to */
  readonly guess: (guess: Guess) => Promise<readonly GuessTotpsRow[]>;
  /** @returns `users.auth_version`; undefined if a code of this time step was used before */
  readonly accept: (code: TotpCode) => Promise<number | undefined>;

  constructor(gate: Gate) {
    this.guess = batched(
      (batch: readonly Guess[]) => writeTogether(batch, (guesses) => guessAll(gate, guesses)),
      BATCH,
    );
    this.accept = batched(
      (batch: readonly TotpCode[]) => writeTogether(batch, (codes) => acceptAll(gate, codes)),
      BATCH,
    );
  }
}

async function guessAll(gate: Gate, guesses: readonly Guess[]): Promise<GuessTotpsRow[][]> {
  const { sorted, unsorted } = sortedBatch(
    guesses,
    ({ tenantId, userId }) => `${tenantId} ${userId}`,
  );
  const counters = sorted.map((guess) => countersOf('totp', guess));
  const rows = await gate.callMany(guessTotps, {
    ...LIMITS,
    tenants: sorted.map((guess) => guess.tenantId),
    users: sorted.map((guess) => guess.userId),
    subjects: counters.map(({ subject }) => subject),
    challenges: counters.map(({ challenge }) => challenge),
    now: sorted.map((guess) => guess.now),
    maxFailures: sorted.map(({ knownDevice }) => maxFailuresOf(knownDevice)),
  });
  return unsorted(rowsByPlace(sorted.length, rows));
}

async function acceptAll(gate: Gate, codes: readonly TotpCode[]): Promise<(number | undefined)[]> {
  const items = codes.map(({ tenantId: tenant, userId: user, factor, step, now }) => ({
    tenant,
    user,
    factor,
    step,
    now,
  }));
  const accepted = await gate.callEach(useTotp, items);
  return accepted.map(([row]) => row?.answer ?? undefined);
}
