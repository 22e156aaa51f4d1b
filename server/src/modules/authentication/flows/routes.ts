import type { Fail } from '@keywright/contract/errors';
import type { BegunFlow } from '@keywright/contract/records/login-flow';
import type { BodyOf } from '@keywright/contract/route';
import {
  beginFlow,
  cancelFlow,
  getFlow,
  repeatTokens,
} from '@keywright/contract/routes/login-flows';
import type { Clock } from '../../../platform/clock.ts';
import type { Device } from '../../../tenancy/device.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import { askedIn } from '../../../platform/texts/locales.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { requireIdentifier } from '../../identity/users/index.ts';
import { requireRoomOfAddress } from '../attempts/index.ts';
import { offersPasskeys, offersUpstream } from '../../../tenancy/login-methods.ts';
import type { Challenges } from './challenge-service.ts';
import type { DeviceTokens } from './device-tokens.ts';
import { BEGIN_LIMITS } from './rules.ts';
import { findContinued, findInvited } from './invited.ts';
import type { NewFlowRequest } from './request.ts';
import type { Flows } from './service.ts';

const TOKEN_HEADER = 'x-flow-token';
const ROOM = { counter: 'flow' as const, limits: BEGIN_LIMITS };

interface Dependencies {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly flows: Flows;
  readonly deviceTokens: DeviceTokens;
  readonly challenges: Challenges;
  readonly dataKeys: DataKeys;
}

export function bindFlowRoutes(router: Router, dependencies: Dependencies): void {
  const { flows } = dependencies;
  router.add(beginFlow, async ({ tenant, body, device, headers }, fail) => {
    const { locale = askedIn(headers) } = body;
    const given = { ...givenBy(tenant, body, fail), locale };
    await requireRoomOfAddress(dependencies, tenant, device.from, ROOM, fail);
    const begun = begunOn(dependencies, tenant, body, device);
    if ('link' in given) return continueFlow(dependencies, tenant, given.link, begun, fail);
    if ('token' in given) return acceptFlow(dependencies, tenant, given, begun, fail);
    return flows.begin(tenant, { ...given, ...begun });
  });
  router.add(getFlow, async ({ tenant, params, headers }, fail) => {
    const token = headers[TOKEN_HEADER];
    const given = typeof token === 'string' ? token : undefined;
    return { flow: await flows.read(tenant, params.flow_id, given, fail) };
  });
  router.add(repeatTokens, ({ tenant, params, body }, fail) =>
    flows.tokens(tenant, params.flow_id, body.flow_token, fail),
  );
  router.add(cancelFlow, async ({ tenant, params, body }, fail) => ({
    flow: await flows.cancel(tenant, params.flow_id, body.flow_token, fail),
  }));
}

type BegunOn = Pick<NewFlowRequest, 'userAgent' | 'from' | 'known' | 'carried'>;

/** The device that a flow is begun on. A browser presents its cookie in each step, and other clients only here. */
function begunOn(
  { deviceTokens, clock }: Pick<Dependencies, 'deviceTokens' | 'clock'>,
  { id }: Tenant,
  { device_token: presented }: BodyOf<typeof beginFlow>,
  { userAgent, from, token }: Device,
): BegunOn {
  const known = deviceTokens.read(id, presented ?? token, clock.now());
  const begun = { userAgent, from, known };
  return presented === undefined
    ? begun
    : { ...begun, carried: deviceTokens.sealForFlow(id, known) };
}

/** What a flow begins with: an identifier, or a link that was opened elsewhere. */
function givenBy(tenant: Tenant, body: BodyOf<typeof beginFlow>, fail: Fail<'VALIDATION_FAILED'>) {
  const { purpose = 'login', workspace_id: workspaceId, register: registers, acr } = body;
  if (purpose === 'invitation' || body.token !== undefined) {
    return { ...invitedBy(body, fail), purpose: 'invitation' as const, workspaceId, acr };
  }
  if (body.continue === undefined) {
    // A passkey tells whose login it is, and so does a provider.
    const tells = offersPasskeys(tenant) || offersUpstream(tenant);
    const isOpen = body.identifier === undefined && purpose === 'login' && tells;
    const identifier = isOpen
      ? ''
      : requireIdentifier(body.identifier ?? '', '/identifier', fail).identifier;
    return { purpose, identifier, workspaceId, registers, acr };
  }
  if (body.identifier === undefined) return { link: body.continue };
  const message = 'stands in place of identifier';
  return fail('VALIDATION_FAILED', { errors: [{ path: '/continue', message }] });
}

/** With an invitation, its token alone. */
function invitedBy(
  { purpose, token, identifier, continue: link }: BodyOf<typeof beginFlow>,
  fail: Fail<'VALIDATION_FAILED'>,
): { token: string } {
  if (token !== undefined && purpose === 'invitation' && (identifier ?? link) === undefined) {
    return { token };
  }
  const message = 'belongs to the purpose invitation, and stands in place of identifier';
  return fail('VALIDATION_FAILED', { errors: [{ path: '/token', message }] });
}

/** A flow that accepts an invitation. Opening its link changes nothing, and proves nothing about a user. */
async function acceptFlow(
  dependencies: Dependencies,
  tenant: Tenant,
  {
    token,
    ...request
  }: Omit<NewFlowRequest, 'identifier' | 'invitation'> & { readonly token: string },
  device: BegunOn,
  fail: Fail<'FLOW_ENDED'>,
): Promise<BegunFlow> {
  const invitation = (await findInvited(dependencies, tenant, token)) ?? fail('FLOW_ENDED');
  const { identifier, expires_at: expiresAt } = invitation;
  const begun = await dependencies.flows.begin(tenant, {
    ...request,
    identifier,
    invitation,
    ...device,
  });
  return { ...begun, invitation: { identifier, expires_at: expiresAt.toISOString() } };
}

/** A flow that needs the code of the same message: opening a link elsewhere proves nothing, and uses nothing up. */
async function continueFlow(
  dependencies: Dependencies,
  tenant: Tenant,
  linkToken: string,
  device: BegunOn,
  fail: Fail<'FLOW_ENDED'>,
): Promise<BegunFlow> {
  const { flows, challenges } = dependencies;
  const link = (await challenges.find(tenant, linkToken)) ?? fail('FLOW_ENDED');
  if (link.isEnded) fail('FLOW_ENDED');
  const invitation =
    link.purpose === 'invitation'
      ? ((await findContinued(dependencies, tenant, link.flowId)) ?? fail('FLOW_ENDED'))
      : undefined;
  const begun = await flows.begin(tenant, {
    purpose: link.purpose,
    identifier: link.identifier,
    workspaceId: link.workspaceId,
    registers: link.registers,
    locale: link.locale,
    continues: link.flowId,
    ...(invitation && { invitation }),
    ...device,
  });
  const origin = { begun_at: link.begunAt.toISOString(), user_agent: link.userAgent };
  return { ...begun, origin };
}
