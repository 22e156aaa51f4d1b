import type { FactorId, TenantId, UserId } from '@keywright/contract/ids';
import type { Clock } from '../../../platform/clock.ts';
import { unseal } from '../../../platform/crypto/sealed.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { hasSuspended, type Shown } from '../proofs/index.ts';
import { newRecoveryCode, recoveryCodeHash, findTotpStep } from './factor-codes.ts';
import { totpPlace, tradeRecoveryCode, type TotpStore } from './second-factor-store.ts';

/** The result of a guess at a second factor. */
export type Checked =
  | { readonly outcome: 'right'; readonly shown: Shown; readonly factorId: FactorId }
  /** `suspended`: factors that this guess has suspended. */
  | { readonly outcome: 'wrong'; readonly suspended: readonly FactorId[] }
  /** The flow accepts no more guesses. */
  | { readonly outcome: 'spent' }
  | { readonly outcome: 'throttled'; readonly retryAfterSeconds: number };

type Right = Extract<Checked, { readonly outcome: 'right' }>;
type Refused = Extract<Checked, { readonly outcome: 'spent' | 'throttled' }>;

export interface CheckDependencies {
  readonly gate: Gate;
  readonly dataKeys: DataKeys;
  readonly clock: Clock;
}

/** A code, the user whose code it should be, and the flow in which it was entered. */
export interface GivenCode {
  readonly tenantId: TenantId;
  readonly userId: UserId;
  readonly challengeId: string;
  readonly known: string | undefined;
  readonly code: string;
}

/** Checks the code of an authenticator app. */
export async function checkTotp(
  { totps, dataKeys, clock }: Omit<CheckDependencies, 'gate'> & { readonly totps: TotpStore },
  { code, ...whose }: GivenCode,
): Promise<Checked> {
  const { tenantId, userId } = whose;
  const guess = { ...whose, now: clock.now() };
  const rows = await totps.guess(guess);
  const refused = refusalOf(rows[0]);
  if (refused) return refused;
  const factors = rows.flatMap((row) => (row.factor_id === null ? [] : [row]));
  const secrets = await dataKeys.use(tenantId, (key) =>
    factors.map(({ factor_id: id, totp_secret: sealed }) =>
      unseal(key, sealed, totpPlace(tenantId, id)),
    ),
  );
  for (const [index, { factor_id: factorId }] of factors.entries()) {
    const step = await findTotpStep(secrets[index] as Buffer, code, guess.now);
    if (step === undefined) continue;
    const authVersion = await totps.accept({ ...guess, factor: factorId, step });
    if (authVersion !== undefined) {
      return { outcome: 'right', shown: { userId, authVersion }, factorId };
    }
  }
  const suspended = factors.filter(({ failures }) => hasSuspended(failures));
  return { outcome: 'wrong', suspended: suspended.map(({ factor_id: id }) => id) };
}

/** Checks a recovery code. The next code replaces it, and is shown once. */
export async function checkRecoveryCode(
  { gate, dataKeys, clock }: CheckDependencies,
  { code, ...whose }: GivenCode,
): Promise<Exclude<Checked, Right> | (Right & { readonly next: string })> {
  const { tenantId, userId } = whose;
  const next = newRecoveryCode();
  const hashes = await dataKeys.use(tenantId, (key) => ({
    code: recoveryCodeHash(key, userId, code),
    next: recoveryCodeHash(key, userId, next),
  }));
  const guess = { ...whose, now: clock.now() };
  const row = await tradeRecoveryCode(gate.into(tenantId), guess, hashes);
  const refused = refusalOf(row);
  if (refused) return refused;
  const { factor_id: factorId = null, auth_version: authVersion = null } = row ?? {};
  if (factorId === null) return { outcome: 'wrong', suspended: [] };
  if (authVersion !== null) {
    return { outcome: 'right', shown: { userId, authVersion }, factorId, next };
  }
  const isSuspended = hasSuspended(row?.failures ?? 0);
  return { outcome: 'wrong', suspended: isSuspended ? [factorId] : [] };
}

interface Counted {
  readonly retry_after: number | null;
  readonly is_spent: boolean;
}

function refusalOf(row: Counted | undefined): Refused | undefined {
  if (row?.is_spent) return { outcome: 'spent' };
  const wait = row?.retry_after ?? null;
  return wait === null ? undefined : { outcome: 'throttled', retryAfterSeconds: wait };
}
