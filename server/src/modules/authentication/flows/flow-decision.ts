import type { UserId } from '@keywright/contract/ids';
import { channelOf, isDeliverable } from '../../../tenancy/channels.ts';
import type { Gate, TenantData } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { receivesSms } from '../../events/messages/index.ts';
import { requiresSecondFactor } from '../../identity/roles/index.ts';
import { captorOf, carryScopes, findCaptors, holdsScopes } from '../../identity/users/index.ts';
import { decide, METHODS, type Next, type Policy, type UserState } from '../proofs/index.ts';

import { flowOf } from './flow-rules.ts';
import type { FlowState } from './flow-steps.ts';
import type { MessageFactor } from './flow-store.ts';
import { findVerified, type VerifiedIdentifier } from './flow-steps-store.ts';

/** The policy for the user of a flow. */
export interface FlowPolicy extends Policy, Pick<UserState, 'hasMailbox' | 'factorChannels'> {}

/** Decides on a flow. */
export async function decideFlow(gate: Gate, tenant: Tenant, state: FlowState): Promise<Next> {
  return decideFlowBy(tenant, state, await findFlowPolicy(gate, tenant, state));
}

/** Decides on a flow by a given policy, without lookups, so that a transaction can call it. */
export function decideFlowBy(
  { id }: Tenant,
  state: FlowState,
  { hasMailbox, factorChannels, ...policy }: FlowPolicy,
): Next {
  const { user } = state;
  const hasVerifiedIdentifier = user !== undefined && (user.isVerified || user.hasOthers);
  const userState = user && { ...user, hasVerifiedIdentifier, hasMailbox, factorChannels };
  const isWaiting =
    state.purpose === 'linking' &&
    !state.proofs.some(({ method }) => METHODS[method].kind === 'federated');
  // The identity waits for a proof of the account. Once linked, it counts if it belongs to the required provider.
  const applied = isWaiting ? { ...policy, requiredProviders: [] } : policy;
  return decide(flowOf(id, state), userState, applied);
}

/**
 * Finds the policy for the user of a flow. Looks up the user only after the first proof: until then, all identifiers
 * cost the same.
 */
export async function findFlowPolicy(
  gate: Gate,
  tenant: Tenant,
  { identifier, proofs, acr, user, invitation }: FlowState,
): Promise<FlowPolicy> {
  const { id, config } = tenant;
  const data = gate.into(id);
  const isTrusted = proofs.some(({ method }) => method === 'upstream_mfa');
  const policy = {
    allowed_login_methods: config.allowed_login_methods,
    mfa_methods: config.mfa_methods,
    requiresOwnFactor:
      isTrusted &&
      user?.hasSecondFactor === true &&
      (await willHoldScopes(data, user.id, invitation)),
    requiresVerifiedIdentifier: config.require_verified_identifier,
    requiredProviders: [
      ...[captorOf(tenant, identifier) ?? []].flat(),
      ...(user && proofs.length > 0 ? await findCaptors(data, tenant, user.id) : []),
    ],
  };
  if (!user || user.hasSecondFactor || proofs.length === 0) {
    const notLookedUp = { hasMailbox: true, factorChannels: [] };
    return { ...policy, ...notLookedUp, requiresSecondFactor: config.require_mfa };
  }
  const requires = await requiresSecondFactor(data, config, user.id, invitation?.roles);
  const needsMore = requires || acr !== undefined;
  const verified = needsMore ? await findVerified(data, user.id) : [];
  // Suspended factors are included, because nothing weaker replaces a factor.
  const factors = await messageFactorsOf(tenant, verified, 0);
  return {
    ...policy,
    requiresSecondFactor: requires,
    hasMailbox: await isReachable(tenant, verified),
    factorChannels: factors.map(({ channel }) => channel),
  };
}

/** Whether a user holds scopes, or will hold them by accepting the invitation. */
function willHoldScopes(
  data: TenantData,
  userId: UserId,
  invitation: FlowState['invitation'],
): Promise<boolean> {
  const gained = invitation?.roles ?? [];
  return data.transaction(
    async (tx) => (await holdsScopes(tx, userId)) || (await carryScopes(tx, gained)),
  );
}

/**
 * Returns the codes that are a second factor of a user with these identifiers: at most one per channel, SMS first.
 * @param maxFailures consecutive wrong codes that suspend an identifier
 */
export async function messageFactorsOf(
  tenant: Tenant,
  verified: readonly VerifiedIdentifier[],
  maxFailures: number,
): Promise<readonly MessageFactor[]> {
  const factors: MessageFactor[] = [];
  for (const channel of ['sms', 'email'] as const) {
    if (!tenant.config.mfa_methods.includes(channel)) continue;
    const ofChannel = verified.filter(({ identifier }) => channelOf(identifier) === channel);
    const reachable: VerifiedIdentifier[] = [];
    for (const one of ofChannel) if (await receives(tenant, one)) reachable.push(one);
    const usable = reachable.find(({ failures }) => failures < maxFailures);
    if (reachable.length > 0) factors.push({ channel, destination: usable?.identifier });
  }
  return factors;
}

/** Whether messages can be sent to one of the identifiers. */
async function isReachable(
  tenant: Tenant,
  identifiers: readonly VerifiedIdentifier[],
): Promise<boolean> {
  for (const one of identifiers) if (await receives(tenant, one)) return true;
  return false;
}

async function receives(
  { sendsMail, config }: Tenant,
  { identifier }: VerifiedIdentifier,
): Promise<boolean> {
  if (channelOf(identifier) === 'email') return sendsMail && isDeliverable(identifier);
  return receivesSms(config, identifier);
}
