import Type from 'typebox';
import { atIssuer, ISSUER_PATH } from '../issuer-routes.ts';
import { PROOF_ALGORITHMS } from '../records/agent-proofs.ts';
import { KEY_ALGORITHMS } from '../records/signing-key.ts';
import { route } from '../route.ts';
import { NOT_MODIFIED } from './fields.ts';
import { GRANT_TYPE } from './token.ts';

const url = (description: string, example: string) =>
  Type.String({ description, examples: [example] });

const names = (description: string, examples: readonly string[]) =>
  Type.Array(Type.String(), { description, examples: [[...examples]] });
const flag = (description: string, example: boolean) =>
  Type.Boolean({ description, examples: [example] });

const ServerMetadata = Type.Object(
  {
    issuer: url('The `iss` of every token of the tenant.', 'https://id.example.com/t/org_acme'),
    authorization_endpoint: url(
      'Where browsers ask for a code.',
      'https://id.example.com/t/org_acme/oauth/authorize',
    ),
    token_endpoint: url(
      'Where agents get access tokens.',
      'https://id.example.com/t/org_acme/auth/token',
    ),
    userinfo_endpoint: url(
      'Where OAuth clients get claims about users.',
      'https://id.example.com/t/org_acme/oauth/userinfo',
    ),
    end_session_endpoint: url(
      'Where browsers log out.',
      'https://id.example.com/t/org_acme/oauth/logout',
    ),
    pushed_authorization_request_endpoint: url(
      'Where applications push authorization requests (RFC 9126).',
      'https://id.example.com/t/org_acme/oauth/par',
    ),
    require_pushed_authorization_requests: flag('Whether all of them have to be pushed.', false),
    revocation_endpoint: url(
      'Where applications revoke tokens (RFC 7009).',
      'https://id.example.com/t/org_acme/oauth/revoke',
    ),
    introspection_endpoint: url(
      'Where clients introspect tokens (RFC 7662).',
      'https://id.example.com/t/org_acme/oauth/introspect',
    ),
    backchannel_logout_supported: flag('Whether clients are told of logouts.', true),
    backchannel_logout_session_supported: flag('Whether they are told which session.', true),
    jwks_uri: url(
      'The public signing keys of the tenant.',
      'https://id.example.com/t/org_acme/.well-known/jwks.json',
    ),
    response_types_supported: Type.Array(Type.String(), {
      description: 'Values of `response_type`.',
      examples: [['code']],
    }),
    response_modes_supported: names('Values of `response_mode`.', ['query', 'form_post']),
    code_challenge_methods_supported: names('Values of `code_challenge_method`.', ['S256']),
    prompt_values_supported: names('Values of `prompt`.', ['none', 'login', 'consent']),
    acr_values_supported: names('Values of `acr`.', ['aal1', 'aal2', 'phr']),
    scopes_supported: names('Scopes of OpenID Connect.', ['openid', 'profile', 'email']),
    ui_locales_supported: names('Languages of the pages.', ['en']),
    id_token_signing_alg_values_supported: names('Algorithms of ID tokens.', [...KEY_ALGORITHMS]),
    claims_parameter_supported: flag('Whether claims can be asked for by name.', true),
    request_parameter_supported: flag('Whether requests can be signed.', false),
    request_uri_parameter_supported: flag('Whether requests can be passed by reference.', false),
    authorization_response_iss_parameter_supported: flag(
      'Whether responses name their issuer (RFC 9207).',
      true,
    ),
    grant_types_supported: Type.Array(Type.String(), {
      description: 'Values of `grant_type` that the token endpoint accepts.',
      examples: [Object.values(GRANT_TYPE)],
    }),
    token_endpoint_auth_methods_supported: Type.Array(Type.String(), {
      description: '`none` is for grants that a token of an outside issuer authenticates.',
      examples: [['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none']],
    }),
    token_endpoint_auth_signing_alg_values_supported: Type.Array(Type.String(), {
      description: 'Algorithms of `private_key_jwt`.',
      examples: [[...PROOF_ALGORITHMS]],
    }),
    revocation_endpoint_auth_methods_supported: names('How applications authenticate there.', [
      'client_secret_basic',
      'client_secret_post',
      'private_key_jwt',
      'none',
    ]),
    revocation_endpoint_auth_signing_alg_values_supported: names(
      'Algorithms of `private_key_jwt` there.',
      [...PROOF_ALGORITHMS],
    ),
    introspection_endpoint_auth_methods_supported: names(
      'How agents and applications authenticate there.',
      ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    ),
    introspection_endpoint_auth_signing_alg_values_supported: names(
      'Algorithms of `private_key_jwt` there.',
      [...PROOF_ALGORITHMS],
    ),
    introspection_signing_alg_values_supported: names('Algorithms of signed answers (RFC 9701).', [
      ...KEY_ALGORITHMS,
    ]),
    resource_indicators_supported: flag(
      'Whether access tokens can be asked for by resource (RFC 8707).',
      true,
    ),
    protected_resources: Type.Optional(
      names('Resources of the tenant (RFC 9728 §4), if there are any.', [
        'https://files.example.com/mcp',
      ]),
    ),
    subject_types_supported: Type.Array(Type.String(), {
      description: 'How OAuth clients know users.',
      examples: [['public', 'pairwise']],
    }),
    userinfo_signing_alg_values_supported: Type.Array(Type.String(), {
      description: 'Algorithms of signed answers of the userinfo endpoint.',
      examples: [[...KEY_ALGORITHMS]],
    }),
    claims_supported: Type.Array(Type.String(), {
      description: 'Claims about users, if they are known.',
      examples: [['sub', 'name', 'email']],
    }),
    service_documentation: url('API reference.', 'https://id.example.com/reference'),
  },
  {
    $id: 'AuthorizationServerMetadata',
    description:
      'Metadata of an OAuth 2.0 authorization server and OpenID provider (RFC 8414, OpenID Connect Discovery).',
  },
);

const WELL_KNOWN = '/.well-known/oauth-authorization-server';

export const getServerMetadata = route({
  id: 'discovery.get',
  method: 'GET',
  path: WELL_KNOWN,
  access: 'tenant',
  cors: 'any',
  summary: 'OAuth 2.0 metadata of the tenant that the request names',
  description: 'It lists only what exists: every listed endpoint works.',
  ok: { status: 200, body: ServerMetadata },
  other: [NOT_MODIFIED],
  errors: [],
});

/** RFC 8414 §3.1: the well-known part comes before the path of the issuer. */
const getIssuerMetadata = atIssuer(getServerMetadata, {
  id: 'discovery.get_by_issuer',
  path: `${WELL_KNOWN}${ISSUER_PATH}`,
  summary: 'OAuth 2.0 metadata of an issuer, at the address of RFC 8414',
  description: 'The well-known part comes before the path of the issuer (RFC 8414 §3.1).',
});

/** For clients that append the well-known part, as in OpenID Connect. */
const getMetadataUnderIssuer = atIssuer(getServerMetadata, {
  id: 'discovery.get_under_issuer',
  path: `${ISSUER_PATH}${WELL_KNOWN}`,
  summary: 'OAuth 2.0 metadata of an issuer, below its address',
  description: 'For clients that append the well-known part, as in OpenID Connect.',
});

const OPENID = '/.well-known/openid-configuration';

/** The same document under the name of OpenID Connect Discovery §4. */
const getOpenidMetadata = route({
  ...getServerMetadata,
  id: 'discovery.openid',
  path: OPENID,
  summary: 'OpenID Connect metadata of the tenant that the request names',
});

const getOpenidMetadataOfIssuer = atIssuer(getOpenidMetadata, {
  id: 'discovery.openid_by_issuer',
  path: `${OPENID}${ISSUER_PATH}`,
  summary: 'OpenID Connect metadata of an issuer, at the address of RFC 8414',
  description: 'For clients that put the well-known part before the path of the issuer.',
});

const getOpenidMetadataUnderIssuer = atIssuer(getOpenidMetadata, {
  id: 'discovery.openid_under_issuer',
  path: `${ISSUER_PATH}${OPENID}`,
  summary: 'OpenID Connect metadata of an issuer',
  description:
    'The well-known part comes after the path of the issuer (OpenID Connect Discovery §4).',
});

/** Clients differ in where they look first. */
export const DISCOVERY_ROUTES = [
  getServerMetadata,
  getIssuerMetadata,
  getMetadataUnderIssuer,
  getOpenidMetadata,
  getOpenidMetadataOfIssuer,
  getOpenidMetadataUnderIssuer,
];

const DecisionPointMetadata = Type.Object(
  {
    policy_decision_point: url(
      'The identifier that the address of this document is derived from.',
      'https://id.example.com/t/org_acme',
    ),
    access_evaluation_endpoint: url(
      'Endpoint for one evaluation.',
      'https://id.example.com/t/org_acme/access/v1/evaluation',
    ),
    access_evaluations_endpoint: url(
      'Endpoint for several evaluations.',
      'https://id.example.com/t/org_acme/access/v1/evaluations',
    ),
  },
  {
    $id: 'PolicyDecisionPointMetadata',
    description: 'Metadata of a policy decision point (OpenID AuthZEN §9).',
  },
);

const AUTHZEN = '/.well-known/authzen-configuration';

export const getDecisionPoint = route({
  id: 'discovery.authzen',
  method: 'GET',
  path: AUTHZEN,
  access: 'tenant',
  cors: 'any',
  summary: 'OpenID AuthZEN metadata of the tenant that the request names',
  description: 'Where services request access decisions.',
  ok: { status: 200, body: DecisionPointMetadata },
  other: [NOT_MODIFIED],
  errors: [],
});

export const getDecisionPointOfIssuer = atIssuer(getDecisionPoint, {
  id: 'discovery.authzen_by_issuer',
  path: `${AUTHZEN}${ISSUER_PATH}`,
  summary: 'OpenID AuthZEN metadata of an issuer',
  description: 'The well-known part comes before the path of the issuer (OpenID AuthZEN §9.2).',
});
