import Type, { type TObject } from 'typebox';
import { pathId, TenantIdSchema } from './ids.ts';
import type { Route } from './route.ts';

/** Where the addresses of a tenant begin that has no host of its own. */
export const ISSUER_PATH = '/t/:tenant_id';

/** What is different at the address of the issuer. */
interface ByIssuer {
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly cors?: 'any';
}

/** The route as it is at the address of the issuer; the router takes `tenant_id` out of the path. */
export type IssuerRoute<R extends Route> = Omit<R, keyof ByIssuer> &
  ByIssuer & { readonly tenant: 'path' };

/**
 * States a route a second time, at the address of the issuer: for clients that know the issuer and nothing else, and so
 * cannot name the tenant in a header. Both have one handler.
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
