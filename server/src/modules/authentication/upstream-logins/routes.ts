import {
  beginUpstream,
  finishUpstream,
  upstreamCallback,
  upstreamCallbackForm,
} from '@keywright/contract/routes/upstream-logins';
import { SeeOther } from '../../../platform/http/replies.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { DeviceTokens } from '../flows/index.ts';
import { beginLogin } from './begin.ts';
import { type CallbackDependencies, takeReturn } from './callback.ts';
import { type FinishDependencies, finishLogin } from './finish.ts';

interface Dependencies extends CallbackDependencies, FinishDependencies {
  readonly deviceTokens: DeviceTokens;
}

export function bindUpstreamRoutes(router: Router, dependencies: Dependencies): void {
  const { flows, deviceTokens, clock } = dependencies;

  router.add(beginUpstream, async ({ tenant, params, body }, fail) => {
    const flow = await flows.open(tenant, params.flow_id, body.flow_token, 'oauth', fail);
    const asked = { provider: body.provider, returnUrl: body.return_url };
    const authorizeUrl = await beginLogin(dependencies, tenant, flow, asked, fail);
    return { flow: await flows.present(tenant, flow), authorize_url: authorizeUrl };
  });

  router.add(upstreamCallback, async ({ tenant, params, query: parameters, from }, fail) => {
    const returned = { provider: params.provider_id, parameters, from };
    return new SeeOther(await takeReturn(dependencies, tenant, returned, fail));
  });
  router.replay(upstreamCallbackForm);

  router.add(finishUpstream, async ({ tenant, params, body, from, userAgent }, fail) => {
    const flow = await flows.open(tenant, params.flow_id, body.flow_token, 'oauth', fail);
    const token = body.device_token;
    const knownDevice =
      token === undefined ? undefined : deviceTokens.read(tenant.id, token, clock.now());
    const step = { from, userAgent, knownDevice };
    return finishLogin(dependencies, tenant, flow, body.handoff, step, fail);
  });
}
