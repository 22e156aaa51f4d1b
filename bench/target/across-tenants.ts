import type { Database } from '@keywright/server/platform/db/database';
import { openLog } from '@keywright/server/platform/log';
import { UncachedAuditKeys } from '@keywright/server/tenancy/audit-keys';
import { MasterKeys } from '@keywright/server/tenancy/data-keys';
import { SystemData, type SystemTx } from '@keywright/server/tenancy/gate';

/** Runs a transaction that sees the rows of every tenant and writes no audit log entries. */
export function acrossTenants<Result>(
  database: Database,
  work: (db: SystemTx['db']) => Promise<Result>,
): Promise<Result> {
  const auditKeys = new UncachedAuditKeys(database, () => new MasterKeys([]));
  const system = new SystemData(database, openLog('silent'), () => '[]', auditKeys);
  return system.maintain('seeding', ({ db }) => work(db));
}
