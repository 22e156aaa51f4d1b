import { continueAuthorization } from '@keywright/contract/routes/authorize';
import { returnFromProvider } from '@keywright/contract/routes/login-returns';
import { pathAtIssuer } from '../../../tenancy/issuer-paths.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';

/** URL of the page on which a login continues, at the issuer. */
export function continuePath(tenant: Tenant, request: string): `/${string}` {
  return `${pathAtIssuer(tenant, continueAuthorization.path)}?request=${request}`;
}

/** Where the browser returns to from an identity provider. */
export function returnedAddress(tenant: Tenant, request: string): URL {
  const address = new URL(pathAtIssuer(tenant, returnFromProvider.path), tenant.issuer);
  address.searchParams.set('request', request);
  return address;
}
