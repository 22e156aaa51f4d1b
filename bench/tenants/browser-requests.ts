import type { TenantId } from '@keywright/contract/ids';
import type { CodeLogin } from '../measure/traffic.ts';
import type { Scene } from '../rows/row.ts';
import {
  authorizationRequest,
  codeLoginOf,
  insertClients,
  insertVisitors,
} from '../target/applications.ts';
import { insertProviderLogins, insertProviders } from '../target/providers.ts';
import type { Person } from '../target/seed.ts';
import type { Upstream } from '../target/upstream.ts';

/** Requests that browsers send, for the users round-robin. */
export interface BrowserRequests {
  /** Requests for a code for a client of the tenant, without a login. */
  readonly authorizations: readonly string[];
  /** Logins for that client, by users who have logged in and consented. */
  readonly codes: readonly CodeLogin[];
  /** Requests that start a login at the identity provider of the tenant. */
  readonly providerLogins: readonly string[];
}

/** Prepares a client and an identity provider for each tenant, and what users need to use them. */
export async function prepareBrowserRequests(
  installed: Pick<Scene, 'query' | 'env'>,
  people: readonly Person[],
  upstream: Upstream,
): Promise<BrowserRequests> {
  const { query } = installed;
  const tenantIds = [...new Set(people.map(({ tenantId }) => tenantId))];
  const clients = await insertClients(query, tenantIds, 'EdDSA');
  const clientOf = byTenant(tenantIds, clients);
  const withClient = people.map((person) => ({ person, client: clientOf(person) }));
  const authorized = await insertVisitors(query, withClient);
  const providerOf = byTenant(tenantIds, await insertProviders(installed, tenantIds, upstream));
  const atProvider = people.map((person) => ({ person, provider: providerOf(person) }));
  return {
    authorizations: withClient.map(({ client }) => authorizationRequest(client)),
    codes: withClient.map(({ client }, index) => codeLoginOf(client, authorized[index] ?? '')),
    providerLogins: await insertProviderLogins(query, atProvider),
  };
}

function byTenant<Item>(tenantIds: readonly TenantId[], all: readonly Item[]) {
  const found = new Map(tenantIds.map((tenantId, index) => [tenantId, all[index] as Item]));
  return ({ tenantId }: Person): Item => found.get(tenantId) as Item;
}
