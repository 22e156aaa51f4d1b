import type { AccessTokenClaims, ActorClaim } from '@keywright/contract/claims';
import {
  type AgentId,
  type ApiKeyId,
  type DelegationId,
  type SessionId,
  type UserId,
  parseAgentId,
} from '@keywright/contract/ids';
import type { Explanation } from '@keywright/contract/records/explanation';
import { missingScopes, intersectScopes } from '@keywright/contract/scopes';
import type { TenantTx } from '../../../tenancy/gate.ts';
import { isApplication } from '../../tokens/grants/index.ts';
import {
  type Grant,
  type Reason,
  reasonOf,
  grantsBy,
  scopesWithheld,
  presentChange,
  distinct,
  actorsOf,
} from './evaluation-rules.ts';
import {
  type ApiKeyRow,
  findAgent,
  findApiKey,
  findDelegation,
  findSession,
  findUser,
} from './evaluation-store.ts';
import {
  changesOfAgent,
  changesOfUser,
  findDeactivation,
  findRevocation,
  findSessionEnd,
  lossesOf,
  type Loss,
} from './evidence-history.ts';

/** What a record contributes to a decision: permissions depend on several of these. */
export interface Evidence {
  readonly grants: readonly Grant[];
  readonly removals: Explanation['removals'];
  readonly reasons: readonly Reason[];
  /** The scopes that it grants; undefined if it does not restrict them. */
  readonly scopes?: readonly string[];
}

/** The version of a record increases with each change, so a token with another version is outdated. */
interface Versioned extends Evidence {
  readonly version?: number;
}

function onlyReasons(...reasons: readonly Reason[]): Versioned {
  return { grants: [], removals: [], reasons };
}

function presentRemovals(losses: readonly Loss[]): Explanation['removals'] {
  return losses.map(({ scope, change }) => ({ scope, change: presentChange(change) }));
}

export async function evidenceOfUser(
  tx: TenantTx,
  id: UserId,
  needed: readonly string[],
): Promise<Evidence> {
  const user = await findUser(tx, id);
  if (!user) return onlyReasons(reasonOf('user_unknown'));
  const scopes = user.roles.flatMap((role) => role.scopes);
  const roles = user.roles.map((role) => role.name);
  const history = await changesOfUser(tx, id);
  const losses = await lossesOf(tx, missingScopes(scopes, needed), history, roles);
  const change = findDeactivation(history, id);
  return {
    grants: user.roles.flatMap(({ name, scopes: ofRole }) =>
      grantsBy({ kind: 'role', name }, ofRole, needed),
    ),
    removals: presentRemovals(losses),
    reasons: user.is_active ? [] : [reasonOf('user_inactive', { name: id, change })],
    scopes,
  };
}

export async function evidenceOfAgent(
  tx: TenantTx,
  id: AgentId,
  needed: readonly string[],
): Promise<Versioned> {
  const agent = await findAgent(tx, id);
  if (!agent) return onlyReasons(reasonOf('agent_unknown'));
  const history = await changesOfAgent(tx, id, agent.owner_id);
  const losses = await lossesOf(tx, missingScopes(agent.scopes, needed), history, []);
  const change = findDeactivation(history, id);
  return {
    grants: grantsBy({ kind: 'agent', name: id }, agent.scopes, needed),
    removals: presentRemovals(losses),
    reasons: agent.is_active ? [] : [reasonOf('agent_inactive', { name: id, change })],
    scopes: agent.scopes,
    version: agent.access_version,
  };
}

/** Finds the evidence of an API key and its agent. @param by its ID, or the hash of the key */
export async function evidenceOfApiKey(
  tx: TenantTx,
  by: { readonly id: ApiKeyId } | { readonly hash: Buffer },
  needed: readonly string[],
): Promise<Versioned> {
  const key = await findApiKey(tx, by);
  if (!key) return onlyReasons(reasonOf('api_key_unknown'));
  const agent = await evidenceOfAgent(tx, key.agent_id, needed);
  const reasons = [...(await reasonsOfKey(tx, key)), ...agent.reasons];
  if (key.scopes === null) return { ...agent, reasons };
  const scopes = scopesWithheld(key.scopes, agent.scopes ?? [], needed);
  const limits =
    scopes.length > 0 ? [reasonOf('api_key_scope_limited', { name: key.id, scopes })] : [];
  return {
    ...agent,
    grants: [...agent.grants, ...grantsBy({ kind: 'api_key', name: key.id }, key.scopes, needed)],
    reasons: [...reasons, ...limits],
    scopes: key.scopes,
  };
}

async function reasonsOfKey(tx: TenantTx, key: ApiKeyRow): Promise<Reason[]> {
  const { id: name, agent_id: agentId, revoked_at: at, revoke_reason: reason } = key;
  const owner = (await findAgent(tx, agentId))?.owner_id ?? undefined;
  const reasons: Reason[] = [];
  if (at) {
    const change = await findRevocation(tx, { kind: 'api_key', id: name }, [owner]);
    reasons.push(reasonOf('api_key_revoked', { name, at, reason, change }));
  }
  if (key.expires_at <= tx.now)
    reasons.push(reasonOf('api_key_expired', { name, at: key.expires_at }));
  return reasons;
}

/** Finds the scopes that a user has delegated to an agent, whether or not either has them. */
async function evidenceOfDelegation(
  tx: TenantTx,
  id: DelegationId,
  needed: readonly string[],
): Promise<Versioned> {
  const row = await findDelegation(tx, id);
  if (!row) return onlyReasons(reasonOf('delegation_unknown'));
  const reasons: Reason[] = [];
  const { revoked_at: at, revoke_reason: reason, expires_at: end } = row;
  if (at) {
    const owner = (await findAgent(tx, row.agent_id))?.owner_id ?? undefined;
    const change = await findRevocation(tx, { kind: 'delegation', id }, [row.user_id, owner]);
    reasons.push(reasonOf('delegation_revoked', { name: id, at, reason, change }));
  }
  if (end <= tx.now) reasons.push(reasonOf('delegation_expired', { name: id, at: end }));
  const user = await findUser(tx, row.user_id);
  const userScopes = user?.roles.flatMap((role) => role.scopes) ?? [];
  const scopes = scopesWithheld(row.scopes, userScopes, needed);
  if (scopes.length > 0) reasons.push(reasonOf('delegation_scope_limited', { name: id, scopes }));
  return {
    grants: grantsBy({ kind: 'delegation', name: id }, row.scopes, needed),
    removals: [],
    reasons,
    scopes: row.scopes,
    version: row.access_version,
  };
}

async function evidenceOfSession(tx: TenantTx, id: SessionId): Promise<Versioned> {
  const session = await findSession(tx, id);
  if (!session) return onlyReasons(reasonOf('session_unknown'));
  const version = session.access_version;
  if (session.is_active) return { ...onlyReasons(), version };
  const change = await findSessionEnd(tx, id, session);
  const { end_reason: reason } = session;
  return { ...onlyReasons(reasonOf('session_ended', { name: id, reason, change })), version };
}

/** The evidence of a grant that a token depends on, with the grant's version when the token was issued. */
interface GrantState {
  readonly evidence: Versioned;
  readonly issuedAt?: number | undefined;
}

/** Collects the evidence of everything that an access token depends on. */
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
  const scopes = scopesWithheld(claims.scopes, all.scopes ?? [], needed);
  const limits = scopes.length > 0 ? [reasonOf('token_scope_limited', { scopes })] : [];
  return { ...all, reasons: [...all.reasons, ...limits] };
}

/**
 * Whether a token impersonates: the system administrator has no records in the tenant, so only the token describes
 * them.
 */
export function isImpersonation({ act }: AccessTokenClaims): boolean {
  return act !== undefined && act.delegation_id === undefined && !isApplication(act);
}

function evidenceOfImpersonation(
  { act, scopes }: AccessTokenClaims,
  needed: readonly string[],
): Evidence {
  const grants = grantsBy({ kind: 'impersonation', name: act?.sub ?? '' }, scopes, needed);
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

/** Merges evidence: the token has a scope only if all grant it. */
function merged(all: readonly Evidence[]): Evidence {
  const bounds = all.flatMap(({ scopes }) => (scopes ? [scopes] : []));
  return {
    grants: all.flatMap((evidence) => evidence.grants),
    removals: distinct(all.flatMap((evidence) => evidence.removals)),
    reasons: distinct(all.flatMap((evidence) => evidence.reasons)),
    scopes: bounds.reduce((common, other) => intersectScopes(common, other), ['*:*']),
  };
}
