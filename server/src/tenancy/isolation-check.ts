import { DEFAULT_TENANT } from '@keywright/contract/ids';
import type { Gate } from './gate.ts';
import { countVisibleCheckRows, countAllCheckRows, listUnguardedTables } from './store.ts';
import type { SystemData } from './system.ts';

/** A row of one tenant is visible to another, or the check cannot tell: the service must not start. */
export class IsolationBroken extends Error {
  constructor(finding: string) {
    super(
      `Keywright refuses to serve: ${finding}. Row-level security does not hold on this database. ` +
        'Check that the policies of its migrations are in place and that the roles keywright_tenant, ' +
        'keywright_resolver and keywright_system are neither superusers nor have BYPASSRLS.',
    );
    this.name = 'IsolationBroken';
  }
}

/**
 * Looks for unprotected tables, and, from inside a tenant, for a row of another tenant (layer 2 of tenant isolation).
 * @throws IsolationBroken if a table is unprotected, the row is visible, or the row does not exist, so that the check
 * proves nothing
 */
export async function checkIsolation(gate: Gate, system: SystemData): Promise<void> {
  const [unguarded, there] = await system.maintain(
    'isolation check',
    async (tx) => [await listUnguardedTables(tx), await countAllCheckRows(tx)] as const,
  );
  if (unguarded.length > 0) throw new IsolationBroken(`${unguarded.join(', ')} is not guarded`);
  if (there !== 1) throw new IsolationBroken('the row of the isolation check is missing');
  const seen = await gate.into(DEFAULT_TENANT).transaction(countVisibleCheckRows);
  if (seen !== 0) throw new IsolationBroken('a row of another tenant is visible');
}
