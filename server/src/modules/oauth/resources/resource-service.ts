import type { Fail } from '@keywright/contract/errors';
import { type OAuthResourceId, parseOAuthResourceId, type TenantId } from '@keywright/contract/ids';
import type { OAuthResourceRecord } from '@keywright/contract/records/oauth-resource';
import type { BodyOf, QueryOf } from '@keywright/contract/route';
import type {
  createResource,
  listResources,
  updateResource,
} from '@keywright/contract/routes/resources';
import { newOAuthResourceId } from '../../../platform/crypto/ids.ts';
import { listed, readPage } from '../../../platform/db/page.ts';
import { changedFields, isEmpty } from '../../../platform/patch.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { Changes } from '../../../tenancy/changes.ts';
import type { TenantData, TenantTx, Gate } from '../../../tenancy/gate.ts';
import { once, type RepeatableRequest } from '../../../tenancy/idempotency.ts';
import { TenantCache } from '../../../tenancy/tenant-cache.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { record } from '../../events/journal/index.ts';
import { flawsOfTypes } from './authorization-details.ts';
import {
  flawOfAlgorithm,
  flawOfUri,
  flawsOfScopes,
  type ResourceFields,
  usualRequirement,
  type FindResources,
  type KnownResources,
  knownResources,
  type Resource,
} from './resource-rules.ts';
import {
  presentResource,
  countResources,
  deleteResourceRow,
  findResource,
  findResourcePage,
  insertResource,
  lockResource,
  replaceResource,
  typesElsewhere,
  unknownServers,
  listAll,
  type ResourceRow,
} from './resource-store.ts';

/** All are in the memory of each node, and in the metadata. */
const MOST_RESOURCES = 100;

/** Lists whose order says nothing. */
const SETS = ['served_by'] as const;

export async function listResourcesPage(
  tenant: TenantData,
  query: QueryOf<typeof listResources>,
  fail: Fail<'VALIDATION_FAILED'>,
) {
  const page = readPage([tenant.tenantId, 'resources'], query, query.sort ?? '-created_at', fail);
  const [rows, total] = await tenant.transaction(
    async (tx) => [await findResourcePage(tx, page), await countResources(tx)] as const,
  );
  return listed(page, rows, total, (row) => row.created_at.toISOString(), presentResource);
}

export async function getResourceById(
  tenant: TenantData,
  id: string,
  fail: Fail<'NOT_FOUND'>,
): Promise<OAuthResourceRecord> {
  const resourceId = parseOAuthResourceId(id) ?? fail('NOT_FOUND');
  const row = await tenant.transaction((tx) => findResource(tx, resourceId));
  return row ? presentResource(row) : fail('NOT_FOUND');
}

interface Request {
  readonly caller: Caller;
  readonly tenant: Tenant;
  readonly now: Date;
  readonly repeatable: RepeatableRequest | undefined;
}

export function registerResource(
  data: TenantData,
  { caller, tenant, now, repeatable }: Request,
  { uri, name, ...given }: BodyOf<typeof createResource>,
  fail: Fail<'VALIDATION_FAILED' | 'RESOURCE_TAKEN' | 'TOO_MANY_RESOURCES'>,
): Promise<OAuthResourceRecord> {
  const id = newOAuthResourceId(now);
  const fields: ResourceFields = {
    name,
    scopes: [],
    token_ttl: null,
    access_token_signing_alg: 'EdDSA',
    access_token_typ: 'at+jwt',
    dpop_required: false,
    served_by: [],
    authorization_details_types: [],
    ...withRequires(given),
  };
  return once(data, repeatable, async (tx) => {
    const errors = [...flawOfUri(uri, tenant), ...flawOfAlgorithm(fields, tenant)];
    if (errors.length > 0) fail('VALIDATION_FAILED', { errors });
    await requireSound(tx, id, fields, fail);
    if ((await countResources(tx)) >= MOST_RESOURCES) fail('TOO_MANY_RESOURCES');
    if (!(await insertResource(tx, { id, uri, ...fields }))) fail('RESOURCE_TAKEN');
    await record(tx, caller, {
      action: 'resource.created',
      target: { kind: 'resource', id },
      details: { uri, name, scopes: fields.scopes.map((scope) => scope.name) },
      events: [],
    });
    return presentResource((await findResource(tx, id)) ?? fail('RESOURCE_TAKEN'));
  });
}

async function requireSound(
  tx: TenantTx,
  id: OAuthResourceId,
  {
    scopes,
    served_by: servers,
    authorization_details_types: types,
  }: Pick<ResourceFields, 'scopes' | 'served_by' | 'authorization_details_types'>,
  fail: Fail<'VALIDATION_FAILED'>,
): Promise<void> {
  const unknown = await unknownServers(tx, servers);
  const errors = [
    ...flawsOfScopes(scopes),
    ...(types.length > 0 ? flawsOfTypes(types, await typesElsewhere(tx, id)) : []),
    ...unknown.map((server) => {
      const path = `/served_by/${servers.indexOf(server as (typeof servers)[number])}`;
      return { path, message: 'is neither an agent nor a client' };
    }),
  ];
  if (errors.length > 0) fail('VALIDATION_FAILED', { errors });
}

export function changeResource(
  data: TenantData,
  { caller, tenant }: Pick<Request, 'caller' | 'tenant'>,
  id: string,
  patch: BodyOf<typeof updateResource>,
  fail: Fail<'NOT_FOUND' | 'VALIDATION_FAILED'>,
): Promise<OAuthResourceRecord> {
  return data.transaction(async (tx) => {
    const before = presentResource(await requireResource(tx, id, fail));
    const change = changedFields(withRequires(patch), before, SETS);
    if (isEmpty(change)) return before;
    const errors = flawOfAlgorithm({ ...before, ...change }, tenant);
    if (errors.length > 0) fail('VALIDATION_FAILED', { errors });
    const { id: resourceId, tenant_id: _, uri: __, created_at: ___, ...fields } = before;
    // Who served it may have been deleted since.
    const { scopes = [], served_by = [], authorization_details_types = [] } = change;
    const changed = { scopes, served_by, authorization_details_types };
    await requireSound(tx, resourceId, changed, fail);
    await replaceResource(tx, resourceId, { ...fields, ...change });
    await record(tx, caller, {
      action: 'resource.updated',
      target: { kind: 'resource', id: resourceId },
      details: { fields: Object.keys(change), ...change },
      events: [],
    });
    return { ...before, ...change };
  });
}

/** As in the record, so that both can be compared. */
function withRequires<Given extends Pick<BodyOf<typeof updateResource>, 'scopes'>>(
  given: Given,
): Given {
  const { scopes } = given;
  if (!scopes) return given;
  const whole = scopes.map(({ name, description, requires = usualRequirement(name) }) => ({
    name,
    description,
    requires,
  }));
  return { ...given, scopes: whole };
}

async function requireResource(tx: TenantTx, id: string, fail: Fail<'NOT_FOUND'>) {
  const resourceId = parseOAuthResourceId(id) ?? fail('NOT_FOUND');
  return (await lockResource(tx, resourceId)) ?? fail('NOT_FOUND');
}

export function removeResource(
  data: TenantData,
  caller: Caller,
  id: string,
  fail: Fail<'NOT_FOUND'>,
): Promise<OAuthResourceId> {
  return data.transaction(async (tx) => {
    const { id: resourceId, uri } = await requireResource(tx, id, fail);
    await deleteResourceRow(tx, resourceId);
    await record(tx, caller, {
      action: 'resource.deleted',
      target: { kind: 'resource', id: resourceId },
      details: { uri },
      events: [],
    });
    return resourceId;
  });
}

/** Loaded for tenants that are asked for tokens for resources, at the first of them. */
export function createFindResources(gate: Gate, changes: Changes): FindResources {
  const cache = new TenantCache<TenantId, KnownResources>(changes, {
    load: async (tenantId) =>
      knownResources((await gate.into(tenantId).transaction(listAll)).map(resourceOf)),
    tenantOf: (_, tenantId) => tenantId,
  });
  return async (tenantId) => {
    const found = await cache.find(tenantId);
    if (!found) throw new Error(`The resources of the tenant ${tenantId} cannot be read.`);
    return found;
  };
}

function resourceOf(row: ResourceRow): Resource {
  const { id, uri, name, scopes, ...policy } = presentResource(row);
  return {
    id,
    uri,
    name,
    scopes,
    tokenTtlSeconds: policy.token_ttl ?? undefined,
    algorithm: policy.access_token_signing_alg,
    typ: policy.access_token_typ,
    isDpopRequired: policy.dpop_required,
    detailsTypes: policy.authorization_details_types,
    servedBy: policy.served_by,
  };
}
