import { login } from '@keywright/contract/routes/auth';
import type { MasterKeys } from '../../../tenancy/data-keys.ts';
import type { Router } from '../../../tenancy/router.ts';
import {
  createOpenFirstSession,
  createOpenSession,
  type SessionParts,
} from '../../tokens/sessions/index.ts';
import { createDeviceTokens } from './device-tokens.ts';
import { createLogIn, type LoginParts } from './service.ts';

interface Parts extends SessionParts, Pick<LoginParts, 'passwords' | 'notes'> {
  readonly masterKeys: MasterKeys;
}

export function bindLoginRoutes(router: Router, parts: Parts): void {
  const logIn = createLogIn({
    ...parts,
    openSession: createOpenSession(parts),
    openFirstSession: createOpenFirstSession(parts),
    deviceTokens: createDeviceTokens(parts.masterKeys),
  });
  router.add(login, ({ tenant, body, from, userAgent }, fail) =>
    logIn(tenant, body, { from, userAgent }, fail),
  );
}
