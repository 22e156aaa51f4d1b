import type { Fail } from '@keywright/contract/errors';
import { type OAuthResourceId, parseOAuthResourceId } from '@keywright/contract/ids';
import type { OAuthResourceRecord } from '@keywright/contract/records/oauth-resource';
import type { BodyOf, QueryOf } from '@keywright/contract/route';
import type {
  createResource,
  listResources,
  updateResource,
} from '@keywright/contract/routes/resources';
import type { Clock } from '../../../platform/clock.ts';
import { newOAuthResourceId } from '../../../platform/crypto/ids.ts';
import { listed, readPage } from '../../../platform/db/page.ts';
import { changedFields, isEmpty } from '../../../platform/patch.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import { once, type RepeatableRequest } from '../../../tenancy/idempotency.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { record } from '../../events/journal/index.ts';
import { flawsOfTypes } from './authorization-details.ts';
import {
  flawOfAlgorithm,
  flawOfUri,
  flawsOfScopes,
  type ResourceFields,
  usualRequirement,
} from './resource-rules.ts';
import {
  countResources,
  deleteResourceRow,
  findResource,
  findResourcePage,
  insertResource,
  lockResource,
  presentResource,
  replaceResource,
  typesElsewhere,
  unknownServers,
} from './resource-store.ts';

/** Limited because each node holds all resources in memory, and the metadata lists them. */
export const MOST_RESOURCES = 100;

/** Lists that are compared as sets. */
const SETS = ['served_by'] as const;

/** Manages the services for which access tokens of the tenant can be issued. */
export class ResourceService {
  readonly #gate: Gate;
  readonly #clock: Clock;

  constructor(gate: Gate, clock: Clock) {
    this.#gate = gate;
    this.#clock = clock;
  }

  async list(
    { id }: Tenant,
    query: QueryOf<typeof listResources>,
    fail: Fail<'VALIDATION_FAILED'>,
  ) {
    const page = readPage([id, 'resources'], query, query.sort ?? '-created_at', fail);
    const [rows, total] = await this.#gate
      .into(id)
      .transaction(
        async (tx) => [await findResourcePage(tx, page), await countResources(tx)] as const,
      );
    return listed(page, rows, total, (row) => row.created_at.toISOString(), presentResource);
  }

  async get(tenant: Tenant, id: string, fail: Fail<'NOT_FOUND'>): Promise<OAuthResourceRecord> {
    const resourceId = parseOAuthResourceId(id) ?? fail('NOT_FOUND');
    const data = this.#gate.into(tenant.id);
    const row = await data.transaction((tx) => findResource(tx, resourceId));
    return row ? presentResource(row) : fail('NOT_FOUND');
  }

  register(
    tenant: Tenant,
    {
      caller,
      repeatable,
    }: { readonly caller: Caller; readonly repeatable: RepeatableRequest | undefined },
    { uri, name, ...body }: BodyOf<typeof createResource>,
    fail: Fail<'VALIDATION_FAILED' | 'RESOURCE_TAKEN' | 'TOO_MANY_RESOURCES'>,
  ): Promise<OAuthResourceRecord> {
    const id = newOAuthResourceId(this.#clock.now());
    const fields: ResourceFields = {
      name,
      scopes: [],
      token_ttl: null,
      access_token_signing_alg: 'EdDSA',
      access_token_typ: 'at+jwt',
      dpop_required: false,
      served_by: [],
      authorization_details_types: [],
      ...withRequirements(body),
    };
    return once(this.#gate.into(tenant.id), repeatable, async (tx) => {
      const errors = [...flawOfUri(uri, tenant), ...flawOfAlgorithm(fields, tenant)];
      if (errors.length > 0) fail('VALIDATION_FAILED', { errors });
      await requireFlawless(tx, id, fields, fail);
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

  change(
    tenant: Tenant,
    caller: Caller,
    id: string,
    patch: BodyOf<typeof updateResource>,
    fail: Fail<'NOT_FOUND' | 'VALIDATION_FAILED'>,
  ): Promise<OAuthResourceRecord> {
    return this.#gate.into(tenant.id).transaction(async (tx) => {
      const before = presentResource(await requireResource(tx, id, fail));
      const change = changedFields(withRequirements(patch), before, SETS);
      if (isEmpty(change)) return before;
      const errors = flawOfAlgorithm({ ...before, ...change }, tenant);
      if (errors.length > 0) fail('VALIDATION_FAILED', { errors });
      const { id: resourceId, tenant_id: _, uri: __, created_at: ___, ...fields } = before;
      // Only changes are checked: the agent or client that serves the resource might have been deleted since.
      const { scopes = [], served_by = [], authorization_details_types = [] } = change;
      const changed = { scopes, served_by, authorization_details_types };
      await requireFlawless(tx, resourceId, changed, fail);
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

  remove(
    tenant: Tenant,
    caller: Caller,
    id: string,
    fail: Fail<'NOT_FOUND'>,
  ): Promise<OAuthResourceId> {
    return this.#gate.into(tenant.id).transaction(async (tx) => {
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
}

/** @throws AppError VALIDATION_FAILED */
async function requireFlawless(
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
      const path = `/served_by/${servers.indexOf(server)}`;
      return { path, message: 'is not an agent or a client' };
    }),
  ];
  if (errors.length > 0) fail('VALIDATION_FAILED', { errors });
}

/**
 * Adds the default required permission to each scope for which the body names none, as the record does, so that both
 * can be compared.
 */
function withRequirements<Body extends Pick<BodyOf<typeof updateResource>, 'scopes'>>(
  body: Body,
): Body {
  const { scopes } = body;
  if (!scopes) return body;
  const complete = scopes.map(({ name, description, requires = usualRequirement(name) }) => ({
    name,
    description,
    requires,
  }));
  return { ...body, scopes: complete };
}

/** Returns the resource, locked until the commit. */
async function requireResource(tx: TenantTx, id: string, fail: Fail<'NOT_FOUND'>) {
  const resourceId = parseOAuthResourceId(id) ?? fail('NOT_FOUND');
  return (await lockResource(tx, resourceId)) ?? fail('NOT_FOUND');
}
