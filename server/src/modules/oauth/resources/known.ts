import type { TenantId } from '@keywright/contract/ids';
import type { Changes } from '../../../tenancy/changes.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { TenantCache } from '../../../tenancy/tenant-cache.ts';
import { presentResource } from './present.ts';
import { type FindResources, type KnownResources, knownResources, type Resource } from './rules.ts';
import { listAll, type ResourceRow } from './store.ts';

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
