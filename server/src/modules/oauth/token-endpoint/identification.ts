import type { Clock } from '../../../platform/clock.ts';
import type { OutsideToken } from '../../../platform/crypto/outside-jws.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import { isUnderFapi2 } from '../../../tenancy/oauth-profile.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { BearerService } from '../../authentication/bearer/index.ts';
import type { Notes } from '../../events/journal/index.ts';
import type { ApiKeys } from '../../machines/api-keys/index.ts';
import {
  createClientKeys,
  createIssuerKeys,
  createVerifyClientAssertion,
  createVerifyWorkloadToken,
  findClient,
  type FoundKey,
  registeredKey,
  type Spend,
} from '../../tokens/proofs/index.ts';
import { type Clients, isFapi2Client } from '../clients/index.ts';
import { audiencesOf } from './addresses.ts';
import { type Application, createAuthenticateApplication, withMethod } from './application.ts';
import { createAuthenticateClient } from './client.ts';
import { fapi2Objection } from './fapi2.ts';
import { createIdentify, type Identify } from './identify.ts';
import { createThrottle } from './throttle.ts';

interface Dependencies {
  readonly gate: Gate;
  readonly spend: Spend;
  readonly clock: Clock;
  readonly egress: Egress;
  readonly apiKeys: ApiKeys;
  readonly clients: Clients;
  readonly bearer: BearerService;
  readonly notes: Notes;
  readonly findClientKey: FindClientKey;
  readonly baseUrl: () => string;
}

/** The key of an application that may have signed something. May fetch it: nothing is locked meanwhile. */
export type FindClientKey = (
  tenant: Tenant,
  client: Pick<Application, 'jwks' | 'jwks_uri'>,
  token: OutsideToken,
) => Promise<FoundKey>;

export function createFindClientKey({
  egress,
  clock,
}: Pick<Dependencies, 'egress' | 'clock'>): FindClientKey {
  const clientKeys = createClientKeys(egress, clock);
  return async (tenant, { jwks, jwks_uri: uri }, token) =>
    uri === null ? registeredKey(jwks, token) : clientKeys.find(tenant.id, uri, token);
}

/** What every endpoint where clients authenticate shares: failures at one count at the others. */
export function createIdentification(dependencies: Dependencies): Identify {
  const { gate, spend, clock, egress, notes, clients, baseUrl } = dependencies;
  const issuerKeys = createIssuerKeys(egress, clock);
  const verifier = {
    gate,
    spend,
    clock,
    audiences: (tenant: Tenant) => audiencesOf(tenant, baseUrl()),
  };
  return createIdentify({
    throttle: createThrottle(gate, clock),
    notes,
    clients,
    authenticateClient: createAuthenticateClient({
      ...dependencies,
      verifyAssertion: createVerifyClientAssertion({
        ...verifier,
        find: findClient,
        findObjection: (tenant, _, token) =>
          isUnderFapi2(tenant) ? fapi2Objection(tenant, token) : undefined,
        findKey: async (_, { jwks }, token) => registeredKey(jwks, token),
      }),
    }),
    authenticateApplication: createAuthenticateApplication({
      clients,
      verifyAssertion: createVerifyClientAssertion({
        ...verifier,
        find: (tx, named) => findSigning(clients, tx, named),
        findObjection: (tenant, client, token) =>
          isFapi2Client(tenant, client) ? fapi2Objection(tenant, token) : undefined,
        findKey: dependencies.findClientKey,
      }),
    }),
    verifyWorkloadToken: createVerifyWorkloadToken({ gate, spend, issuerKeys, clock }),
  });
}

/** An active application that signs its assertions, by its id as it was presented. */
async function findSigning(
  clients: Clients,
  tx: TenantTx,
  named: string,
): Promise<Application | undefined> {
  const client = await clients.findIn(tx, named);
  // Nobody else's keys are fetched.
  return client?.is_active ? withMethod(client, isSigning) : undefined;
}

function isSigning(method: Application['token_endpoint_auth_method']): boolean {
  return method === 'private_key_jwt';
}
