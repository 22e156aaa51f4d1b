import { impersonate } from '@keywright/contract/routes/auth';
import type { Router } from '../../../tenancy/router.ts';
import { issueImpersonationToken } from './impersonate.ts';

export function bindImpersonationRoutes(
  router: Router,
  parts: Parameters<typeof issueImpersonationToken>[0],
): void {
  router.add(impersonate, ({ caller, body }, fail) =>
    issueImpersonationToken(parts, caller, body, fail),
  );
}
