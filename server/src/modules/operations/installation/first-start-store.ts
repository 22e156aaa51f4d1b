import type { UserId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { SystemTx } from '../../../tenancy/system.ts';

/** Whether the password of the first administrator was generated, and no system administrator has logged in since. */
export async function hasUnusedSecret(tx: SystemTx): Promise<boolean> {
  const row = await tx.db.selectFrom('installation').select('has_unused_secret').executeTakeFirst();
  return row?.has_unused_secret === true;
}

export async function setUnusedSecret(tx: SystemTx, hasUnused: boolean): Promise<void> {
  await tx.db.updateTable('installation').set({ has_unused_secret: hasUnused }).execute();
}

/**
 * Returns the user with this identifier and role if their credentials have not changed since creation and no user
 * with the role has ever logged in.
 */
export async function findUnusedAdministrator(
  tx: TenantTx,
  identifier: string,
  role: string,
): Promise<UserId | undefined> {
  const { rows } = await sql<{ readonly id: UserId }>`
    SELECT u.id
      FROM users u
      JOIN user_identifiers i ON i.tenant_id = u.tenant_id AND i.user_id = u.id
      JOIN user_roles r ON r.tenant_id = u.tenant_id AND r.user_id = u.id
     WHERE u.tenant_id = ${tx.tenantId} AND i.identifier = ${identifier} AND r.role = ${role}
       AND u.auth_version = 0
       AND NOT EXISTS (
             SELECT
               FROM user_roles a
              WHERE a.tenant_id = u.tenant_id AND a.role = r.role
                AND (EXISTS (SELECT FROM user_logins l
                              WHERE l.tenant_id = a.tenant_id AND l.user_id = a.user_id)
                     OR EXISTS (SELECT FROM sessions s
                                 WHERE s.tenant_id = a.tenant_id AND s.user_id = a.user_id)))`.execute(
    tx.db,
  );
  return rows[0]?.id;
}
