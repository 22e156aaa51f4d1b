import Type, { type Static } from 'typebox';
import { EXPECTS } from '../expectation.ts';
import { ClientSecretIdSchema, OAuthClientIdSchema, TenantIdSchema } from '../ids.ts';
import { SCOPE_NAME } from '../scope-schema.ts';
import { AgentKeySet } from './agent-proofs.ts';
import { ClientDetailsTypes } from './authorization-details.ts';
import {
  ClientProfile,
  ClientUri,
  Contacts,
  CreatedBy,
  DefaultMaxAge,
  DpopBound,
  InitiateLoginUri,
  LogoutSessionRequired,
  LogoUri,
  PolicyUri,
  RefreshTokenPolicy,
  RequirePkce,
  RequireSigned,
  SharedSignals,
  TosUri,
} from './client-details.ts';
import { GrantTypes } from './client-grants.ts';
import { IdentityAssertions } from './identity-assertions.ts';
import { InAppLogin } from './in-app-login.ts';
import { Moment } from './moment.ts';
import { CreatedAt } from './record-fields.ts';
import { secret } from './tokens.ts';

/** The prefix of every client secret, which lets scanners find leaked secrets. */
export const CLIENT_SECRET_PREFIX = 'kwc_';

/** The client secret in examples. Its checksum, the last six characters, is wrong, so the secret is not valid. */
const EXAMPLE_CLIENT_SECRET = `${CLIENT_SECRET_PREFIX}${'EXAMPLE'.repeat(6)}00`;

const CLIENT_KINDS = ['web', 'spa', 'native'] as const;

export const ClientKind = Type.Enum([...CLIENT_KINDS], {
  description:
    '`web`: runs on a server and keeps a secret. `spa`: runs in a browser. `native`: runs on a device.',
  examples: ['web'],
});

export const ClientAuthentication = Type.Enum(
  ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
  {
    description: 'Authentication method at the token endpoint. `none`: a public client.',
    examples: ['client_secret_basic'],
  },
);

const RedirectUri = Type.String({
  minLength: 5,
  maxLength: 2048,
  pattern: '^[\\x21-\\x7e]+$',
  [EXPECTS]: 'a URL of printable ASCII without spaces',
  description:
    'Redirect URI, compared character by character: https; for native clients also http on a loopback IP address with any port, or a private-use scheme that contains a dot.',
  examples: ['https://app.example.com/callback'],
});

export const redirectUris = (description: string) =>
  Type.Array(RedirectUri, { maxItems: 20, uniqueItems: true, description });

export const clientScopes = (description: string) =>
  Type.Array(
    Type.String({
      ...SCOPE_NAME,
      description:
        'A scope of OpenID Connect, a permission `<action>:<resource>`, or a scope of a resource.',
      examples: ['openid'],
    }),
    { maxItems: 64, uniqueItems: true, description },
  );

export const ClientScopes = clientScopes('Scopes that the client can request.');

export const IdTokenAlgorithm = Type.Enum(['RS256', 'ES256', 'EdDSA'], {
  description: 'Algorithm that signs the client’s ID tokens. All libraries support RS256.',
  examples: ['RS256'],
});

export const UserinfoAlgorithm = Type.Union([IdTokenAlgorithm, Type.Null()], {
  description:
    'Algorithm that signs the responses of the userinfo endpoint; `null` for plain JSON.',
  examples: [null],
});

export const SubjectType = Type.Enum(['public', 'pairwise'], {
  description:
    '`pairwise`: the client gets a different subject for each user. Clients share subjects if they have the same host in `sector_identifier_uri` or, without it, in their redirect URIs.',
  examples: ['public'],
});

export const IdTokenClaims = Type.Boolean({
  description:
    'Whether ID tokens also contain the claims of the granted scopes. If false, only the userinfo endpoint returns them.',
  examples: [true],
});

const SecretRecord = Type.Object(
  { id: ClientSecretIdSchema, tenant_id: TenantIdSchema, created_at: CreatedAt },
  { $id: 'ClientSecret', description: 'A client secret. Shown only once.' },
);

const IsActive = Type.Boolean({
  description: 'Whether the client is active. Tokens are not issued to inactive clients.',
});

export const LogoutUri = Type.String({
  minLength: 5,
  maxLength: 2048,
  pattern: '^[\\x21-\\x7e]+$',
  [EXPECTS]: 'a URL of printable ASCII without spaces',
  description:
    'URL on the client’s server that receives a logout token when a user signs out (OpenID Connect Back-Channel Logout).',
  examples: ['https://app.example.com/backchannel-logout'],
});

export const RequirePushed = Type.Boolean({
  description: 'Whether the client must push its authorization requests (RFC 9126 §6).',
  examples: [false],
});

export const KeySetUri = Type.String({
  minLength: 5,
  maxLength: 2048,
  pattern: '^[\\x21-\\x7e]+$',
  [EXPECTS]: 'a URL of printable ASCII without spaces',
  description: 'URL where the client publishes its public keys (RFC 7517 §5).',
  examples: ['https://app.example.com/jwks.json'],
});

export const SectorIdentifierUri = Type.String({
  maxLength: 2048,
  pattern: '^https://[\\x21-\\x7e]+$',
  [EXPECTS]: 'an https URL',
  description:
    'URL of a JSON list with the redirect URIs of all clients that share pairwise subjects (OpenID Connect Registration §5).',
  examples: ['https://example.com/redirect-uris.json'],
});

export const OAuthClientRecord = Type.Object(
  {
    id: OAuthClientIdSchema,
    tenant_id: TenantIdSchema,
    name: Type.String({
      description: 'Display name, shown to users when they sign in.',
      examples: ['Acme Invoices'],
    }),
    kind: ClientKind,
    first_party: Type.Boolean({
      description:
        'Whether the client belongs to the tenant itself. Users of a first-party client are not asked for consent.',
    }),
    token_endpoint_auth_method: ClientAuthentication,
    redirect_uris: redirectUris('Redirect URIs where users return with a code.'),
    post_logout_redirect_uris: redirectUris('URIs where users return after a logout.'),
    initiate_login_uri: Type.Union([InitiateLoginUri, Type.Null()], {
      description:
        'URL where the application starts a login (OpenID Connect Core §4); `null` if there is none.',
    }),
    backchannel_logout_uri: Type.Union([LogoutUri, Type.Null()], {
      description:
        'URL on the client’s server that receives a logout token when a user signs out; `null` if there is none.',
    }),
    backchannel_logout_session_required: LogoutSessionRequired,
    require_pushed_authorization_requests: RequirePushed,
    grant_types: GrantTypes,
    scopes: ClientScopes,
    jwks: Type.Union([AgentKeySet, Type.Null()], {
      description: 'Public keys that verify the client’s assertions; `null` if there are none.',
    }),
    jwks_uri: Type.Union([KeySetUri, Type.Null()], {
      description:
        'URL of the public keys that verify the client’s assertions; `null` if there is none.',
    }),
    id_token_signed_response_alg: IdTokenAlgorithm,
    userinfo_signed_response_alg: UserinfoAlgorithm,
    subject_type: SubjectType,
    sector_identifier_uri: Type.Union([SectorIdentifierUri, Type.Null()], {
      description:
        'URL of a JSON list with the redirect URIs of all clients that share pairwise subjects; `null` if there is none.',
    }),
    id_token_claims: IdTokenClaims,
    client_uri: Type.Union([ClientUri, Type.Null()], {
      description: 'URL of a page about the client, for users; `null` if there is none.',
    }),
    logo_uri: Type.Union([LogoUri, Type.Null()], {
      description: 'URL of the client’s logo, which is not shown; `null` if there is none.',
    }),
    policy_uri: PolicyUri,
    tos_uri: TosUri,
    contacts: Contacts,
    default_max_age: DefaultMaxAge,
    require_pkce: RequirePkce,
    dpop_bound_access_tokens: DpopBound,
    require_signed_request_object: RequireSigned,
    profile: ClientProfile,
    refresh_token_policy: RefreshTokenPolicy,
    authorization_details_types: ClientDetailsTypes,
    created_by: CreatedBy,
    identity_assertions: IdentityAssertions,
    shared_signals: SharedSignals,
    in_app_login: InAppLogin,
    secrets: Type.Array(SecretRecord, {
      description: 'Secrets of the client. During a rotation there are two.',
    }),
    is_active: IsActive,
    created_at: CreatedAt,
    last_used_at: Type.Union([Moment, Type.Null()], {
      description: 'When the client last got tokens, to the hour; `null` if it never did.',
    }),
  },
  { $id: 'OAuthClient', description: 'An application that logs users in with OpenID Connect.' },
);
export type OAuthClientRecord = Static<typeof OAuthClientRecord>;

const ShownSecret = Type.Optional(
  secret({ description: 'The secret. Shown only once.', examples: [EXAMPLE_CLIENT_SECRET] }),
);

/** The record with its first secret. A repeated response omits the secret, because it is not stored. */
export const CreatedOAuthClient = Type.Object(
  { ...OAuthClientRecord.properties, client_secret: ShownSecret },
  { $id: 'CreatedOAuthClient', description: 'A client, as returned when it is created.' },
);
export type CreatedOAuthClient = Static<typeof CreatedOAuthClient>;

export const CreatedClientSecret = Type.Object(
  {
    ...SecretRecord.properties,
    client_id: OAuthClientIdSchema,
    client_secret: ShownSecret,
  },
  { $id: 'CreatedClientSecret', description: 'A client secret, as returned when it is created.' },
);
export type CreatedClientSecret = Static<typeof CreatedClientSecret>;
