import type { UserRecord } from '@keywright/contract/records/user';
import type { UserRow } from './user-list-store.ts';

export function presentUser(row: UserRow): UserRecord {
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    name: row.name,
    picture: row.picture,
    identifiers: row.identifiers,
    roles: row.roles,
    workspaces: row.workspaces,
    is_active: row.is_active,
    metadata: row.metadata,
    user_metadata: row.user_metadata,
    created_at: row.created_at.toISOString(),
    last_login_at: row.last_login_at?.toISOString() ?? null,
  };
}
