import { login } from '@keywright/contract/routes/auth';
import type { Router } from '../../tenancy/router.ts';
import type { LogIn } from './service.ts';

export function bindLoginRoutes(router: Router, logIn: LogIn): void {
  router.add(login, ({ tenant, body, from, userAgent }, fail) =>
    logIn(tenant, body, { from, userAgent }, fail),
  );
}
