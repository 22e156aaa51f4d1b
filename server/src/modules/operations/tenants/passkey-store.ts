import { sql } from 'kysely';
import type { TenantTx } from '../../../tenancy/gate.ts';

/** How many active users have passkeys that are bound to another domain than this new one; undefined: it stays. */
export async function countLost(tx: TenantTx, rpId: string | undefined): Promise<number> {
  if (rpId === undefined) return 0;
  const { rows } = await sql<{ users: number }>`
    SELECT count(DISTINCT f.user_id)::integer AS users FROM user_factors f
      JOIN users u ON u.tenant_id = f.tenant_id AND u.id = f.user_id AND u.is_active
     WHERE f.tenant_id = ${tx.tenantId} AND f.type = 'passkey' AND f.rp_id <> ${rpId}`.execute(
    tx.db,
  );
  return rows[0]?.users ?? 0;
}
