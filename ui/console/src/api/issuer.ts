import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { fetchIssuer } from './call.ts';
import type { Problem } from './problem.ts';

/** Returns the issuer of a tenant, fetched once. */
export function useIssuer(tenant: string): UseQueryResult<string, Problem> {
  return useQuery<string, Problem>({
    queryKey: ['issuer', tenant],
    queryFn: ({ signal }) => fetchIssuer(tenant, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
