import type { Gate } from '../../../tenancy/gate.ts';
import { channelOf } from '../../../tenancy/channels.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { receivesSms } from '../../events/messages/index.ts';
import { requiresSecondFactor } from '../../identity/roles/index.ts';
import { decide, type Next, type Policy } from '../proofs/index.ts';
import { captorOf, isCaptured } from '../upstream/index.ts';
import { type FlowState, flowOf } from './rules.ts';
import { findVerified } from './store.ts';

export interface NextDependencies {
  readonly gate: Gate;
}

export type NextOf = (tenant: Tenant, state: FlowState) => Promise<Next>;

/** What is demanded of the user of a flow. */
interface Demands extends Policy {
  readonly hasMailbox: boolean;
}

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
  { hasMailbox, ...policy }: Demands,
): Next {
  const { user } = state;
  const hasVerifiedIdentifier = user !== undefined && (user.isVerified || user.hasOthers);
  const known = user && { ...user, hasVerifiedIdentifier, hasMailbox };
  return decide(flowOf(id, state), known, policy);
}

export async function demandsOn(
  { gate }: NextDependencies,
  tenant: Tenant,
  { identifier, proofs, acr, user, invitation }: FlowState,
): Promise<Demands> {
  const { id, config } = tenant;
  const { allowed_login_methods, require_verified_identifier } = config;
  const demands = {
    allowed_login_methods,
    requiresVerifiedIdentifier: require_verified_identifier,
    requiresProvider:
      captorOf(tenant, identifier) !== undefined ||
      (user !== undefined &&
        proofs.length > 0 &&
        (await isCaptured(gate.into(id), tenant, user.id))),
  };
  if (!user || user.hasSecondFactor || proofs.length === 0) {
    return { ...demands, requiresSecondFactor: config.require_mfa, hasMailbox: true };
  }
  const data = gate.into(id);
  const requires = await requiresSecondFactor(data, config, user.id, invitation?.roles);
  const mayEnrol = requires || acr !== undefined;
  const hasMailbox = mayEnrol && (await isReachable(tenant, await findVerified(data, user.id)));
  return { ...demands, requiresSecondFactor: requires, hasMailbox };
}

/** Whether messages can be sent to one of these. */
async function isReachable(
  { sendsMail, config }: Tenant,
  identifiers: readonly string[],
): Promise<boolean> {
  for (const identifier of identifiers) {
    if (channelOf(identifier) === 'email') {
      if (sendsMail) return true;
    } else if (await receivesSms(config, identifier)) return true;
  }
  return false;
}
