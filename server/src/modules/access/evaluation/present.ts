import { ERRORS, type FieldError } from '@keywright/contract/errors';
import type { Decision } from '@keywright/contract/records/decision';
import type { Explanation } from '@keywright/contract/records/explanation';
import type { Decided } from './decide.ts';
import { reasonOf } from './reasons.ts';

export const UNKNOWN_SCOPE: Decision = denied(reasonOf('scope_invalid'));
const UNKNOWN_WORKSPACE: Decision = denied(reasonOf('workspace_unknown'));
const PERMITTED: Decision = { decision: true };

function denied(reason: Explanation['reasons'][number]): Decision {
  return { decision: false, context: { reasons: [reason] } };
}

/** With the status that it would have alone (OpenID AuthZEN §7.2.1). */
export function presentInvalid({ errors }: { readonly errors: readonly FieldError[] }): Decision {
  const message = errors.map(({ path, message: flaw }) => `${path} ${flaw}`.trim()).join('; ');
  const { status } = ERRORS.VALIDATION_FAILED;
  return { decision: false, context: { reasons: [], error: { status, message } } };
}

export function presentDecision(decided: Decided): Decision {
  if (decided === 'workspace_unknown') return UNKNOWN_WORKSPACE;
  return decided.allowed
    ? PERMITTED
    : denied(reasonOf('scope_missing', { scopes: decided.missing }));
}

export function presentExplained(explained: Explanation | 'workspace_unknown'): Decision {
  if (explained === 'workspace_unknown') return UNKNOWN_WORKSPACE;
  const { allowed, grants, removals } = explained;
  const missing = presentDecision(explained).context?.reasons ?? [];
  const reasons = [...missing, ...explained.reasons];
  return { decision: allowed, context: { reasons, grants, removals } };
}
