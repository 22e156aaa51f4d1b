import { HOME } from './home.ts';

/**
 * Whether this page shows another tenant to a system administrator: so from its load to its end, so that no call of the one
 * kind can be taken for one of the other.
 */
export const isInside = globalThis.location?.pathname.startsWith('/console/in/') ?? false;

/** What the addresses of this page begin with. */
export const BASE = isInside ? '/console/in' : '/console';

/** The tenant that an address of the console names. */
export function tenantOf(path: string): string | undefined {
  return /^\/console(?:\/in)?\/t\/([\w-]+)(?:\/|$)/.exec(path)?.[1];
}

/** Where a system administrator sees a tenant: their own, or another one from inside. */
export function addressOf(tenant: string, path = '/'): string {
  return `/console${tenant === HOME ? '' : '/in'}/t/${encodeURIComponent(tenant)}${path}`;
}
