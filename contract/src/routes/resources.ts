import Type from 'typebox';
import { OAuthResourceIdSchema, pathId } from '../ids.ts';
import { listOf, listQuery, OF_TENANT } from '../list.ts';
import { DetailsTypes } from '../records/authorization-details.ts';
import {
  DpopRequired,
  OAuthResourceRecord,
  ResourceAlgorithm,
  ResourceScopes,
  ResourceTokenTtl,
  ResourceTokenTyp,
  ResourceUri,
  ServedBy,
} from '../records/oauth-resource.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';
import { deleted, displayName, SORT_BY_AGE } from './fields.ts';

const BASE = `${API_BASE}/resources` as const;
const resourcePath = Type.Object({ resource_id: pathId(OAuthResourceIdSchema) });

const SETTINGS = {
  name: displayName('Acme Files'),
  scopes: Type.Optional(ResourceScopes),
  token_ttl: Type.Optional(ResourceTokenTtl),
  access_token_signing_alg: Type.Optional(ResourceAlgorithm),
  access_token_typ: Type.Optional(ResourceTokenTyp),
  dpop_required: Type.Optional(DpopRequired),
  served_by: Type.Optional(ServedBy),
  authorization_details_types: Type.Optional(DetailsTypes),
};

export const listResources = route({
  id: 'resources.list',
  method: 'GET',
  path: BASE,
  access: { scope: 'read:clients', administrator: true },
  summary: 'List resources',
  description: 'Newest first.',
  query: closed({ ...listQuery, ...OF_TENANT, sort: SORT_BY_AGE }),
  ok: { status: 200, body: listOf(OAuthResourceRecord) },
  errors: ['VALIDATION_FAILED'],
});

export const createResource = route({
  id: 'resources.create',
  method: 'POST',
  path: BASE,
  access: { scope: 'write:clients', administrator: true },
  summary: 'Register a resource',
  description:
    'Applications and agents can then request access tokens for the resource by naming it as `resource` (RFC 8707).',
  body: closed(
    { ...SETTINGS, uri: ResourceUri },
    { $id: 'OAuthResourceRegistration', description: 'A resource to register.' },
  ),
  idempotent: true,
  ok: { status: 201, body: OAuthResourceRecord },
  errors: ['VALIDATION_FAILED', 'RESOURCE_TAKEN', 'TOO_MANY_RESOURCES'],
});

export const getResource = route({
  id: 'resources.get',
  method: 'GET',
  path: `${BASE}/:resource_id`,
  access: { scope: 'read:clients', administrator: true },
  summary: 'Get a resource',
  description: 'Returns the resource.',
  params: resourcePath,
  ok: { status: 200, body: OAuthResourceRecord },
  errors: ['NOT_FOUND'],
});

export const updateResource = route({
  id: 'resources.update',
  method: 'PATCH',
  path: `${BASE}/:resource_id`,
  access: { scope: 'write:clients', administrator: true },
  summary: 'Update a resource',
  description:
    'The URI cannot be changed; register a new resource instead. Access tokens that were already issued do not change.',
  params: resourcePath,
  body: closed(
    { ...SETTINGS, name: Type.Optional(SETTINGS.name) },
    {
      $id: 'OAuthResourcePatch',
      minProperties: 1,
      description: 'Only the fields that you send are changed.',
    },
  ),
  ok: { status: 200, body: OAuthResourceRecord },
  errors: ['VALIDATION_FAILED', 'NOT_FOUND'],
});

export const deleteResource = route({
  id: 'resources.delete',
  method: 'DELETE',
  path: `${BASE}/:resource_id`,
  access: { scope: 'delete:clients', administrator: true },
  summary: 'Delete a resource',
  description:
    'No more access tokens are issued for the resource, even to applications with refresh tokens. Introspection reports issued tokens as inactive. Verifiers that do not introspect them accept them until they expire.',
  params: resourcePath,
  ok: { status: 200, body: deleted(OAuthResourceIdSchema) },
  errors: ['NOT_FOUND'],
});

export const RESOURCE_ROUTES = [
  listResources,
  createResource,
  getResource,
  updateResource,
  deleteResource,
] as const;
