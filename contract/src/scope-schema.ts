import Type from 'typebox';

const SCOPE = '(read|write|delete|\\*):(\\*|[a-z][a-z0-9_.-]{0,63})';

export const ScopeSchema = Type.String({
  pattern: `^${SCOPE}$`,
  description: '<action>:<resource>',
});

/** Several in one text, as OAuth writes them (RFC 6749 §3.3). */
export const ScopesText = Type.String({
  pattern: `^${SCOPE}( ${SCOPE}){0,31}$`,
  maxLength: 2400,
  description: 'One scope, or up to 32 of them joined by spaces: all are needed.',
});
