import { sql } from 'kysely';
import { countSome, type Page, pageOf } from '../../../platform/db/page.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { SystemData, SystemTx } from '../../../tenancy/system.ts';
import { type TenantDetails, tenants, withParts } from './store.ts';

export interface TenantFilters {
  /** A part of the name, of the id or of a domain. */
  readonly search?: string | undefined;
  readonly isActive?: boolean | undefined;
}

/** One page of the tenants that match, and one row more if there is one. Every tenant is looked at. */
export function searchTenants(
  system: SystemData,
  by: Caller,
  page: Page,
  filters: TenantFilters,
): Promise<{ readonly rows: TenantDetails[]; readonly counted: number }> {
  return system.run(by, 'search tenants', async (tx) => ({
    rows: await pageOf(withParts(matching(tx, filters)), page, BY_AGE).execute(),
    counted: await countSome(tx, matching(tx, filters).select('t.tenant_id')),
  }));
}

const BY_AGE = { by: sql.ref('t.created_at'), id: sql.ref('t.tenant_id') };

function matching(tx: SystemTx, { search, isActive }: TenantFilters) {
  return tenants(tx)
    .$if(isActive !== undefined, (all) => all.where('t.is_active', '=', isActive === true))
    .$if(search !== undefined, (all) => all.where(contains(search ?? '')));
}

function contains(part: string) {
  return sql<boolean>`(
    strpos(lower(t.name), lower(${part})) > 0 OR strpos(t.tenant_id, lower(${part})) > 0 OR EXISTS (
      SELECT FROM tenant_domains d
       WHERE d.tenant_id = t.tenant_id AND strpos(d.domain, lower(${part})) > 0))`;
}
