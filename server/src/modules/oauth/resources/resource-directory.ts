import type { Fail } from '@keywright/contract/errors';
import type { OAuthResourceId, TenantId } from '@keywright/contract/ids';
import type { Changes } from '../../../tenancy/changes.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { type Tenant, WEAK_ALGORITHM, isUnderFapi2 } from '../../../tenancy/tenant.ts';
import { TenantCache } from '../../../tenancy/directory.ts';
import { type Resource, TenantResources } from './resource-rules.ts';
import { listAll, presentResource, type ResourceRow } from './resource-store.ts';

/** The tenant itself as the target of a token. */
export const TENANT_RESOURCE = 'tenant';

/** The target of a token (RFC 8707 §2). */
export type TargetId = OAuthResourceId | typeof TENANT_RESOURCE;

/** Shared by all tenants without resources. */
const NO_RESOURCES = new TenantResources([]);

/** The resources of each tenant, cached until they change. */
export class ResourceDirectory {
  readonly #cache: TenantCache<TenantId, TenantResources>;

  constructor(gate: Gate, changes: Changes) {
    this.#cache = new TenantCache<TenantId, TenantResources>(changes, {
      load: async (tenantId) => {
        const rows = await gate.into(tenantId).transaction(listAll);
        return rows.length === 0 ? NO_RESOURCES : new TenantResources(rows.map(resourceOf));
      },
      tenantOf: (_, tenantId) => tenantId,
    });
  }

  async of(tenantId: TenantId): Promise<TenantResources> {
    const resources = await this.#cache.find(tenantId);
    if (!resources) throw new Error(`The resources of the tenant ${tenantId} cannot be read.`);
    return resources;
  }

  cached(tenantId: TenantId): TenantResources | undefined {
    return this.#cache.cached(tenantId);
  }

  /**
   * Returns the target of an access token; undefined: the tenant itself.
   * @param granted targets that a user granted, empty if only the tenant; undefined if no user granted any
   * @param requested the parameter of the token request
   * @throws AppError TARGET_INVALID
   */
  async chooseTarget(
    tenant: Tenant,
    granted: readonly string[] | undefined,
    requested: string | readonly string[] | undefined,
    fail: Fail<'TARGET_INVALID'>,
  ): Promise<Resource | undefined> {
    const uris = [requested ?? []].flat();
    const possible = granted?.length === 0 ? [TENANT_RESOURCE] : granted;
    const [only = TENANT_RESOURCE] = possible ?? [];
    if (uris.length === 0 && possible?.length !== 1 && possible) fail('TARGET_INVALID');
    // Most tokens are for the tenant, so no resource is loaded.
    if (uris.length === 0 && only === TENANT_RESOURCE) return undefined;
    const resources = await this.of(tenant.id);
    const [target, ...others] =
      uris.length === 0 ? [only] : (targetsNamed(uris, tenant, resources) ?? []);
    const isGranted = target !== undefined && (possible?.includes(target) ?? true);
    if (!isGranted || others.length > 0) return fail('TARGET_INVALID');
    if (target === TENANT_RESOURCE) return undefined;
    // The resource might have been deleted since the grant.
    const resource = resources.named(target) ?? fail('TARGET_INVALID');
    // The resource might have been created before the tenant's profile was set.
    return isTooWeak(tenant, resource) ? fail('TARGET_INVALID', WEAK) : resource;
  }
}

const WEAK = {
  detail: 'Under the profile fapi2 no access token is signed with RS256.',
  internal: 'fapi2: access_token_signing_alg',
};

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

type TenantNames = Pick<Tenant, 'audience' | 'issuer'>;

/** Returns the targets with these URIs; undefined unless each is a resource or the tenant. */
export function targetsNamed(
  uris: readonly string[],
  tenant: TenantNames,
  resources: TenantResources,
): TargetId[] | undefined {
  const found = new Set(uris.map((uri) => targetNamed(uri, tenant, resources)));
  const targets = [...found].filter((targetId) => targetId !== undefined);
  return targets.length === found.size ? targets : undefined;
}

function targetNamed(
  uri: string,
  { audience, issuer }: TenantNames,
  resources: TenantResources,
): TargetId | undefined {
  if (uri === audience || uri === issuer) return TENANT_RESOURCE;
  return (resources.at(uri) ?? resources.at(otherSpelling(uri)))?.id;
}

/**
 * Returns the URI with its only slash added or removed: clients that parse a URL without a path add the slash
 * (RFC 3986 §6.2.3), or remove it.
 */
function otherSpelling(uri: string): string {
  const [, origin = uri, path] = /^(https?:\/\/[^/?]+)(\/?)$/.exec(uri) ?? [];
  return path === '' ? `${origin}/` : origin;
}

/** Whether the tenant's profile forbids the algorithm that signs the access tokens of the resource. */
export function isTooWeak(tenant: Tenant, { algorithm }: Pick<Resource, 'algorithm'>): boolean {
  return algorithm === WEAK_ALGORITHM && isUnderFapi2(tenant);
}
