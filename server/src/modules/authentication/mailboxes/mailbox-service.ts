import type { Fail } from '@keywright/contract/errors';
import type { UserId } from '@keywright/contract/ids';
import type { FlowAnswer } from '@keywright/contract/records/login-flow';
import type { BodyOf, ErrorsOf, OkOf } from '@keywright/contract/route';
import type {
  proveCode,
  proveLink,
  sendFlowMessage,
} from '@keywright/contract/routes/flow-messages';
import { newUserId } from '../../../platform/crypto/ids.ts';
import { clientNetwork } from '../../../platform/http/client-network.ts';
import type { Device, Origin } from '../../../tenancy/caller.ts';
import { type Tenant, channelOf } from '../../../tenancy/tenant.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { Core } from '../../../tenancy/module.ts';
import { anonymous, joining, type Change, type Notes, record } from '../../events/journal/index.ts';
import {
  maskAddress,
  type MessageLimits,
  type Notices,
  RESEND_AFTER_SECONDS,
} from '../../events/messages/index.ts';
import { MEMBER } from '../../identity/roles/index.ts';
import { countWrongCode, resetWrongCodes, writeUser } from '../../identity/users/index.ts';
import { rateLimitOf } from '../attempts/index.ts';
import {
  type Answered,
  CODE_LIMITS,
  type Challenges,
  type DeviceTokens,
  type Flows,
  type GuessedFlow,
  type KnownDevice,
  type Step,
  type StoredFlow,
  codeSubject,
  deviceIn,
  findNewName,
} from '../flows/index.ts';
import { countRegistration } from '../login/index.ts';
import { hasSuspended, maxFailuresOf, type Shown } from '../proofs/index.ts';
import { notifyRefusedFactor } from '../second-factors/index.ts';
import {
  type Use,
  challengeOf,
  destinationOf,
  isUnchanged,
  methodOf,
  reclaim,
  release,
  sendingOf,
  useOf,
  verify,
} from './mailbox-accounts.ts';

type RefuseProof = Fail<'FLOW_ENDED' | 'CODE_WRONG' | 'NOT_FOUND' | 'TOO_MANY_ATTEMPTS'>;
type Compared = Awaited<ReturnType<Challenges['compare']>>;

const SUSPENDED = {
  detail:
    'This user entered too many wrong codes in a row as the second factor. An administrator can remove the identifier and add it again.',
};

/** Messages with codes and links, as steps of flows. */
export class MailboxService {
  readonly #core: Core;
  readonly #notes: Notes;
  readonly #notices: Notices;
  readonly #limits: MessageLimits;
  readonly #flows: Flows;
  readonly #challenges: Challenges;
  readonly #deviceTokens: DeviceTokens;

  constructor(
    core: Core,
    notes: Notes,
    notices: Notices,
    limits: MessageLimits,
    flows: Flows,
    challenges: Challenges,
    deviceTokens: DeviceTokens,
  ) {
    this.#core = core;
    this.#notes = notes;
    this.#notices = notices;
    this.#limits = limits;
    this.#flows = flows;
    this.#challenges = challenges;
    this.#deviceTokens = deviceTokens;
  }

  /** Sends the message of a flow. */
  async send(
    tenant: Tenant,
    flowId: string,
    { flow_token: token, channel }: BodyOf<typeof sendFlowMessage>,
    device: Device,
    fail: Fail<ErrorsOf<typeof sendFlowMessage>>,
  ): Promise<OkOf<typeof sendFlowMessage>> {
    const flow = await this.#flows.open(tenant, flowId, token, 'message', fail);
    const destination = destinationOf(flow) ?? fail('DESTINATION_REFUSED', SUSPENDED);
    if (channel !== undefined && channel !== channelOf(destination)) fail('STEP_NOT_NEEDED');
    const knownDevice = this.#readDeviceToken(tenant, {}, device) ?? flow.secret.device;
    const sending = sendingOf(tenant, flow, knownDevice);
    // A message requested on a page of the service links to a page of the service.
    const isToPage = device.cookie !== undefined;
    const { from } = device;
    const sent = await this.#challenges.send(tenant, {
      ...sending,
      from,
      device,
      isToPage,
      ...(sending.isKnown && requesterOf(flow, from)),
    });
    if (sent === 'exhausted') return fail('FLOW_ENDED');
    if (sent === 'refused') return fail('DESTINATION_REFUSED');
    if (sent !== 'sent') fail('TOO_MANY_MESSAGES', sent);
    return {
      sent_to: maskAddress(destination),
      resend_after: RESEND_AFTER_SECONDS,
      flow: await this.#flows.read(tenant, flowId, token, fail),
    };
  }

  async proveCode(
    tenant: Tenant,
    flowId: string,
    body: BodyOf<typeof proveCode>,
    device: Device,
    fail: Fail<ErrorsOf<typeof proveCode>>,
  ): Promise<FlowAnswer> {
    const guessed = await this.#flows.guess(tenant, flowId, body.flow_token, fail);
    const { flow } = guessed;
    const compared = await this.#compare(tenant, guessed, body.code, device);
    if (compared.outcome !== 'right') {
      const what = flow.messageFactor ? methodOf(flow) : 'code';
      this.#noteRefusal(tenant, flow, device, `${what}_${compared.outcome}`);
      return refuse(compared, fail);
    }
    const knownDevice = this.#readDeviceToken(tenant, body, device);
    const attempt = { kind: 'identifier', subject: codeSubject(flow.identifier) } as const;
    const step = { ...device, knownDevice, attempts: [attempt] };
    const answer = await this.#redeem(tenant, flow, compared.challenge, step, fail);
    await this.#limits.countRedeemed(tenant, destinationOf(flow) ?? '');
    return answer;
  }

  async proveLink(
    tenant: Tenant,
    flowId: string,
    body: BodyOf<typeof proveLink>,
    device: Device,
    fail: Fail<ErrorsOf<typeof proveLink>>,
  ): Promise<FlowAnswer> {
    const link = await this.#challenges.find(tenant, body.link_token);
    const isElsewhere = link !== undefined && link.flowId !== flowId;
    const refuseStep: Fail<'FLOW_ENDED' | 'STEP_NOT_NEEDED'> = (code) =>
      fail(isElsewhere && code === 'STEP_NOT_NEEDED' ? 'LINK_ELSEWHERE' : code);
    // On a page of the service, each message with a code also has a link.
    const step = device.cookie ? 'code' : 'link';
    const flow = await this.#flows.open(tenant, flowId, body.flow_token, step, refuseStep);
    if (!link) {
      this.#noteRefusal(tenant, flow, device, 'link_wrong');
      return fail('CODE_WRONG');
    }
    if (isElsewhere || link.kind !== challengeOf(flow).kind) fail('LINK_ELSEWHERE');
    if (link.isEnded) {
      this.#noteRefusal(tenant, flow, device, 'link_ended');
      return fail('FLOW_ENDED');
    }
    const knownDevice = this.#readDeviceToken(tenant, body, device);
    return this.#redeem(tenant, flow, link, { ...device, knownDevice }, fail);
  }

  /** Compares the code of a message. A code that is a second factor is counted and reported like other second factors. */
  async #compare(
    tenant: Tenant,
    { flow, guess }: GuessedFlow,
    code: string,
    device: Device,
  ): Promise<Compared> {
    if (!guess || guess.retry_after !== null) {
      return this.#challenges.compare(tenant, guess, code);
    }
    const wrong = { outcome: 'wrong', guessesLeft: guess.guesses_left } as const;
    // A code from another step proves nothing in this step.
    if (guess.kind !== challengeOf(flow).kind) return wrong;
    const { messageFactor, user } = flow;
    if (!messageFactor || !user) return this.#challenges.compare(tenant, guess, code);
    const { channel, destination } = messageFactor;
    const data = this.#core.gate.into(tenant.id);
    const failures =
      destination === undefined
        ? undefined
        : await countWrongCode(data, user.id, destination, maxFailuresOf(deviceIn(flow)));
    const isCompared = destination !== undefined && failures !== undefined;
    const compared = isCompared ? await this.#challenges.compare(tenant, guess, code) : wrong;
    if (compared.outcome === 'right') {
      if (isCompared) await resetWrongCodes(data, user.id, destination);
      return compared;
    }
    if (hasSuspended(failures ?? 0)) {
      const change = suspension(user.id, channel);
      await data.transaction((tx) => record(tx, anonymous(device.from), change));
    }
    await notifyRefusedFactor(this.#core.gate, this.#notices, tenant, user.id, device);
    return compared;
  }

  /** Redeems a correct code or link: commits its proof, and changes the account of the address. */
  async #redeem(
    tenant: Tenant,
    flow: StoredFlow,
    { id: challenge, sentTo }: Answered,
    step: Step,
    fail: RefuseProof,
  ): Promise<FlowAnswer> {
    const use = useOf(tenant, flow);
    // This code was not sent.
    if (use === 'none') return fail('CODE_WRONG');
    if (!isUnchanged(flow, sentTo)) return fail('FLOW_ENDED');
    // A second factor does not start a recovery.
    const isLogin = flow.purpose !== 'recovery' || flow.messageFactor !== undefined;
    const method = methodOf(flow);
    if (use === 'prove' && sentTo && isLogin) {
      const proof = { method, ...sentTo };
      return this.#flows.commit(tenant, flow, { proof, challenge }, step, fail);
    }
    if ((use === 'register' || use === 'release') && flow.purpose !== 'invitation') {
      const wait = await countRegistration(this.#core, tenant, step.from, 'proven');
      if (wait) fail('TOO_MANY_ATTEMPTS', wait);
    }
    const effect = async (tx: TenantTx) => {
      const shown = (await changeAccount(tx, use, flow, step.from)) ?? fail('FLOW_ENDED');
      // The flow continues with another proof of the account.
      if (shown === 'reserved') return undefined;
      const kind = NOTICE_OF[use] ?? (isLogin ? undefined : 'notice.recovery_begun');
      const { identifier: changed } = flow;
      if (kind) await this.#notices.notify(tx, tenant, { userId: shown.userId, kind, changed });
      return { proofs: [{ method, ...shown }] };
    };
    return this.#flows.commit(tenant, flow, { effect, challenge }, step, fail);
  }

  #readDeviceToken(
    { id }: Tenant,
    { device_token: presented }: { readonly device_token?: string },
    { token }: Device,
  ): KnownDevice | undefined {
    return this.#deviceTokens.read(id, presented ?? token, this.#core.clock.now());
  }

  /** Records a refusal. Does the same work for every reason, whether or not the user exists. */
  #noteRefusal(
    tenant: Tenant,
    { id: flowId, user }: StoredFlow,
    device: Device,
    reason: string,
  ): void {
    this.#notes.note(tenant.id, anonymous(device.from), {
      action: 'auth.login_failed',
      method: 'message',
      device,
      target: { kind: user ? 'user' : 'identifier', id: user?.id ?? null },
      outcome: 'failure',
      details: { reason, identifier: null, flow_id: flowId },
    });
  }
}

/** Counts a user who has proven the account apart from others of their network, and per known device. */
function requesterOf(flow: StoredFlow, from: Origin) {
  if (!flow.user) return {};
  const device = deviceIn(flow);
  const place = device === undefined ? clientNetwork(from.address) : `on device ${device}`;
  return { name: `${flow.user.id} ${place}` };
}

const NOTICE_OF: Partial<Record<Use, 'notice.account_reclaimed'>> = {
  reclaim: 'notice.account_reclaimed',
};

/** @returns undefined if the account has changed since the message was sent */
async function changeAccount(
  tx: TenantTx,
  use: Use,
  { id: flowId, user, identifier, purpose }: StoredFlow,
  from: Origin,
): Promise<Shown | 'reserved' | undefined> {
  if (user && use === 'prove') return { userId: user.id, authVersion: user.authVersion };
  if (user && use === 'verify') return verify(tx, user, identifier, from);
  if (user && use === 'reclaim') return reclaim(tx, user, identifier, from);
  if (user && use === 'release') await release(tx, user, identifier, from);
  // An invitation names the roles.
  const isInvited = purpose === 'invitation';
  const id = newUserId(tx.now);
  const name = await findNewName(tx, flowId);
  const newUser = { id, type: 'email', identifier, name, verified: true } as const;
  const by = isInvited ? joining(id, from) : anonymous(from);
  const userId = await writeUser(tx, by, { ...newUser, roles: isInvited ? [] : [MEMBER] });
  return userId && { userId, authVersion: 0 };
}

function suspension(userId: UserId, channel: 'email' | 'sms'): Change {
  const reason = 'too_many_failures';
  return {
    action: 'factor.suspicious',
    target: { kind: 'user', id: userId },
    details: { user_id: userId, reason, channel },
    events: [{ type: 'factor.suspicious', data: { user_id: userId, reason, channel } }],
  };
}

function refuse(
  compared: Exclude<Compared, { readonly outcome: 'right' }>,
  fail: Fail<'CODE_WRONG' | 'FLOW_ENDED' | 'TOO_MANY_ATTEMPTS'>,
): never {
  if (compared.outcome === 'ended') return fail('FLOW_ENDED');
  if (compared.outcome === 'wrong') {
    return fail('CODE_WRONG', { guessesLeft: compared.guessesLeft });
  }
  const { retryAfterSeconds } = compared;
  const limits = [rateLimitOf('identifier', CODE_LIMITS)];
  return fail('TOO_MANY_ATTEMPTS', { retryAfterSeconds, limits });
}
