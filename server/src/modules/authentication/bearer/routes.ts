import { verifyToken } from '@keywright/contract/routes/auth';
import { preparedOf } from '../../../platform/http/replies.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { FindActive } from './bearer-service.ts';

export function bindAuthenticationRoutes(router: Router, findActive: FindActive): void {
  router.add(verifyToken, async ({ tenant, body }) => {
    const claims = await findActive(tenant, body.token);
    return preparedOf(claims ? { ...claims, active: true } : { active: false });
  });
}
