import Type from 'typebox';
import { DPOP_ALGORITHMS } from '../dpop.ts';
import { PROOF_ALGORITHMS } from '../records/agent-proofs.ts';
import { ID_JAG_PROFILE } from '../records/identity-assertions.ts';
import { GRANT_TYPE, TOKEN_TYPE } from './token.ts';
import { KEY_ALGORITHMS } from '../records/signing-key.ts';

const url = (description: string, example: string) =>
  Type.String({ description, examples: [example] });

const names = (description: string, examples: readonly string[]) =>
  Type.Array(Type.String(), { description, examples: [[...examples]] });
const flag = (description: string, example: boolean) =>
  Type.Boolean({ description, examples: [example] });

/** The metadata that agents also use. */
const SERVER = {
  issuer: url('The `iss` of all tokens of the tenant.', 'https://id.example.com/t/org_acme'),
  token_endpoint: url(
    'URL where clients get access tokens.',
    'https://id.example.com/t/org_acme/auth/token',
  ),
  introspection_endpoint: url(
    'URL where clients introspect tokens (RFC 7662).',
    'https://id.example.com/t/org_acme/oauth/introspect',
  ),
  jwks_uri: url(
    'URL of the tenant’s public signing keys.',
    'https://id.example.com/t/org_acme/.well-known/jwks.json',
  ),
  grant_types_supported: Type.Array(Type.String(), {
    description: 'Values of `grant_type` that the token endpoint accepts.',
    examples: [Object.values(GRANT_TYPE)],
  }),
  token_endpoint_auth_methods_supported: Type.Array(Type.String(), {
    description: '`none` is for grants that a token from an external issuer authenticates.',
    examples: [['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none']],
  }),
  token_endpoint_auth_signing_alg_values_supported: Type.Array(Type.String(), {
    description: 'Algorithms for `private_key_jwt`.',
    examples: [[...PROOF_ALGORITHMS]],
  }),
  introspection_endpoint_auth_methods_supported: names(
    'How agents and applications authenticate at the introspection endpoint.',
    ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
  ),
  introspection_endpoint_auth_signing_alg_values_supported: names(
    'Algorithms for `private_key_jwt` at that endpoint.',
    [...PROOF_ALGORITHMS],
  ),
  dpop_signing_alg_values_supported: names('Algorithms for DPoP proofs (RFC 9449 §5.1).', [
    ...DPOP_ALGORITHMS,
  ]),
  introspection_signing_alg_values_supported: names('Algorithms for signed responses (RFC 9701).', [
    ...KEY_ALGORITHMS,
  ]),
  resource_indicators_supported: flag(
    'Whether access tokens can be requested for a resource (RFC 8707).',
    true,
  ),
  authorization_details_types_supported: Type.Optional(
    names('Supported types of authorization details (RFC 9396 §10), if there are any.', [
      'payment_initiation',
    ]),
  ),
  protected_resources: Type.Optional(
    names('Resources of the tenant (RFC 9728 §4), if there are any.', [
      'https://files.example.com/mcp',
    ]),
  ),
  service_documentation: url('URL of the API reference.', 'https://id.example.com/reference'),
};

/** The metadata of a tenant with logins for applications. */
const PROVIDER = Type.Object({
  authorization_endpoint: url(
    'URL where browsers request an authorization code.',
    'https://id.example.com/t/org_acme/oauth/authorize',
  ),
  userinfo_endpoint: url(
    'URL where OAuth clients get claims about users.',
    'https://id.example.com/t/org_acme/oauth/userinfo',
  ),
  end_session_endpoint: url(
    'URL where browsers sign out.',
    'https://id.example.com/t/org_acme/oauth/logout',
  ),
  pushed_authorization_request_endpoint: url(
    'URL where applications push authorization requests (RFC 9126).',
    'https://id.example.com/t/org_acme/oauth/par',
  ),
  authorization_challenge_endpoint: url(
    'URL where native applications of the tenant log users in themselves (draft-ietf-oauth-first-party-apps).',
    'https://id.example.com/t/org_acme/oauth/authorize-challenge',
  ),
  identity_chaining_requested_token_types_supported: names(
    'Types of assertions for other authorization servers that a login can be exchanged for.',
    [TOKEN_TYPE.idJag],
  ),
  authorization_grant_profiles_supported: names('Types of assertions that are accepted.', [
    ID_JAG_PROFILE,
  ]),
  device_authorization_endpoint: url(
    'URL where logins on devices without a browser start (RFC 8628).',
    'https://id.example.com/t/org_acme/oauth/device_authorization',
  ),
  registration_endpoint: Type.Optional(
    url(
      'URL where applications register themselves (RFC 7591), if the tenant allows it.',
      'https://id.example.com/t/org_acme/oauth/register',
    ),
  ),
  client_id_metadata_document_supported: flag(
    'Whether the URL of a metadata document can be a `client_id`.',
    false,
  ),
  require_pushed_authorization_requests: flag(
    'Whether all authorization requests must be pushed.',
    false,
  ),
  revocation_endpoint: url(
    'URL where applications revoke tokens (RFC 7009).',
    'https://id.example.com/t/org_acme/oauth/revoke',
  ),
  backchannel_logout_supported: flag('Whether clients are notified of logouts.', true),
  backchannel_logout_session_supported: flag(
    'Whether the notification identifies the session.',
    true,
  ),
  response_types_supported: Type.Array(Type.String(), {
    description: 'Values of `response_type`.',
    examples: [['code']],
  }),
  response_modes_supported: names('Values of `response_mode`.', ['query', 'form_post', 'jwt']),
  code_challenge_methods_supported: names('Values of `code_challenge_method`.', ['S256']),
  prompt_values_supported: names('Values of `prompt`.', ['none', 'login', 'consent']),
  acr_values_supported: names('Values of `acr`.', ['aal1', 'aal2', 'phr']),
  scopes_supported: names('Supported scopes of OpenID Connect.', ['openid', 'profile', 'email']),
  ui_locales_supported: names('Languages of the pages.', ['en']),
  id_token_signing_alg_values_supported: names('Algorithms for ID tokens.', [...KEY_ALGORITHMS]),
  claims_parameter_supported: flag('Whether claims can be requested individually.', true),
  request_parameter_supported: flag('Whether requests can be signed (RFC 9101).', true),
  request_object_signing_alg_values_supported: names('Algorithms for signed requests.', [
    ...PROOF_ALGORITHMS,
  ]),
  authorization_signing_alg_values_supported: names('Algorithms for signed responses (JARM).', [
    ...KEY_ALGORITHMS,
  ]),
  request_uri_parameter_supported: flag('Whether requests can be passed by reference.', false),
  authorization_response_iss_parameter_supported: flag(
    'Whether responses identify their issuer (RFC 9207).',
    true,
  ),
  revocation_endpoint_auth_methods_supported: names(
    'How applications authenticate at the revocation endpoint.',
    ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
  ),
  revocation_endpoint_auth_signing_alg_values_supported: names(
    'Algorithms for `private_key_jwt` at that endpoint.',
    [...PROOF_ALGORITHMS],
  ),
  subject_types_supported: Type.Array(Type.String(), {
    description: 'Supported subject types.',
    examples: [['public', 'pairwise']],
  }),
  userinfo_signing_alg_values_supported: Type.Array(Type.String(), {
    description: 'Algorithms for signed responses of the userinfo endpoint.',
    examples: [[...KEY_ALGORITHMS]],
  }),
  claims_supported: Type.Array(Type.String(), {
    description: 'Supported claims about users.',
    examples: [['sub', 'name', 'email']],
  }),
});

export const ServerMetadata = Type.Object(
  { ...SERVER, ...Type.Partial(PROVIDER).properties },
  {
    $id: 'AuthorizationServerMetadata',
    description:
      'Metadata of an OAuth 2.0 authorization server and OpenID provider (RFC 8414, OpenID Connect Discovery). Without `oauth_enabled`, it lists only what agents use.',
  },
);
