import {
  DEFAULT_WORKSPACE,
  type TenantId,
  type UserId,
  type WorkspaceId,
} from '@keywright/contract/ids';
import { createCache } from '../../../platform/cache/cache.ts';
import type { OpenedRow } from './store.ts';

const KEPT = 10_000;

interface Login {
  readonly userId: UserId;
  /** The requested one. */
  readonly workspaceId: WorkspaceId | undefined;
}

/**
 * Opens a session in the workspace of the login. The audit entry contains it and is authenticated before it is written,
 * so it has to be predicted: the requested one, or the last one, or the default. If the database determines a different
 * one, nothing was written, and it is repeated with that one.
 */
export function createOpenInWorkspace() {
  /** Of users whose workspace is not the default one. */
  const known = createCache<string, WorkspaceId>(KEPT);

  return async (
    tenantId: TenantId,
    { userId, workspaceId: asked }: Login,
    open: (workspaceId: WorkspaceId) => Promise<OpenedRow>,
  ): Promise<Exclude<OpenedRow, { readonly outcome: 'elsewhere' }>> => {
    const name = `${tenantId} ${userId}`;
    let workspaceId = asked ?? known.get(name) ?? DEFAULT_WORKSPACE;
    for (;;) {
      const row = await open(workspaceId);
      if (row.outcome !== 'elsewhere') return row;
      workspaceId = row.workspace_id;
      if (workspaceId === DEFAULT_WORKSPACE) known.delete(name);
      else known.set(name, workspaceId);
    }
  };
}
