import type { Fail } from '@keywright/contract/errors';
import {
  type TenantId,
  type FactorId,
  type UserId,
  parseFactorId,
  parseUserId,
} from '@keywright/contract/ids';
import type { FactorRecord } from '@keywright/contract/records/factor';
import type { AcceptedPasskeys } from '@keywright/contract/records/passkey';
import { type Caller, isInTheNameOf, isOneself, type UserCaller } from '../../../tenancy/caller.ts';
import type { Gate, TenantData, TenantTx } from '../../../tenancy/gate.ts';
import { relyingPartyOf } from '../../../tenancy/login-methods.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { findWays, hasAWay } from '../../authentication/login-methods/index.ts';
import { acceptedPasskeys } from '../../authentication/passkeys/index.ts';
import { MAX_FAILURES } from '../../authentication/proofs/index.ts';
import { type Change, type Actor, record, recordAll } from '../../events/journal/index.ts';
import type { Notify } from '../../events/messages/index.ts';
import { requireMayActOnUser, userExists } from '../roles/index.ts';
import { lockActiveUser, lockOneself } from '../users/index.ts';
import {
  type FactorRow,
  listPasskeys,
  deleteFactors,
  listFactors,
  renameFactor,
  updateFactorState,
} from './factor-store.ts';

export function presentFactor(tenantId: TenantId, row: FactorRow): FactorRecord {
  return {
    id: row.id,
    tenant_id: tenantId,
    user_id: row.user_id,
    type: row.type as FactorRecord['type'],
    name: row.name,
    created_at: row.created_at.toISOString(),
    confirmed_at: row.confirmed_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    is_suspended: row.failures >= MAX_FAILURES,
    ...passkeyOf(row),
  };
}

function passkeyOf(row: FactorRow): Pick<FactorRecord, 'passkey'> {
  const { rp_id, aaguid, transports } = row;
  if (rp_id === null || aaguid === null) return {};
  const is_device_bound = row.backup_eligible === false;
  const is_synced = row.backed_up === true;
  return { passkey: { rp_id, aaguid, is_synced, is_device_bound, transports: transports ?? [] } };
}

/** A factor, as records of changes name it. */
interface ChangedFactor {
  readonly id: FactorId;
  readonly user_id: UserId;
  readonly type: string;
  readonly confirmed_at: Date | null;
}

/** The records of a factor that was begun, added or removed. Events are about factors that count. */
export function factorChange(
  action: 'factor.begun' | 'factor.added' | 'factor.removed',
  { id, user_id, type: asText, confirmed_at: confirmedAt }: ChangedFactor,
): Change {
  const type = asText as FactorRecord['type'];
  const data = { factor_id: id, user_id, type };
  return {
    action,
    target: { kind: 'factor', id },
    details: { user_id, type },
    events: action === 'factor.begun' || confirmedAt === null ? [] : [{ type: action, data }],
  };
}

/** The record of a factor that was renamed, or whose codes were replaced. */
export function factorUpdate(
  { id, user_id }: Pick<ChangedFactor, 'id' | 'user_id'>,
  fields: string[],
): Change {
  return {
    action: 'factor.updated',
    target: { kind: 'factor', id },
    details: { user_id, fields },
  };
}

/** Of one user, including those that are not confirmed. */
export const MAX_FACTORS = 20;
const UNCONFIRMED_MS = 60 * 60 * 1000;

/** When an authenticator that was added now is deleted unless it is confirmed. */
export function confirmBefore(now: Date): Date {
  return new Date(now.getTime() + UNCONFIRMED_MS);
}

interface Confirmable {
  readonly confirmed_at: Date | null;
}

/** Until then, a factor counts for nothing. */
function isConfirmed({ confirmed_at: at }: Confirmable): boolean {
  return at !== null;
}

/** Whether logins need it. */
export function isAuthenticator(factor: Confirmable & { readonly type: string }): boolean {
  return !isRecoveryCodes(factor) && isConfirmed(factor);
}

export function isRecoveryCodes({ type }: { readonly type: string }): boolean {
  return type === 'recovery_codes';
}

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
