import type { Fail } from '@keywright/contract/errors';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { VerifyClientAssertion } from '../../tokens/proofs/index.ts';
import {
  type Clients,
  flawsUnder,
  hasSecret,
  hasSecrets,
  isLet,
  type KnownClient,
  profileOf,
} from '../clients/index.ts';
import type { PresentedClient } from './client-proof.ts';

/** A registered application. */
export type Application = KnownClient;

/** How an application authenticates, and who it says that it is. */
interface Presented extends PresentedClient {
  /**
   * `known`: by what this node has cached. Only for what compares the version of the client where it takes effect: what
   * was revoked a moment ago may still pass here.
   */
  readonly by: 'known' | 'find';
}

/** Authenticates the application. @throws AppError CLIENT_INVALID, the same for every failure */
export type AuthenticateApplication = (
  tenant: Tenant,
  presented: Presented,
  fail: Fail<'CLIENT_INVALID'>,
) => Promise<Application>;

interface Dependencies {
  readonly clients: Clients;
  readonly verifyAssertion: VerifyClientAssertion<Application>;
}

export function createAuthenticateApplication({
  clients,
  verifyAssertion,
}: Dependencies): AuthenticateApplication {
  /**
   * What is cached counts only if it is enough: a secret may be newer. So one statement is sent in vain for whoever
   * fails, whether the client is unknown, known or cached.
   */
  async function named(
    { id }: Tenant,
    name: string,
    by: Presented['by'],
    choose: (client: KnownClient | undefined) => Application | undefined,
  ): Promise<Application | undefined> {
    if (by === 'find') return choose(await clients.find(id, name));
    const cached = clients.known(id, name);
    const isRead = cached instanceof Promise;
    const chosen = choose(await cached);
    return chosen || isRead ? chosen : choose(await clients.find(id, name));
  }

  async function find(tenant: Tenant, presented: Presented): Promise<Application | undefined> {
    const { proof, clientId, by } = presented;
    // A public client is named, and proves nothing: its code verifier or refresh token does.
    if (!proof) {
      return named(tenant, clientId, by, (client) =>
        withMethod(client, (method) => method === 'none'),
      );
    }
    if (proof.by === 'secret') {
      const { secret } = proof;
      return named(tenant, proof.clientId, by, (client) =>
        hasSecret(client, secret) ? withMethod(client, hasSecrets) : undefined,
      );
    }
    return undefined;
  }

  return async (tenant, presented, fail) => {
    const { proof } = presented;
    const verdict =
      proof?.by === 'assertion'
        ? await verifyAssertion(tenant, proof.token, proof.clientId)
        : { client: await find(tenant, presented), refusal: 'application' };
    const { client, refusal: internal = 'application' } = verdict;
    const isGood = client?.is_active && isLet(tenant.config, client.id);
    return isGood ? withProfile(tenant, client, fail) : fail('CLIENT_INVALID', { internal });
  };
}

/** A client that was registered before its tenant took on the profile may not meet it. */
function withProfile(
  tenant: Tenant,
  client: Application,
  fail: Fail<'CLIENT_INVALID'>,
): Application {
  const [flaw] = flawsUnder(profileOf(tenant, client), client);
  if (!flaw) return client;
  const { path, message } = flaw;
  return fail('CLIENT_INVALID', { detail: `${path} ${message}.`, internal: `fapi2: ${path}` });
}

/** A client that is registered to authenticate in this way. */
export function withMethod(
  client: Application | undefined,
  isRight: (method: Application['token_endpoint_auth_method']) => boolean,
): Application | undefined {
  return client && isRight(client.token_endpoint_auth_method) ? client : undefined;
}
