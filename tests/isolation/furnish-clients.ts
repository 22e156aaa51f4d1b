// OAuth clients of a tenant.

import { expectStatus } from '../harness/http.ts';
import type { TestTenant } from '../harness/tenant.ts';

interface MadeClient {
  readonly clientId: string;
  /** Its only secret. */
  readonly clientSecretId: string;
}

export interface ClientFurniture extends MadeClient {
  createClient(): Promise<MadeClient>;
  /** To the client, which has one; @returns its id */
  addClientSecret(): Promise<string>;
}

export async function furnishClients(tenant: TestTenant, slug: string): Promise<ClientFurniture> {
  const post = async (path: string, body?: object) => {
    const answer = await tenant.request('POST', path, { token: await tenant.adminToken(), body });
    return expectStatus(201, answer);
  };
  const createClient = async (): Promise<MadeClient> => {
    const { id, secrets } = await post('/clients', {
      name: `turnstile of ${slug}`,
      kind: 'web',
      redirect_uris: [`https://app.${slug}.example.com/callback`],
    });
    const [secret] = secrets as readonly { readonly id: string }[];
    return { clientId: String(id), clientSecretId: String(secret?.id) };
  };
  const [made] = [await createClient(), await createClient()];
  const path = `/clients/${made.clientId}`;
  /** A client has two at most. */
  const addClientSecret = async () => {
    const token = await tenant.adminToken();
    const { secrets } = expectStatus(200, await tenant.request('GET', path, { token }));
    const [, former] = secrets as readonly { readonly id: string }[];
    if (former) {
      const secret = `${path}/secrets/${former.id}`;
      expectStatus(200, await tenant.request('DELETE', secret, { token }));
    }
    return String((await post(`${path}/secrets`))['id']);
  };
  return { ...made, createClient, addClientSecret };
}
