import type { Fail, FieldError } from '@keywright/contract/errors';
import type { RequestSchema } from '@keywright/contract/expectation';
import type { Decision } from '@keywright/contract/records/decision';
import type { BodyOf } from '@keywright/contract/route';
import { evaluate, type evaluateAll } from '@keywright/contract/routes/evaluation';
import type { TSchema } from 'typebox';
import { Compile } from '../../../platform/compile.ts';
import { explain } from '../../../platform/http/explain.ts';
import { lazy } from '../../../platform/lazy.ts';
import type { Evaluation } from './checks.ts';

type Body = BodyOf<typeof evaluateAll>;
type Semantic = NonNullable<NonNullable<Body['options']>['evaluations_semantic']>;

const SCHEMA: RequestSchema & TSchema = evaluate.body as TSchema;
const isEvaluation = lazy(() => Compile(evaluate.body));

/** An evaluation that is invalid: it is denied, and the others are decided. */
export class InvalidEvaluation {
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
  if (evaluations.length > 0) return evaluations.map((one) => read(complete(defaults, one)));
  const single = read(defaults);
  return single instanceof InvalidEvaluation ? fail('VALIDATION_FAILED', single) : single;
}

function complete(defaults: object, one: unknown): unknown {
  return typeof one === 'object' && one !== null && !Array.isArray(one)
    ? { ...defaults, ...one }
    : one;
}

function read(value: unknown): Evaluation | InvalidEvaluation {
  return isEvaluation().Check(value) ? value : new InvalidEvaluation(explain(SCHEMA, value));
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
