import { AppError, type ErrorCode, type Fail } from '@keywright/contract/errors';
import { parseAgentId } from '@keywright/contract/ids';
import type { VerifyWorkloadToken } from '../../tokens/proofs/index.ts';
import { isUnderFapi2 } from '../../../tenancy/oauth-profile.ts';
import type { Notes } from '../../events/journal/index.ts';
import { type Clients, requireOAuth } from '../clients/index.ts';
import type { ClientRequest, Refuse, RefuseClient, TokenEndpointRequest } from './request.ts';
import { type AuthenticateClient, type Client, clientOfRow } from './client.ts';
import type { Application, AuthenticateApplication } from './application.ts';
import { readClient } from './client-proof.ts';
import { noteRefused, noteThrottled } from './audit.ts';
import type { Asker, Throttle } from './throttle.ts';

export type Identified = { readonly agent: Client } | { readonly application: Application };

/** Identifies the agent, and counts failures. */
export interface Identify {
  /** By its own credential. */
  client(request: ClientRequest, fail: RefuseClient): Promise<Client>;
  /** The same of an application, as it is now. */
  application(request: ClientRequest, fail: RefuseClient): Promise<Application>;
  /**
   * The same as this node knows it, for `work` that compares its version where it takes effect. If that says `stale`, the
   * application authenticates again as it is now.
   */
  knownApplication<T>(
    request: ClientRequest,
    fail: RefuseClient,
    work: (client: Application) => Promise<T | 'stale'>,
  ): Promise<T>;
  /**
   * Either of them, as long as it proves who it is. An application is looked up while `work`, which only reads, is done
   * for what this node knows of it; if it has changed, both are done again.
   */
  either<T>(
    request: ClientRequest,
    fail: RefuseClient,
    work: (who: Identified) => Promise<T>,
  ): Promise<T>;
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
  readonly clients: Clients;
  readonly authenticateClient: AuthenticateClient;
  readonly authenticateApplication: AuthenticateApplication;
  readonly verifyWorkloadToken: VerifyWorkloadToken;
}

/** Errors of clients that fail to authenticate. */
const NOBODY: readonly ErrorCode[] = ['CLIENT_INVALID', 'GRANT_INVALID', 'EXCHANGE_REFUSED'];

type Counted = <T>(
  asker: Asker,
  fail: Fail<'TOO_MANY_ATTEMPTS'>,
  work: () => Promise<T>,
) => Promise<T>;

/** Counts what fails, and notes why. */
function createCounted({ throttle, notes }: Pick<Dependencies, 'throttle' | 'notes'>): Counted {
  return async (asker, fail, work) => {
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
  };
}

export function createIdentify(dependencies: Dependencies): Identify {
  const { clients, authenticateClient, verifyWorkloadToken } = dependencies;
  const counted = createCounted(dependencies);

  const identifyClient: Identify['client'] = async (request, fail) => {
    const { tenant, parameters, authorization, from } = request;
    const { proof, clientId } = readClient(parameters, authorization, fail);
    const asker = { tenant, from, clientId };
    return counted(asker, fail, () => authenticateClient(tenant, proof, from, fail));
  };

  const applications = createIdentifyApplications(dependencies, counted);

  return {
    client: identifyClient,
    ...applications,
    async either(request, fail, work) {
      const { parameters, authorization } = request;
      const { proof, clientId } = readClient(parameters, authorization, fail);
      if (!proof || parseAgentId(clientId)) {
        return work({ agent: await identifyClient(request, fail) });
      }
      return applications.knownApplication(request, fail, async (application) => {
        const [done, isCurrent] = await Promise.all([
          work({ application }),
          clients.isCurrent(application),
        ]);
        return isCurrent ? done : 'stale';
      });
    },
    async workload({ tenant, parameters, authorization, from }, token, code, fail) {
      const { proof, clientId } = readClient(parameters, authorization, fail);
      if (proof) {
        fail('VALIDATION_FAILED', { detail: 'The token alone authenticates the client here.' });
      }
      return counted({ tenant, from, clientId }, fail, async () => {
        // FAPI 2.0 Security Profile §5.3.2.1 item 6: a token of another issuer is no assertion of the client.
        if (isUnderFapi2(tenant)) return fail(code, { internal: 'fapi2: outside issuer' });
        const found = await verifyWorkloadToken(tenant, clientId, token);
        if (!found.client) return fail(code, { internal: found.refusal });
        const { client, issuer, subject } = found;
        return clientOfRow(client, { by: 'trust', issuer, subject });
      });
    },
  };
}

function createIdentifyApplications(
  { authenticateApplication, clients }: Pick<Dependencies, 'authenticateApplication' | 'clients'>,
  counted: Counted,
): Pick<Identify, 'application' | 'knownApplication'> {
  const identify = (
    { tenant, parameters, authorization, from }: ClientRequest,
    by: 'known' | 'find',
    fail: RefuseClient,
  ): Promise<Application> => {
    requireOAuth(tenant, fail);
    const presented = { ...readClient(parameters, authorization, fail), by };
    const asker = { tenant, from, clientId: presented.clientId };
    return counted(asker, fail, () => authenticateApplication(tenant, presented, fail));
  };

  return {
    application: (request, fail) => identify(request, 'find', fail),
    async knownApplication(request, fail, work) {
      const done = await work(await identify(request, 'known', fail));
      if (done !== 'stale') return done;
      clients.forget(request.tenant.id);
      const again = await work(await identify(request, 'find', fail));
      return again === 'stale' ? fail('CLIENT_INVALID', { internal: 'changed' }) : again;
    },
  };
}
