import Type, { type TObject } from 'typebox';
import { pathId, TenantIdSchema } from './ids.ts';
import type { Route } from './route.ts';

/** The path prefix of tenants without their own host names. */
export const ISSUER_PATH = '/t/:tenant_id';

/** The properties that differ in the route at the issuer's address. */
interface ByIssuer {
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly cors?: 'any';
}

/** The route at the issuer's address, where the router takes `tenant_id` from the path. */
export type IssuerRoute<R extends Route> = Omit<R, keyof ByIssuer> &
  ByIssuer & { readonly tenant: 'path' };

/**
 * Repeats a route at the issuer's address, for clients that know only the issuer and cannot name the tenant in a
 * header. Both routes share a handler.
 */
export function atIssuer<R extends Route & { access: 'tenant' | 'caller' }>(
  route: R,
  overrides: ByIssuer,
): IssuerRoute<R> {
  const params: TObject = Type.Object({
    tenant_id: pathId(TenantIdSchema),
    ...route.params?.properties,
  });
  return { ...route, ...overrides, tenant: 'path', params };
}
