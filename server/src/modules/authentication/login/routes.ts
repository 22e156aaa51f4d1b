import { login } from '@keywright/contract/routes/auth';
import { provePassword } from '@keywright/contract/routes/login-flows';
import { askedIn } from '../../../platform/texts/locales.ts';
import type { Router } from '../../../tenancy/router.ts';
import { createProvePassword } from './password-step.ts';
import { createLogIn, type LoginDependencies } from './service.ts';
import { createStart } from './start.ts';

export function bindLoginRoutes(router: Router, dependencies: LoginDependencies): void {
  const start = createStart(dependencies);
  const all = { ...dependencies, start };
  const logIn = createLogIn(all);
  const prove = createProvePassword(all);
  router.add(login, ({ tenant, body, device, headers }, fail) =>
    logIn(tenant, body, { ...device, locale: askedIn(headers) }, fail),
  );
  router.add(provePassword, ({ tenant, params, body, device }, fail) =>
    prove(tenant, params.flow_id, body, device, fail),
  );
}
