import { beginPasskey, getRelatedOrigins, provePasskey } from '@keywright/contract/routes/passkeys';
import { Cacheable } from '../../../platform/http/replies.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { DeviceTokens } from '../flows/index.ts';
import { newChallenge, relyingPartyOf, requestOptions } from '../passkeys/index.ts';
import { createPasskeyStep, isProvenBy, type StepDependencies } from './step.ts';
import { beginPasskey as storeChallenge, findPasskeys } from './store.ts';

const ORIGINS_MAX_AGE_SECONDS = 300;

interface Dependencies extends StepDependencies {
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
    const flow = await flows.open(tenant, params.flow_id, body.flow_token, 'passkey', fail);
    const party = relyingPartyOf(tenant) ?? fail('STEP_NOT_NEEDED');
    const data = gate.into(tenant.id);
    const challenge = newChallenge(clock.now());
    if (!(await storeChallenge(data, flow.id, challenge, clock.now()))) fail('FLOW_ENDED');
    // Whose it is, is known only after a proof.
    const { user } = flow;
    const isProven = user !== undefined && isProvenBy(flow, user.id);
    const allowed = isProven ? await findPasskeys(data, user.id) : [];
    const options = requestOptions(party, challenge.challenge, allowed);
    return { flow: await flows.present(tenant, flow), options };
  });

  router.add(provePasskey, async ({ tenant, params, body, device }, fail) => {
    const flow = await flows.open(tenant, params.flow_id, body.flow_token, 'passkey', fail);
    const token = body.device_token;
    const knownDevice =
      token === undefined ? undefined : deviceTokens.read(tenant.id, token, clock.now());
    return step(tenant, flow, body.credential, { ...device, knownDevice }, fail);
  });
}
