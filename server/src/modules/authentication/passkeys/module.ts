import { startPasskey, getRelatedOrigins, provePasskey } from '@keywright/contract/routes/passkeys';
import { Cacheable } from '../../../platform/http/replies.ts';
import { relyingPartyOf } from '../../../tenancy/tenant.ts';
import { defineModule } from '../../../tenancy/module.ts';
import { journalModule } from '../../events/journal/module.ts';
import { messagesModule } from '../../events/messages/module.ts';
import { flowsModule } from '../flows/module.ts';
import { PasskeyLoginService } from './passkey-login-service.ts';

const ORIGINS_MAX_AGE_SECONDS = 300;

export const passkeysModule = defineModule('passkeys', (core, use) => {
  const { flows, deviceTokens } = use(flowsModule);
  const { notes } = use(journalModule);
  const { notices } = use(messagesModule);
  const passkeyLogins = new PasskeyLoginService(core, flows, deviceTokens, notes, notices);
  return {
    routes(router) {
      router.add(getRelatedOrigins, ({ tenant }) => {
        const { origins = [] } = relyingPartyOf(tenant) ?? {};
        // Android apps are verified by a document on the domain itself.
        const pages = origins.filter((origin) => origin.startsWith('http'));
        return new Cacheable(JSON.stringify({ origins: pages }), ORIGINS_MAX_AGE_SECONDS);
      });
      router.add(startPasskey, ({ tenant, params, body }, fail) => {
        const flow = { id: params.flow_id, token: body.flow_token };
        return passkeyLogins.start(tenant, flow, fail);
      });
      router.add(provePasskey, ({ tenant, params, body, device }, fail) => {
        const flow = { id: params.flow_id, token: body.flow_token };
        const { credential, device_token: deviceToken } = body;
        return passkeyLogins.prove(tenant, flow, { credential, device, deviceToken }, fail);
      });
    },
  };
});
