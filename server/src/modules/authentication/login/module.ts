import { login, refresh } from '@keywright/contract/routes/auth';
import { provePassword } from '@keywright/contract/routes/login-flows';
import { startStepUp } from '@keywright/contract/routes/step-up';
import { getUserLocks, unlockUser } from '@keywright/contract/routes/user-locks';
import { localeOfHeaders } from '../../../platform/texts/locales.ts';
import { defineModule } from '../../../tenancy/module.ts';
import { journalModule } from '../../events/journal/module.ts';
import { sessionsModule } from '../../tokens/sessions/module.ts';
import { flowsModule } from '../flows/module.ts';
import { passwordsModule } from '../passwords/module.ts';
import { LoginService } from './login-service.ts';
import { StepUpService } from './step-up-service.ts';
import { UserLocks } from './user-locks.ts';

export const loginModule = defineModule('login', (core, use) => {
  const { notes } = use(journalModule);
  const { passwordPolicy } = use(passwordsModule);
  const { sessions, refreshes } = use(sessionsModule);
  const { flows, deviceTokens, newDevices } = use(flowsModule);
  const logins = new LoginService(
    core,
    notes,
    passwordPolicy,
    sessions,
    flows,
    deviceTokens,
    newDevices,
  );
  const stepUps = new StepUpService(core.gate, flows);
  const locks = new UserLocks(core.gate);
  return {
    routes(router) {
      router.add(login, logins.login);
      router.add(provePassword, logins.provePassword);
      router.add(refresh, async ({ tenant, body, from }, fail) => {
        const offerStepUp = stepUps.offer.bind(stepUps);
        const presented = { token: body.refresh_token, from, offerStepUp };
        return (await refreshes.refreshDirect(tenant, presented, fail)).answer;
      });
      router.add(startStepUp, ({ tenant, caller, body, headers }, fail) =>
        stepUps.start(tenant, caller, body.acr, localeOfHeaders(headers), fail),
      );
      router.add(getUserLocks, ({ tenant, caller, params }, fail) =>
        locks.get(tenant, caller, params.user_id, fail),
      );
      router.add(unlockUser, ({ tenant, caller, params }, fail) =>
        locks.unlock(tenant, caller, params.user_id, fail),
      );
    },
  };
});
