import { HOME } from './home.ts';
import { isInside } from './inside.ts';

/** Where a browser without a session goes, and comes back from. */
export function loginAddress(tenant: string, returnTo: string, isFresh = false): string {
  const fields = new URLSearchParams({ return_to: returnTo, ...(isFresh ? { fresh: '1' } : {}) });
  return `/t/${encodeURIComponent(tenant)}/console/login?${fields.toString()}`;
}

/** Leaves the console. Inside another tenant, it is the login at home that counts. */
export function goToLogin(tenant: string, isFresh = false): void {
  const { pathname, search } = globalThis.location;
  globalThis.location.assign(
    loginAddress(isInside ? HOME : tenant, `${pathname}${search}`, isFresh),
  );
}
