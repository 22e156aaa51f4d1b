import {
  DEFAULT_WORKSPACE,
  type TenantId,
  type UserId,
  type WorkspaceId,
} from '@keywright/contract/ids';
import { createCache } from '../../../platform/cache/cache.ts';
import type { OpenedRow } from './store.ts';

const KEPT = 10_000;

interface Landing {
  readonly userId: UserId;
  /** The one that was asked for. */
  readonly workspaceId: WorkspaceId | undefined;
}

/**
 * Opens a session in the workspace that a login lands in. The audit entry names it and is authenticated before it is
 * written, so it has to be known by then: it is what was asked for, or else what it was the last time, or else the default
 * one. Where the database says that it is another one by now, nothing was done, and it is done again for that one.
 */
export function createLand() {
  /** Of users whose workspace is not the default one. */
  const known = createCache<string, WorkspaceId>(KEPT);

  return async (
    tenantId: TenantId,
    { userId, workspaceId: asked }: Landing,
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
