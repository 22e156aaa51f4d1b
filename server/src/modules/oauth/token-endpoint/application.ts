import type { Fail } from '@keywright/contract/errors';
import type { OAuthClientRecord } from '@keywright/contract/records/oauth-client';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { VerifyClientAssertion } from '../../machines/proofs/index.ts';
import { findClientBySecret, findNamedClient, hasSecrets } from '../clients/index.ts';
import type { ClientProof } from './client-proof.ts';

/** A registered application. */
export type Application = OAuthClientRecord;

/** Authenticates the application. @throws AppError CLIENT_INVALID, the same for every failure */
export type AuthenticateApplication = (
  tenant: Tenant,
  proof: ClientProof | undefined,
  clientId: string | undefined,
  fail: Fail<'CLIENT_INVALID'>,
) => Promise<Application>;

interface Dependencies {
  readonly gate: Gate;
  readonly verifyAssertion: VerifyClientAssertion<Application>;
}

export function createAuthenticateApplication({
  gate,
  verifyAssertion,
}: Dependencies): AuthenticateApplication {
  async function find(
    tenant: Tenant,
    proof: ClientProof | undefined,
    clientId: string,
  ): Promise<Application | undefined> {
    const data = gate.into(tenant.id);
    // A public client is named, and proves nothing: its code verifier or refresh token does.
    if (!proof) return withMethod(await findNamedClient(data, clientId), (by) => by === 'none');
    if (proof.by === 'secret') {
      const client = await findClientBySecret(data, proof.clientId, proof.secret);
      return withMethod(client, hasSecrets);
    }
    if (proof.by !== 'assertion') return undefined;
    const { client } = await verifyAssertion(tenant, proof.token, proof.clientId);
    return client;
  }

  return async (tenant, proof, clientId = '', fail) => {
    const client = await find(tenant, proof, clientId);
    return client?.is_active ? client : fail('CLIENT_INVALID', { internal: 'application' });
  };
}

/** A client that is registered to authenticate in this way. */
export function withMethod(
  client: Application | undefined,
  isRight: (method: Application['token_endpoint_auth_method']) => boolean,
): Application | undefined {
  return client && isRight(client.token_endpoint_auth_method) ? client : undefined;
}
