import {
  beginUpstream,
  finishUpstream,
  upstreamCallback,
  upstreamCallbackForm,
} from '@keywright/contract/routes/upstream-logins';
import {
  beginLinking,
  deleteIdentity,
  finishLinking,
  listIdentities,
} from '@keywright/contract/routes/identities';
import { beginProviderTest, finishProviderTest } from '@keywright/contract/routes/provider-tests';
import { listedWhole } from '../../../platform/db/page.ts';
import { SeeOther } from '../../../platform/http/replies.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { DeviceTokens } from '../flows/index.ts';
import { offersUpstream } from '../../../tenancy/login-methods.ts';
import { beginLogin } from './begin.ts';
import { type CallbackDependencies, takeReturn } from './provider-callback.ts';
import { type FinishDependencies, finishLogin } from './finish.ts';
import { linkOwn, listOwn, unlinkOwn } from './linked-identity-service.ts';
import { linkingPageOf, testPageOf } from './upstream-login-rules.ts';
import { beginTest, finishTest } from './provider-test-service.ts';

interface Dependencies extends CallbackDependencies, FinishDependencies {
  readonly deviceTokens: DeviceTokens;
}

export function bindUpstreamRoutes(router: Router, dependencies: Dependencies): void {
  bindOwnRoutes(router, dependencies);
  bindTestRoutes(router, dependencies);
  const { flows, deviceTokens, clock } = dependencies;

  router.add(beginUpstream, async ({ tenant, params, body }, fail) => {
    const flow = await flows.open(tenant, params.flow_id, body.flow_token, 'oauth', fail);
    const asked = { provider: body.provider, returnUrl: body.return_url };
    const { id: owner, identifier, purpose } = flow;
    const begins = { owner, identifier, asksLogin: purpose === 'step_up' };
    const at = await beginLogin(dependencies, tenant, begins, asked, fail);
    return { flow: await flows.present(tenant, flow), authorize_url: at ?? fail('FLOW_ENDED') };
  });

  router.add(upstreamCallback, async ({ tenant, params, query: parameters, from }, fail) => {
    const returned = { provider: params.provider_id, parameters, from };
    return new SeeOther(await takeReturn(dependencies, tenant, returned, fail));
  });
  router.replay(upstreamCallbackForm);

  router.add(finishUpstream, async ({ tenant, params, body, device }, fail) => {
    const flow = await flows.open(tenant, params.flow_id, body.flow_token, 'oauth', fail);
    const token = body.device_token ?? device.token;
    const knownDevice = deviceTokens.read(tenant.id, token, clock.now());
    const step = { ...device, knownDevice };
    return finishLogin(dependencies, tenant, flow, body.handoff, step, fail);
  });
}

function bindTestRoutes(router: Router, dependencies: Dependencies): void {
  router.add(beginProviderTest, async ({ tenant, caller, params, body }, fail) => {
    const isOwnPage = body.return_url === testPageOf(tenant, params.provider_id);
    const asked = { provider: params.provider_id, returnUrl: body.return_url, isOwnPage };
    return { authorize_url: await beginTest(dependencies, tenant, caller, asked, fail) };
  });
  router.add(finishProviderTest, ({ tenant, caller, params, body }, fail) => {
    const came = { provider: params.provider_id, handoff: body.handoff };
    return finishTest(dependencies, tenant, caller, came, fail);
  });
}

function bindOwnRoutes(router: Router, dependencies: Dependencies): void {
  const { gate } = dependencies;
  router.add(listIdentities, async ({ tenant, caller, query }, fail) =>
    listedWhole(query, await listOwn(gate.into(tenant.id), caller), fail),
  );
  router.add(beginLinking, async ({ tenant, caller, body }, fail) => {
    if (!offersUpstream(tenant)) fail('METHOD_NOT_READY');
    const isOwnPage = body.return_url === linkingPageOf(tenant);
    const asked = { provider: body.provider, returnUrl: body.return_url, isOwnPage };
    const begins = { owner: caller.subject, identifier: '', asksLogin: false };
    const at = await beginLogin(dependencies, tenant, begins, asked, fail);
    return { authorize_url: at ?? fail('TOO_MANY_ATTEMPTS', { retryAfterSeconds: 600 }) };
  });
  router.add(finishLinking, ({ tenant, caller, body }, fail) =>
    linkOwn(dependencies, tenant, caller, body.handoff, fail),
  );
  router.add(deleteIdentity, async ({ tenant, caller, params }, fail) => ({
    id: await unlinkOwn(dependencies, tenant, caller, params.provider_id, fail),
    deleted: true as const,
  }));
}
