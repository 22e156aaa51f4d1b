import type { AccessTokenClaims } from '@keywright/contract/claims';
import type { Fail } from '@keywright/contract/errors';
import { type AgentId, parseUserId, type TenantId, type UserId } from '@keywright/contract/ids';
import type { Explanation } from '@keywright/contract/records/explanation';
import type { Clock } from '../../../platform/clock.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { BearerService } from '../../authentication/bearer/index.ts';
import { hashApiKey, looksLikeApiKey } from '../../machines/api-keys/index.ts';
import type { AccessTokens } from '../../tokens/access-tokens/index.ts';
import type { DecisionService } from './decision-service.ts';
import {
  actorsOf,
  type Check,
  distinct,
  type Holder,
  holderOf,
  isInWorkspace,
  isUser,
  type Reason,
  reasonOf,
  requireScopes,
} from './evaluation-rules.ts';
import {
  type Evidence,
  evidenceOfAgent,
  evidenceOfApiKey,
  evidenceOfClaims,
  evidenceOfUser,
  isImpersonation,
} from './evidence.ts';

/** The subject of a check, with its evidence. */
interface CheckSubject {
  /** The scopes required to read about it, in addition to the scope of the route. */
  readonly requiredScopes: readonly string[];
  readonly findEvidence: (tx: TenantTx) => Promise<Evidence>;
  /** The subjects that must belong to the workspace; none if unknown. */
  readonly holder: Holder;
}

const OF_USERS = ['read:users', 'read:roles'];
const OF_SESSIONS = ['read:sessions'];
const OF_AGENTS = ['read:agents', 'read:apikeys'];
const UNKNOWN: Holder = { scopes: [], subjects: [] };

/** Decides checks like evaluations, and explains the decisions. */
export class ExplanationService {
  readonly #gate: Gate;
  readonly #clock: Clock;
  readonly #decisions: DecisionService;
  readonly #bearer: BearerService;
  readonly #accessTokens: AccessTokens;

  constructor(
    gate: Gate,
    clock: Clock,
    decisions: DecisionService,
    bearer: BearerService,
    accessTokens: AccessTokens,
  ) {
    this.#gate = gate;
    this.#clock = clock;
    this.#decisions = decisions;
    this.#bearer = bearer;
    this.#accessTokens = accessTokens;
  }

  async explain(
    tenant: Tenant,
    caller: Caller,
    check: Check,
    fail: Fail<'SCOPE_REQUIRED'>,
  ): Promise<Explanation | 'workspace_unknown'> {
    const { requiredScopes, findEvidence, holder } = await this.#findSubject(tenant, check);
    requireScopes(caller, requiredScopes, fail);
    const decision = await this.#decisions.decide(tenant, check);
    if (decision === 'workspace_unknown') return decision;
    const evidence = await this.#gate.into(tenant.id).transaction(findEvidence);
    const ofWorkspace = await this.#findWorkspaceReasons(tenant.id, check, holder);
    return {
      ...decision,
      grants: [...evidence.grants],
      removals: [...evidence.removals],
      reasons: distinct([...evidence.reasons, ...ofWorkspace]),
    };
  }

  async #findSubject(tenant: Tenant, { token, subject, needed }: Check): Promise<CheckSubject> {
    if (token === undefined) return namedSubject(subject, needed);
    return looksLikeApiKey(token)
      ? this.#findApiKeySubject(tenant, token, needed)
      : this.#findTokenSubject(tenant, token, needed);
  }

  async #findApiKeySubject(
    tenant: Tenant,
    key: string,
    needed: readonly string[],
  ): Promise<CheckSubject> {
    const hash = hashApiKey(key);
    if (!hash) return onlyReasons(reasonOf('token_malformed'));
    const claims = await this.#bearer.findActive(tenant, key);
    return {
      requiredScopes: OF_AGENTS,
      findEvidence: (tx) => evidenceOfApiKey(tx, { hash }, needed),
      holder: claims ? holderOf(claims) : UNKNOWN,
    };
  }

  async #findTokenSubject(
    tenant: Tenant,
    token: string,
    needed: readonly string[],
  ): Promise<CheckSubject> {
    const { claims, flaw } = await this.#accessTokens.inspect(tenant, token, this.#clock.now());
    const flaws = flaw ? [reasonOf(flaw)] : [];
    if (!claims) return onlyReasons(...flaws);
    if (isImpersonation(claims) && !flaw && !(await this.#bearer.findActive(tenant, token))) {
      flaws.push(reasonOf('impersonation_ended'));
    }
    return {
      requiredScopes: scopesToReadAbout(claims),
      findEvidence: async (tx) => {
        const evidence = await evidenceOfClaims(tx, claims, needed);
        return { ...evidence, reasons: [...flaws, ...evidence.reasons] };
      },
      holder: holderOf(claims),
    };
  }

  /** The reasons that concern the workspace of a check. */
  async #findWorkspaceReasons(
    tenantId: TenantId,
    { token, workspaceId }: Check,
    holder: Holder,
  ): Promise<Reason[]> {
    if (workspaceId === undefined) return [];
    const reasons = holder.subjects.map(async (subject) => {
      const query = { tenantId, subject, workspaceId, holdings: token === undefined };
      const { place, scopes } = await this.#decisions.findPermissions(query);
      if (place === 'inactive') return [reasonOf('workspace_inactive', { name: workspaceId })];
      const isInside = isInWorkspace(subject, place, token === undefined ? scopes : holder.scopes);
      return isInside ? [] : [reasonOf('workspace_membership_missing', { name: subject })];
    });
    return (await Promise.all(reasons)).flat();
  }
}

function namedSubject(subject: string, needed: readonly string[]): CheckSubject {
  return {
    requiredScopes: isUser(subject) ? OF_USERS : OF_AGENTS,
    findEvidence: (tx) =>
      isUser(subject)
        ? evidenceOfUser(tx, subject as UserId, needed)
        : evidenceOfAgent(tx, subject as AgentId, needed),
    holder: { scopes: [], subjects: [subject] },
  };
}

/** The scopes to read the records that the token depends on. An impersonator is not a user of the tenant. */
function scopesToReadAbout(claims: AccessTokenClaims): string[] {
  if (isImpersonation(claims)) return [];
  const isOfUser = parseUserId(claims.sub) !== undefined;
  const isOfAgent = !isOfUser || actorsOf(claims).length > 0;
  return [
    ...(isOfUser ? OF_USERS : []),
    ...(claims.sid === undefined ? [] : OF_SESSIONS),
    ...(isOfAgent ? OF_AGENTS : []),
  ];
}

/** Returns an unknown subject, with these reasons only. */
function onlyReasons(...reasons: readonly Reason[]): CheckSubject {
  const evidence = { grants: [], removals: [], reasons };
  return {
    requiredScopes: [],
    findEvidence: () => Promise.resolve(evidence),
    holder: UNKNOWN,
  };
}
