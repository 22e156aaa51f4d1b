import { HOME } from './home.ts';
import { isInside } from './inside.ts';

/** Returns the address of the login for a browser without a session, and where it returns to. */
export function loginAddress(tenant: string, returnTo: string, isFresh = false): string {
  const fields = new URLSearchParams({ return_to: returnTo, ...(isFresh ? { fresh: '1' } : {}) });
  return `/t/${encodeURIComponent(tenant)}/console/login?${fields.toString()}`;
}

/** Redirects a user without a session to the login, which replaces the current page in the history. */
export function startLogin(tenant: string): void {
  globalThis.location.replace(addressFromHere(tenant));
}

/** Leaves the console for the login. Inside another tenant, the login in the home tenant counts. */
export function goToLogin(tenant: string, isFresh = false): void {
  globalThis.location.assign(addressFromHere(tenant, isFresh));
}

function addressFromHere(tenant: string, isFresh = false): string {
  const { pathname, search } = globalThis.location;
  return loginAddress(isInside ? HOME : tenant, `${pathname}${search}`, isFresh);
}
