import type { FactorId, TenantId, UserId } from '@keywright/contract/ids';
import { guessTotps, type GuessTotpsRow } from '../../../../sql/authentication/kw_guess_totps.ts';
import { useTotps } from '../../../../sql/authentication/kw_use_totps.ts';
import { batched } from '../../../platform/db/batch.ts';
import { rowsByPlace, sortedBatch, writeTogether } from '../../../platform/db/writes.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { maxFailuresOf } from '../proofs/index.ts';
import { countersOf, type Guess, LIMITS } from './limits.ts';

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
