import {
  startLinking,
  deleteIdentity,
  finishLinking,
  listIdentities,
} from '@keywright/contract/routes/identities';
import { startProviderTest, finishProviderTest } from '@keywright/contract/routes/provider-tests';
import {
  startUpstream,
  finishUpstream,
  upstreamCallback,
  upstreamCallbackForm,
} from '@keywright/contract/routes/upstream-logins';
import { listedWhole } from '../../../platform/db/page.ts';
import { SeeOther } from '../../../platform/http/replies.ts';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import { expiring } from '../../../tenancy/sweep-store.ts';
import { journalModule } from '../../events/journal/module.ts';
import { messagesModule } from '../../events/messages/module.ts';
import { IssuerKeys } from '../../tokens/proofs/index.ts';
import { flowsModule } from '../flows/module.ts';
import { AuthorizationRequests } from './authorization-requests.ts';
import { LinkedIdentityService, UpstreamLoginService } from './upstream-login-service.ts';
import { ProviderCallback, ProviderTestService } from './provider-callback.ts';
import { ProviderClient } from './provider-client.ts';

/** Longer than for tokens that clients present: the user waits, and cannot easily repeat the login. */
const KEYS_TIMEOUT_MS = 10_000;

export const upstreamLoginsModule = defineModule('upstream-logins', (core, use) => {
  const { egress, clock, gate } = core;
  const { flows, deviceTokens } = use(flowsModule);
  const { notes } = use(journalModule);
  const { notices } = use(messagesModule);
  const client = new ProviderClient(egress, clock);
  const requests = new AuthorizationRequests(core, client);
  const logins = new UpstreamLoginService(core, requests, flows, deviceTokens, notes, notices);
  // Not those of the token endpoint: clients there must not cause the keys to be unavailable to logins.
  const issuerKeys = new IssuerKeys(egress, clock, KEYS_TIMEOUT_MS);
  return {
    offer: { upstreamLogins: logins },
    routes(router) {
      bindLogins(router, logins, new ProviderCallback(core, client, issuerKeys, notes));
      bindLinkedIdentities(router, new LinkedIdentityService(gate, requests, notices));
      bindTests(router, new ProviderTestService(gate, requests));
    },
    sweeps: [expiring('upstream_logins', 'expires_at')],
  };
});

function bindLogins(
  router: Router,
  logins: UpstreamLoginService,
  callback: ProviderCallback,
): void {
  router.add(startUpstream, ({ tenant, params, body }, fail) => {
    const flow = { id: params.flow_id, token: body.flow_token };
    const destination = { provider: body.provider, returnUrl: body.return_url };
    return logins.start(tenant, flow, destination, fail);
  });
  router.add(upstreamCallback, async ({ tenant, params, query: parameters, from }, fail) => {
    const request = { provider: params.provider_id, parameters, from };
    return new SeeOther(await callback.handle(tenant, request, fail));
  });
  router.replay(upstreamCallbackForm);
  router.add(finishUpstream, ({ tenant, params, body, device }, fail) => {
    const flow = { id: params.flow_id, token: body.flow_token };
    const { handoff, device_token: deviceToken } = body;
    return logins.finish(tenant, flow, { handoff, device, deviceToken }, fail);
  });
}

function bindLinkedIdentities(router: Router, identities: LinkedIdentityService): void {
  router.add(listIdentities, async ({ tenant, caller, query }, fail) =>
    listedWhole(query, await identities.list(tenant, caller), fail),
  );
  router.add(startLinking, async ({ tenant, caller, body }, fail) => {
    const destination = { provider: body.provider, returnUrl: body.return_url };
    return { authorize_url: await identities.startLinking(tenant, caller, destination, fail) };
  });
  router.add(finishLinking, ({ tenant, caller, body }, fail) =>
    identities.finishLinking(tenant, caller, body.handoff, fail),
  );
  router.add(deleteIdentity, async ({ tenant, caller, params }, fail) => ({
    id: await identities.unlink(tenant, caller, params.provider_id, fail),
    deleted: true as const,
  }));
}

function bindTests(router: Router, tests: ProviderTestService): void {
  router.add(startProviderTest, async ({ tenant, caller, params, body }, fail) => {
    const destination = { provider: params.provider_id, returnUrl: body.return_url };
    return { authorize_url: await tests.start(tenant, caller, destination, fail) };
  });
  router.add(finishProviderTest, ({ tenant, caller, params, body }, fail) => {
    const test = { provider: params.provider_id, handoff: body.handoff };
    return tests.finish(tenant, caller, test, fail);
  });
}
