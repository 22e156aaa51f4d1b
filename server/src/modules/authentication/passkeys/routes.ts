import { beginPasskey, getRelatedOrigins, provePasskey } from '@keywright/contract/routes/passkeys';
import type { Clock } from '../../../platform/clock.ts';
import { Cacheable } from '../../../platform/http/replies.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { DeviceTokens } from '../flows/index.ts';
import { newChallenge, requestOptions } from './passkey-options.ts';
import { relyingPartyOf } from '../../../tenancy/login-methods.ts';
import { createPasskeyStep, isProvenBy, type StepDependencies } from './passkey-login-service.ts';
import { findPasskeys } from './passkey-store.ts';

const ORIGINS_MAX_AGE_SECONDS = 300;

interface Dependencies extends StepDependencies {
  readonly clock: Clock;
  readonly deviceTokens: DeviceTokens;
}

export function bindPasskeyRoutes(router: Router, dependencies: Dependencies): void {
  const { gate, clock, flows, deviceTokens } = dependencies;
  const step = createPasskeyStep(dependencies);

  router.add(getRelatedOrigins, ({ tenant }) => {
    const { origins = [] } = relyingPartyOf(tenant) ?? {};
    // Android apps are found by a document of the domain's own.
    const pages = origins.filter((origin) => origin.startsWith('http'));
    return new Cacheable(JSON.stringify({ origins: pages }), ORIGINS_MAX_AGE_SECONDS);
  });

  router.add(beginPasskey, async ({ tenant, params, body }, fail) => {
    const challenge = newChallenge(clock.now());
    const { flow_token: token } = body;
    const flow = await flows.beginPasskey(tenant, params.flow_id, token, challenge, fail);
    const party = relyingPartyOf(tenant) ?? fail('STEP_NOT_NEEDED');
    const data = gate.into(tenant.id);
    // Whose it is, is known only after a proof.
    const { user } = flow;
    const isProven = user !== undefined && isProvenBy(flow, user.id);
    const allowed = isProven ? await findPasskeys(data, user.id) : [];
    const options = requestOptions(party, challenge.challenge, allowed);
    return { flow: await flows.present(tenant, flow), options };
  });

  router.add(provePasskey, async ({ tenant, params, body, device }, fail) => {
    const token = body.device_token ?? device.token;
    const knownDevice = deviceTokens.read(tenant.id, token, clock.now());
    const ref = { id: params.flow_id, token: body.flow_token };
    return step(tenant, ref, body.credential, { ...device, knownDevice }, fail);
  });
}
