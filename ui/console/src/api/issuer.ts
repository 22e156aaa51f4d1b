import { useQuery } from '@tanstack/react-query';

/** Where the pages of a tenant are: its issuer, which is a host of its own or a path (RFC 8414 §3.1). */
export function useIssuer(tenant: string): string | undefined {
  return useQuery({
    queryKey: ['issuer', tenant],
    queryFn: ({ signal }) => fetchIssuer(tenant, signal),
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
}

async function fetchIssuer(tenant: string, signal: AbortSignal): Promise<string> {
  const address = `/.well-known/oauth-authorization-server/t/${encodeURIComponent(tenant)}`;
  const answer = await fetch(address, { signal });
  const { issuer } = (await answer.json()) as { readonly issuer: string };
  return issuer;
}
