import type { Fail } from '@keywright/contract/errors';
import { isCommonPermission, isPermission, missingScopes } from '@keywright/contract/scopes';
import { type Resource, scopesOfAgentAt } from '../resources/index.ts';

const MAX_SCOPES = 128;

/**
 * The scopes of a token for the tenant, which are permissions: the requested ones, if all of them can be granted; all that can, if none is requested (RFC
 * 6749 §3.3).
 * @param asked as in a request: joined by spaces
 */
export function grantScopes(
  held: readonly string[],
  asked: string | undefined,
  fail: Fail<'SCOPE_INVALID'>,
): readonly string[] {
  const scopes = [...new Set((asked ?? '').split(' ').filter(Boolean))];
  const permissions = held.filter(isPermission);
  if (scopes.length === 0) return permissions;
  if (scopes.length > MAX_SCOPES || !scopes.every(isPermission)) {
    fail('SCOPE_INVALID', {
      detail:
        'Expected scopes of the form <action>:<resource>, separated by spaces. Scopes with other names need the resource that has them.',
    });
  }
  const missing = missingScopes(permissions, scopes);
  if (missing.length > 0) {
    fail('SCOPE_INVALID', { detail: `These scopes cannot be granted: ${missing.join(', ')}.` });
  }
  return scopes;
}

/** The same of a token of an agent for a resource: what the resource has, and the agent may. */
export function grantScopesAt(
  resource: Resource,
  held: readonly string[],
  asked: string | undefined,
  fail: Fail<'SCOPE_INVALID'>,
): readonly string[] {
  return chooseScopes(scopesOfAgentAt(resource, held), asked, fail);
}

/** Of what a token for a resource can have, what is asked for; all of it, if nothing is. */
export function chooseScopes(
  possible: readonly string[],
  asked: string | undefined,
  fail: Fail<'SCOPE_INVALID'>,
): readonly string[] {
  const scopes = [...new Set((asked ?? '').split(' ').filter(Boolean))];
  if (scopes.length === 0) return possible;
  const permissions = possible.filter(isCommonPermission);
  const isPossible = (scope: string) =>
    isCommonPermission(scope)
      ? missingScopes(permissions, [scope]).length === 0
      : possible.includes(scope);
  return scopes.length <= MAX_SCOPES && scopes.every(isPossible) ? scopes : fail('SCOPE_INVALID');
}
