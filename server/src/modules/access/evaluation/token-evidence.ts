import type { AccessTokenClaims, ActorClaim } from '@keywright/contract/claims';
import { parseAgentId, type UserId } from '@keywright/contract/ids';
import { intersectScopes } from '@keywright/contract/scopes';
import type { TenantTx } from '../../../tenancy/gate.ts';
import { isApplication } from '../../tokens/grants/index.ts';
import {
  type Evidence,
  evidenceOfAgent,
  evidenceOfApiKey,
  evidenceOfDelegation,
  evidenceOfSession,
  evidenceOfUser,
  type Versioned,
} from './evidence.ts';
import { distinct, reasonOf, givenBy, keptBack } from './reasons.ts';
import { actorsOf } from './holder.ts';

/** A grant that a token depends on, and its state when the token was issued. */
interface GrantState {
  readonly evidence: Versioned;
  readonly issuedAt?: number | undefined;
}

/** The contributions of everything that an access token depends on. */
export async function evidenceOfClaims(
  tx: TenantTx,
  claims: AccessTokenClaims,
  needed: readonly string[],
): Promise<Evidence> {
  if (isImpersonation(claims)) return evidenceOfImpersonation(claims, needed);
  const states = await grantStatesOf(tx, claims, needed);
  const all = merged(states.map(({ evidence }) => evidence));
  const isOutdated = states.some(
    ({ evidence, issuedAt }) =>
      evidence.version !== undefined && issuedAt !== undefined && evidence.version !== issuedAt,
  );
  if (isOutdated) return { ...all, reasons: [...all.reasons, reasonOf('token_outdated')] };
  const scopes = keptBack(claims.scopes, all.scopes ?? [], needed);
  const limits = scopes.length > 0 ? [reasonOf('token_scope_limited', { scopes })] : [];
  return { ...all, reasons: [...all.reasons, ...limits] };
}

/** An impersonating system administrator has no records in the tenant: only the token describes them. */
export function isImpersonation({ act }: AccessTokenClaims): boolean {
  return act !== undefined && act.delegation_id === undefined && !isApplication(act);
}

function evidenceOfImpersonation(
  { act, scopes }: AccessTokenClaims,
  needed: readonly string[],
): Evidence {
  const grants = givenBy({ kind: 'impersonation', name: act?.sub ?? '' }, scopes, needed);
  return { grants, removals: [], reasons: [], scopes };
}

async function grantStatesOf(
  tx: TenantTx,
  claims: AccessTokenClaims,
  needed: readonly string[],
): Promise<GrantState[]> {
  const { sub, sid, key_id: keyId, ver } = claims;
  const agentId = parseAgentId(sub);
  if (agentId && keyId !== undefined) {
    return [{ evidence: await evidenceOfApiKey(tx, { id: keyId }, needed), issuedAt: ver }];
  }
  if (agentId) return [{ evidence: await evidenceOfAgent(tx, agentId, needed), issuedAt: ver }];
  const states: GrantState[] = [{ evidence: await evidenceOfUser(tx, sub as UserId, needed) }];
  const actors = actorsOf(claims);
  for (const actor of actors) states.push(...(await grantStatesOfActor(tx, actor, needed)));
  if (actors.length === 0 && sid !== undefined) {
    states.push({ evidence: await evidenceOfSession(tx, sid), issuedAt: ver });
  }
  return states;
}

async function grantStatesOfActor(
  tx: TenantTx,
  { sub, delegation_id: delegationId, key_id: keyId, ver }: ActorClaim,
  needed: readonly string[],
): Promise<GrantState[]> {
  const agentId = parseAgentId(sub);
  if (!agentId || delegationId === undefined) return [];
  const delegation = await evidenceOfDelegation(tx, delegationId, needed);
  const agent =
    keyId === undefined
      ? await evidenceOfAgent(tx, agentId, needed)
      : await evidenceOfApiKey(tx, { id: keyId }, needed);
  return [{ evidence: delegation, issuedAt: ver }, { evidence: agent }];
}

/** The token has a scope only if all of them grant it. */
function merged(all: readonly Evidence[]): Evidence {
  const bounds = all.flatMap(({ scopes }) => (scopes ? [scopes] : []));
  return {
    grants: all.flatMap((one) => one.grants),
    removals: distinct(all.flatMap((one) => one.removals)),
    reasons: distinct(all.flatMap((one) => one.reasons)),
    scopes: bounds.reduce((one, other) => intersectScopes(one, other), ['*:*']),
  };
}
