import type { UserId } from '@keywright/contract/ids';
import { LOGINS } from '@keywright/contract/scopes';
import { sql } from 'kysely';
import type { TenantTx } from '../../../tenancy/gate.ts';

const MOST_ADMINISTRATORS = 100;
/** The first identifier of a user. */
export async function findFirstIdentifier(
  { db, tenantId }: TenantTx,
  userId: UserId,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('user_identifiers')
    .select('identifier')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst();
  return row?.identifier;
}

/** Every scope that includes the permission to decide about logins. */
const COVERING = [LOGINS, 'write:*', '*:logins', '*:*'];

/** The verified addresses of active administrators. Those who have been here longest come first: new ones displace nobody. */
export async function findAdministrators({
  db,
  tenantId,
}: TenantTx): Promise<{ readonly id: UserId; readonly address: string }[]> {
  const { rows } = await sql<{ id: UserId; address: string }>`
    WITH administrators AS (
      SELECT u.id
        FROM users u
       WHERE u.tenant_id = ${tenantId} AND u.is_active
         AND u.id IN (SELECT h.user_id
                        FROM roles r JOIN user_roles h ON h.tenant_id = r.tenant_id AND h.role = r.name
                       WHERE r.tenant_id = ${tenantId} AND r.scopes && ${COVERING}::text[])
         AND EXISTS (SELECT FROM user_identifiers i
                      WHERE i.tenant_id = ${tenantId} AND i.user_id = u.id AND i.type = 'email' AND i.verified)
       ORDER BY u.id
       LIMIT ${MOST_ADMINISTRATORS}
    )
    SELECT a.id, i.identifier AS address
      FROM administrators a
      JOIN user_identifiers i ON i.tenant_id = ${tenantId} AND i.user_id = a.id
     WHERE i.type = 'email' AND i.verified
     ORDER BY a.id, i.position`.execute(db);
  return rows;
}
