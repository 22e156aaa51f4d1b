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

/** The method that a message of a flow proves: an identifier, or the second factor. */
export function methodOf({
  identifier,
  messageFactor,
}: Pick<StoredFlow, 'identifier' | 'messageFactor'>) {
  return messageFactor ? (`${messageFactor.channel}_factor` as const) : channelOf(identifier);
}

/** The destination of a flow's message. Undefined: codes are suspended as the second factor of its user. */
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

/** The message of a flow. It is written for all identifiers, and sent to users who can use it. */
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
 * What a confirmed message does with the account of its address.
 * - `prove`: it is verified, and the message proves its user.
 * - `verify`: its user has also proven the account in this flow: the address is verified.
 * - `reclaim`: anyone may have registered it, so the account passes to the person who receives its mail. Not that of a user
 *   who holds scopes: they prove the account in another way.
 * - `release`: its account has another address that is verified: this one leaves it, and registers.
 * - `register`: no user has it.
 * - `none`: nothing.
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

/** A text message costs money: none is sent to an unverified number, unless its user has proven the account. */
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

/** Invitees may; others if the tenant allows it. A new user belongs only to the default workspace. */
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
