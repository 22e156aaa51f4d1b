import { REVOCATION_ROUTES } from '@keywright/contract/routes/revocation';
import type { Router } from '../../../tenancy/router.ts';
import type { Revoke } from './service.ts';

export function bindRevocationRoutes(router: Router, revoke: Revoke): void {
  router.addAll(REVOCATION_ROUTES, async ({ tenant, body, headers, from }, fail) => {
    const { authorization } = headers;
    await revoke({ tenant, parameters: body, authorization, from }, fail);
    return {};
  });
}
