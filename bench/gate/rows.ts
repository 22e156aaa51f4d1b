/** The rows of `--gate`: the most frequent requests, which peers also serve. */
export const GATE_ROWS = [
  'refresh',
  'api-key',
  'client-credentials',
  'key-set',
  'oauth-discovery',
  'oauth-authorize',
  'oauth-code-eddsa',
  'oauth-refresh-eddsa',
  'oauth-userinfo',
  'oauth-introspection',
] as const;
