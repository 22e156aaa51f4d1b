import { AppError, type ErrorCode } from '@keywright/contract/errors';
import type { VerifyWorkloadToken } from '../../machines/proofs/index.ts';
import type { Notes } from '../../events/journal/index.ts';
import type { TokenEndpointRequest, Refuse } from './request.ts';
import { type AuthenticateClient, type Client, clientOfRow } from './client.ts';
import type { Application, AuthenticateApplication } from './application.ts';
import { claimedClient, readClientProof } from './client-proof.ts';
import { noteRefused, noteThrottled } from './audit.ts';
import type { Asker, Throttle } from './throttle.ts';

/** Identifies the agent, and counts failures. */
export interface Identify {
  /** By its own credential. */
  client(request: TokenEndpointRequest, fail: Refuse): Promise<Client>;
  /** The same of an application. */
  application(request: TokenEndpointRequest, fail: Refuse): Promise<Application>;
  /**
   * By the token of an outside issuer, without another credential.
   * @param code of the error if the token is rejected
   */
  workload(
    request: TokenEndpointRequest,
    token: string,
    code: 'GRANT_INVALID' | 'EXCHANGE_REFUSED',
    fail: Refuse,
  ): Promise<Client>;
}

interface Dependencies {
  readonly throttle: Throttle;
  readonly notes: Notes;
  readonly authenticateClient: AuthenticateClient;
  readonly authenticateApplication: AuthenticateApplication;
  readonly verifyWorkloadToken: VerifyWorkloadToken;
}

/** Errors of clients that fail to authenticate. */
const NOBODY: readonly ErrorCode[] = ['CLIENT_INVALID', 'GRANT_INVALID', 'EXCHANGE_REFUSED'];

export function createIdentify(dependencies: Dependencies): Identify {
  const { throttle, notes, authenticateClient, authenticateApplication, verifyWorkloadToken } =
    dependencies;

  async function counted<T>(asker: Asker, fail: Refuse, work: () => Promise<T>): Promise<T> {
    try {
      throttle.admit(asker, fail);
      return await work();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code === 'TOO_MANY_ATTEMPTS') noteThrottled(notes, asker);
      if (!NOBODY.includes(error.code)) throw error;
      noteRefused(notes, asker, error);
      await throttle.count(asker, fail);
      throw error;
    }
  }

  return {
    async client({ tenant, parameters, authorization, from }, fail) {
      const proof = readClientProof(parameters, authorization, fail);
      const asker = { tenant, from, clientId: claimedClient(proof) };
      return counted(asker, fail, () => authenticateClient(tenant, proof, from, fail));
    },
    async application({ tenant, parameters, authorization, from }, fail) {
      const proof = readClientProof(parameters, authorization, fail);
      const { client_id: named } = parameters;
      const asker = { tenant, from, clientId: proof ? claimedClient(proof) : (named ?? '') };
      return counted(asker, fail, () => authenticateApplication(tenant, proof, named, fail));
    },
    async workload({ tenant, parameters, authorization, from }, token, code, fail) {
      if (readClientProof(parameters, authorization, fail)) {
        fail('VALIDATION_FAILED', { detail: 'The token alone authenticates the client here.' });
      }
      const { client_id: clientId = '' } = parameters;
      return counted({ tenant, from, clientId }, fail, async () => {
        const found = await verifyWorkloadToken(tenant, clientId, token);
        if (!found.client) return fail(code, { internal: found.refusal });
        const { client, issuer, subject } = found;
        return clientOfRow(client, { by: 'trust', issuer, subject });
      });
    },
  };
}
