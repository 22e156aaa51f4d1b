import Type from 'typebox';
import { PathId } from '../ids.ts';
import { route } from '../route.ts';
import { NOT_MODIFIED } from './key-set.ts';

const Url = (description: string) => Type.String({ description });

const ServerMetadata = Type.Object(
  {
    issuer: Url('The `iss` of every token of the tenant.'),
    token_endpoint: Url('Where agents get access tokens.'),
    jwks_uri: Url('The public signing keys of the tenant.'),
    response_types_supported: Type.Array(Type.String(), {
      description: 'Required by RFC 8414. Empty: there is no authorization endpoint.',
    }),
    grant_types_supported: Type.Array(Type.String()),
    token_endpoint_auth_methods_supported: Type.Array(Type.String(), {
      description: '`none` is for grants in which a token of an outside issuer is the proof.',
    }),
    token_endpoint_auth_signing_alg_values_supported: Type.Array(Type.String(), {
      description: 'Algorithms of `private_key_jwt`.',
    }),
    service_documentation: Url('The reference of the API.'),
  },
  {
    $id: 'AuthorizationServerMetadata',
    description: 'Metadata of an OAuth 2.0 authorization server (RFC 8414).',
  },
);

const WELL_KNOWN = '/.well-known/oauth-authorization-server';
const params = Type.Object({ tenant_id: PathId });

export const getServerMetadata = route({
  id: 'discovery.get',
  method: 'GET',
  path: WELL_KNOWN,
  access: 'tenant',
  cors: 'any',
  summary: 'OAuth 2.0 metadata of the tenant that the request names',
  ok: { status: 200, body: ServerMetadata },
  other: [NOT_MODIFIED],
  errors: [],
});

/** RFC 8414 §3.1: the well-known part comes before the path of the issuer. */
export const getIssuerMetadata = route({
  id: 'discovery.get_by_issuer',
  method: 'GET',
  path: `${WELL_KNOWN}/t/:tenant_id`,
  access: 'open',
  cors: 'any',
  summary: 'OAuth 2.0 metadata of an issuer, at the address of RFC 8414',
  params,
  ok: { status: 200, body: ServerMetadata },
  other: [NOT_MODIFIED],
  errors: ['TENANT_NOT_FOUND', 'TENANT_INACTIVE'],
});

/** Where clients look that append the well-known part, as OpenID Connect does. */
export const getMetadataUnderIssuer = route({
  id: 'discovery.get_under_issuer',
  method: 'GET',
  path: `/t/:tenant_id${WELL_KNOWN}`,
  access: 'open',
  cors: 'any',
  summary: 'OAuth 2.0 metadata of an issuer, below its address',
  params,
  ok: { status: 200, body: ServerMetadata },
  other: [NOT_MODIFIED],
  errors: ['TENANT_NOT_FOUND', 'TENANT_INACTIVE'],
});
