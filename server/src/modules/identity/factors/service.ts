import type { Fail } from '@keywright/contract/errors';
import { lockActiveUser, lockOneself } from '../users/index.ts';
import { type FactorId, parseFactorId, parseUserId, type UserId } from '@keywright/contract/ids';
import type { FactorRecord } from '@keywright/contract/records/factor';
import type { AcceptedPasskeys } from '@keywright/contract/records/passkey';
import { type Caller, isInTheNameOf, isOneself, type UserCaller } from '../../../tenancy/caller.ts';
import type { Gate, TenantData, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type Actor, record, recordAll } from '../../events/journal/index.ts';
import type { Notify } from '../../events/messages/index.ts';
import { acceptedPasskeys, relyingPartyOf } from '../../authentication/passkeys/index.ts';
import { findWays, hasAWay } from '../../authentication/login-methods/index.ts';
import { requireMayActOnUser, userExists } from '../roles/index.ts';
import { listPasskeys } from './passkey-store.ts';
import { presentFactor } from './present.ts';
import { factorChange, factorUpdate } from './recorded.ts';
import { isAuthenticator, isConfirmed, isRecoveryCodes } from './rules.ts';
import {
  deleteFactors,
  type FactorRow,
  listFactors,
  renameFactor,
  updateFactorState,
} from './store.ts';

export async function listOwnFactors(
  tenant: TenantData,
  { subject }: UserCaller,
): Promise<FactorRecord[]> {
  const rows = await tenant.transaction((tx) => listFactors(tx, subject));
  return rows.map((row) => presentFactor(tenant.tenantId, row));
}

export async function getOwnFactor(
  tenant: TenantData,
  caller: UserCaller,
  id: string,
  fail: Fail<'NOT_FOUND'>,
): Promise<FactorRecord> {
  const own = await listOwnFactors(tenant, caller);
  return own.find((factor) => factor.id === id) ?? fail('NOT_FOUND');
}

/** Of any user, for callers that may read users. */
export function listFactorsOf(
  tenant: TenantData,
  caller: Caller,
  id: string,
  fail: Fail<'NOT_FOUND' | 'PRINCIPAL_PROTECTED'>,
): Promise<FactorRecord[]> {
  const userId = parseUserId(id) ?? fail('NOT_FOUND');
  if (isInTheNameOf(caller, userId)) fail('PRINCIPAL_PROTECTED');
  return tenant.transaction(async (tx) => {
    if (!(await userExists(tx, userId))) fail('NOT_FOUND');
    const rows = await listFactors(tx, userId);
    return rows.map((row) => presentFactor(tx.tenantId, row));
  });
}

export function rename(
  tenant: TenantData,
  caller: UserCaller,
  id: string,
  name: string,
  fail: Fail<'TOKEN_INVALID' | 'NOT_FOUND'>,
): Promise<FactorRecord> {
  const factorId = parseFactorId(id) ?? fail('NOT_FOUND');
  return tenant.transaction(async (tx) => {
    if (!(await lockActiveUser(tx, caller.subject))) fail('TOKEN_INVALID');
    const before = await getFactor(tx, caller, factorId, fail);
    if (before.name === name) return presentFactor(tx.tenantId, before);
    const row = (await renameFactor(tx, caller.subject, factorId, name)) ?? fail('NOT_FOUND');
    await record(tx, caller, factorUpdate(row, ['name']));
    return presentFactor(tx.tenantId, row);
  });
}

async function getFactor(
  tx: TenantTx,
  { subject }: UserCaller,
  id: FactorId,
  fail: Fail<'NOT_FOUND'>,
): Promise<FactorRow> {
  const factors = await listFactors(tx, subject);
  return factors.find((factor) => factor.id === id) ?? fail('NOT_FOUND');
}

const REMOVED = 'notice.factor_removed';

interface Removal {
  readonly gate: Gate;
  readonly notify: Notify;
}

interface RemovedFactor {
  readonly id: FactorId;
  readonly accepted_passkeys: AcceptedPasskeys | null;
}

/** Removes one's own factor. */
export async function removeFactor(
  { gate, notify }: Removal,
  tenant: Tenant,
  caller: UserCaller,
  id: string,
  fail: Fail<
    'TOKEN_INVALID' | 'STEP_UP_REQUIRED' | 'NOT_FOUND' | 'FACTOR_REQUIRED' | 'LAST_LOGIN_METHOD'
  >,
): Promise<RemovedFactor> {
  const factorId = parseFactorId(id) ?? fail('NOT_FOUND');
  return gate.into(tenant.id).transaction(async (tx) => {
    await lockOneself(tx, caller, fail);
    const factors = await listFactors(tx, caller.subject);
    const removed = removedWith(factorId, factors) ?? fail('NOT_FOUND');
    const isLast = removed.some(isAuthenticator) && !remain(factors, removed).some(isAuthenticator);
    if (isLast && tenant.config.require_mfa) fail('FACTOR_REQUIRED');
    const isPasskey = removed.some(({ type }) => type === 'passkey');
    const accepted = isPasskey ? await acceptedWithout(tx, tenant, caller.subject, factorId) : null;
    await remove(tx, caller, removed);
    // As it is without it.
    if (isPasskey && !hasAWay(tenant, await findWays(tx, caller.subject))) {
      fail('LAST_LOGIN_METHOD');
    }
    await notify(tx, tenant, { userId: caller.subject, kind: REMOVED });
    return { id: factorId, accepted_passkeys: accepted };
  });
}

/** Null: the tenant has no domain that browsers would look for passkeys of. */
async function acceptedWithout(
  tx: TenantTx,
  tenant: Tenant,
  userId: UserId,
  removed: FactorId,
): Promise<AcceptedPasskeys | null> {
  const party = relyingPartyOf(tenant);
  const passkeys = await listPasskeys(tx, userId);
  const [one] = passkeys;
  if (!party || !one) return null;
  const left = passkeys.filter(({ id }) => id !== removed);
  return acceptedPasskeys(
    party,
    one.userHandle,
    left.map(({ credentialId }) => credentialId),
  );
}

/** Removes a factor of another user. */
export async function removeFactorOf(
  { gate, notify }: Removal,
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
  await gate.into(tenant.id).transaction(async (tx) => {
    await requireMayActOnUser(tx, caller, userId, fail, true);
    const removed = removedWith(factorId, await listFactors(tx, userId)) ?? fail('NOT_FOUND');
    await remove(tx, caller, removed);
    await notify(tx, tenant, { userId, kind: REMOVED });
  });
  return factorId;
}

function remain(factors: readonly FactorRow[], removed: readonly FactorRow[]): FactorRow[] {
  return factors.filter((factor) => !removed.includes(factor));
}

/** A factor, and the recovery codes if they would be left without an authenticator; undefined if it is unknown. */
function removedWith(id: FactorId, factors: readonly FactorRow[]): FactorRow[] | undefined {
  const removed = factors.filter((factor) => factor.id === id);
  if (removed.length === 0) return undefined;
  const others = remain(factors, removed);
  return others.some(isAuthenticator) ? removed : [...removed, ...others.filter(isRecoveryCodes)];
}

async function remove(tx: TenantTx, by: Caller, removed: readonly FactorRow[]): Promise<void> {
  const [{ user_id: userId }] = removed as [FactorRow];
  await deleteFactors(
    tx,
    userId,
    removed.map(({ id }) => id),
  );
  if (removed.some(isConfirmed)) await updateFactorState(tx, userId);
  await recordAll(
    tx,
    by,
    removed.map((factor) => factorChange('factor.removed', factor)),
  );
}

/** Removes every factor of a user, and ends their logins in progress. @returns how many there were */
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
