import { AppError, fail } from '@keywright/contract/errors';
import type { TenantId } from '@keywright/contract/ids';
import type { Route } from '@keywright/contract/route';
import type { FastifyRequest } from 'fastify';
import { isUnavailable } from '../platform/db/failures.ts';
import type { TenantDirectory } from './directory.ts';
import type { Tenant } from './tenant.ts';

/**
 * Finds the tenant that a request is for (SPEC authentication 6): X-Tenant-ID if it is there, whatever it
 * holds; otherwise the host. A header sent twice arrives joined by a comma, which no id contains. At the address of an
 * issuer the path alone counts.
 */
export function findTenant(
  directory: TenantDirectory,
  { headers, peer, params }: FastifyRequest,
  place?: Route['tenant'],
): Tenant | undefined | Promise<Tenant | undefined> {
  if (place === 'path') return directory.findById((params as { tenant_id: string }).tenant_id);
  const named = headers['x-tenant-id'];
  return named === undefined
    ? directory.findByHost(peer.host ?? '')
    : directory.findById(String(named));
}

/** @throws AppError TENANT_NOT_FOUND, TENANT_INACTIVE */
export function requireActive(tenant: Tenant | undefined): Tenant {
  if (!tenant) return fail('TENANT_NOT_FOUND');
  if (!tenant.isActive) return fail('TENANT_INACTIVE');
  return tenant;
}

/**
 * Does work inside a tenant that may be deleted meanwhile: then a data key is gone, or the row that another one
 * points at. What fails is judged by what the tenant is now.
 * @param judge throws what is to be said of a tenant that is not there, or is another than it was
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
    if (mayComeOfDeletion(error)) judge(await directory.askById(tenantId));
    throw error;
  }
}

/**
 * What a caller holds is read again where it matters, and while the rows of a tenant are deleted they hold nothing. An
 * unavailable database cannot say what became of the tenant.
 */
function mayComeOfDeletion(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'SCOPE_NOT_HELD';
  return !isUnavailable(error);
}
