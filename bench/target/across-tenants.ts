import type { Database } from '@keywright/server/platform/db/database';
import { createLog } from '@keywright/server/platform/log';
import { createAuditKeys } from '@keywright/server/tenancy/audit-keys';
import { createMasterKeys } from '@keywright/server/tenancy/data-keys';
import { createSystemData, type SystemTx } from '@keywright/server/tenancy/system';

/** A transaction that sees the rows of every tenant, and writes no entries of audit logs. */
export function acrossTenants<Result>(
  database: Database,
  work: (db: SystemTx['db']) => Promise<Result>,
): Promise<Result> {
  const auditKeys = createAuditKeys(database, () => createMasterKeys([]));
  const system = createSystemData(database, createLog('silent'), () => '[]', auditKeys);
  return system.maintain('seeding', ({ db }) => work(db));
}
