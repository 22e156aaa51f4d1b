import { isPrivate } from '../../../sdk/src/address.ts';
import { UsageError } from '../command.ts';

/** The address of a service and a tenant. Without a tenant, the service selects it by host. */
export interface ServiceAddress {
  readonly url: string;
  readonly tenant: string | undefined;
}

/** The path of a tenant's issuer, relative to the address of the service. */
const ISSUER = /^(.*)\/t\/(org_[a-z0-9-]{1,48})$/;
const TENANT = /^org_[a-z0-9-]{1,48}$/;

/**
 * Parses the address of a service or of a tenant's issuer.
 *
 * @param from the source of the address, for messages
 * @throws UsageError if a credential must not be sent to it
 */
export function readAddress(from: string, text: string, tenant?: string): ServiceAddress {
  const expected = `Expected ${from} to be the URL of a service, such as https://id.example.com`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // Messages do not repeat the input, because it could contain a password.
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw new UsageError(`${expected}.`);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new UsageError(`${expected}, without a user, a password, a query or a fragment.`);
  }
  if (!isPrivate(url)) {
    throw new UsageError(
      `Expected ${from} to start with https://. http:// is accepted only for this machine (localhost, ` +
        '127.0.0.1): on a network, the credential could be intercepted.',
    );
  }
  const address = `${url.origin}${url.pathname}`.replace(/\/+$/, '');
  const [, service = address, named] = ISSUER.exec(address) ?? [];
  if (named !== undefined && tenant !== undefined && named !== tenant) {
    throw new UsageError(`${from} names the tenant ${named}, but --tenant names another one.`);
  }
  return { url: service, tenant: readTenant(tenant ?? named) };
}

function readTenant(tenant: string | undefined): string | undefined {
  if (tenant === undefined || TENANT.test(tenant)) return tenant;
  throw new UsageError('Expected the tenant to be an ID such as org_acme.');
}
