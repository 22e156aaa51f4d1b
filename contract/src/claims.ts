import Type, { type Static } from 'typebox';
import { SessionIdSchema, TenantIdSchema, WorkspaceIdSchema } from './ids.ts';

/** Claims of an access token (SPEC resources access token; RFC 9068 for `scope`). */
export const AccessTokenClaims = Type.Object(
  {
    jti: Type.String(),
    token_type: Type.Literal('access'),
    iss: Type.String(),
    sub: Type.String({ description: 'user:<id> or service:<id>' }),
    aud: Type.String(),
    iat: Type.Integer({ description: 'Seconds since the epoch.' }),
    exp: Type.Integer({ description: 'Seconds since the epoch.' }),
    tenant_id: TenantIdSchema,
    workspace_id: WorkspaceIdSchema,
    roles: Type.Array(Type.String()),
    scopes: Type.Array(Type.String()),
    scope: Type.String({ description: 'The scopes, joined by spaces (RFC 9068).' }),
    sid: SessionIdSchema,
    ver: Type.Integer({ description: 'Goes up when the permissions of the user change.' }),
    act: Type.Optional(
      Type.Object(
        { sub: Type.String(), tenant_id: TenantIdSchema },
        { description: 'Who acts (RFC 8693 §4.1): a system administrator, in a tenant of others.' },
      ),
    ),
  },
  { $id: 'AccessTokenClaims', additionalProperties: true },
);
export type AccessTokenClaims = Static<typeof AccessTokenClaims>;

/** The `typ` header of each kind of token, so that one is never taken for the other (RFC 8725 §3.11). */
export const TOKEN_TYP = { access: 'at+jwt', refresh: 'rt+jwt' } as const;

/** How far two clocks may be apart, in seconds. */
export const CLOCK_SKEW_SECONDS = 10;

/** Claims that no tenant may set: registered ones, and those that the service or OpenID Connect defines. */
export const RESERVED_CLAIMS: ReadonlySet<string> = new Set([
  ...Object.keys(AccessTokenClaims.properties),
  'nbf',
  'cnf',
  'client_id',
  'status',
  'may_act',
  'auth_time',
  'acr',
  'amr',
  'azp',
  'nonce',
  'at_hash',
  'c_hash',
  's_hash',
  'sub_jwk',
  'events',
  'toe',
  'txn',
  'entitlements',
  'groups',
]);
