import type { FactorId, TenantId, UserId } from '@keywright/contract/ids';
import { unseal } from '../../../platform/crypto/sealed.ts';
import type { Core } from '../../../tenancy/module.ts';
import { hasSuspended, type Shown } from '../proofs/index.ts';
import { findTotpStep, newRecoveryCode, recoveryCodeHash } from './factor-codes.ts';
import { replaceRecoveryCode, totpPlace, TotpStore } from './second-factor-store.ts';

interface Accepted {
  readonly outcome: 'accepted';
  readonly shown: Shown;
  readonly factorId: FactorId;
}

export type RefusedCode =
  /** `suspended`: the factors that this guess has suspended. */
  | { readonly outcome: 'wrong'; readonly suspended: readonly FactorId[] }
  /** The flow accepts no more guesses. */
  | { readonly outcome: 'spent' }
  | { readonly outcome: 'throttled'; readonly retryAfterSeconds: number };

/** The result of a guess at a second factor. */
export type CheckedCode = Accepted | RefusedCode;

/** A code, the user whose code it should be, and the flow in which it was entered. */
export interface EnteredCode {
  readonly tenantId: TenantId;
  readonly userId: UserId;
  readonly challengeId: string;
  /** The ID of the known device on which it was entered. Undefined: another device. */
  readonly knownDevice: string | undefined;
  readonly code: string;
}

/** Checks the codes of second factors, and counts the guesses. */
export class SecondFactorVerifier {
  readonly #core: Core;
  readonly #totps: TotpStore;

  constructor(core: Core) {
    this.#core = core;
    this.#totps = new TotpStore(core.gate);
  }

  /** Checks the code of an authenticator app. */
  async checkTotp({ code, ...entered }: EnteredCode): Promise<CheckedCode> {
    const { dataKeys, clock } = this.#core;
    const { tenantId, userId } = entered;
    const guess = { ...entered, now: clock.now() };
    const rows = await this.#totps.guess(guess);
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
      const authVersion = await this.#totps.accept({ ...guess, factor: factorId, step });
      if (authVersion !== undefined) {
        return { outcome: 'accepted', shown: { userId, authVersion }, factorId };
      }
    }
    const suspended = factors.filter(({ failures }) => hasSuspended(failures));
    return { outcome: 'wrong', suspended: suspended.map(({ factor_id: id }) => id) };
  }

  /** Checks a recovery code. The next code replaces it, and is shown once. */
  async checkRecoveryCode({
    code,
    ...entered
  }: EnteredCode): Promise<RefusedCode | (Accepted & { readonly next: string })> {
    const { gate, dataKeys, clock } = this.#core;
    const { tenantId, userId } = entered;
    const next = newRecoveryCode();
    const hashes = await dataKeys.use(tenantId, (key) => ({
      code: recoveryCodeHash(key, userId, code),
      next: recoveryCodeHash(key, userId, next),
    }));
    const guess = { ...entered, now: clock.now() };
    const row = await replaceRecoveryCode(gate.into(tenantId), guess, hashes);
    const refused = refusalOf(row);
    if (refused) return refused;
    const { factor_id: factorId = null, auth_version: authVersion = null } = row ?? {};
    if (factorId === null) return { outcome: 'wrong', suspended: [] };
    if (authVersion !== null) {
      return { outcome: 'accepted', shown: { userId, authVersion }, factorId, next };
    }
    const isSuspended = hasSuspended(row?.failures ?? 0);
    return { outcome: 'wrong', suspended: isSuspended ? [factorId] : [] };
  }
}

interface CountedGuess {
  readonly retry_after: number | null;
  readonly is_spent: boolean;
}

function refusalOf(row: CountedGuess | undefined): RefusedCode | undefined {
  if (row?.is_spent) return { outcome: 'spent' };
  const wait = row?.retry_after ?? null;
  return wait === null ? undefined : { outcome: 'throttled', retryAfterSeconds: wait };
}
