import { login } from '@keywright/contract/routes/auth';
import { provePassword } from '@keywright/contract/routes/login-flows';
import type { MasterKeys } from '../../../tenancy/data-keys.ts';
import { askedIn } from '../../../platform/texts/locales.ts';
import type { Router } from '../../../tenancy/router.ts';
import {
  createOpenFirstSession,
  createOpenSession,
  type OpeningDependencies,
} from '../../tokens/sessions/index.ts';
import { createDeviceTokens, type Flows, type TellOfDevice } from '../flows/index.ts';
import { createProvePassword } from './password-step.ts';
import { createLogIn, type LoginDependencies } from './service.ts';

type Shared = 'passwords' | 'passwordPolicy' | 'tellOfBreach' | 'mustReplace' | 'notes';

interface Dependencies extends OpeningDependencies, Pick<LoginDependencies, Shared> {
  readonly masterKeys: MasterKeys;
  readonly flows: Flows;
  readonly tellOfDevice: TellOfDevice;
}

export function bindLoginRoutes(router: Router, dependencies: Dependencies): void {
  const all = {
    ...dependencies,
    openSession: createOpenSession(dependencies),
    openFirstSession: createOpenFirstSession(dependencies),
    deviceTokens: createDeviceTokens(dependencies.masterKeys),
  };
  const logIn = createLogIn(all);
  const prove = createProvePassword(all);
  router.add(login, ({ tenant, body, device, headers }, fail) =>
    logIn(tenant, body, { ...device, locale: askedIn(headers) }, fail),
  );
  router.add(provePassword, ({ tenant, params, body, device }, fail) =>
    prove(tenant, params.flow_id, body, device, fail),
  );
}
