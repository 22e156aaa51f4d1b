import type { UserRecord } from '@keywright/contract/records/user';
import type { UserRow } from './store.ts';

export function presentUser(row: UserRow): UserRecord {
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    identifiers: row.identifiers,
    roles: row.roles,
    workspaces: row.workspaces,
    is_active: row.is_active,
    metadata: row.metadata as UserRecord['metadata'],
    user_metadata: row.user_metadata as UserRecord['user_metadata'],
    created_at: row.created_at.toISOString(),
  };
}
