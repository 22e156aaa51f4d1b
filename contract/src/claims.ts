import Type, { type Static } from 'typebox';
import { AcrSchema, AmrSchema } from './authentication.ts';
import {
  ApiKeyIdSchema,
  DelegationIdSchema,
  SessionIdSchema,
  TenantIdSchema,
  WorkspaceIdSchema,
} from './ids.ts';

/** Who acts for the subject, and by which grant of theirs (RFC 8693 §4.1). */
const actor = {
  sub: Type.String({ description: '`user:<id>` or `service:<id>`.' }),
  tenant_id: Type.Optional(TenantIdSchema),
  delegation_id: Type.Optional(DelegationIdSchema),
  key_id: Type.Optional(ApiKeyIdSchema),
  ver: Type.Optional(Type.Integer({ description: 'The `ver` of the actor.' })),
};

const BEFORE = 'Who acted before, for the actor around.';

/** The current actor outermost, those before it nested: three at the most. */
const Actor = Type.Object(
  {
    ...actor,
    act: Type.Optional(
      Type.Object(
        { ...actor, act: Type.Optional(Type.Object(actor, { description: BEFORE })) },
        { description: BEFORE },
      ),
    ),
  },
  { description: 'Who acts for the subject (RFC 8693 §4.1).' },
);

/** How many actors may stand in a row. */
export const MAX_ACTORS = 3;

/** Where it stands whether the token was revoked (draft-ietf-oauth-status-list §6). */
const Status = Type.Object(
  {
    status_list: Type.Object(
      {
        idx: Type.Integer({ description: 'The number of the bit.' }),
        uri: Type.String({ description: 'The address of the list.' }),
      },
      { description: 'The bit that says it.' },
    ),
  },
  { description: 'Where it stands whether the token was revoked.' },
);

/** Claims of an access token (SPEC resources access token; RFC 9068 for `scope` and `client_id`). */
export const AccessTokenClaims = Type.Object(
  {
    jti: Type.String({ description: 'The id of the token.' }),
    token_type: Type.Literal('access', { description: 'Always `access`.' }),
    iss: Type.String({ description: 'The issuer: the tenant.' }),
    sub: Type.String({ description: 'user:<id> or service:<id>' }),
    aud: Type.String({ description: 'Whom the token is for.' }),
    iat: Type.Integer({ description: 'When it was issued, in seconds since the epoch.' }),
    exp: Type.Integer({ description: 'When it expires, in seconds since the epoch.' }),
    tenant_id: TenantIdSchema,
    workspace_id: WorkspaceIdSchema,
    roles: Type.Array(Type.String(), { description: 'The names of the roles of the subject.' }),
    scopes: Type.Array(Type.String(), { description: 'What the token allows.' }),
    scope: Type.String({ description: 'The scopes, joined by spaces (RFC 9068).' }),
    sid: Type.Optional(SessionIdSchema),
    client_id: Type.String({
      description:
        'The client that asked for the token (RFC 9068 §2.2): an agent, or `keywright` where users log in directly.',
    }),
    key_id: Type.Optional(ApiKeyIdSchema),
    auth_time: Type.Optional(
      Type.Integer({
        description:
          'When the user authenticated, in seconds since the epoch (RFC 9068 §2.2.1): a refresh keeps it.',
      }),
    ),
    acr: Type.Optional(AcrSchema),
    amr: Type.Optional(AmrSchema),
    ver: Type.Integer({ description: 'Goes up when the permissions of the subject change.' }),
    act: Type.Optional(Actor),
    status: Type.Optional(Status),
  },
  { $id: 'AccessTokenClaims', additionalProperties: true },
);
export type AccessTokenClaims = Static<typeof AccessTokenClaims>;

/**
 * What a credential says of its subject: an access token all of its claims; an API key those that a token of
 * its agent would have, with no `jti`, since it is no token.
 */
export type CredentialClaims = Omit<AccessTokenClaims, 'jti'> & { readonly jti?: string };

export type ActorClaim = NonNullable<AccessTokenClaims['act']>;

/** The `typ` header of each kind of token, so that one is never taken for the other (RFC 8725 §3.11). */
export const TOKEN_TYP = { access: 'at+jwt', refresh: 'rt+jwt' } as const;

/** How far two clocks may be apart, in seconds. */
export const CLOCK_SKEW_SECONDS = 10;

/** `client_id` in the tokens of users who log in here and not by another client. */
export const DIRECT_CLIENT = 'keywright';

/** Claims that no tenant may set: registered ones, and those that the service or OpenID Connect defines. */
export const RESERVED_CLAIMS: ReadonlySet<string> = new Set([
  ...Object.keys(AccessTokenClaims.properties),
  'nbf',
  'cnf',
  'may_act',
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
