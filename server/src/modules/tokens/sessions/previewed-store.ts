import type { UserId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { SubjectRow } from './store.ts';

/** All that tokens say of a user. */
export interface PreviewedUser extends SubjectRow {
  readonly id: UserId;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly user_metadata: Readonly<Record<string, unknown>>;
  /** In seconds. */
  readonly updated_at: number;
}

/** As a session would be opened with it. */
export async function findPreviewed(tx: TenantTx, id: UserId): Promise<PreviewedUser | undefined> {
  const { rows } = await sql<PreviewedUser>`
    SELECT u.id, may.roles, may.scopes, u.metadata, u.user_metadata,
           kw_login_workspace(u.tenant_id, u.id, NULL) AS workspace_id,
           floor(extract(epoch FROM coalesce(u.updated_at, u.created_at)))::float8 AS updated_at,
           (SELECT coalesce(json_agg(json_build_object(
                     'type', i.type, 'identifier', i.identifier, 'verified', i.verified) ORDER BY i.position), '[]')
              FROM user_identifiers i WHERE i.tenant_id = u.tenant_id AND i.user_id = u.id) AS identifiers
      FROM users u CROSS JOIN LATERAL kw_permissions_of(u.tenant_id, u.id) AS may
     WHERE u.tenant_id = ${tx.tenantId} AND u.id = ${id}`.execute(tx.db);
  return rows[0];
}
