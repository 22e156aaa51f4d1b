import { impersonate } from '@keywright/contract/routes/auth';
import {
  beginImpersonation,
  endImpersonation,
  listImpersonations,
} from '@keywright/contract/routes/impersonations';
import type { Router } from '../../../tenancy/router.ts';
import { issueImpersonationToken } from './impersonate.ts';
import { begin, end, list } from './kept.ts';

export function bindImpersonationRoutes(
  router: Router,
  dependencies: Parameters<typeof issueImpersonationToken>[0] & Parameters<typeof begin>[0],
): void {
  router.add(impersonate, ({ caller, body }, fail) =>
    issueImpersonationToken(dependencies, caller, body, fail),
  );
  router.add(listImpersonations, ({ caller }) => list(dependencies, caller));
  router.add(beginImpersonation, ({ caller, params, body }, fail) =>
    begin(dependencies, caller, { tenantId: params.tenant_id, ...body }, fail),
  );
  router.add(endImpersonation, async ({ caller, params }, fail) => ({
    id: await end(dependencies, caller, params.tenant_id, fail),
    deleted: true as const,
  }));
}
