import { login } from '@keywright/contract/routes/auth';
import type { MasterKeys } from '../../../tenancy/data-keys.ts';
import type { Router } from '../../../tenancy/router.ts';
import {
  createOpenFirstSession,
  createOpenSession,
  type SessionDependencies,
} from '../../tokens/sessions/index.ts';
import { createDeviceTokens } from './device-tokens.ts';
import { createLogIn, type LoginDependencies } from './service.ts';

interface Dependencies extends SessionDependencies, Pick<LoginDependencies, 'passwords' | 'notes'> {
  readonly masterKeys: MasterKeys;
}

export function bindLoginRoutes(router: Router, dependencies: Dependencies): void {
  const logIn = createLogIn({
    ...dependencies,
    openSession: createOpenSession(dependencies),
    openFirstSession: createOpenFirstSession(dependencies),
    deviceTokens: createDeviceTokens(dependencies.masterKeys),
  });
  router.add(login, ({ tenant, body, from, userAgent }, fail) =>
    logIn(tenant, body, { from, userAgent }, fail),
  );
}
