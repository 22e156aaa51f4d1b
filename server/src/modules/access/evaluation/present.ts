import type { Decision } from '@keywright/contract/records/decision';
import type { Explanation } from '@keywright/contract/records/explanation';
import type { Decided } from './decide.ts';
import { fact } from './facts.ts';

export const UNKNOWN_SCOPE: Decision = denied(fact('scope_invalid'));
const UNKNOWN_WORKSPACE: Decision = denied(fact('workspace_unknown'));
const PERMITTED: Decision = { decision: true };

function denied(reason: Explanation['facts'][number]): Decision {
  return { decision: false, context: { reasons: [reason] } };
}

export function presentDecision(decided: Decided): Decision {
  if (decided === 'workspace_unknown') return UNKNOWN_WORKSPACE;
  return decided.allowed ? PERMITTED : denied(fact('scope_missing', { scopes: decided.missing }));
}

export function presentExplained(explained: Explanation | 'workspace_unknown'): Decision {
  if (explained === 'workspace_unknown') return UNKNOWN_WORKSPACE;
  const { allowed, because, lost, facts } = explained;
  const reasons = presentDecision(explained).context?.reasons ?? [];
  return { decision: allowed, context: { reasons: [...reasons, ...facts], because, lost } };
}
