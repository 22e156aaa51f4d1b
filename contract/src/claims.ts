import Type, { type Static } from 'typebox';
import { AcrSchema, AmrSchema } from './authentication.ts';
import {
  ApiKeyIdSchema,
  DelegationIdSchema,
  SessionIdSchema,
  TenantIdSchema,
  WorkspaceIdSchema,
} from './ids.ts';
import { AuthorizationDetails } from './records/authorization-details.ts';

/** The actor for the subject, and the grant under which it acts (RFC 8693 §4.1). */
const actor = {
  sub: Type.String({ description: '`user:<id>`, `service:<id>` or `client_<id>`.' }),
  tenant_id: Type.Optional(TenantIdSchema),
  delegation_id: Type.Optional(DelegationIdSchema),
  key_id: Type.Optional(ApiKeyIdSchema),
  ver: Type.Optional(Type.Integer({ description: 'The `ver` of the actor.' })),
};

const BEFORE = 'The previous actor in the delegation chain.';

/** The current actor is outermost and previous actors are nested, at most three in total. */
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
  { description: 'The party that acts for the subject (RFC 8693 §4.1).' },
);

/** Longest chain of actors. */
export const MAX_ACTORS = 3;

/** Location of the revocation status of the token (draft-ietf-oauth-status-list §6). */
const Status = Type.Object(
  {
    status_list: Type.Object(
      {
        idx: Type.Integer({ description: 'Index of the token’s bit in the list.' }),
        uri: Type.String({ description: 'URI of the status list.' }),
      },
      { description: 'The token’s entry in a status list.' },
    ),
  },
  { description: 'Location of the token’s revocation status.' },
);

/** The key whose possession the presenter of the token must prove (RFC 7800 §3.1, RFC 9449 §6.1). */
const Confirmation = Type.Object(
  { jkt: Type.String({ description: 'SHA-256 thumbprint of the public key (RFC 7638).' }) },
  {
    description:
      'The key that the token is bound to. Requests with the token need a DPoP proof signed with this key.',
  },
);

/** Claims of an access token (SPEC resources access token; RFC 9068 for `scope` and `client_id`). */
export const AccessTokenClaims = Type.Object(
  {
    jti: Type.String({ description: 'Unique ID of the token.' }),
    token_type: Type.Literal('access', { description: 'Always `access`.' }),
    iss: Type.String({ description: 'Issuer: the tenant that issued the token.' }),
    sub: Type.String({ description: '`user:<id>` or `service:<id>`.' }),
    aud: Type.String({ description: 'Audience of the token.' }),
    iat: Type.Integer({
      description: 'When the token was issued, in seconds since the epoch.',
    }),
    exp: Type.Integer({
      description: 'When the token expires, in seconds since the epoch.',
    }),
    tenant_id: TenantIdSchema,
    workspace_id: WorkspaceIdSchema,
    roles: Type.Array(Type.String(), { description: 'Roles of the subject.' }),
    scopes: Type.Array(Type.String(), { description: 'Scopes of the token.' }),
    scope: Type.String({ description: 'Scopes of the token, separated by spaces (RFC 9068).' }),
    sid: Type.Optional(SessionIdSchema),
    client_id: Type.String({
      description:
        'The client that requested the token (RFC 9068 §2.2): an application, an agent, or `keywright` for direct logins.',
    }),
    key_id: Type.Optional(ApiKeyIdSchema),
    auth_time: Type.Optional(
      Type.Integer({
        description:
          'When the user authenticated, in seconds since the epoch (RFC 9068 §2.2.1). A refresh does not change it.',
      }),
    ),
    acr: Type.Optional(AcrSchema),
    amr: Type.Optional(AmrSchema),
    ver: Type.Integer({
      description: 'Version of the subject’s permissions. Increases when they change.',
    }),
    act: Type.Optional(Actor),
    cnf: Type.Optional(Confirmation),
    authorization_details: Type.Optional(AuthorizationDetails),
    status: Type.Optional(Status),
  },
  { $id: 'AccessTokenClaims', additionalProperties: true },
);
export type AccessTokenClaims = Static<typeof AccessTokenClaims>;

/**
 * The claims of a credential: for an access token, all of its claims; for an API key, the claims of a token of its
 * agent, without `jti`.
 */
export type CredentialClaims = Omit<AccessTokenClaims, 'jti'> & { readonly jti?: string };

export type ActorClaim = NonNullable<AccessTokenClaims['act']>;

/** The `typ` header of each kind of token, so that one kind cannot be used as another (RFC 8725 §3.11). */
export const TOKEN_TYP = {
  access: 'at+jwt',
  refresh: 'rt+jwt',
  /** A refresh token bound to a key. Its own type makes nodes that do not support proofs reject it. */
  boundRefresh: 'rt+dpop+jwt',
} as const;

/** Tolerated clock skew, in seconds. */
export const CLOCK_SKEW_SECONDS = 10;

/** The `client_id` in tokens of users who sign in here directly, not through a client. */
export const DIRECT_CLIENT = 'keywright';

/** Claims that a tenant cannot set: registered claims, and those that the service or OpenID Connect defines. */
export const RESERVED_CLAIMS: ReadonlySet<string> = new Set([
  ...Object.keys(AccessTokenClaims.properties),
  'nbf',
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
