import Type from 'typebox';
import { EXPECTS } from './expectation.ts';

const SCOPE = '(read|write|delete|\\*):(\\*|[a-z][a-z0-9_.-]{0,63})';

const SCOPE_IN_WORDS =
  'scope of the form <action>:<resource>, where the action is read, write, delete or *, and the resource is * or a lower-case name of at most 64 characters';

export const ScopeSchema = Type.String({
  pattern: `^${SCOPE}$`,
  [EXPECTS]: `a ${SCOPE_IN_WORDS}`,
  description: 'A scope: `<action>:<resource>`.',
  examples: ['read:users'],
});

/** Several in one text, as in OAuth (RFC 6749 §3.3). */
export const ScopesText = Type.String({
  pattern: `^${SCOPE}( ${SCOPE}){0,31}$`,
  [EXPECTS]: `1 to 32 scopes joined by single spaces, each a ${SCOPE_IN_WORDS}`,
  maxLength: 2400,
  description: 'One scope, or up to 32 of them joined by spaces: all are required.',
  examples: ['read:users'],
});

const WHOLE = new RegExp(`^${SCOPE}$`);

export function isScope(text: string): boolean {
  return WHOLE.test(text);
}
