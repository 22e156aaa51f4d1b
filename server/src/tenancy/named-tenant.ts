import { fail } from '@keywright/contract/errors';
import type { TenantId } from '@keywright/contract/ids';
import { isOfAnyTenant, type Route } from '@keywright/contract/route';
import type { FastifyRequest } from 'fastify';
import type { TenantDirectory } from './directory.ts';
import type { SystemData } from './system.ts';
import type { Tenant } from './tenant.ts';

/**
 * Finds the tenant that a system administrator names in the query of a list, replacing the tenant of the request.
 * Reading its records is work across tenants, which the audit log of the default tenant records first.
 * @throws AppError SYSTEM_ADMINISTRATOR_REQUIRED, NOT_FOUND
 */
export async function findNamedTenant(
  route: Route,
  { identity: { tenant, claimed }, query }: FastifyRequest,
  { directory, system }: { readonly directory: TenantDirectory; readonly system: SystemData },
): Promise<Tenant | undefined> {
  const { tenant_id: id } = query as { readonly tenant_id?: TenantId };
  if (!isOfAnyTenant(route) || id === undefined || id === tenant?.id) return tenant;
  if (!claimed?.isSystemAdministrator) return fail('SYSTEM_ADMINISTRATOR_REQUIRED');
  // From the database, so that a tenant is not found once its deletion has been confirmed.
  const named = (await directory.askById(id)) ?? fail('NOT_FOUND');
  const [first = '', ...rest] = route.summary;
  const reason = `${first.toLowerCase()}${rest.join('')} of ${id}`;
  await system.run(claimed, reason, async () => undefined, id);
  return named;
}
