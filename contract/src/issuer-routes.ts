import Type, { type TObject } from 'typebox';
import { pathId, TenantIdSchema } from './ids.ts';
import type { Route } from './route.ts';

/** Path prefix of tenants that have no host name of their own. */
export const ISSUER_PATH = '/t/:tenant_id';

/** The properties that differ at the issuer's address. */
interface ByIssuer {
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly cors?: 'any';
}

/** The route at the issuer's address; the router takes `tenant_id` from the path. */
export type IssuerRoute<R extends Route> = Omit<R, keyof ByIssuer> &
  ByIssuer & { readonly tenant: 'path' };

/**
 * States a route again at the issuer's address, for clients that know only the issuer and cannot name the tenant in a
 * header. Both have one handler.
 */
export function atIssuer<R extends Route & { access: 'tenant' | 'caller' }>(
  route: R,
  own: ByIssuer,
): IssuerRoute<R> {
  const params: TObject = Type.Object({
    tenant_id: pathId(TenantIdSchema),
    ...route.params?.properties,
  });
  return { ...route, ...own, tenant: 'path', params };
}
