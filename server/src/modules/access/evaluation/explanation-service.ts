import type { AccessTokenClaims } from '@keywright/contract/claims';
import type { Fail } from '@keywright/contract/errors';
import { type TenantId, type AgentId, parseUserId, type UserId } from '@keywright/contract/ids';
import type { Explanation } from '@keywright/contract/records/explanation';
import type { Clock } from '../../../platform/clock.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { BearerService } from '../../authentication/bearer/index.ts';
import { hashApiKey, looksLikeApiKey } from '../../machines/api-keys/index.ts';
import type { InspectToken } from '../../tokens/access-tokens/index.ts';
import type { Decide, FindEffectivePermissions } from './decisions.ts';
import {
  type Check,
  requireScopes,
  distinct,
  type Reason,
  reasonOf,
  type Holder,
  isInPlace,
  isUser,
  actorsOf,
  holderOf,
} from './evaluation-rules.ts';
import {
  type Evidence,
  evidenceOfAgent,
  evidenceOfApiKey,
  evidenceOfUser,
  evidenceOfClaims,
  isImpersonation,
} from './evidence.ts';

/** Decides a check like an evaluation, with the reasons. */
export type Explain = (
  tenant: Tenant,
  caller: Caller,
  check: Check,
  fail: Fail<'SCOPE_REQUIRED'>,
) => Promise<Explanation | 'workspace_unknown'>;

interface Dependencies {
  readonly gate: Gate;
  readonly decide: Decide;
  readonly findSubject: FindSubject;
  readonly findEffectivePermissions: FindEffectivePermissions;
}

export function createExplain({
  gate,
  decide,
  findSubject,
  findEffectivePermissions,
}: Dependencies): Explain {
  return async (tenant, caller, check, fail) => {
    const { takes, findEvidence, holder } = await findSubject(tenant, check);
    requireScopes(caller, takes, fail);
    const decision = await decide(tenant, check);
    if (decision === 'workspace_unknown') return decision;
    const { grants, removals, reasons } = await gate.into(tenant.id).transaction(findEvidence);
    const ofPlace = await reasonsOfPlace(findEffectivePermissions, tenant.id, check, holder);
    return {
      ...decision,
      grants: [...grants],
      removals: [...removals],
      reasons: distinct([...reasons, ...ofPlace]),
    };
  };
}

async function reasonsOfPlace(
  findEffectivePermissions: FindEffectivePermissions,
  tenantId: TenantId,
  { token, workspaceId }: Check,
  holder: Holder,
): Promise<Reason[]> {
  if (workspaceId === undefined) return [];
  const found = holder.subjects.map(async (subject) => {
    const question = { tenantId, subject, workspaceId, holdings: token === undefined };
    const { place, scopes } = await findEffectivePermissions(question);
    if (place === 'inactive') return [reasonOf('workspace_inactive', { name: workspaceId })];
    const isThere = isInPlace(subject, place, token === undefined ? scopes : holder.scopes);
    return isThere ? [] : [reasonOf('workspace_membership_missing', { name: subject })];
  });
  return (await Promise.all(found)).flat();
}

/** The subject of a check. */
interface EvaluatedSubject {
  /** The scopes required to read about it, beside that of the route. */
  readonly takes: readonly string[];
  readonly findEvidence: (tx: TenantTx) => Promise<Evidence>;
  /** Who must belong to the workspace; no subjects if unknown. */
  readonly holder: Holder;
}

type FindSubject = (tenant: Tenant, check: Check) => Promise<EvaluatedSubject>;

interface SubjectDependencies {
  readonly bearer: BearerService;
  readonly inspect: InspectToken;
  readonly clock: Clock;
}

const OF_USERS = ['read:users', 'read:roles'];
const OF_SESSIONS = ['read:sessions'];
const OF_AGENTS = ['read:agents', 'read:apikeys'];
const NOBODY: Holder = { scopes: [], subjects: [] };

export function createFindSubject({ bearer, inspect, clock }: SubjectDependencies): FindSubject {
  async function ofApiKey(
    tenant: Tenant,
    key: string,
    needed: readonly string[],
  ): Promise<EvaluatedSubject> {
    const hash = hashApiKey(key);
    if (!hash) return onlyReasons(reasonOf('token_malformed'));
    const claims = await bearer.findActive(tenant, key);
    return {
      takes: OF_AGENTS,
      findEvidence: (tx) => evidenceOfApiKey(tx, { hash }, needed),
      holder: claims ? holderOf(claims) : NOBODY,
    };
  }

  async function ofToken(
    tenant: Tenant,
    token: string,
    needed: readonly string[],
  ): Promise<EvaluatedSubject> {
    const { claims, flaw } = await inspect(tenant, token, clock.now());
    const flaws = flaw ? [reasonOf(flaw)] : [];
    if (!claims) return onlyReasons(...flaws);
    const isOver = isImpersonation(claims) && !flaw && !(await bearer.findActive(tenant, token));
    if (isOver) flaws.push(reasonOf('impersonation_ended'));
    return {
      takes: scopesToTellOf(claims),
      findEvidence: async (tx) => {
        const evidence = await evidenceOfClaims(tx, claims, needed);
        return { ...evidence, reasons: [...flaws, ...evidence.reasons] };
      },
      holder: holderOf(claims),
    };
  }

  return async (tenant, { token, subject, needed }) => {
    if (token !== undefined) {
      return looksLikeApiKey(token)
        ? ofApiKey(tenant, token, needed)
        : ofToken(tenant, token, needed);
    }
    return named(subject, needed);
  };
}

function named(subject: string, needed: readonly string[]): EvaluatedSubject {
  return {
    takes: isUser(subject) ? OF_USERS : OF_AGENTS,
    findEvidence: (tx) =>
      isUser(subject)
        ? evidenceOfUser(tx, subject as UserId, needed)
        : evidenceOfAgent(tx, subject as AgentId, needed),
    holder: { scopes: [], subjects: [subject] },
  };
}

/** The scopes to read what the token depends on. An impersonator is not a user of the tenant. */
function scopesToTellOf(claims: AccessTokenClaims): string[] {
  if (isImpersonation(claims)) return [];
  const isOfUser = parseUserId(claims.sub) !== undefined;
  const isOfAgent = !isOfUser || actorsOf(claims).length > 0;
  return [
    ...(isOfUser ? OF_USERS : []),
    ...(claims.sid === undefined ? [] : OF_SESSIONS),
    ...(isOfAgent ? OF_AGENTS : []),
  ];
}

/** What can be said about an unknown subject. */
function onlyReasons(...reasons: readonly Reason[]): EvaluatedSubject {
  const evidence = { grants: [], removals: [], reasons };
  return { takes: [], findEvidence: () => Promise.resolve(evidence), holder: NOBODY };
}
