import { ERRORS, type Fail, type FieldError } from '@keywright/contract/errors';
import type { RequestSchema } from '@keywright/contract/expectation';
import type { Decision } from '@keywright/contract/records/decision';
import type { Explanation } from '@keywright/contract/records/explanation';
import type { BodyOf } from '@keywright/contract/route';
import { evaluate, type evaluateAll } from '@keywright/contract/routes/evaluation';
import { explain } from '@keywright/contract/routes/explain';
import type { TSchema } from 'typebox';
import { Compile } from '../../../platform/compile.ts';
import { explain as explainErrors } from '../../../platform/http/explain.ts';
import { lazy } from '../../../platform/lazy.ts';
import { requireAccess } from '../../../tenancy/authorization.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { DecisionResult, DecisionService } from './decision-service.ts';
import { checkOf, type Evaluation, reasonOf, requireMayCheck } from './evaluation-rules.ts';
import type { ExplanationService } from './explanation-service.ts';

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
    return evaluations.map((one) => readEvaluation(complete(defaults, one)));
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
