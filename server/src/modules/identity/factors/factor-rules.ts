import type { FactorId, TenantId, UserId } from '@keywright/contract/ids';
import type { FactorRecord } from '@keywright/contract/records/factor';
import { MAX_FAILURES } from '../../authentication/proofs/index.ts';
import type { Change } from '../../events/journal/index.ts';
import type { FactorRow } from '../users/index.ts';

/** All factors of a user, including unconfirmed ones. */
export const MAX_FACTORS = 20;

interface Confirmable {
  readonly confirmed_at: Date | null;
}

/** A factor has no effect until it is confirmed. */
export function isConfirmed({ confirmed_at: at }: Confirmable): boolean {
  return at !== null;
}

/** Whether logins require it. */
export function isAuthenticator(factor: Confirmable & { readonly type: string }): boolean {
  return !isRecoveryCodes(factor) && isConfirmed(factor);
}

export function isRecoveryCodes({ type }: { readonly type: string }): boolean {
  return type === 'recovery_codes';
}

export function presentFactor(tenantId: TenantId, row: FactorRow): FactorRecord {
  return {
    id: row.id,
    tenant_id: tenantId,
    user_id: row.user_id,
    type: row.type,
    name: row.name,
    created_at: row.created_at.toISOString(),
    confirmed_at: row.confirmed_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    is_suspended: row.failures >= MAX_FAILURES,
    ...presentPasskey(row),
  };
}

function presentPasskey(row: FactorRow): Pick<FactorRecord, 'passkey'> {
  const { rp_id, aaguid, transports } = row;
  if (rp_id === null || aaguid === null) return {};
  const is_device_bound = row.backup_eligible === false;
  const is_synced = row.backed_up === true;
  return { passkey: { rp_id, aaguid, is_synced, is_device_bound, transports: transports ?? [] } };
}

interface ChangedFactor extends Confirmable {
  readonly id: FactorId;
  readonly user_id: UserId;
  readonly type: FactorRecord['type'];
}

/** The audit record of an added or removed factor. Only confirmed factors emit events. */
export function factorChange(
  action: 'factor.begun' | 'factor.added' | 'factor.removed',
  factor: ChangedFactor,
): Change {
  const { id, user_id, type } = factor;
  const data = { factor_id: id, user_id, type };
  return {
    action,
    target: { kind: 'factor', id },
    details: { user_id, type },
    events: action === 'factor.begun' || !isConfirmed(factor) ? [] : [{ type: action, data }],
  };
}

/** The audit record of a factor that was renamed, or whose codes were replaced. */
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
