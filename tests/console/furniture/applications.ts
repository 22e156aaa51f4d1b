// Applications with addresses and names as long and as hostile as their registrant can write.

import { consent } from '../../harness/consent.ts';
import { expectStatus } from '../../harness/http.ts';
import type { Keywright } from '../../harness/keywright.ts';
import type { TestTenant } from '../../harness/tenant.ts';

const NAME = `"'><img src=x onerror="globalThis.hacked=1">${'Donaudampfschifffahrt'.repeat(2)}`;
/** An address of printable ASCII, as browsers write it. */
const ADDRESS = `com.example.app:/'+globalThis.hacked'/${'callback'.repeat(20)}`;

/** @returns paths below the tenant, by the name of the screen */
export async function furnishApplications(
  keywright: Keywright,
  tenant: TestTenant,
): Promise<Readonly<Record<string, string>>> {
  const token = await tenant.adminToken();
  const body = {
    name: NAME,
    kind: 'native',
    redirect_uris: [ADDRESS, 'http://127.0.0.1/callback'],
  };
  const { id } = expectStatus(
    201,
    await tenant.request<{ readonly id: string }>('POST', '/clients', { token, body }),
  );
  const { user } = await tenant.createUser();
  await consent(keywright, tenant.id, { userId: user.id, clientId: id });
  return {
    'a new web application': '/clients/new?kind=web',
    'a new device': '/clients/new?kind=device',
    'applications with a document': '/clients/new?kind=document',
    'a native client': `/clients/${id}`,
    'code of a client': `/clients/${id}?tab=code`,
    'code for another kind': `/clients/${id}?tab=code&for=spring`,
    'security of a client': `/clients/${id}?tab=security`,
    'logouts of a client': `/clients/${id}?tab=logouts`,
    'sessions of a client': `/clients/${id}?tab=sessions`,
    'sessions, by client': `/sessions?client_id=${id}`,
    'users of a client': `/clients/${id}?tab=consents`,
  };
}
