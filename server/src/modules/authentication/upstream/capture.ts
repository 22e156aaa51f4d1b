import type { IdentityProviderId } from '@keywright/contract/ids';
import type { Tenant } from '../../../tenancy/tenant.ts';

type Captures = Pick<Tenant, 'providers'>;

/** The only provider at which users of an e-mail address log in; undefined if there is none. */
export function captorOf(
  { providers }: Captures,
  identifier: string,
): IdentityProviderId | undefined {
  if (!identifier.includes('@')) return undefined;
  const domain = identifier.slice(identifier.lastIndexOf('@') + 1);
  return providers.find(({ captures }) => captures?.includes(domain))?.id;
}

/** Every domain of which users log in at one provider only. */
export function capturedDomains({ providers }: Captures): string[] {
  return providers.flatMap(({ captures }) => captures ?? []);
}
