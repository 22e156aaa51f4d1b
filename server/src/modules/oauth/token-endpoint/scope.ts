import type { Fail } from '@keywright/contract/errors';
import { ScopeSchema } from '@keywright/contract/scope-schema';
import { missingScopes } from '@keywright/contract/scopes';
import { Compile } from '../../../platform/compile.ts';
import { lazy } from '../../../platform/lazy.ts';

const MAX_SCOPES = 128;
const form = lazy(() => Compile(ScopeSchema));

/**
 * The scopes that a token gets: those asked for, if all of them can be given; all that can, if none is asked for
 * (RFC 6749 §3.3).
 * @param asked as it stands in a request: joined by spaces
 */
export function grantScopes(
  held: readonly string[],
  asked: string | undefined,
  fail: Fail<'SCOPE_INVALID'>,
): readonly string[] {
  const scopes = [...new Set((asked ?? '').split(' ').filter(Boolean))];
  if (scopes.length === 0) return held;
  if (scopes.length > MAX_SCOPES || !scopes.every((scope) => form().Check(scope))) {
    fail('SCOPE_INVALID', {
      detail: 'Expected scopes of the form <action>:<resource>, separated by spaces.',
    });
  }
  const missing = missingScopes(held, scopes);
  if (missing.length > 0) {
    fail('SCOPE_INVALID', { detail: `These scopes cannot be granted: ${missing.join(', ')}.` });
  }
  return scopes;
}
