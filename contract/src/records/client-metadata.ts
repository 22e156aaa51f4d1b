import Type, { type Static } from 'typebox';
import { exampleOf } from '../example.ts';
import { EXPECTS } from '../expectation.ts';
import { OAuthClientIdSchema } from '../ids.ts';
import { LINE_OF_TEXT } from '../shape.ts';
import { AgentKeySet } from './agent-proofs.ts';
import {
  LogoutSessionRequired,
  ClientUri,
  Contacts,
  DpopBound,
  InitiateLoginUri,
  LogoUri,
  PolicyPage,
  RequireSigned,
  TermsPage,
} from './client-details.ts';
import { GrantTypes, LoginGrantTypes } from './client-grants.ts';
import {
  CLIENT_SECRET_PREFIX,
  ClientAuthentication,
  IdTokenAlgorithm,
  KeySetUri,
  LogoutUri,
  redirectUris,
  RequirePushed,
  SectorIdentifierUri,
  SubjectType,
} from './oauth-client.ts';
import { MANAGEMENT_TOKEN_PREFIX } from './registration-token.ts';
import { secret } from './tokens.ts';

const REDIRECT_URIS = redirectUris('Redirect URIs where users return with a code.');

/**
 * The metadata that an application supplies about itself (RFC 7591 §2, OpenID Connect Registration §2). Other members
 * are ignored, including translations of its name.
 */
const METADATA = {
  redirect_uris: Type.Optional(REDIRECT_URIS),
  token_endpoint_auth_method: Type.Optional(ClientAuthentication),
  grant_types: Type.Optional(LoginGrantTypes),
  response_types: Type.Optional(
    Type.Array(Type.Literal('code', { description: 'The only supported value.' }), {
      maxItems: 1,
      description: 'Values of `response_type`.',
      examples: [['code']],
    }),
  ),
  client_name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      ...LINE_OF_TEXT,
      description:
        'Name of the application, shown to users. Default: the host of its redirect URI.',
      examples: ['Acme Invoices'],
    }),
  ),
  scope: Type.Optional(
    Type.String({
      maxLength: 8192,
      pattern: '^[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]*$',
      [EXPECTS]: 'scopes separated by spaces',
      description:
        'Scopes that the application can request, separated by spaces. Unknown scopes are ignored. Default: the scopes of OpenID Connect and those of resources.',
      examples: ['openid offline_access'],
    }),
  ),
  contacts: Type.Optional(Contacts),
  client_uri: Type.Optional(ClientUri),
  logo_uri: Type.Optional(LogoUri),
  policy_uri: Type.Optional(PolicyPage),
  tos_uri: Type.Optional(TermsPage),
  jwks: Type.Optional(AgentKeySet),
  jwks_uri: Type.Optional(KeySetUri),
  application_type: Type.Optional(
    Type.Enum(['web', 'native'], {
      description:
        '`native` if the application runs on a user’s device. Default: derived from the redirect URIs.',
      examples: ['native'],
    }),
  ),
  subject_type: Type.Optional(SubjectType),
  sector_identifier_uri: Type.Optional(SectorIdentifierUri),
  id_token_signed_response_alg: Type.Optional(IdTokenAlgorithm),
  userinfo_signed_response_alg: Type.Optional(IdTokenAlgorithm),
  default_max_age: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000,
      description: 'Maximum time since the user authenticated, in seconds. Default: no maximum.',
      examples: [3600],
    }),
  ),
  post_logout_redirect_uris: Type.Optional(redirectUris('URIs where users return after a logout.')),
  initiate_login_uri: Type.Optional(InitiateLoginUri),
  backchannel_logout_uri: Type.Optional(LogoutUri),
  backchannel_logout_session_required: Type.Optional(LogoutSessionRequired),
  require_pushed_authorization_requests: Type.Optional(RequirePushed),
  require_signed_request_object: Type.Optional(RequireSigned),
  dpop_bound_access_tokens: Type.Optional(DpopBound),
};

const EXAMPLE = {
  client_name: 'Acme Invoices',
  redirect_uris: ['https://app.example.com/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
};

export const ClientMetadata = Type.Object(
  {
    ...METADATA,
    first_party: Type.Optional(
      Type.Literal(false, { description: 'Only administrators can set this to `true`.' }),
    ),
  },
  {
    $id: 'ClientMetadata',
    description: 'Client metadata (RFC 7591 §2).',
    examples: [EXAMPLE],
  },
);
export type ClientMetadata = Static<typeof ClientMetadata>;

export const ChangedClientMetadata = Type.Object(
  {
    ...ClientMetadata.properties,
    client_id: Type.String({
      maxLength: 512,
      description: 'ID of the application itself.',
      examples: [exampleOf(OAuthClientIdSchema)],
    }),
    client_secret: Type.Optional(
      secret({
        maxLength: 512,
        description:
          'The current secret of the application. The application cannot choose a secret.',
        examples: [`${CLIENT_SECRET_PREFIX}${'EXAMPLE'.repeat(6)}00`],
      }),
    ),
  },
  {
    $id: 'ChangedClientMetadata',
    description: 'The client metadata that replaces the current metadata (RFC 7592 §2.2).',
    examples: [{ ...EXAMPLE, client_id: exampleOf(OAuthClientIdSchema) }],
  },
);

/** The document at the URL that is the `client_id`. */
export const ClientIdDocument = Type.Object(
  {
    ...METADATA,
    redirect_uris: REDIRECT_URIS,
    // Not limited to supported values, because a document is written for many servers.
    grant_types: Type.Optional(Type.Array(Type.String({ maxLength: 256 }), { maxItems: 32 })),
    response_types: Type.Optional(Type.Array(Type.String({ maxLength: 256 }), { maxItems: 32 })),
    client_id: Type.String({ maxLength: 512 }),
  },
  { description: 'draft-ietf-oauth-client-id-metadata-document §4.' },
);
export type ClientIdDocument = Static<typeof ClientIdDocument>;

export const ClientInformation = Type.Object(
  {
    client_id: OAuthClientIdSchema,
    client_id_issued_at: Type.Integer({
      description: 'Time of the registration, in seconds since the epoch.',
      examples: [1_767_225_600],
    }),
    client_secret: Type.Optional(
      secret({
        description: 'Client secret, if the application has one. Shown only in this response.',
        examples: [`${CLIENT_SECRET_PREFIX}${'EXAMPLE'.repeat(6)}00`],
      }),
    ),
    client_secret_expires_at: Type.Optional(
      Type.Literal(0, { description: 'Always 0: client secrets do not expire.' }),
    ),
    registration_access_token: Type.Optional(
      secret({
        description:
          'Token that lets the application read, update and delete its registration. It never changes and is shown only in this response.',
        examples: [`${MANAGEMENT_TOKEN_PREFIX}${'EXAMPLE'.repeat(6)}00`],
      }),
    ),
    registration_client_uri: Type.String({
      description: 'URL of the registration, where the application sends these requests.',
      examples: [
        `https://id.example.com/t/org_acme/oauth/register/${String(exampleOf(OAuthClientIdSchema))}`,
      ],
    }),
    ...METADATA,
    grant_types: Type.Optional(GrantTypes),
  },
  {
    $id: 'ClientInformation',
    description: 'A registered application (RFC 7591 §3.2.1).',
  },
);
export type ClientInformation = Static<typeof ClientInformation>;
