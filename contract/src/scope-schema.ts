import Type from 'typebox';

const SCOPE_PATTERN = '^(read|write|delete|\\*):(\\*|[a-z][a-z0-9_.-]{0,63})$';

export const ScopeSchema = Type.String({
  pattern: SCOPE_PATTERN,
  description: '<action>:<resource>',
});
