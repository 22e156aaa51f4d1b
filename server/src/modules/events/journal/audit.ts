import { SYSTEM_ACTIONS } from '@keywright/contract/audit';
import type { Fail } from '@keywright/contract/errors';
import { DEFAULT_TENANT } from '@keywright/contract/ids';
import type { AuditCheckpoint } from '@keywright/contract/records/audit-entry';
import type { QueryOf } from '@keywright/contract/route';
import type { listAudit, listCheckpoints } from '@keywright/contract/routes/audit';
import { firstAuditEntryId } from '../../../platform/crypto/ids.ts';
import { listed, readPage } from '../../../platform/db/page.ts';
import { readMoment } from '../../../platform/moment.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { TenantData } from '../../../tenancy/gate.ts';
import {
  countCheckpoints,
  countEntries,
  type EntryFilter,
  findCheckpoints,
  findEntries,
  placeOf,
} from './audit-store.ts';
import { presentEntry } from './present.ts';

type Query = QueryOf<typeof listAudit>;

/** A page of the audit log, newest first. */
export async function listAuditPage(
  tenant: TenantData,
  caller: Caller,
  query: Query,
  fail: Fail<'VALIDATION_FAILED'>,
) {
  const page = readPage([tenant.tenantId, 'audit'], query, '-id', fail);
  const filter = filterOf(tenant, caller, query, fail);
  const [rows, total] = await tenant.transaction(
    async (tx) => [await findEntries(tx, page, filter), await countEntries(tx, filter)] as const,
  );
  return listed(
    page,
    rows,
    total,
    (row) => row.id,
    (row) => presentEntry(row, placeOf(row)),
  );
}

/** Work across tenants is in the log of the default tenant, visible only to system administrators. */
export function filterOf(
  { tenantId }: TenantData,
  caller: Caller,
  query: Query,
  fail: Fail<'VALIDATION_FAILED'>,
): EntryFilter {
  const { actor, on_behalf_of, action, target, request_id, outcome, from, to } = query;
  return {
    ...(actor === undefined ? {} : { actor }),
    ...(on_behalf_of === undefined ? {} : { on_behalf_of }),
    ...(action === undefined ? {} : { action }),
    ...(target === undefined ? {} : { target }),
    ...(request_id === undefined ? {} : { request_id }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(from === undefined ? {} : { fromId: firstIdOf(from, '/from', fail) }),
    ...(to === undefined ? {} : { toId: firstIdOf(to, '/to', fail) }),
    ...(tenantId === DEFAULT_TENANT && !caller.isSystemAdministrator
      ? { without: SYSTEM_ACTIONS }
      : {}),
  };
}

/** Ids contain the time, so a range of times is a range of ids. */
function firstIdOf(text: string, path: string, fail: Fail<'VALIDATION_FAILED'>): string {
  return firstAuditEntryId(readMoment(text, path, fail));
}

const POSITION = /^\d{1,15}$/;

/** Signed heads of the chain, newest first. */
export async function listCheckpointsPage(
  tenant: TenantData,
  query: QueryOf<typeof listCheckpoints>,
  fail: Fail<'VALIDATION_FAILED'>,
) {
  const page = readPage([tenant.tenantId, 'checkpoints'], query, '-position', fail);
  // A cursor is untrusted text.
  if (page.after && !POSITION.test(page.after.id)) fail('VALIDATION_FAILED');
  const [rows, total] = await tenant.transaction(
    async (tx) => [await findCheckpoints(tx, page), await countCheckpoints(tx)] as const,
  );
  return listed(
    page,
    rows,
    total,
    (row) => row.id,
    ({ position, token, created_at: at }): AuditCheckpoint => ({
      tenant_id: tenant.tenantId,
      position: Number(position),
      token,
      created_at: at.toISOString(),
    }),
  );
}
