// The connections of a tenant, in words as long and as hostile as the user who adds them can write.

import { newSignalStreamId } from '@keywright/server/platform/crypto/ids';
import { expectStatus } from '../../harness/http.ts';
import type { TestTenant } from '../../harness/tenant.ts';
import type { Keywright } from '../../harness/keywright.ts';

const NAME = `"'><img src=x onerror="globalThis.hacked=1">${'Donaudampfschifffahrt'.repeat(2)}`;
const LONG = 'subdomain.'.repeat(6);

interface Made {
  readonly id: string;
}

/** @returns paths below the tenant, by the name of the screen */
export async function furnishConnections(
  { database }: Keywright,
  tenant: TestTenant,
): Promise<Readonly<Record<string, string>>> {
  const token = await tenant.adminToken();
  const made = async (path: string, body: object): Promise<Made> =>
    expectStatus(201, await tenant.request<Made>('POST', path, { token, body }));
  const provider = await made('/identity-providers', {
    type: 'oidc',
    name: NAME,
    issuer: `https://${LONG}example.com/${'issuer'.repeat(20)}`,
    client_id: `"'><img/src=x/onerror=alert(1)>${'client'.repeat(20)}`,
    domains: [`${LONG}example.com`],
    is_active: true,
    skip_test: true,
  });
  await made(`/identity-providers/${provider.id}/domains`, { domain: `${LONG}example.org` });
  const resource = await made('/resources', {
    name: NAME,
    uri: `https://${LONG}example.com/${'resource'.repeat(15)}`,
    scopes: [{ name: 'files:read', description: NAME }],
  });
  await made('/clients/registration-tokens', { name: NAME });
  const client = await made('/clients', {
    name: NAME,
    kind: 'web',
    redirect_uris: ['https://app.example.com/callback'],
    grant_types: ['authorization_code', 'client_credentials'],
    shared_signals: 'all_users',
  });
  await database.query(
    `INSERT INTO signal_streams (tenant_id, client_id, id, method, endpoint_url, events_delivered, description, created_at)
     VALUES ($1, $2, $3, 'push', $4, '{}', $5, now())`,
    [tenant.id, client.id, newSignalStreamId(new Date()), `https://${LONG}example.com/`, NAME],
  );
  return {
    'identity providers': '/providers',
    'kinds of providers': '/providers/new',
    'a new provider': '/providers/new?type=apple',
    'credentials of a new provider': '/providers/new?type=apple&step=2',
    'a provider': `/providers/${provider.id}`,
    'domains of a provider': `/providers/${provider.id}?tab=domains`,
    'a test of a provider': `/providers/${provider.id}/test?error=access_denied`,
    resources: '/resources',
    'a new resource': '/resources/new',
    'a resource': `/resources/${resource.id}`,
    'registration tokens': '/clients/registration-tokens',
    'a new registration token': '/clients/registration-tokens/new',
    'streams of a client': `/clients/${client.id}?tab=streams`,
  };
}
