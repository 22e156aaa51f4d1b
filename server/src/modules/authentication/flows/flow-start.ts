import type { Fail } from '@keywright/contract/errors';
import type { StartedFlow } from '@keywright/contract/records/login-flow';
import type { BodyOf } from '@keywright/contract/route';
import type { startFlow } from '@keywright/contract/routes/login-flows';
import { localeOfHeaders } from '../../../platform/texts/locales.ts';
import type { Call } from '../../../tenancy/call.ts';
import type { Device } from '../../../tenancy/caller.ts';
import { type Tenant, offersPasskeys, offersUpstream } from '../../../tenancy/tenant.ts';
import type { Core } from '../../../tenancy/module.ts';
import { requireIdentifier } from '../../../platform/http/validation.ts';
import { requireRoomOfAddress } from '../attempts/index.ts';
import { captorOf, requireRegistrationName } from '../../identity/users/index.ts';
import type { Challenges } from './challenge-service.ts';
import type { FlowInvitations } from './flow-invitations.ts';
import { START_LIMITS, type NewFlowRequest } from './flow-rules.ts';
import type { Flows } from './flow-service.ts';
import type { DeviceTokens } from './known-devices.ts';

const ROOM = { counter: 'flow', limits: START_LIMITS } as const;

type Body = BodyOf<typeof startFlow>;
type StartCall = Pick<Call<typeof startFlow>, 'tenant' | 'body' | 'device' | 'headers'>;
type FlowDevice = Pick<NewFlowRequest, 'userAgent' | 'from' | 'knownDevice' | 'sealedDevice'>;

/** The subject of a new flow: an identifier, the token of an invitation, or a link that was opened on another device. */
type FlowSubject =
  | { readonly link: string }
  | (Omit<NewFlowRequest, 'identifier'> & { readonly invitationToken: string })
  | NewFlowRequest;

/** Starts the flows that clients request. */
export class FlowStart {
  readonly #core: Core;
  readonly #flows: Flows;
  readonly #challenges: Challenges;
  readonly #invitations: FlowInvitations;
  readonly #deviceTokens: DeviceTokens;

  constructor(
    core: Core,
    flows: Flows,
    challenges: Challenges,
    invitations: FlowInvitations,
    deviceTokens: DeviceTokens,
  ) {
    this.#core = core;
    this.#flows = flows;
    this.#challenges = challenges;
    this.#invitations = invitations;
    this.#deviceTokens = deviceTokens;
  }

  readonly start = async (
    { tenant, body, device, headers }: StartCall,
    fail: Fail<'VALIDATION_FAILED' | 'TOO_MANY_ATTEMPTS' | 'FLOW_ENDED'>,
  ): Promise<StartedFlow> => {
    const locale = body.locale ?? localeOfHeaders(headers);
    const subject = subjectOf(tenant, body, fail);
    await requireRoomOfAddress(this.#core, tenant, device.from, ROOM, fail);
    const on = this.#deviceOf(tenant, body, device);
    if ('link' in subject) return this.#continue(tenant, subject.link, on, fail);
    if ('invitationToken' in subject) {
      const { invitationToken, ...request } = subject;
      const flow = { ...request, ...on, locale };
      return this.#accept(tenant, { token: invitationToken, name: body.name }, flow, fail);
    }
    return this.#flows.start(tenant, { ...subject, ...on, locale });
  };

  /**
   * Returns the device that starts a flow. A browser presents its cookie in each step; other clients present a token
   * only here.
   */
  #deviceOf(
    { id }: Tenant,
    { device_token: presented }: Body,
    { userAgent, from, token }: Device,
  ): FlowDevice {
    const now = this.#core.clock.now();
    const knownDevice = this.#deviceTokens.read(id, presented ?? token, now);
    const device = { userAgent, from, knownDevice };
    if (presented === undefined) return device;
    return { ...device, sealedDevice: this.#deviceTokens.sealForFlow(id, knownDevice) };
  }

  /** Starts a flow that accepts an invitation. Opening its link changes nothing and proves nothing about a user. */
  async #accept(
    tenant: Tenant,
    { token, name: typed }: { readonly token: string; readonly name: string | null | undefined },
    request: Omit<NewFlowRequest, 'identifier' | 'invitation' | 'name'>,
    fail: Fail<'FLOW_ENDED' | 'VALIDATION_FAILED'>,
  ): Promise<StartedFlow> {
    const found = (await this.#invitations.findPending(tenant, token)) ?? fail('FLOW_ENDED');
    const { invitation, inviter, isNew } = found;
    const { identifier, expires_at: expiresAt } = invitation;
    const newName = typed === undefined ? invitation.name : typed;
    const name = isNew ? requireRegistrationName(tenant, newName, fail) : null;
    const started = await this.#flows.start(tenant, { ...request, identifier, invitation, name });
    return {
      ...started,
      invitation: {
        identifier,
        name: invitation.name,
        invited_by_name: inviter,
        expires_at: expiresAt.toISOString(),
      },
    };
  }

  /**
   * Starts a flow that needs the code of the same message: opening a link on another device proves nothing and uses up
   * nothing.
   */
  async #continue(
    tenant: Tenant,
    linkToken: string,
    device: FlowDevice,
    fail: Fail<'FLOW_ENDED'>,
  ): Promise<StartedFlow> {
    const link = (await this.#challenges.find(tenant, linkToken)) ?? fail('FLOW_ENDED');
    if (link.isEnded) fail('FLOW_ENDED');
    const invitation =
      link.purpose === 'invitation'
        ? ((await this.#invitations.findPendingOf(tenant, link.flowId)) ?? fail('FLOW_ENDED'))
        : undefined;
    const started = await this.#flows.start(tenant, {
      purpose: link.purpose,
      identifier: link.identifier,
      workspaceId: link.workspaceId,
      registers: link.registers,
      locale: link.locale,
      continues: link.flowId,
      // The name from the first flow, which anyone can start, is not applied on another device.
      ...(invitation && { invitation, name: invitation.name }),
      ...device,
    });
    const origin = { begun_at: link.startedAt.toISOString(), user_agent: link.userAgent };
    return { ...started, origin };
  }
}

function subjectOf(tenant: Tenant, body: Body, fail: Fail<'VALIDATION_FAILED'>): FlowSubject {
  const { purpose = 'login', workspace_id: workspaceId, register: registers, acr } = body;
  if (purpose === 'invitation' || body.token !== undefined) {
    const invitationToken = requireInvitationToken(body, fail);
    return { invitationToken, purpose: 'invitation', workspaceId, acr };
  }
  if (body.continue === undefined) {
    // A passkey or a provider identifies the user later.
    const identifiesLater = offersPasskeys(tenant) || offersUpstream(tenant);
    const isOpen = body.identifier === undefined && purpose === 'login' && identifiesLater;
    const identifier = isOpen
      ? ''
      : requireIdentifier(body.identifier ?? '', '/identifier', fail).identifier;
    const name = newNameOf(tenant, body, identifier, fail);
    return { purpose, identifier, workspaceId, registers, acr, name };
  }
  if (body.identifier === undefined) return { link: body.continue };
  const message = 'cannot be sent together with identifier';
  return fail('VALIDATION_FAILED', { errors: [{ path: '/continue', message }] });
}

/** The name of a user whom the flow can create. A provider has its own name of the user. */
function newNameOf(
  tenant: Tenant,
  { register, name = null }: Body,
  identifier: string,
  fail: Fail<'VALIDATION_FAILED'>,
): string | null {
  if (!register) return null;
  const isNamedByProvider = identifier === '' || captorOf(tenant, identifier) !== undefined;
  return isNamedByProvider ? name : requireRegistrationName(tenant, name, fail);
}

function requireInvitationToken(
  { purpose, token, identifier, continue: link }: Body,
  fail: Fail<'VALIDATION_FAILED'>,
): string {
  if (token !== undefined && purpose === 'invitation' && (identifier ?? link) === undefined) {
    return token;
  }
  const message = 'requires the purpose invitation, and cannot be sent together with identifier';
  return fail('VALIDATION_FAILED', { errors: [{ path: '/token', message }] });
}
