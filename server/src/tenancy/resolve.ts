import type { SystemWork } from '@keywright/contract/audit';
import { AppError, fail } from '@keywright/contract/errors';
import type { FailureOptions } from '@keywright/contract/failure-options';
import type { TenantId } from '@keywright/contract/ids';
import { type Route, isOfAnyTenant } from '@keywright/contract/route';
import type { FastifyRequest } from 'fastify';
import { isUnavailable } from '../platform/db/failures.ts';
import type { TenantDirectory } from './directory.ts';
import type { SystemData } from './gate.ts';
import type { Tenant } from './tenant.ts';

/**
 * Finds the tenant of a request (SPEC authentication 6): by X-Tenant-ID if present, whatever its value; otherwise by
 * the host. Repeated headers are joined by a comma, which no ID contains. At an issuer's address only the path
 * counts.
 */
export function findTenant<Found>(
  directory: { findById(id: string): Found; findByHost(host: string): Found },
  { headers, peer, params }: Pick<FastifyRequest, 'headers' | 'peer' | 'params'>,
  place?: Route['tenant'],
): Found {
  if (place === 'path') return directory.findById((params as { tenant_id: string }).tenant_id);
  const named = headers['x-tenant-id'];
  return named === undefined
    ? directory.findByHost(peer.host ?? '')
    : directory.findById(String(named));
}

const ID_WITHOUT_PREFIX = /^(?!org_)[a-z0-9-]{1,48}$/;

/** Explains how to name a tenant, for TENANT_NOT_FOUND. The text depends only on the form of the request. */
export function describeUnknown(
  { headers }: Pick<FastifyRequest, 'headers'>,
  baseUrl: string,
): FailureOptions {
  const named = headers['x-tenant-id'];
  if (named === undefined) {
    const how = `No tenant has the host name of this request. Use ${baseUrl}, or send X-Tenant-ID.`;
    return { detail: `The tenant was not found. ${how}` };
  }
  const isShort = ID_WITHOUT_PREFIX.test(String(named));
  const how = isShort ? `Tenant IDs start with org_. Did you mean org_${String(named)}?` : '';
  return {
    detail: `The tenant was not found. ${how || 'X-Tenant-ID must be the ID of a tenant.'}`,
  };
}

/** @throws AppError TENANT_NOT_FOUND, TENANT_INACTIVE */
export function requireActive(tenant: Tenant | undefined): Tenant {
  if (!tenant) return fail('TENANT_NOT_FOUND');
  if (!tenant.isActive) return fail('TENANT_INACTIVE');
  return tenant;
}

/**
 * Runs work inside a tenant that can be deleted meanwhile, so that a data key or a referenced row is missing.
 * Failures are judged by the current state of the tenant.
 * @param judge throws the error for a tenant that was deleted or has changed
 */
export async function whileThere<T>(
  directory: TenantDirectory,
  tenantId: TenantId,
  work: () => Promise<T> | T,
  judge: (tenant: Tenant | undefined) => unknown,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (mayComeOfDeletion(error)) judge(await directory.queryById(tenantId));
    throw error;
  }
}

/**
 * Whether the deletion of the tenant can have caused an error. Permissions are read again where it matters, and are
 * empty while the rows of a tenant are being deleted. An unavailable database cannot reveal what became of the
 * tenant.
 */
function mayComeOfDeletion(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'SCOPE_NOT_HELD';
  return !isUnavailable(error);
}

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
  const named = (await directory.queryById(id)) ?? fail('NOT_FOUND');
  const records = route.summary.replace(/^List /, '');
  const reason: SystemWork = `list ${records} of ${id}`;
  await system.run(claimed, reason, async () => undefined, id);
  return named;
}
