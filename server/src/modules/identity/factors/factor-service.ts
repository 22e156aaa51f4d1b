import type { Fail } from '@keywright/contract/errors';
import {
  type FactorId,
  type TenantId,
  type UserId,
  parseFactorId,
  parseUserId,
} from '@keywright/contract/ids';
import type { FactorRecord } from '@keywright/contract/records/factor';
import type { AcceptedPasskeys } from '@keywright/contract/records/passkey';
import { newFactorId } from '../../../platform/crypto/ids.ts';
import { type Caller, type UserCaller, isInTheNameOf, isOneself } from '../../../tenancy/caller.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import { type Tenant, relyingPartyOf } from '../../../tenancy/tenant.ts';
import { canLogIn, findUserLoginMethods } from '../../authentication/proofs/index.ts';
import { acceptedPasskeys } from '../../authentication/passkeys/index.ts';
import { newRecoveryCodes, recoveryCodeHash } from '../../authentication/second-factors/index.ts';
import { type Actor, record, recordAll } from '../../events/journal/index.ts';
import type { Notices } from '../../events/messages/index.ts';
import { requireMayActOnUser } from '../roles/index.ts';
import {
  type FactorRow,
  deleteFactors,
  findPasskeys,
  listFactors,
  lockActiveUser,
  lockOneself,
  putRecoveryCodes,
  renameFactor,
  updateFactorState,
  userExists,
} from '../users/index.ts';
import {
  factorChange,
  factorUpdate,
  isAuthenticator,
  isConfirmed,
  isRecoveryCodes,
  presentFactor,
} from './factor-rules.ts';

interface RemovedFactor {
  readonly id: FactorId;
  readonly accepted_passkeys: AcceptedPasskeys | null;
}

/** Reads, renames and removes factors. */
export class FactorService {
  readonly #gate: Gate;
  readonly #notices: Notices;

  constructor(gate: Gate, notices: Notices) {
    this.#gate = gate;
    this.#notices = notices;
  }

  async list({ id }: Tenant, { subject }: UserCaller): Promise<FactorRecord[]> {
    const rows = await this.#gate.into(id).transaction((tx) => listFactors(tx, subject));
    return rows.map((row) => presentFactor(id, row));
  }

  async get(
    tenant: Tenant,
    caller: UserCaller,
    id: string,
    fail: Fail<'NOT_FOUND'>,
  ): Promise<FactorRecord> {
    const factors = await this.list(tenant, caller);
    return factors.find((factor) => factor.id === id) ?? fail('NOT_FOUND');
  }

  /** Lists the factors of any user, for callers that can read users. */
  listOfUser(
    tenant: Tenant,
    caller: Caller,
    id: string,
    fail: Fail<'NOT_FOUND' | 'PRINCIPAL_PROTECTED'>,
  ): Promise<FactorRecord[]> {
    const userId = parseUserId(id) ?? fail('NOT_FOUND');
    if (isInTheNameOf(caller, userId)) fail('PRINCIPAL_PROTECTED');
    return this.#gate.into(tenant.id).transaction(async (tx) => {
      if (!(await userExists(tx, userId))) fail('NOT_FOUND');
      const rows = await listFactors(tx, userId);
      return rows.map((row) => presentFactor(tx.tenantId, row));
    });
  }

  rename(
    tenant: Tenant,
    caller: UserCaller,
    id: string,
    name: string,
    fail: Fail<'TOKEN_INVALID' | 'NOT_FOUND'>,
  ): Promise<FactorRecord> {
    const factorId = parseFactorId(id) ?? fail('NOT_FOUND');
    return this.#gate.into(tenant.id).transaction(async (tx) => {
      if (!(await lockActiveUser(tx, caller.subject))) fail('TOKEN_INVALID');
      const factors = await listFactors(tx, caller.subject);
      const present = factors.find((factor) => factor.id === factorId) ?? fail('NOT_FOUND');
      if (present.name === name) return presentFactor(tx.tenantId, present);
      const row = (await renameFactor(tx, caller.subject, factorId, name)) ?? fail('NOT_FOUND');
      await record(tx, caller, factorUpdate(row, ['name']));
      return presentFactor(tx.tenantId, row);
    });
  }

  /** Removes a factor of the caller. */
  async remove(
    tenant: Tenant,
    caller: UserCaller,
    id: string,
    fail: Fail<
      'TOKEN_INVALID' | 'STEP_UP_REQUIRED' | 'NOT_FOUND' | 'FACTOR_REQUIRED' | 'LAST_LOGIN_METHOD'
    >,
  ): Promise<RemovedFactor> {
    const factorId = parseFactorId(id) ?? fail('NOT_FOUND');
    const userId = caller.subject;
    return this.#gate.into(tenant.id).transaction(async (tx) => {
      await lockOneself(tx, caller, fail);
      const factors = await listFactors(tx, userId);
      const removed = removedWith(factorId, factors) ?? fail('NOT_FOUND');
      const isLast =
        removed.some(isAuthenticator) && !without(removed, factors).some(isAuthenticator);
      if (isLast && tenant.config.require_mfa) fail('FACTOR_REQUIRED');
      const isPasskey = removed.some(({ type }) => type === 'passkey');
      const accepted = isPasskey ? await acceptedWithout(factorId, tx, tenant, userId) : null;
      await removeFactors(tx, caller, userId, removed);
      // The login methods that remain after the removal.
      if (isPasskey && !canLogIn(tenant, await findUserLoginMethods(tx, userId)))
        fail('LAST_LOGIN_METHOD');
      await this.#notices.notify(tx, tenant, { userId, kind: 'notice.factor_removed' });
      return { id: factorId, accepted_passkeys: accepted };
    });
  }

  /** Removes a factor of another user. */
  async removeOfUser(
    tenant: Tenant,
    caller: Caller,
    { user_id: user, factor_id: id }: { readonly user_id: string; readonly factor_id: string },
    fail: Fail<'VALIDATION_FAILED' | 'NOT_FOUND' | 'SCOPE_NOT_HELD' | 'PRINCIPAL_PROTECTED'>,
  ): Promise<FactorId> {
    const userId = parseUserId(user) ?? fail('NOT_FOUND');
    const factorId = parseFactorId(id) ?? fail('NOT_FOUND');
    if (isOneself(caller, userId)) {
      const message = 'is your own: remove it with DELETE /me/factors/:factor_id';
      fail('VALIDATION_FAILED', { errors: [{ path: '/user_id', message }] });
    }
    await this.#gate.into(tenant.id).transaction(async (tx) => {
      await requireMayActOnUser(tx, caller, userId, fail, true);
      const removed = removedWith(factorId, await listFactors(tx, userId)) ?? fail('NOT_FOUND');
      await removeFactors(tx, caller, userId, removed);
      await this.#notices.notify(tx, tenant, { userId, kind: 'notice.factor_removed' });
    });
    return factorId;
  }
}

/** The passkeys that the user's browser should still accept; null if browsers have no passkeys for the tenant. */
async function acceptedWithout(
  removed: FactorId,
  tx: TenantTx,
  tenant: Tenant,
  userId: UserId,
): Promise<AcceptedPasskeys | null> {
  const party = relyingPartyOf(tenant);
  const passkeys = await findPasskeys(tx, userId);
  const [first] = passkeys;
  if (!party || !first) return null;
  const remaining = passkeys.filter(({ id }) => id !== removed);
  return acceptedPasskeys(
    party,
    first.userHandle,
    remaining.map(({ credentialId }) => credentialId),
  );
}

function without(removed: readonly FactorRow[], factors: readonly FactorRow[]): FactorRow[] {
  return factors.filter((factor) => !removed.includes(factor));
}

/** The factor, plus the recovery codes if no authenticator would remain; undefined if the factor is unknown. */
function removedWith(id: FactorId, factors: readonly FactorRow[]): FactorRow[] | undefined {
  const removed = factors.filter((factor) => factor.id === id);
  if (removed.length === 0) return undefined;
  const others = without(removed, factors);
  return others.some(isAuthenticator) ? removed : [...removed, ...others.filter(isRecoveryCodes)];
}

async function removeFactors(
  tx: TenantTx,
  by: Actor,
  userId: UserId,
  removed: readonly FactorRow[],
): Promise<void> {
  const ids = removed.map(({ id }) => id);
  await deleteFactors(tx, userId, ids);
  if (removed.some(isConfirmed)) await updateFactorState(tx, userId);
  const changes = removed.map((factor) => factorChange('factor.removed', factor));
  await recordAll(tx, by, changes);
}

/** Removes all factors of a user, and ends their logins in progress. @returns the number of factors */
export async function removeAllFactors(tx: TenantTx, by: Actor, userId: UserId): Promise<number> {
  const factors = await listFactors(tx, userId);
  if (factors.length > 0) {
    const ids = factors.map(({ id }) => id);
    await deleteFactors(tx, userId, ids);
  }
  await updateFactorState(tx, userId);
  const changes = factors.map((factor) => factorChange('factor.removed', factor));
  if (changes.length > 0) await recordAll(tx, by, changes);
  return factors.length;
}

const CODES_NAME = 'Recovery codes';

/** New codes, shown only once, and their stored form. */
export interface RecoveryCodeDraft {
  readonly codes: string[];
  readonly hashes: readonly Buffer[];
}

/** Issues recovery codes on request, and with the first factor of a user. */
export class RecoveryCodeService {
  readonly #gate: Gate;
  readonly #dataKeys: DataKeys;

  constructor(gate: Gate, dataKeys: DataKeys) {
    this.#gate = gate;
    this.#dataKeys = dataKeys;
  }

  /** Prepares codes before a transaction, because the data key might not be loaded yet. */
  async draft(tenantId: TenantId, userId: UserId): Promise<RecoveryCodeDraft> {
    const codes = newRecoveryCodes();
    const hashes = await this.#dataKeys.use(tenantId, (key) =>
      codes.map((code) => recoveryCodeHash(key, userId, code)),
    );
    return { codes, hashes };
  }

  /** Replaces the caller's recovery codes. */
  async renew(
    { id: tenantId }: Tenant,
    caller: UserCaller,
    fail: Fail<'TOKEN_INVALID' | 'STEP_UP_REQUIRED' | 'FACTOR_MISSING'>,
  ): Promise<{ factor: FactorRecord; recovery_codes: string[] }> {
    const { subject: userId } = caller;
    const draft = await this.draft(tenantId, userId);
    return this.#gate.into(tenantId).transaction(async (tx) => {
      await lockOneself(tx, caller, fail);
      const factors = await listFactors(tx, userId);
      if (!factors.some(isAuthenticator)) fail('FACTOR_MISSING');
      const row = await putCodes(tx, userId, draft);
      await updateFactorState(tx, userId);
      const change = factors.some(isRecoveryCodes)
        ? factorUpdate(row, ['recovery_codes'])
        : factorChange('factor.added', row);
      await record(tx, caller, change);
      return { factor: presentFactor(tenantId, row), recovery_codes: draft.codes };
    });
  }

  /**
   * Completes the enrollment of a confirmed factor. A user without recovery codes receives them now.
   * @returns `recoveryCodes`: the codes of the draft; null if the user already has codes
   */
  async completeEnrollment(
    tx: TenantTx,
    by: Actor,
    factor: FactorRow,
    draft: RecoveryCodeDraft,
  ): Promise<{ readonly authVersion: number; readonly recoveryCodes: string[] | null }> {
    const { user_id: userId } = factor;
    const hasCodes = (await listFactors(tx, userId)).some(isRecoveryCodes);
    const codes = hasCodes ? undefined : await putCodes(tx, userId, draft);
    const authVersion = await updateFactorState(tx, userId);
    const added = codes ? [factor, codes] : [factor];
    const changes = added.map((row) => factorChange('factor.added', row));
    await recordAll(tx, by, changes);
    return { authVersion, recoveryCodes: codes ? draft.codes : null };
  }
}

function putCodes(tx: TenantTx, userId: UserId, { hashes }: RecoveryCodeDraft): Promise<FactorRow> {
  return putRecoveryCodes(tx, { id: newFactorId(tx.now), userId, name: CODES_NAME }, hashes);
}
