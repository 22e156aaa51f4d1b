import Type from 'typebox';
import { EXPECTS, PERMISSIONS } from './expectation.ts';
import { PERMISSION_PATTERN as SCOPE } from './scopes.ts';

const SCOPE_IN_WORDS =
  'scope of the form <action>:<resource>, each part * or a lower-case name of at most 64 characters';

export const ScopeSchema = Type.String({
  pattern: `^${SCOPE}$`,
  [EXPECTS]: `a ${SCOPE_IN_WORDS}`,
  [PERMISSIONS]: true,
  description:
    'A scope: `<action>:<resource>`. Resources of the service support the actions `read`, `write`, `delete` and `*`. Resources of a tenant can have any action.',
  examples: ['read:users'],
});

/** Several scopes in one string, as in OAuth (RFC 6749 §3.3). */
export const ScopesText = Type.String({
  pattern: `^${SCOPE}( ${SCOPE}){0,31}$`,
  [EXPECTS]: `1 to 32 scopes separated by single spaces, each a ${SCOPE_IN_WORDS}`,
  [PERMISSIONS]: true,
  maxLength: 4200,
  description: 'One scope, or up to 32 scopes separated by spaces. All of them are required.',
  examples: ['read:users'],
});

const NAME = '[\\x21\\x23-\\x5b\\x5d-\\x7e]{1,128}';
const NAME_IN_WORDS = 'scope of at most 128 characters, without spaces, quotes and backslashes';

/** Any scope (RFC 6749 §3.3): a permission, or a scope name that a resource defines. */
export const SCOPE_NAME = { pattern: `^${NAME}$`, [EXPECTS]: `a ${NAME_IN_WORDS}` } as const;

export const AgentScopeSchema = Type.String({
  pattern: `^(${SCOPE}|${NAME})$`,
  [EXPECTS]: `a ${NAME_IN_WORDS}`,
  [PERMISSIONS]: true,
  description: 'A permission `<action>:<resource>`, or the name of a scope of a resource.',
  examples: ['read:users'],
});
