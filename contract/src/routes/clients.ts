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
import { deleted, displayName, SORT_BY_AGE } from './fields.ts';
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
    Type.Boolean({ description: 'Default false: users are asked for consent.' }),
  ),
  redirect_uris: redirectUris('Where users return to with a code.'),
  post_logout_redirect_uris: Type.Optional(
    redirectUris('Where users return to after they logged out. Default: none.'),
  ),
  initiate_login_uri: Type.Optional(
    Type.Union([InitiateLoginUri, Type.Null()], {
      description:
        'The URL where the application starts a login: https, or http with a loopback address. If a request has nowhere to return to, its error page links to it, with the parameter `iss` (OpenID Connect Core §4); null: none.',
    }),
  ),
  backchannel_logout_uri: Type.Optional(
    Type.Union([LogoutUri, Type.Null()], {
      description:
        'Address of its server that gets a logout token when a user logs out; null: none.',
    }),
  ),
  backchannel_logout_session_required: Type.Optional(LogoutSessionRequired),
  require_pushed_authorization_requests: Type.Optional(RequirePushed),
  grant_types: Type.Optional(GrantTypes),
  scopes: Type.Optional(ClientScopes),
  jwks: Type.Optional(
    Type.Union([AgentKeySet, Type.Null()], {
      description: 'Public keys that verify its assertions, for `private_key_jwt`; null: none.',
    }),
  ),
  jwks_uri: Type.Optional(
    Type.Union([KeySetUri, Type.Null()], {
      description:
        'Address of its public keys, instead of `jwks`. They are fetched when an assertion is presented, and cached; for an unknown `kid` they are fetched again, at most every 30 seconds. Null: none.',
    }),
  ),
  id_token_signed_response_alg: Type.Optional(IdTokenAlgorithm),
  userinfo_signed_response_alg: Type.Optional(UserinfoAlgorithm),
  subject_type: Type.Optional(SubjectType),
  sector_identifier_uri: Type.Optional(
    Type.Union([SectorIdentifierUri, Type.Null()], {
      description:
        'A JSON list that must contain all `redirect_uris`. Its host decides the pairwise subjects. It is fetched when it is set, and when `redirect_uris` change; null: none.',
    }),
  ),
  id_token_claims: Type.Optional(IdTokenClaims),
  client_uri: Type.Optional(
    Type.Union([ClientUri, Type.Null()], {
      description: 'Page about the client, for its users; null: none.',
    }),
  ),
  logo_uri: Type.Optional(
    Type.Union([LogoUri, Type.Null()], {
      description: 'Logo of the client, which is not shown; null: none.',
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
  description: 'The newest first. Their secrets are not shown.',
  query: closed({ ...listQuery, ...OF_TENANT, sort: SORT_BY_AGE }),
  ok: { status: 200, body: listOf(OAuthClientRecord) },
  errors: ['VALIDATION_FAILED'],
});

export const createClient = route({
  id: 'clients.create',
  method: 'POST',
  path: BASE,
  access: { scope: 'write:clients', administrator: true, logins: TRUSTED },
  summary: 'Register an OAuth client',
  description: 'A secret, if its authentication needs one, is shown in this response only.',
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
  summary: 'Read an OAuth client',
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
  summary: 'Change an OAuth client',
  description:
    'Changes the client. Its kind and its authentication method cannot be changed: register another client instead. Only a client that an administrator registered can be `first_party`; for one with a metadata document, only `is_active` can be changed. Unless it is `first_party`, users must consent again before a code is sent to a host that they have not approved.',
  params: clientPath,
  body: closed(
    {
      ...SETTINGS,
      name: Type.Optional(SETTINGS.name),
      redirect_uris: Type.Optional(SETTINGS.redirect_uris),
      is_active: Type.Optional(
        Type.Boolean({
          description: 'Whether the client is active. An inactive client gets no tokens.',
        }),
      ),
    },
    {
      $id: 'OAuthClientPatch',
      minProperties: 1,
      description: 'Fields that are present are changed.',
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
    'Deletes the client, its secrets and the consents of users to it. Its sessions end, and their tokens are rejected from the next request on.',
  params: clientPath,
  ok: { status: 200, body: deleted(OAuthClientIdSchema) },
  errors: ['NOT_FOUND', 'SCOPE_NOT_HELD'],
});

export const createClientSecret = route({
  id: 'clients.create_secret',
  method: 'POST',
  path: `${BASE}/:client_id/secrets`,
  access: { scope: 'write:clients', administrator: true, logins: TRUSTED },
  summary: 'Create another secret',
  description:
    'Creates a second secret for a rotation: both work until one is deleted. The secret is shown in this response only.',
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
  summary: 'Delete a secret',
  description:
    'Deletes the secret: it is rejected from the next request on. The last secret can also be deleted.',
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
  ...REGISTRATION_TOKEN_ROUTES,
  ...CLIENT_STREAM_ROUTES,
] as const;
