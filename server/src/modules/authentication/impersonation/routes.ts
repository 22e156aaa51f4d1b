import { impersonate } from '@keywright/contract/routes/auth';
import type { Router } from '../../../tenancy/router.ts';
import { issueImpersonationToken } from './impersonate.ts';

export function bindImpersonationRoutes(
  router: Router,
  dependencies: Parameters<typeof issueImpersonationToken>[0],
): void {
  router.add(impersonate, ({ caller, body }, fail) =>
    issueImpersonationToken(dependencies, caller, body, fail),
  );
}
