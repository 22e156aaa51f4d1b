import type { Fail } from '@keywright/contract/errors';
import { proveCode, proveLink, sendFlowMessage } from '@keywright/contract/routes/flow-messages';
import { clientNetwork } from '../../../platform/http/client-network.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import { channelOf } from '../../../tenancy/channels.ts';
import type { Device } from '../../../tenancy/device.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { anonymous, type Notes } from '../../events/journal/index.ts';
import { maskAddress, type Messages, RESEND_AFTER_SECONDS } from '../../events/messages/index.ts';
import { type Attempt, rateLimitOf } from '../attempts/index.ts';
import { CODE_LIMITS, codeSubject, deviceIn, type StoredFlow } from '../flows/index.ts';
import { createRedeem, type RedeemDependencies } from './redeem.ts';
import { createCompareCode } from './factor-code.ts';
import { challengeOf, destinationOf, methodOf, sendingOf } from './rules.ts';

interface Dependencies extends RedeemDependencies, Pick<Messages, 'smsLimits'> {
  readonly notes: Notes;
}

export function bindMailboxRoutes(router: Router, dependencies: Dependencies): void {
  bindMessage(router, dependencies);
  const { flows, challenges, notes, smsLimits } = dependencies;
  const redeem = createRedeem(dependencies);
  const compareCode = createCompareCode(dependencies);

  router.add(proveCode, async ({ tenant, params, body, device }, fail) => {
    const taken = await flows.guess(tenant, params.flow_id, body.flow_token, fail);
    const { flow } = taken;
    const guess = await compareCode(tenant, taken, body.code, device);
    if (guess.outcome !== 'right') {
      const what = flow.messageFactor ? methodOf(flow) : 'code';
      noteRefusal(notes, tenant, flow, device.from, `${what}_${guess.outcome}`);
      return refuse(guess, fail);
    }
    const known = knownDevice(dependencies, tenant, body, device);
    const attempts = [attemptOf(flow)];
    const step = { ...device, knownDevice: known, attempts };
    const answer = await redeem(tenant, flow, guess.challenge, step, fail);
    await smsLimits.countRedeemed(tenant, destinationOf(flow) ?? '');
    return answer;
  });

  router.add(proveLink, async ({ tenant, params, body, device }, fail) => {
    const link = await challenges.find(tenant, body.link_token);
    const isElsewhere = link !== undefined && link.flowId !== params.flow_id;
    const refuseStep: Fail<'FLOW_ENDED' | 'STEP_NOT_NEEDED'> = (code) =>
      fail(isElsewhere && code === 'STEP_NOT_NEEDED' ? 'LINK_ELSEWHERE' : code);
    // On a page of the service a message has a link wherever it has a code.
    const step = device.cookie ? 'code' : 'link';
    const flow = await flows.open(tenant, params.flow_id, body.flow_token, step, refuseStep);
    if (!link) {
      noteRefusal(notes, tenant, flow, device.from, 'link_wrong');
      return fail('CODE_WRONG');
    }
    if (isElsewhere || link.kind !== challengeOf(flow).kind) fail('LINK_ELSEWHERE');
    if (link.isEnded) {
      noteRefusal(notes, tenant, flow, device.from, 'link_ended');
      return fail('FLOW_ENDED');
    }
    const known = knownDevice(dependencies, tenant, body, device);
    return redeem(tenant, flow, link, { ...device, knownDevice: known }, fail);
  });
}

/** A message that is asked for on a page of the service links to a page of it. */
function placeOf({ from, cookie }: Device) {
  return { from, isToPage: cookie !== undefined };
}

function bindMessage(router: Router, dependencies: Dependencies): void {
  const { flows, challenges } = dependencies;
  router.add(sendFlowMessage, async ({ tenant, params, body, device }, fail) => {
    const flow = await flows.open(tenant, params.flow_id, body.flow_token, 'message', fail);
    const destination = destinationOf(flow) ?? fail('DESTINATION_REFUSED', SUSPENDED);
    if (body.channel !== undefined && body.channel !== channelOf(destination)) {
      fail('STEP_NOT_NEEDED');
    }
    const known = knownDevice(dependencies, tenant, {}, device) ?? flow.secret.device;
    const sending = { ...sendingOf(tenant, flow, known), ...placeOf(device) };
    const sent = await challenges.send(tenant, { ...sending, ...requesterOf(flow, sending) });
    if (sent === 'exhausted') return fail('FLOW_ENDED');
    if (sent === 'refused') return fail('DESTINATION_REFUSED');
    if (sent !== 'sent') fail('TOO_MANY_MESSAGES', sent);
    return {
      sent_to: maskAddress(destination),
      resend_after: RESEND_AFTER_SECONDS,
      flow: await flows.read(tenant, params.flow_id, body.flow_token, fail),
    };
  });
}

/** A user who has proven the account is counted separately from others of their network, and on each known device. */
function requesterOf(flow: StoredFlow, { isKnown, from }: KnownSending) {
  if (!isKnown || !flow.user) return {};
  const device = deviceIn(flow);
  const place = device === undefined ? clientNetwork(from.address) : `on device ${device}`;
  return { name: `${flow.user.id} ${place}` };
}

interface KnownSending {
  readonly isKnown: boolean;
  readonly from: Origin;
}

const SUSPENDED = {
  detail:
    'Too many codes of this user, as the second factor, were wrong in a row. An administrator can remove the identifier and add it again.',
};

function knownDevice(
  { deviceTokens, clock }: Pick<Dependencies, 'deviceTokens' | 'clock'>,
  { id }: Tenant,
  { device_token: presented }: { readonly device_token?: string },
  { token }: Device,
) {
  return deviceTokens.read(id, presented ?? token, clock.now());
}

/** What a code was counted by, which is given back when the flow is complete. */
function attemptOf({ identifier }: StoredFlow): Attempt {
  return { kind: 'identifier', subject: codeSubject(identifier) };
}

type Refused =
  | { readonly outcome: 'wrong'; readonly guessesLeft: number }
  | { readonly outcome: 'throttled'; readonly retryAfterSeconds: number }
  | { readonly outcome: 'ended' };

function refuse(
  guess: Refused,
  fail: Fail<'CODE_WRONG' | 'FLOW_ENDED' | 'TOO_MANY_ATTEMPTS'>,
): never {
  if (guess.outcome === 'ended') return fail('FLOW_ENDED');
  if (guess.outcome === 'wrong') return fail('CODE_WRONG', { guessesLeft: guess.guessesLeft });
  const limits = [rateLimitOf('identifier', CODE_LIMITS)];
  return fail('TOO_MANY_ATTEMPTS', { retryAfterSeconds: guess.retryAfterSeconds, limits });
}

/** The same work for each reason, known or not. */
function noteRefusal(
  notes: Notes,
  tenant: Tenant,
  { id: flowId, user }: StoredFlow,
  from: Origin,
  reason: string,
): void {
  notes.note(tenant.id, anonymous(from), {
    action: 'auth.login_failed',
    method: 'message',
    target: { kind: user ? 'user' : 'identifier', id: user?.id ?? null },
    outcome: 'failure',
    details: { reason, identifier: null, flow_id: flowId },
  });
}
