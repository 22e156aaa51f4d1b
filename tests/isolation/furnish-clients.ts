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
  return {
    ...made,
    createClient,
    addClientSecret: async () => String((await post(`/clients/${made.clientId}/secrets`))['id']),
  };
}
