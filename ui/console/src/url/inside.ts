import { HOME } from './home.ts';

/**
 * Whether this page shows another tenant to a system administrator. It never changes while the page is loaded, so
 * that calls of the two kinds cannot be confused.
 */
export const isInside = globalThis.location?.pathname.startsWith('/console/in/') ?? false;

/** The start of the paths of this page. */
export const BASE = isInside ? '/console/in' : '/console';

/** Returns the tenant that a console path names. */
export function tenantOf(path: string): string | undefined {
  return /^\/console(?:\/in)?\/t\/([\w-]+)(?:\/|$)/.exec(path)?.[1];
}

/** Returns the path where a system administrator sees a tenant: their own, or another one from inside. */
export function addressOf(tenant: string, path = '/'): string {
  return `/console${tenant === HOME ? '' : '/in'}/t/${encodeURIComponent(tenant)}${path}`;
}
