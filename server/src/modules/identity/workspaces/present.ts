import type { WorkspaceRecord } from '@keywright/contract/records/workspace';
import type { WorkspaceRow } from './store.ts';

export function presentWorkspace(row: WorkspaceRow): WorkspaceRecord {
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    name: row.name,
    slug: row.slug,
    is_active: row.is_active,
    created_at: row.created_at.toISOString(),
  };
}
