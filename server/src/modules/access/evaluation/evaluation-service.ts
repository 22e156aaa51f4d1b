import { type Fail, type FieldError, ERRORS } from '@keywright/contract/errors';
import type { RequestSchema } from '@keywright/contract/expectation';
import { parseUserId, type TenantId, type WorkspaceId } from '@keywright/contract/ids';
import type { Decision } from '@keywright/contract/records/decision';
import type { Explanation } from '@keywright/contract/records/explanation';
import type { UserPermissions } from '@keywright/contract/records/user-permissions';
import type { BodyOf } from '@keywright/contract/route';
import { evaluate, type evaluateAll } from '@keywright/contract/routes/evaluation';
import { explain } from '@keywright/contract/routes/explain';
import type { TSchema } from 'typebox';
import { Compile } from '../../../platform/compile.ts';
import { explain as explainErrors } from '../../../platform/http/explain.ts';
import { lazy } from '../../../platform/lazy.ts';
import { requireAccess } from '../../../tenancy/authorization.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Decide, Decided, FindEffectivePermissions } from './decisions.ts';
import {
  checkOf,
  type Evaluation,
  requireMayAsk,
  reasonOf,
  requireScopes,
  givenBy,
  isInPlace,
  usableScopes,
} from './evaluation-rules.ts';
import { findUser, findWorkspacesOf, type HeldRole } from './evaluation-store.ts';
import type { Explain } from './explanation-service.ts';

type Refuse = Fail<'SCOPE_REQUIRED' | 'ADMINISTRATOR_REQUIRED'>;

/** Decides evaluations, after checking that the caller may request all of them. */
type Evaluate = (
  tenant: Tenant,
  caller: Caller,
  evaluations: readonly (Evaluation | InvalidEvaluation)[],
  fail: Refuse,
) => Promise<Decision>[];

export function createEvaluate(decide: Decide, tellWhy: Explain): Evaluate {
  return (tenant, caller, evaluations, fail) => {
    const asked = evaluations.map(checkIn);
    const checks = asked.flatMap(({ check }) => check ?? []);
    requireMayAsk(caller, checks, fail);
    if (asked.some(({ isExplained }) => isExplained)) requireAccess(explain, caller);
    return asked.map(async ({ check, denied, isExplained }) => {
      if (!check) return denied;
      return isExplained
        ? presentExplained(await tellWhy(tenant, caller, check, fail))
        : presentDecision(await decide(tenant, check));
    });
  };
}

/** What an evaluation checks; or its denial, if there is nothing to check. */
function checkIn(one: Evaluation | InvalidEvaluation) {
  if (one instanceof InvalidEvaluation) return { denied: presentInvalid(one), isExplained: false };
  const check = checkOf(one);
  const isExplained = one.context?.explain === true;
  return check ? { check, isExplained } : { denied: UNKNOWN_SCOPE, isExplained };
}

type Body = BodyOf<typeof evaluateAll>;
type Semantic = NonNullable<NonNullable<Body['options']>['evaluations_semantic']>;

const SCHEMA: RequestSchema & TSchema = evaluate.body as TSchema;
const isEvaluation = lazy(() => Compile(evaluate.body));

/** An evaluation that is invalid: it is denied, and the others are decided. */
class InvalidEvaluation {
  readonly errors: readonly FieldError[];

  constructor(errors: readonly FieldError[]) {
    this.errors = errors;
  }
}

/**
 * The evaluations of a body, each completed by the shared defaults (OpenID AuthZEN §7.1.1).
 * @returns a single one if the body has none: the body is the evaluation (§7.1)
 */
export function readEvaluations(
  { evaluations = [], ...defaults }: Body,
  fail: Fail<'VALIDATION_FAILED'>,
): Evaluation | (Evaluation | InvalidEvaluation)[] {
  if (evaluations.length > 0)
    return evaluations.map((one) => readEvaluation(complete(defaults, one)));
  const single = readEvaluation(defaults);
  return single instanceof InvalidEvaluation ? fail('VALIDATION_FAILED', single) : single;
}

function complete(defaults: object, one: unknown): unknown {
  return typeof one === 'object' && one !== null && !Array.isArray(one)
    ? { ...defaults, ...one }
    : one;
}

function readEvaluation(value: unknown): Evaluation | InvalidEvaluation {
  return isEvaluation().Check(value) ? value : new InvalidEvaluation(explainErrors(SCHEMA, value));
}

/** The decisions to return: all, or those up to the deciding one (OpenID AuthZEN §7.1.2.1). */
export function cutOff(
  decisions: readonly Decision[],
  semantic: Semantic = 'execute_all',
): Decision[] {
  if (semantic === 'execute_all') return [...decisions];
  const last = semantic === 'permit_on_first_permit';
  const at = decisions.findIndex(({ decision }) => decision === last);
  return decisions.slice(0, at < 0 ? undefined : at + 1);
}

const UNKNOWN_SCOPE: Decision = denialOf(reasonOf('scope_invalid'));
const UNKNOWN_WORKSPACE: Decision = denialOf(reasonOf('workspace_unknown'));
const PERMITTED: Decision = { decision: true };

function denialOf(reason: Explanation['reasons'][number]): Decision {
  return { decision: false, context: { reasons: [reason] } };
}

/** With the status that it would have alone (OpenID AuthZEN §7.2.1). */
function presentInvalid({ errors }: { readonly errors: readonly FieldError[] }): Decision {
  const message = errors.map(({ path, message: flaw }) => `${path} ${flaw}`.trim()).join('; ');
  const { status } = ERRORS.VALIDATION_FAILED;
  return { decision: false, context: { reasons: [], error: { status, message } } };
}

function presentDecision(decided: Decided): Decision {
  if (decided === 'workspace_unknown') return UNKNOWN_WORKSPACE;
  return decided.allowed
    ? PERMITTED
    : denialOf(reasonOf('scope_missing', { scopes: decided.missing }));
}

function presentExplained(explained: Explanation | 'workspace_unknown'): Decision {
  if (explained === 'workspace_unknown') return UNKNOWN_WORKSPACE;
  const { allowed, grants, removals } = explained;
  const missing = presentDecision(explained).context?.reasons ?? [];
  const reasons = [...missing, ...explained.reasons];
  return { decision: allowed, context: { reasons, grants, removals } };
}

type FindUserPermissions = (
  tenantId: TenantId,
  caller: Caller,
  id: string,
  fail: Fail<'SCOPE_REQUIRED' | 'NOT_FOUND'>,
) => Promise<UserPermissions>;

/** The permissions of a user as `decide` finds them, with the roles that explanations name. */
export function createFindUserPermissions(
  gate: Gate,
  findEffectivePermissions: FindEffectivePermissions,
): FindUserPermissions {
  return async (tenantId, caller, id, fail) => {
    requireScopes(caller, ['read:roles'], fail);
    const subject = parseUserId(id) ?? fail('NOT_FOUND');
    const known = await gate.into(tenantId).transaction(async (tx) => {
      const user = await findUser(tx, subject);
      return user && { roles: user.roles, workspaces: await findWorkspacesOf(tx, subject) };
    });
    if (!known) return fail('NOT_FOUND');
    const ask = (workspaceId: WorkspaceId | undefined) =>
      findEffectivePermissions({ tenantId, subject, workspaceId, holdings: true });
    const [held, ...places] = await Promise.all([ask(undefined), ...known.workspaces.map(ask)]);
    const scopes = usableScopes(held);
    return {
      user_id: subject,
      tenant_id: tenantId,
      is_active: held.is_active,
      permissions: scopes.toSorted().map((scope) => originOf(scope, known.roles)),
      all_workspaces: isInPlace(subject, 'outside', scopes),
      workspaces: held.is_active
        ? known.workspaces.filter((_, index) =>
            isInPlace(subject, places[index]?.place ?? 'unknown', scopes),
          )
        : [],
    };
  };
}

function originOf(scope: string, roles: readonly HeldRole[]) {
  const granted_by = roles.flatMap(({ name, is_builtin, scopes }) =>
    givenBy({ kind: 'role', name }, scopes, [scope]).map(({ covered_by }) => ({
      role: name,
      is_builtin,
      covered_by,
    })),
  );
  return { scope, granted_by };
}
