import { sql } from 'kysely';
import type { TenantTx } from '../../tenancy/gate.ts';
import type { Written } from './change.ts';

export async function insertRecord(tx: TenantTx, { entries, events }: Written): Promise<void> {
  await sql`SELECT kw_record(${tx.tenantId}, ${entries}::jsonb, ${events}::jsonb)`.execute(tx.db);
}
