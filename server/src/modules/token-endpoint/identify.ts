import { AppError, type ErrorCode } from '@keywright/contract/errors';
import type { VerifyWorkloadToken } from '../client-proofs/index.ts';
import type { Asking, Refuse } from './asking.ts';
import { type AuthenticateClient, type Client, clientOfRow } from './client.ts';
import { readClientProof } from './client-proof.ts';
import type { Throttle } from './throttle.ts';

/** Finds out which agent asks, and counts it when that is nobody. */
export interface Identify {
  /** By a proof of its own. */
  client(asking: Asking, fail: Refuse): Promise<Client>;
  /** By the token of an outside issuer, and nothing else beside it. @param code of the answer when it is not good */
  workload(
    asking: Asking,
    token: string,
    code: 'GRANT_INVALID' | 'EXCHANGE_REFUSED',
    fail: Refuse,
  ): Promise<Client>;
}

interface Parts {
  readonly throttle: Throttle;
  readonly authenticateClient: AuthenticateClient;
  readonly verifyWorkloadToken: VerifyWorkloadToken;
}

/** Who proves to be nobody. */
const NOBODY: readonly ErrorCode[] = ['CLIENT_INVALID', 'GRANT_INVALID', 'EXCHANGE_REFUSED'];

export function createIdentify(parts: Parts): Identify {
  const { throttle, authenticateClient, verifyWorkloadToken } = parts;

  async function counted<T>({ tenant, from }: Asking, fail: Refuse, work: () => Promise<T>) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof AppError && NOBODY.includes(error.code)) {
        await throttle.count(tenant, from.address, fail);
      }
      throw error;
    }
  }

  return {
    client: (asking, fail) =>
      counted(asking, fail, async () => {
        const { tenant, request, authorization, from } = asking;
        const proof = readClientProof(request, authorization, fail);
        return authenticateClient(tenant, proof, from, fail);
      }),
    workload: (asking, token, code, fail) =>
      counted(asking, fail, async () => {
        const { tenant, request, authorization } = asking;
        if (readClientProof(request, authorization, fail)) {
          fail('VALIDATION_FAILED', { detail: 'The token alone authenticates the client here.' });
        }
        const verdict = await verifyWorkloadToken(tenant, request.client_id ?? '', token);
        return clientOfRow(verdict.client ?? fail(code, { internal: verdict.refusal }));
      }),
  };
}
