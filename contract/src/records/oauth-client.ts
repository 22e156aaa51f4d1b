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
    '`web`: runs on a server, and keeps a secret; `spa`: runs in a browser; `native`: runs on a device.',
  examples: ['web'],
});

export const ClientAuthentication = Type.Enum(
  ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
  {
    description: 'How it authenticates at the token endpoint; `none`: a public client.',
    examples: ['client_secret_basic'],
  },
);

const RedirectUri = Type.String({
  minLength: 5,
  maxLength: 2048,
  pattern: '^[\\x21-\\x7e]+$',
  [EXPECTS]: 'an address of printable ASCII without spaces',
  description:
    'Compared character by character. https; for a native client also http to the loopback address, on any port, or a scheme of its own that contains a dot.',
  examples: ['https://app.example.com/callback'],
});

export const redirectUris = (description: string) =>
  Type.Array(RedirectUri, { maxItems: 20, uniqueItems: true, description });

export const clientScopes = (description: string) =>
  Type.Array(
    Type.String({
      ...SCOPE_NAME,
      description: 'A scope of OpenID Connect, `<action>:<resource>`, or one of a resource.',
      examples: ['openid'],
    }),
    { maxItems: 64, uniqueItems: true, description },
  );

export const ClientScopes = clientScopes('The scopes that the client may request.');

export const IdTokenAlgorithm = Type.Enum(['RS256', 'ES256', 'EdDSA'], {
  description:
    'Algorithm that signs the ID tokens of the client. RS256 is what every library verifies.',
  examples: ['RS256'],
});

export const UserinfoAlgorithm = Type.Union([IdTokenAlgorithm, Type.Null()], {
  description: 'Algorithm that signs the responses of the userinfo endpoint; null: plain JSON.',
  examples: [null],
});

export const SubjectType = Type.Enum(['public', 'pairwise'], {
  description:
    '`pairwise`: it gets a different subject for each user, the same for all clients of the host of `sector_identifier_uri`, or without one of its redirect URIs.',
  examples: ['public'],
});

export const IdTokenClaims = Type.Boolean({
  description:
    'Whether its ID tokens also contain the claims of its scopes; otherwise only the userinfo endpoint returns them.',
  examples: [true],
});

const SecretRecord = Type.Object(
  { id: ClientSecretIdSchema, tenant_id: TenantIdSchema, created_at: CreatedAt },
  { $id: 'ClientSecret', description: 'A secret of a client, which is shown only once.' },
);

const IsActive = Type.Boolean({
  description: 'Whether the client is active. An inactive client gets no tokens.',
});

export const LogoutUri = Type.String({
  minLength: 5,
  maxLength: 2048,
  pattern: '^[\\x21-\\x7e]+$',
  [EXPECTS]: 'an address of printable ASCII without spaces',
  description:
    'Address of its server that gets a logout token when a user logs out (OpenID Connect Back-Channel Logout).',
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
  [EXPECTS]: 'an address of printable ASCII without spaces',
  description: 'Address at which the client publishes its public keys (RFC 7517 §5).',
  examples: ['https://app.example.com/jwks.json'],
});

export const SectorIdentifierUri = Type.String({
  maxLength: 2048,
  pattern: '^https://[\\x21-\\x7e]+$',
  [EXPECTS]: 'an https address',
  description:
    'JSON list of the redirect URIs of all clients that know a user by the same pairwise subject (OpenID Connect Registration §5).',
  examples: ['https://example.com/redirect-uris.json'],
});

export const OAuthClientRecord = Type.Object(
  {
    id: OAuthClientIdSchema,
    tenant_id: TenantIdSchema,
    name: Type.String({
      description: 'Display name, shown to users when they log in.',
      examples: ['Acme Invoices'],
    }),
    kind: ClientKind,
    first_party: Type.Boolean({
      description:
        'Whether the client belongs to the tenant itself: users are not asked for consent.',
    }),
    token_endpoint_auth_method: ClientAuthentication,
    redirect_uris: redirectUris('Where users return to with a code.'),
    post_logout_redirect_uris: redirectUris('Where users return to after they logged out.'),
    initiate_login_uri: Type.Union([InitiateLoginUri, Type.Null()], {
      description:
        'The URL where the application starts a login (OpenID Connect Core §4); null: none.',
    }),
    backchannel_logout_uri: Type.Union([LogoutUri, Type.Null()], {
      description:
        'Address of its server that gets a logout token when a user logs out; null: none.',
    }),
    backchannel_logout_session_required: LogoutSessionRequired,
    require_pushed_authorization_requests: RequirePushed,
    grant_types: GrantTypes,
    scopes: ClientScopes,
    jwks: Type.Union([AgentKeySet, Type.Null()], {
      description: 'Public keys that verify its assertions; null: none.',
    }),
    jwks_uri: Type.Union([KeySetUri, Type.Null()], {
      description: 'Address of the public keys that verify its assertions; null: none.',
    }),
    id_token_signed_response_alg: IdTokenAlgorithm,
    userinfo_signed_response_alg: UserinfoAlgorithm,
    subject_type: SubjectType,
    sector_identifier_uri: Type.Union([SectorIdentifierUri, Type.Null()], {
      description:
        'JSON list of the redirect URIs of all clients with the same pairwise subjects; null: none.',
    }),
    id_token_claims: IdTokenClaims,
    client_uri: Type.Union([ClientUri, Type.Null()], {
      description: 'Page about the client, for its users; null: none.',
    }),
    logo_uri: Type.Union([LogoUri, Type.Null()], {
      description: 'Logo of the client, which is not shown; null: none.',
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
      description: 'Secrets of the client: two during a rotation.',
    }),
    is_active: IsActive,
    created_at: CreatedAt,
    last_used_at: Type.Union([Moment, Type.Null()], {
      description: 'Time at which the client last got tokens, to the hour; null: never.',
    }),
  },
  { $id: 'OAuthClient', description: 'An application that uses OpenID Connect to log in users.' },
);
export type OAuthClientRecord = Static<typeof OAuthClientRecord>;

const ShownSecret = Type.Optional(
  secret({ description: 'The secret: shown only once.', examples: [EXAMPLE_CLIENT_SECRET] }),
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
