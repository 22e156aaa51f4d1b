import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { requiresSecondFactor } from '../../identity/roles/index.ts';
import { decide, type Next } from '../proofs/index.ts';
import { type FlowState, flowOf } from './rules.ts';
import { hasVerifiedAddress } from './store.ts';

export interface NextDependencies {
  readonly gate: Gate;
}

export type NextOf = (tenant: Tenant, state: FlowState) => Promise<Next>;

/**
 * Decides on a flow. What is demanded of a user is looked up once something was proven: until then, all identifiers
 * cost the same.
 */
export function createNextOf({ gate }: NextDependencies): NextOf {
  return async ({ id, config, sendsMail }, { purpose, proofs, acr, user }) => {
    const { allowed_login_methods, require_verified_identifier } = config;
    const demands = {
      allowed_login_methods,
      requiresVerifiedIdentifier: require_verified_identifier,
    };
    const hasVerifiedIdentifier = user !== undefined && (user.isVerified || user.hasOthers);
    const flow = flowOf(id, { purpose, proofs, acr });
    const data = gate.into(id);
    if (!user || user.hasSecondFactor || proofs.length === 0) {
      const policy = { ...demands, requiresSecondFactor: config.require_mfa };
      return decide(flow, user && { ...user, hasVerifiedIdentifier, hasMailbox: true }, policy);
    }
    const requires = await requiresSecondFactor(data, config, user.id);
    const mayEnrol = requires || acr !== undefined;
    const hasMailbox = mayEnrol && sendsMail && (await hasVerifiedAddress(data, user.id));
    const policy = { ...demands, requiresSecondFactor: requires };
    return decide(flow, { ...user, hasVerifiedIdentifier, hasMailbox }, policy);
  };
}
