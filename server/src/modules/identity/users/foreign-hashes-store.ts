import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { ForeignHashes } from '../../../tenancy/tenant.ts';

const KEY_BYTES = 32;

/**
 * Counts the users of each scheme, so that logins with unknown identifiers take as long.
 * @param ownScheme that of the hashes of this service
 */
export async function countForeignHashes(tx: TenantTx, ownScheme: string): Promise<void> {
  const before = await lockForeignHashes(tx);
  const rows = await tx.db
    .selectFrom('user_credentials')
    .select(['scheme', (eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('users')])
    .where('tenant_id', '=', tx.tenantId)
    .where('scheme', 'is not', null)
    .groupBy('scheme')
    .orderBy('scheme')
    .execute();
  const foreign = rows.filter(({ scheme }) => scheme !== ownScheme);
  if (foreign.length === 0 && before === null) return;
  const counted: ForeignHashes = {
    // Kept: an identifier that nobody has stays with its share.
    key: before?.key ?? randomBytes(KEY_BYTES).toString('base64'),
    total: rows.reduce((sum, { users }) => sum + users, 0),
    schemes: Object.fromEntries(foreign.map(({ scheme, users }) => [scheme ?? '', users])),
    counted_at: tx.now.toISOString(),
  };
  await tx.db
    .updateTable('tenants')
    .set({ foreign_hashes: foreign.length === 0 ? null : sql`${JSON.stringify(counted)}::jsonb` })
    .where('tenant_id', '=', tx.tenantId)
    .execute();
  tx.changed();
}

async function lockForeignHashes(tx: TenantTx): Promise<ForeignHashes | null> {
  const row = await tx.db
    .selectFrom('tenants')
    .select('foreign_hashes')
    .where('tenant_id', '=', tx.tenantId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return (row?.foreign_hashes as ForeignHashes | null | undefined) ?? null;
}
