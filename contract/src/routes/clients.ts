import Type from 'typebox';
import { ClientSecretIdSchema, OAuthClientIdSchema, pathId } from '../ids.ts';
import { listOf, listQuery, OF_TENANT } from '../list.ts';
import { AgentKeySet } from '../records/agent-proofs.ts';
import { ClientDetailsTypes } from '../records/authorization-details.ts';
import {
  ClientProfile,
  ClientUri,
  Contacts,
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
} from '../records/client-details.ts';
import { GrantTypes } from '../records/client-grants.ts';
import {
  ClientAuthentication,
  ClientKind,
  ClientScopes,
  CreatedClientSecret,
  CreatedOAuthClient,
  IdTokenAlgorithm,
  IdTokenClaims,
  KeySetUri,
  LogoutUri,
  OAuthClientRecord,
  redirectUris,
  RequirePushed,
  SectorIdentifierUri,
  SubjectType,
  UserinfoAlgorithm,
} from '../records/oauth-client.ts';
import { InAppLogin } from '../records/in-app-login.ts';
import { IdentityAssertions } from '../records/identity-assertions.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';
import { deleted, displayName, searchText, SORT_BY_AGE } from './fields.ts';
import { CLIENT_BRANDING_ROUTES } from './client-branding.ts';
import { CLIENT_STREAM_ROUTES } from './client-streams.ts';
import { listLogoutDeliveries } from './logout-deliveries.ts';
import { REGISTRATION_TOKEN_ROUTES } from './registration-tokens.ts';

const BASE = `${API_BASE}/clients` as const;
/** The tenant vouches for these clients: their users skip consent, or other parties prove who the users are. */
const TRUSTED = { for: 'a client with `first_party`, `in_app_login` or `identity_assertions`' };
const clientPath = Type.Object({ client_id: pathId(OAuthClientIdSchema) });
const secretPath = Type.Object({
  client_id: pathId(OAuthClientIdSchema),
  secret_id: pathId(ClientSecretIdSchema),
});

/** The settings that can be set and changed, with the names of RFC 7591 §2 where it has them. */
const SETTINGS = {
  name: displayName('Acme Invoices'),
  first_party: Type.Optional(
    Type.Boolean({
      description:
        'Whether the client belongs to the tenant itself, so that users are not asked for consent. Default: false.',
    }),
  ),
  redirect_uris: redirectUris('Redirect URIs where users return with a code.'),
  post_logout_redirect_uris: Type.Optional(
    redirectUris('URIs where users return after a logout. Default: none.'),
  ),
  initiate_login_uri: Type.Optional(
    Type.Union([InitiateLoginUri, Type.Null()], {
      description:
        'URL where the application starts a login: https, or http on a loopback host. If a request cannot return to the application, its error page links to this URL with the parameter `iss` (OpenID Connect Core §4). `null` for none.',
    }),
  ),
  backchannel_logout_uri: Type.Optional(
    Type.Union([LogoutUri, Type.Null()], {
      description:
        'URL on the client’s server that receives a logout token when a user signs out; `null` for none.',
    }),
  ),
  backchannel_logout_session_required: Type.Optional(LogoutSessionRequired),
  require_pushed_authorization_requests: Type.Optional(RequirePushed),
  grant_types: Type.Optional(GrantTypes),
  scopes: Type.Optional(ClientScopes),
  jwks: Type.Optional(
    Type.Union([AgentKeySet, Type.Null()], {
      description:
        'Public keys that verify the client’s assertions, for `private_key_jwt`; `null` for none.',
    }),
  ),
  jwks_uri: Type.Optional(
    Type.Union([KeySetUri, Type.Null()], {
      description:
        'URL of the client’s public keys, instead of `jwks`. The keys are fetched when the client presents an assertion, and cached. For an unknown `kid`, they are fetched again, at most every 30 seconds. `null` for none.',
    }),
  ),
  id_token_signed_response_alg: Type.Optional(IdTokenAlgorithm),
  userinfo_signed_response_alg: Type.Optional(UserinfoAlgorithm),
  subject_type: Type.Optional(SubjectType),
  sector_identifier_uri: Type.Optional(
    Type.Union([SectorIdentifierUri, Type.Null()], {
      description:
        'URL of a JSON list that must contain all `redirect_uris`. Its host determines the pairwise subjects. The list is fetched when you set this field and when you change `redirect_uris`. `null` for none.',
    }),
  ),
  id_token_claims: Type.Optional(IdTokenClaims),
  client_uri: Type.Optional(
    Type.Union([ClientUri, Type.Null()], {
      description: 'URL of a page about the client, for users; `null` for none.',
    }),
  ),
  logo_uri: Type.Optional(
    Type.Union([LogoUri, Type.Null()], {
      description: 'URL of the client’s logo, which is not shown; `null` for none.',
    }),
  ),
  policy_uri: Type.Optional(PolicyUri),
  tos_uri: Type.Optional(TosUri),
  contacts: Type.Optional(Contacts),
  default_max_age: Type.Optional(DefaultMaxAge),
  require_pkce: Type.Optional(RequirePkce),
  dpop_bound_access_tokens: Type.Optional(DpopBound),
  require_signed_request_object: Type.Optional(RequireSigned),
  profile: Type.Optional(ClientProfile),
  refresh_token_policy: Type.Optional(RefreshTokenPolicy),
  identity_assertions: Type.Optional(IdentityAssertions),
  shared_signals: Type.Optional(SharedSignals),
  authorization_details_types: Type.Optional(ClientDetailsTypes),
  in_app_login: Type.Optional(InAppLogin),
};

export const listClients = route({
  id: 'clients.list',
  method: 'GET',
  path: BASE,
  access: { scope: 'read:clients', administrator: true },
  summary: 'List OAuth clients',
  description: 'Newest first. Secrets are not shown.',
  query: closed({
    ...listQuery,
    ...OF_TENANT,
    sort: SORT_BY_AGE,
    search: Type.Optional(searchText('Any part of the name, or the ID. Case-insensitive.')),
  }),
  ok: { status: 200, body: listOf(OAuthClientRecord) },
  errors: ['VALIDATION_FAILED'],
});

export const createClient = route({
  id: 'clients.create',
  method: 'POST',
  path: BASE,
  access: { scope: 'write:clients', administrator: true, logins: TRUSTED },
  summary: 'Register an OAuth client',
  description:
    'If the client’s authentication method needs a secret, the secret is shown only in this response.',
  body: closed(
    {
      ...SETTINGS,
      kind: ClientKind,
      token_endpoint_auth_method: Type.Optional(ClientAuthentication),
    },
    { $id: 'OAuthClientRegistration', description: 'A client to register.' },
  ),
  idempotent: true,
  ok: { status: 201, body: CreatedOAuthClient },
  errors: ['VALIDATION_FAILED', 'SCOPE_NOT_HELD', 'TOO_MANY_CLIENTS'],
});

export const getClient = route({
  id: 'clients.get',
  method: 'GET',
  path: `${BASE}/:client_id`,
  access: { scope: 'read:clients', administrator: true },
  summary: 'Get an OAuth client',
  description: 'Returns the client without its secrets.',
  params: clientPath,
  ok: { status: 200, body: OAuthClientRecord },
  errors: ['NOT_FOUND'],
});

export const updateClient = route({
  id: 'clients.update',
  method: 'PATCH',
  path: `${BASE}/:client_id`,
  access: { scope: 'write:clients', administrator: true, logins: TRUSTED },
  summary: 'Update an OAuth client',
  description:
    'The client’s kind and authentication method cannot be changed; register a new client instead. Only a client that an administrator registered can be `first_party`. For a client with a metadata document, only `is_active` can be changed. Unless the client is `first_party`, users must consent again before a code is sent to a host that they have not approved.',
  params: clientPath,
  body: closed(
    {
      ...SETTINGS,
      name: Type.Optional(SETTINGS.name),
      redirect_uris: Type.Optional(SETTINGS.redirect_uris),
      is_active: Type.Optional(
        Type.Boolean({
          description: 'Whether the client is active. Tokens are not issued to inactive clients.',
        }),
      ),
    },
    {
      $id: 'OAuthClientPatch',
      minProperties: 1,
      description: 'Only the fields that you send are changed.',
    },
  ),
  ok: { status: 200, body: OAuthClientRecord },
  errors: ['VALIDATION_FAILED', 'NOT_FOUND', 'SCOPE_NOT_HELD'],
});

export const deleteClient = route({
  id: 'clients.delete',
  method: 'DELETE',
  path: `${BASE}/:client_id`,
  access: { scope: 'delete:clients', administrator: true },
  summary: 'Delete an OAuth client',
  description:
    'Deletes the client, its secrets and its users’ consents. Its sessions end, and their tokens are rejected immediately.',
  params: clientPath,
  ok: { status: 200, body: deleted(OAuthClientIdSchema) },
  errors: ['NOT_FOUND', 'SCOPE_NOT_HELD'],
});

export const createClientSecret = route({
  id: 'clients.create_secret',
  method: 'POST',
  path: `${BASE}/:client_id/secrets`,
  access: { scope: 'write:clients', administrator: true, logins: TRUSTED },
  summary: 'Create another client secret',
  description:
    'Creates a second secret for a rotation. Both secrets work until you delete one. The new secret is shown only in this response.',
  params: clientPath,
  idempotent: 'each_path',
  ok: { status: 201, body: CreatedClientSecret },
  errors: ['NOT_FOUND', 'SCOPE_NOT_HELD', 'TOO_MANY_CLIENT_SECRETS', 'CLIENT_HAS_NO_SECRET'],
});

export const deleteClientSecret = route({
  id: 'clients.delete_secret',
  method: 'DELETE',
  path: `${BASE}/:client_id/secrets/:secret_id`,
  access: { scope: 'write:clients', administrator: true },
  summary: 'Delete a client secret',
  description: 'The secret is rejected immediately. You can delete the last secret.',
  params: secretPath,
  ok: { status: 200, body: deleted(ClientSecretIdSchema) },
  errors: ['NOT_FOUND', 'SCOPE_NOT_HELD'],
});

export const CLIENT_ROUTES = [
  listClients,
  createClient,
  getClient,
  updateClient,
  deleteClient,
  createClientSecret,
  deleteClientSecret,
  listLogoutDeliveries,
  ...CLIENT_BRANDING_ROUTES,
  ...REGISTRATION_TOKEN_ROUTES,
  ...CLIENT_STREAM_ROUTES,
] as const;
