import type { Fail } from '@keywright/contract/errors';
import {
  type AccountExport,
  EXPORT_HOURS,
  type ExportRecord,
} from '@keywright/contract/records/account-export';
import type { UserCaller } from '../../../tenancy/caller.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { record } from '../../events/journal/index.ts';
import { lockOneself } from '../users/index.ts';
import { openContent } from './making.ts';
import { exportToMake } from './queue.ts';
import { type ExportRow, findContent, findExport, insertExport } from './store.ts';

export interface OwnDataDependencies {
  readonly gate: Gate;
  readonly dataKeys: DataKeys;
}

const HOUR_MS = 60 * 60 * 1000;

export function requestExport(
  { gate }: OwnDataDependencies,
  tenant: Tenant,
  caller: UserCaller,
  fail: Fail<'TOKEN_INVALID' | 'STEP_UP_REQUIRED'>,
): Promise<ExportRecord> {
  const { subject: userId, sessionId } = caller;
  return gate.into(tenant.id).transaction(async (tx) => {
    await lockOneself(tx, caller, fail);
    const now = tx.now.getTime();
    const expiresAt = new Date(now + EXPORT_HOURS * HOUR_MS);
    const keptSince = new Date(now - HOUR_MS);
    const row = await insertExport(tx, { userId, sessionId, expiresAt, keptSince });
    if (!row) return present(tenant, (await findExport(tx, userId)) ?? fail('TOKEN_INVALID'));
    const target = { kind: 'user', id: userId } as const;
    await record(tx, caller, { action: 'user.export_requested', target, details: {} });
    tx.publish(exportToMake, { tenantId: tenant.id, key: 'exports' });
    return present(tenant, row);
  });
}

export async function getExport(
  { gate }: OwnDataDependencies,
  tenant: Tenant,
  { subject }: UserCaller,
  fail: Fail<'NOT_FOUND'>,
): Promise<ExportRecord> {
  const row = await gate.into(tenant.id).transaction((tx) => findExport(tx, subject));
  return row ? present(tenant, row) : fail('NOT_FOUND');
}

export async function readExport(
  { gate, dataKeys }: OwnDataDependencies,
  tenant: Tenant,
  caller: UserCaller,
  fail: Fail<'NOT_FOUND'>,
): Promise<AccountExport> {
  const { subject } = caller;
  const content = await gate.into(tenant.id).transaction(async (tx) => {
    const found = (await findContent(tx, subject)) ?? fail('NOT_FOUND');
    const target = { kind: 'user', id: subject } as const;
    await record(tx, caller, { action: 'user.exported', target, details: {} });
    return found;
  });
  return openContent(dataKeys, tenant.id, subject, content);
}

function present({ id: tenantId }: Tenant, row: ExportRow): ExportRecord {
  const { id, status, bytes, created_at: at, expires_at: until } = row;
  const states = {
    pending: 'pending',
    done: 'ready',
    failed: 'failed',
    expired: 'failed',
  } as const;
  return {
    user_id: id,
    tenant_id: tenantId,
    status: states[status],
    bytes,
    created_at: at.toISOString(),
    expires_at: until.toISOString(),
  };
}
