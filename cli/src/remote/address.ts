import { isPrivate } from '../../../sdk/src/address.ts';
import { UsageError } from '../command.ts';

/** Where a service is, and which of its tenants is meant; without one, the host decides. */
export interface ServiceAddress {
  readonly url: string;
  readonly tenant: string | undefined;
}

/** The issuer of a tenant is the address of the service with this behind it. */
const ISSUER = /^(.*)\/t\/(org_[a-z0-9-]{1,48})$/;
const TENANT = /^org_[a-z0-9-]{1,48}$/;

/**
 * The address of a service, or of a tenant's issuer.
 *
 * @param from what the address was given as
 * @throws UsageError for one over which a credential is not sent
 */
export function readAddress(from: string, text: string, tenant?: string): ServiceAddress {
  const expected = `Expected ${from} to be the address of a service, such as https://id.example.com`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // What was given may hold a password: it is not repeated.
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw new UsageError(`${expected}.`);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new UsageError(`${expected}, without a user, a password, a query or a fragment.`);
  }
  if (!isPrivate(url)) {
    throw new UsageError(
      `Expected ${from} to begin with https://. http:// is for this machine only (localhost, 127.0.0.1): ` +
        'on a network, anybody in between could read the credential.',
    );
  }
  const address = `${url.origin}${url.pathname}`.replace(/\/+$/, '');
  const [, service = address, named] = ISSUER.exec(address) ?? [];
  if (named !== undefined && tenant !== undefined && named !== tenant) {
    throw new UsageError(`${from} names the tenant ${named}, and --tenant another one.`);
  }
  return { url: service, tenant: readTenant(tenant ?? named) };
}

function readTenant(tenant: string | undefined): string | undefined {
  if (tenant === undefined || TENANT.test(tenant)) return tenant;
  throw new UsageError('Expected the tenant to be an id such as org_acme.');
}
