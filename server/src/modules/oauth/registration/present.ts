import type { ClientInformation } from '@keywright/contract/records/client-metadata';
import type { OAuthClientRecord } from '@keywright/contract/records/oauth-client';
import { registerApplication } from '@keywright/contract/routes/registration';
import { issuerOf } from '../../../tenancy/directory.ts';
import { metadataOf as clientMetadataOf, hasSecrets } from '../clients/index.ts';

/** What is shown once. */
interface Shown {
  readonly client_secret?: string;
  readonly registration_access_token?: string;
}

export function presentRegistration(
  client: OAuthClientRecord,
  baseUrl: string,
  shown: Shown = {},
): ClientInformation {
  const { id, tenant_id: tenantId, created_at: createdAt } = client;
  const here = `${issuerOf(tenantId, baseUrl)}${registerApplication.path}`;
  return {
    client_id: id,
    client_id_issued_at: Math.floor(new Date(createdAt).getTime() / 1000),
    ...(hasSecrets(client.token_endpoint_auth_method) && { client_secret_expires_at: 0 as const }),
    ...shown,
    registration_client_uri: `${here}/${encodeURIComponent(id)}`,
    ...clientMetadataOf(client),
  };
}
