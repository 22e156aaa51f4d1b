import type { UserId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import type { TenantTx } from '../../../tenancy/gate.ts';

/** Whether the user has recovery codes, or somebody else with this role is active and has a second factor. */
export async function hasAnotherWay(
  { db, tenantId }: TenantTx,
  userId: UserId,
  role: string,
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    SELECT EXISTS (
        SELECT FROM user_factors f
         WHERE f.tenant_id = ${tenantId} AND f.user_id = ${userId} AND f.type = 'recovery_codes'
      ) OR EXISTS (
        SELECT FROM user_roles held JOIN users u ON u.tenant_id = held.tenant_id AND u.id = held.user_id
         WHERE held.tenant_id = ${tenantId} AND held.role = ${role} AND u.id <> ${userId} AND u.is_active
           AND u.has_second_factor
      ) AS found`.execute(db);
  return rows[0]?.found ?? false;
}
