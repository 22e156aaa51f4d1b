import { atIssuer, ISSUER_PATH, type IssuerRoute } from '../issuer-routes.ts';
import type { Route } from '../route.ts';

/** Of every route for receivers, which check the access token themselves. */
export const REFUSALS = [
  'TOKEN_INVALID',
  'TENANT_MISMATCH',
  'OAUTH_OFF',
  'SCOPE_REQUIRED',
  'SIGNALS_REFUSED',
] as const;

/** Returns the route and its copy at the address of the issuer, which the metadata names. */
export function byIssuer<const R extends Route & { access: 'tenant' | 'caller' }>(
  of: R,
): readonly [R, IssuerRoute<R>] {
  const summary = `${of.summary}, at the issuer URL`;
  return [
    of,
    atIssuer(of, { id: `${of.id}_by_issuer`, path: `${ISSUER_PATH}${of.path}`, summary }),
  ];
}
