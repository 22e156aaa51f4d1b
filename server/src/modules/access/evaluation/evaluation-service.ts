import type { AccessTokenClaims } from '@keywright/contract/claims';
import { ERRORS, type Fail, type FieldError } from '@keywright/contract/errors';
import type { RequestSchema } from '@keywright/contract/expectation';
import { type AgentId, type TenantId, type UserId, parseUserId } from '@keywright/contract/ids';
import type { Decision } from '@keywright/contract/records/decision';
import type { Explanation } from '@keywright/contract/records/explanation';
import type { BodyOf } from '@keywright/contract/route';
import { evaluate, type evaluateAll } from '@keywright/contract/routes/evaluation';
import { explain } from '@keywright/contract/routes/explain';
import type { TSchema } from 'typebox';
import type { Clock } from '../../../platform/clock.ts';
import { Compile } from '../../../platform/compile.ts';
import { explain as explainErrors } from '../../../platform/http/explain.ts';
import { lazy } from '../../../platform/lazy.ts';
import { requireAccess } from '../../../tenancy/authorization.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { BearerService } from '../../authentication/bearer/index.ts';
import { hashApiKey, looksLikeApiKey } from '../../machines/agents/index.ts';
import type { AccessTokens } from '../../tokens/access-tokens/index.ts';
import type { DecisionResult, DecisionService } from './decision-service.ts';
import {
  type Check,
  type Evaluation,
  type Holder,
  type Reason,
  actorsOf,
  checkOf,
  distinct,
  holderOf,
  isInWorkspace,
  isUser,
  reasonOf,
  requireMayCheck,
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

type Batch = BodyOf<typeof evaluateAll>;
type Semantic = NonNullable<NonNullable<Batch['options']>['evaluations_semantic']>;
type Refusal = 'SCOPE_REQUIRED' | 'ADMINISTRATOR_REQUIRED';

/** Evaluations of OpenID AuthZEN. */
export class EvaluationService {
  readonly #decisions: DecisionService;
  readonly #explanations: ExplanationService;

  constructor(decisions: DecisionService, explanations: ExplanationService) {
    this.#decisions = decisions;
    this.#explanations = explanations;
  }

  /** Decides an evaluation (§6). */
  async evaluate(
    tenant: Tenant,
    caller: Caller,
    evaluation: Evaluation,
    fail: Fail<Refusal>,
  ): Promise<Decision> {
    const [decision] = this.#decide(tenant, caller, [evaluation], fail);
    return (await decision) as Decision;
  }

  /** Decides a batch (§7), or a single evaluation: a body without a list is the evaluation itself (§7.1). */
  async evaluateAll(
    tenant: Tenant,
    caller: Caller,
    body: Batch,
    fail: Fail<Refusal | 'VALIDATION_FAILED'>,
  ): Promise<{ readonly evaluations: Decision[] } | Decision> {
    const evaluations = readEvaluations(body, fail);
    if (!Array.isArray(evaluations)) return this.evaluate(tenant, caller, evaluations, fail);
    const decisions = await Promise.all(this.#decide(tenant, caller, evaluations, fail));
    return { evaluations: cutOff(decisions, body.options?.evaluations_semantic) };
  }

  /** Checks that the caller can request all evaluations, then decides them. */
  #decide(
    tenant: Tenant,
    caller: Caller,
    evaluations: readonly (Evaluation | InvalidEvaluation)[],
    fail: Fail<Refusal>,
  ): Promise<Decision>[] {
    const plans = evaluations.map(planOf);
    const checks = plans.flatMap(({ check }) => check ?? []);
    requireMayCheck(caller, checks, fail);
    if (plans.some(({ isExplained }) => isExplained)) requireAccess(explain, caller);
    return plans.map(async ({ check, denial, isExplained }) => {
      if (!check) return denial;
      return isExplained
        ? presentExplained(await this.#explanations.explain(tenant, caller, check, fail))
        : presentDecision(await this.#decisions.decide(tenant, check));
    });
  }
}

/** The check of an evaluation; or its denial, if there is nothing to check. */
function planOf(evaluation: Evaluation | InvalidEvaluation) {
  if (evaluation instanceof InvalidEvaluation) {
    return { denial: presentInvalid(evaluation), isExplained: false };
  }
  const check = checkOf(evaluation);
  const isExplained = evaluation.context?.explain === true;
  return check ? { check, isExplained } : { denial: UNKNOWN_SCOPE, isExplained };
}

const SCHEMA: RequestSchema & TSchema = evaluate.body as TSchema;
const isEvaluation = lazy(() => Compile(evaluate.body));

/** An invalid evaluation: it is denied, and the others are decided. */
class InvalidEvaluation {
  readonly errors: readonly FieldError[];

  constructor(errors: readonly FieldError[]) {
    this.errors = errors;
  }
}

/**
 * Reads the evaluations of a body, each completed by the shared defaults (OpenID AuthZEN §7.1.1).
 * @returns a single evaluation if the body has no list: the body is the evaluation (§7.1)
 */
function readEvaluations(
  { evaluations = [], ...defaults }: Batch,
  fail: Fail<'VALIDATION_FAILED'>,
): Evaluation | (Evaluation | InvalidEvaluation)[] {
  if (evaluations.length > 0) {
    return evaluations.map((evaluation) => readEvaluation(complete(defaults, evaluation)));
  }
  const single = readEvaluation(defaults);
  return single instanceof InvalidEvaluation ? fail('VALIDATION_FAILED', single) : single;
}

function complete(defaults: object, evaluation: unknown): unknown {
  return typeof evaluation === 'object' && evaluation !== null && !Array.isArray(evaluation)
    ? { ...defaults, ...evaluation }
    : evaluation;
}

function readEvaluation(value: unknown): Evaluation | InvalidEvaluation {
  return isEvaluation().Check(value) ? value : new InvalidEvaluation(explainErrors(SCHEMA, value));
}

/** Returns all decisions, or those up to the deciding one (OpenID AuthZEN §7.1.2.1). */
function cutOff(decisions: readonly Decision[], semantic: Semantic = 'execute_all'): Decision[] {
  if (semantic === 'execute_all') return [...decisions];
  const last = semantic === 'permit_on_first_permit';
  const index = decisions.findIndex(({ decision }) => decision === last);
  return decisions.slice(0, index < 0 ? undefined : index + 1);
}

const UNKNOWN_SCOPE: Decision = denialOf(reasonOf('scope_invalid'));
const UNKNOWN_WORKSPACE: Decision = denialOf(reasonOf('workspace_unknown'));
const PERMITTED: Decision = { decision: true };

function denialOf(reason: Explanation['reasons'][number]): Decision {
  return { decision: false, context: { reasons: [reason] } };
}

/** Presents a denial with the status of a single invalid evaluation (OpenID AuthZEN §7.2.1). */
function presentInvalid({ errors }: InvalidEvaluation): Decision {
  const message = errors.map(({ path, message: flaw }) => `${path} ${flaw}`.trim()).join('; ');
  const { status } = ERRORS.VALIDATION_FAILED;
  return { decision: false, context: { reasons: [], error: { status, message } } };
}

function presentDecision(result: DecisionResult): Decision {
  if (result === 'workspace_unknown') return UNKNOWN_WORKSPACE;
  return result.allowed
    ? PERMITTED
    : denialOf(reasonOf('scope_missing', { scopes: result.missing }));
}

function presentExplained(result: Explanation | 'workspace_unknown'): Decision {
  if (result === 'workspace_unknown') return UNKNOWN_WORKSPACE;
  const { allowed, grants, removals } = result;
  const missing = presentDecision(result).context?.reasons ?? [];
  const reasons = [...missing, ...result.reasons];
  return { decision: allowed, context: { reasons, grants, removals } };
}

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
