import type { UserId } from '@keywright/contract/ids';
import type { Gate, TenantData } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { requiresSecondFactor } from '../../identity/roles/index.ts';
import { captorOf, findCaptors, carryScopes, holdsScopes } from '../../identity/users/index.ts';
import { decide, type Next, type Policy, type UserState } from '../proofs/index.ts';
import { METHODS } from './flow-methods.ts';
import { factorsOf, isReachable } from './message-factors.ts';
import { findVerified } from './message-factors-store.ts';
import { type FlowState, flowOf } from './rules.ts';

export interface NextDependencies {
  readonly gate: Gate;
}

export type NextOf = (tenant: Tenant, state: FlowState) => Promise<Next>;

/** Whether a user holds scopes, or will by the invitation that they accept. */
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

/** What is demanded of the user of a flow. */
interface Demands extends Policy, Pick<UserState, 'hasMailbox' | 'factorChannels'> {}

/**
 * Decides on a flow. What is demanded of a user is looked up once something was proven: until then, all identifiers
 * cost the same.
 */
export function createNextOf(dependencies: NextDependencies): NextOf {
  return async (tenant, state) =>
    decideOn(tenant, state, await demandsOn(dependencies, tenant, state));
}

/** Decides on a flow within a transaction, in which nothing else is looked up. */
export function decideOn(
  { id }: Tenant,
  state: FlowState,
  { hasMailbox, factorChannels, ...policy }: Demands,
): Next {
  const { user } = state;
  const hasVerifiedIdentifier = user !== undefined && (user.isVerified || user.hasOthers);
  const known = user && { ...user, hasVerifiedIdentifier, hasMailbox, factorChannels };
  const isWaiting =
    state.purpose === 'linking' &&
    !state.proofs.some(({ method }) => METHODS[method].kind === 'federated');
  // The identity waits for a proof of the account. Once it is linked, it counts, if it is that of the required provider.
  const demanded = isWaiting ? { ...policy, requiredProviders: [] } : policy;
  return decide(flowOf(id, state), known, demanded);
}

export async function demandsOn(
  { gate }: NextDependencies,
  tenant: Tenant,
  { identifier, proofs, acr, user, invitation }: FlowState,
): Promise<Demands> {
  const { id, config } = tenant;
  const { allowed_login_methods, mfa_methods, require_verified_identifier } = config;
  const isTrusted = proofs.some(({ method }) => method === 'upstream_mfa');
  const demands = {
    allowed_login_methods,
    mfa_methods,
    requiresOwnFactor:
      isTrusted &&
      user?.hasSecondFactor === true &&
      (await willHoldScopes(gate.into(id), user.id, invitation)),
    requiresVerifiedIdentifier: require_verified_identifier,
    requiredProviders: [
      ...[captorOf(tenant, identifier) ?? []].flat(),
      ...(user && proofs.length > 0 ? await findCaptors(gate.into(id), tenant, user.id) : []),
    ],
  };
  if (!user || user.hasSecondFactor || proofs.length === 0) {
    const unknown = { hasMailbox: true, factorChannels: [] };
    return { ...demands, ...unknown, requiresSecondFactor: config.require_mfa };
  }
  const data = gate.into(id);
  const requires = await requiresSecondFactor(data, config, user.id, invitation?.roles);
  const needsMore = requires || acr !== undefined;
  const verified = needsMore ? await findVerified(data, user.id) : [];
  // Suspended or not: nothing weaker takes the place of a factor.
  const factors = await factorsOf(tenant, verified, 0);
  return {
    ...demands,
    requiresSecondFactor: requires,
    hasMailbox: await isReachable(tenant, verified),
    factorChannels: factors.map(({ channel }) => channel),
  };
}
