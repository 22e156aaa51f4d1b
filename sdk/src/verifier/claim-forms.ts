export type ClaimForm = (value: unknown) => boolean;

const isString: ClaimForm = (value) => typeof value === 'string';
const isSeconds: ClaimForm = (value) => Number.isSafeInteger(value);
const isStrings: ClaimForm = (value) => Array.isArray(value) && value.every(isString);

/** The claims that every access token has (SPEC resources access token; RFC 9068), and their formats. */
export const CLAIM_FORMS = {
  jti: isString,
  token_type: (value) => value === 'access',
  iss: isString,
  sub: isString,
  aud: isString,
  iat: isSeconds,
  exp: isSeconds,
  tenant_id: isString,
  workspace_id: isString,
  roles: isStrings,
  scopes: isStrings,
  scope: isString,
  client_id: isString,
  ver: isSeconds,
} as const satisfies Readonly<Record<string, ClaimForm>>;
