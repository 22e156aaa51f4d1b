import type { Fail } from '@keywright/contract/errors';
import type { Decision } from '@keywright/contract/records/decision';
import type { BodyOf } from '@keywright/contract/route';
import type { evaluateAll } from '@keywright/contract/routes/evaluation';
import type { Evaluation } from './checks.ts';

type Body = BodyOf<typeof evaluateAll>;
type Semantic = NonNullable<NonNullable<Body['options']>['evaluations_semantic']>;
type Defaults = Partial<Evaluation>;

/**
 * The evaluations of a body, each completed by the shared defaults (OpenID AuthZEN §7.1.1).
 * @returns a single one if the body has none: the body is the evaluation (§7.1)
 */
export function readEvaluations(
  { evaluations = [], ...defaults }: Body,
  fail: Fail<'VALIDATION_FAILED'>,
): Evaluation | Evaluation[] {
  return evaluations.length === 0
    ? complete(defaults, '', fail)
    : evaluations.map((one, at) => complete({ ...defaults, ...one }, `/evaluations/${at}`, fail));
}

function complete(
  { subject, action, resource, context }: Defaults,
  at: string,
  fail: Fail<'VALIDATION_FAILED'>,
): Evaluation {
  const refuse = (name: string) =>
    fail('VALIDATION_FAILED', { errors: [{ path: `${at}/${name}`, message: 'is required' }] });
  return {
    subject: subject ?? refuse('subject'),
    action: action ?? refuse('action'),
    resource: resource ?? refuse('resource'),
    ...(context ? { context } : {}),
  };
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
