import type { IdentityProviderId } from '@keywright/contract/ids';
import type { Tenant } from '../../../tenancy/tenant.ts';

type Captures = Pick<Tenant, 'providers'>;

/** The provider that captured the domain of an email address: users of the domain sign in only there. */
export function captorOf(
  { providers }: Captures,
  identifier: string,
): IdentityProviderId | undefined {
  if (!identifier.includes('@')) return undefined;
  const domain = identifier.slice(identifier.lastIndexOf('@') + 1);
  return providers.find(({ captures }) => captures?.includes(domain))?.id;
}

/** All captured domains. */
export function capturedDomains({ providers }: Captures): string[] {
  return providers.flatMap(({ captures }) => captures ?? []);
}
