import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { HOME } from '../url/home.ts';
import { isInside } from '../url/inside.ts';
import { startLogin } from '../url/login.ts';
import { fetchSession } from './call.ts';

/** Fetched once per page. If the session ends later, the next request notices. */
function sessionOf(tenant: string) {
  // Inside another tenant, the login in the home tenant counts.
  const loginTenant = isInside ? HOME : tenant;
  return queryOptions({
    queryKey: ['session', loginTenant],
    queryFn: ({ signal }) => fetchSession(loginTenant, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
}

/** Fetches the session before it is needed. */
export function prefetchSession(queries: QueryClient, tenant: string): void {
  void queries.prefetchQuery(sessionOf(tenant));
}

/**
 * Returns if a user is logged in. Otherwise redirects to the login, before any request that would be rejected.
 * @throws Problem
 */
export async function requireLogin(queries: QueryClient, tenant: string): Promise<void> {
  if (await queries.fetchQuery(sessionOf(tenant))) return;
  startLogin(tenant);
  await new Promise(() => undefined);
}
