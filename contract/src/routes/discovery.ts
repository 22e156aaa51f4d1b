import Type from 'typebox';
import { atIssuer, ISSUER_PATH } from '../issuer-routes.ts';
import { route } from '../route.ts';
import { NOT_MODIFIED } from './fields.ts';
import { ServerMetadata } from './server-metadata.ts';

const url = (description: string, example: string) =>
  Type.String({ description, examples: [example] });

const WELL_KNOWN = '/.well-known/oauth-authorization-server';

export const getServerMetadata = route({
  id: 'discovery.get',
  method: 'GET',
  path: WELL_KNOWN,
  access: 'tenant',
  cors: 'any',
  summary: 'Get the OAuth 2.0 metadata of a tenant',
  description:
    'Returns the metadata of the tenant that the request names. It lists only endpoints that work.',
  ok: { status: 200, body: ServerMetadata },
  other: [NOT_MODIFIED],
  errors: [],
});

/** RFC 8414 §3.1: the well-known part precedes the path of the issuer. */
const getIssuerMetadata = atIssuer(getServerMetadata, {
  id: 'discovery.get_by_issuer',
  path: `${WELL_KNOWN}${ISSUER_PATH}`,
  summary: 'Get the OAuth 2.0 metadata of an issuer, at the URL of RFC 8414',
  description: 'The well-known part precedes the issuer’s path (RFC 8414 §3.1).',
});

/** For clients that append the well-known part, as OpenID Connect does. */
const getMetadataUnderIssuer = atIssuer(getServerMetadata, {
  id: 'discovery.get_under_issuer',
  path: `${ISSUER_PATH}${WELL_KNOWN}`,
  summary: 'Get the OAuth 2.0 metadata of an issuer, below its URL',
  description: 'For clients that append the well-known part, as in OpenID Connect.',
});

const OPENID = '/.well-known/openid-configuration';

/** The same document under the name from OpenID Connect Discovery §4, where all of its members are required. */
const getOpenidMetadata = route({
  ...getServerMetadata,
  id: 'discovery.openid',
  path: OPENID,
  summary: 'Get the OpenID Connect metadata of a tenant',
  errors: ['OAUTH_OFF'],
});

const getOpenidMetadataOfIssuer = atIssuer(getOpenidMetadata, {
  id: 'discovery.openid_by_issuer',
  path: `${OPENID}${ISSUER_PATH}`,
  summary: 'Get the OpenID Connect metadata of an issuer, at the URL of RFC 8414',
  description: 'For clients that put the well-known part before the issuer’s path.',
});

const getOpenidMetadataUnderIssuer = atIssuer(getOpenidMetadata, {
  id: 'discovery.openid_under_issuer',
  path: `${ISSUER_PATH}${OPENID}`,
  summary: 'Get the OpenID Connect metadata of an issuer',
  description: 'The well-known part follows the issuer’s path (OpenID Connect Discovery §4).',
});

/** Several paths, because clients differ in where they look first. */
export const SERVER_METADATA_ROUTES = [
  getServerMetadata,
  getIssuerMetadata,
  getMetadataUnderIssuer,
] as const;

export const OPENID_METADATA_ROUTES = [
  getOpenidMetadata,
  getOpenidMetadataOfIssuer,
  getOpenidMetadataUnderIssuer,
] as const;

export const DISCOVERY_ROUTES = [...SERVER_METADATA_ROUTES, ...OPENID_METADATA_ROUTES];

const DecisionPointMetadata = Type.Object(
  {
    policy_decision_point: url(
      'Identifier that the URL of this document is derived from.',
      'https://id.example.com/t/org_acme',
    ),
    access_evaluation_endpoint: url(
      'Endpoint for single evaluations.',
      'https://id.example.com/t/org_acme/access/v1/evaluation',
    ),
    access_evaluations_endpoint: url(
      'Endpoint for batch evaluations.',
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
  summary: 'Get the OpenID AuthZEN metadata of a tenant',
  description: 'Lists the URLs where services request access decisions.',
  ok: { status: 200, body: DecisionPointMetadata },
  other: [NOT_MODIFIED],
  errors: [],
});

export const getDecisionPointOfIssuer = atIssuer(getDecisionPoint, {
  id: 'discovery.authzen_by_issuer',
  path: `${AUTHZEN}${ISSUER_PATH}`,
  summary: 'Get the OpenID AuthZEN metadata of an issuer',
  description: 'The well-known part precedes the issuer’s path (OpenID AuthZEN §9.2).',
});
