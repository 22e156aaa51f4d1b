import { DEFAULT_WORKSPACE } from '@keywright/contract/ids';
import { channelOf } from '../../../tenancy/channels.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import {
  type ChallengeOfFlow,
  isDeviceOf,
  type KnownDevice,
  type StoredFlow,
} from '../flows/index.ts';
import type { Shown } from '../proofs/index.ts';

/** The method that a flow's message proves: an identifier, or the second factor. */
export function methodOf({
  identifier,
  messageFactor,
}: Pick<StoredFlow, 'identifier' | 'messageFactor'>) {
  return messageFactor ? (`${messageFactor.channel}_factor` as const) : channelOf(identifier);
}

/** The destination of a flow's message; undefined if codes are suspended as the user's second factor. */
export function destinationOf({ identifier, messageFactor }: StoredFlow): string | undefined {
  return messageFactor ? messageFactor.destination : identifier;
}

/** The kind of a flow's message, by the purpose of the flow. */
const KIND_OF = {
  login: 'login',
  recovery: 'recovery',
  verification: 'verification',
  step_up: 'login',
  invitation: 'login',
  linking: 'login',
} as const;

export function challengeOf(flow: StoredFlow): ChallengeOfFlow {
  const { id, continues, purpose, messageFactor } = flow;
  return {
    flowId: continues ?? id,
    kind: messageFactor ? `second_factor_${messageFactor.channel}` : KIND_OF[purpose],
    identifier: destinationOf(flow) ?? '',
  };
}

/** The message of a flow. It is stored for every identifier, but sent only to users who can use it. */
export function sendingOf(tenant: Tenant, flow: StoredFlow, device: KnownDevice | undefined) {
  const { user: found, locale } = flow;
  const user = found && { userId: found.id, authVersion: found.authVersion };
  return {
    ...challengeOf(flow),
    locale,
    user,
    isDecoy: useOf(tenant, flow) === 'none',
    isVerified: flow.messageFactor !== undefined || found?.isVerified === true,
    isKnown: hasProven(flow),
    isOnKnownDevice: user !== undefined && isDeviceOf(device, user),
  };
}

/**
 * The effect of a confirmed message on the account of its address.
 * - `prove`: the address is verified, and the message proves its user.
 * - `verify`: the user has also proven the account in this flow, so the address becomes verified.
 * - `reclaim`: anyone could have registered the address, so the account passes to the person who receives its email. A
 *   user who holds scopes must prove the account in another way.
 * - `release`: the account has another verified address, so this address leaves it and registers.
 * - `register`: no user has the address.
 * - `none`: no effect.
 */
export type Use = 'prove' | 'verify' | 'reclaim' | 'release' | 'register' | 'none';

export function useOf(tenant: Tenant, flow: StoredFlow): Use {
  const { user } = flow;
  if (flow.messageFactor) return 'prove';
  if (channelOf(flow.identifier) === 'sms') return useOfPhone(flow);
  if (!user) return mayRegister(tenant, flow) ? 'register' : 'none';
  if (!user.isActive) return 'none';
  if (user.isVerified) return 'prove';
  if (!user.hasOthers) return hasProven(flow) ? 'verify' : 'reclaim';
  return mayRegister(tenant, flow) ? 'release' : 'none';
}

/** Text messages cost money, so none is sent to an unverified number unless its user has proven the account. */
function useOfPhone(flow: StoredFlow): Use {
  if (!flow.user?.isActive) return 'none';
  if (flow.user.isVerified) return 'prove';
  return hasProven(flow) ? 'verify' : 'none';
}

/** Whether the account of the message is unchanged since it was sent. */
export function isUnchanged({ user }: StoredFlow, sentTo: Shown | undefined): boolean {
  return user?.id === sentTo?.userId && user?.authVersion === sentTo?.authVersion;
}

function hasProven({ user, proofs }: StoredFlow): boolean {
  return proofs.some(
    (proof) => proof.user_id === user?.id && proof.auth_version === user.authVersion,
  );
}

/** Invitees can register, others if the tenant allows it. A new user belongs only to the default workspace. */
function mayRegister({ config }: Tenant, { registers, purpose, workspaceId }: StoredFlow): boolean {
  if (purpose === 'invitation') return true;
  return (
    registers &&
    purpose === 'login' &&
    config.allow_registration &&
    config.magic_link_registration &&
    (workspaceId ?? DEFAULT_WORKSPACE) === DEFAULT_WORKSPACE
  );
}
