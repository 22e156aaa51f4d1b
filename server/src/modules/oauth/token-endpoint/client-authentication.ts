import { AppError, type ErrorCode, type Fail } from '@keywright/contract/errors';
import { parseAgentId } from '@keywright/contract/ids';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Core } from '../../../tenancy/module.ts';
import { type Tenant, isUnderFapi2 } from '../../../tenancy/tenant.ts';
import {
  FailureThrottle,
  type NamedLimit,
  networkLimits,
} from '../../authentication/attempts/index.ts';
import { type Actor, anonymous, type Notes } from '../../events/journal/index.ts';
import {
  ClientAssertions,
  type IssuerKeys,
  type SpentStatements,
} from '../../tokens/proofs/index.ts';
import {
  type Clients,
  type LoadedClient,
  requireOAuth,
  flawsUnder,
  hasSecret,
  hasSecrets,
  isFapi2Client,
  isAllowed,
  profileOf,
} from '../clients/index.ts';
import type { ClientSigningKeys } from './agent-verification.ts';
import {
  type AgentVerifier,
  type AuthenticatedAgent,
  agentOfRow,
  audiencesOf,
  fapi2Objection,
} from './agent-verification.ts';
import {
  type ClientRequest,
  type RefuseClient,
  type TokenParameters,
  readClient,
  type PresentedClient,
} from './token-request.ts';
import { WorkloadTokens } from './workload-tokens.ts';

export type AuthenticatedCaller =
  | { readonly agent: AuthenticatedAgent }
  | { readonly client: LoadedClient };

/** The origin of a request, and the client ID that it claims. */
interface ClaimedClient {
  readonly tenant: Tenant;
  readonly from: Origin;
  readonly clientId: string;
}

/** Errors of failed client authentication. */
const AUTHENTICATION_ERRORS: readonly ErrorCode[] = [
  'CLIENT_INVALID',
  'GRANT_INVALID',
  'EXCHANGE_REFUSED',
];

/**
 * Authenticates clients at every endpoint that requires it (RFC 6749 §2.3), and counts failures across all
 * endpoints.
 */
export class ClientAuthentication {
  readonly #clients: Clients;
  readonly #notes: Notes;
  readonly #agentVerifier: AgentVerifier;
  readonly #clientVerifier: ClientVerifier;
  readonly #workloadTokens: WorkloadTokens;
  readonly #throttle: FailureThrottle;

  constructor(
    core: Core,
    clients: Clients,
    spentStatements: SpentStatements,
    issuerKeys: IssuerKeys,
    notes: Notes,
    agentVerifier: AgentVerifier,
    clientVerifier: ClientVerifier,
  ) {
    const { gate, clock } = core;
    this.#clients = clients;
    this.#notes = notes;
    this.#agentVerifier = agentVerifier;
    this.#clientVerifier = clientVerifier;
    this.#workloadTokens = new WorkloadTokens(gate, clock, spentStatements, issuerKeys);
    this.#throttle = new FailureThrottle(gate, clock);
  }

  /** Authenticates an agent by its own credential. */
  async agent(request: ClientRequest, fail: RefuseClient): Promise<AuthenticatedAgent> {
    const { tenant, parameters, authorization, from } = request;
    const { proof, clientId } = readClient(parameters, authorization, fail);
    const claimed = { tenant, from, clientId };
    return this.#throttled(claimed, fail, () =>
      this.#agentVerifier.verify(tenant, proof, from, fail),
    );
  }

  /**
   * Authenticates an agent by the token of an external issuer, without another credential.
   * @param code of the error if the token is rejected
   */
  async workload(
    { tenant, parameters, authorization, from }: ClientRequest<TokenParameters>,
    token: string,
    code: 'GRANT_INVALID' | 'EXCHANGE_REFUSED',
    fail: RefuseClient & Fail<'GRANT_INVALID' | 'EXCHANGE_REFUSED'>,
  ): Promise<AuthenticatedAgent> {
    const { proof, clientId } = readClient(parameters, authorization, fail);
    if (proof) {
      fail('VALIDATION_FAILED', {
        detail: 'With this token, no other client authentication is allowed.',
      });
    }
    return this.#throttled({ tenant, from, clientId }, fail, async () => {
      // FAPI 2.0 Security Profile §5.3.2.1 item 6: a token of another issuer is not a client assertion.
      if (isUnderFapi2(tenant)) return fail(code, { internal: 'fapi2: outside issuer' });
      const verdict = await this.#workloadTokens.verify(tenant, clientId, token);
      if (!verdict.client) return fail(code, { internal: verdict.refusal });
      const { client, issuer, subject } = verdict;
      return agentOfRow(client, { by: 'trust', issuer, subject });
    });
  }

  /** Authenticates an OAuth client, read from the database. */
  client(request: ClientRequest, fail: RefuseClient): Promise<LoadedClient> {
    return this.#client(request, 'database', fail);
  }

  /**
   * Authenticates an OAuth client as cached on this node, for `work` that compares the client's version in its
   * statement. If `work` returns `stale`, the client is read from the database and authenticates again.
   */
  async withIdentifiedClient<T>(
    request: ClientRequest,
    fail: RefuseClient,
    work: (client: LoadedClient) => Promise<T | 'stale'>,
  ): Promise<T> {
    const result = await work(await this.#client(request, 'cached', fail));
    if (result !== 'stale') return result;
    this.#clients.forget(request.tenant.id);
    const second = await work(await this.#client(request, 'database', fail));
    return second === 'stale' ? fail('CLIENT_INVALID', { internal: 'changed' }) : second;
  }

  /**
   * Authenticates an agent or a confidential OAuth client. `work` must only read: for a client it runs on the cached
   * version while the database checks that this is current, and is repeated if it is not.
   */
  async withAgentOrClient<T>(
    request: ClientRequest,
    fail: RefuseClient,
    work: (caller: AuthenticatedCaller) => Promise<T>,
  ): Promise<T> {
    const { parameters, authorization } = request;
    const { proof, clientId } = readClient(parameters, authorization, fail);
    if (!proof || parseAgentId(clientId)) {
      return work({ agent: await this.agent(request, fail) });
    }
    return this.withIdentifiedClient(request, fail, async (client) => {
      const [result, isCurrent] = await Promise.all([
        work({ client }),
        this.#clients.isCurrent(client),
      ]);
      return isCurrent ? result : 'stale';
    });
  }

  #client(
    { tenant, parameters, authorization, from }: ClientRequest,
    source: ClientSource,
    fail: RefuseClient,
  ): Promise<LoadedClient> {
    requireOAuth(tenant, fail);
    const presented = readClient(parameters, authorization, fail);
    const claimed = { tenant, from, clientId: presented.clientId };
    return this.#throttled(claimed, fail, () =>
      this.#clientVerifier.verify(tenant, presented, source, fail),
    );
  }

  /** Rejects clients that failed too often, counts failures, and records their reasons. */
  async #throttled<T>(
    claimed: ClaimedClient,
    fail: Fail<'TOO_MANY_ATTEMPTS'>,
    work: () => Promise<T>,
  ): Promise<T> {
    const { tenant } = claimed;
    try {
      // A client that repeats an expired key blocks only itself, not others at the same address.
      if (!this.#throttle.isQuiet) this.#throttle.admit(tenant, limitsOf(claimed), fail);
      return await work();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code === 'TOO_MANY_ATTEMPTS') this.#countThrottled(claimed);
      if (!AUTHENTICATION_ERRORS.includes(error.code)) throw error;
      this.#noteFailure(claimed, error);
      await this.#throttle.count(tenant, limitsOf(claimed), fail);
      throw error;
    }
  }

  /** Records why a client was rejected; only the audit log shows it. */
  #noteFailure({ tenant, from, clientId }: ClaimedClient, { code, options }: AppError): void {
    this.#notes.note(tenant.id, anonymous(from), {
      action: 'auth.token_refused',
      target: { kind: 'agent', id: parseAgentId(clientId) ?? null },
      outcome: 'failure',
      details: { reason: typeof options.internal === 'string' ? options.internal : code },
    });
  }

  /** Records throttled requests as a count per address, because a client can repeat them indefinitely. */
  #countThrottled({ tenant, from }: ClaimedClient): void {
    this.#notes.count(tenant.id, from, {
      action: 'auth.token_refused',
      target: { kind: 'agent', id: null },
      outcome: 'failure',
      details: { reason: 'throttled' },
    });
  }
}

const WINDOW_SECONDS = 60;
/** Limits on failures within the window, for one client from one address, and for all clients from one address. */
export const CLIENT_LIMITS = { login_attempts_limit: 20, login_attempts_window: WINDOW_SECONDS };
export const ADDRESS_LIMITS = { login_attempts_limit: 600, login_attempts_window: WINDOW_SECONDS };

function limitsOf({ from: { address }, clientId }: ClaimedClient): readonly NamedLimit[] {
  const ofClient = { counter: 'client', limits: CLIENT_LIMITS, name: 'client' } as const;
  const ofAddress = { counter: 'clients', limits: ADDRESS_LIMITS } as const;
  return [...networkLimits(address, ofClient, clientId), ...networkLimits(address, ofAddress)];
}

/** Returns the audit log actor of an agent's token request. */
export function agentActor({ agentId, keyId }: AuthenticatedAgent, from: Origin): Actor {
  return { kind: 'agent', subject: agentId, keyId, from };
}

/**
 * `cached`: the client as cached on this node, only for a step whose statement compares the client's version, because
 * a recently revoked secret can still be accepted here.
 */
type ClientSource = 'cached' | 'database';

/** Verifies the credentials of OAuth clients: a secret, a signed assertion, or nothing for public clients. */
export class ClientVerifier {
  readonly #clients: Clients;
  readonly #assertions: ClientAssertions<LoadedClient>;

  constructor(
    core: Core,
    spentStatements: SpentStatements,
    clients: Clients,
    signingKeys: ClientSigningKeys,
  ) {
    this.#clients = clients;
    this.#assertions = new ClientAssertions(core.gate, core.clock, spentStatements, {
      audiences: (tenant) => audiencesOf(tenant, core.baseUrl()),
      // Keys are fetched only for active clients that use signed assertions.
      find: async (tx, named) => {
        const client = await clients.findIn(tx, named);
        return client?.is_active ? withMethod(client, isSigning) : undefined;
      },
      findObjection: (tenant, client, token) =>
        isFapi2Client(tenant, client) ? fapi2Objection(tenant, token) : undefined,
      findKey: (tenant, client, token) => signingKeys.find(tenant, client, token),
    });
  }

  /** @throws AppError CLIENT_INVALID, identical for every failure */
  async verify(
    tenant: Tenant,
    presented: PresentedClient,
    source: ClientSource,
    fail: Fail<'CLIENT_INVALID'>,
  ): Promise<LoadedClient> {
    const { proof } = presented;
    const verdict =
      proof?.by === 'assertion'
        ? await this.#assertions.verify(tenant, proof.token, proof.clientId)
        : { client: await this.#find(tenant, presented, source), refusal: 'application' };
    const { client, refusal: internal = 'application' } = verdict;
    const isGood = client?.is_active && isAllowed(tenant.config, client.id);
    return isGood ? requireProfile(tenant, client, fail) : fail('CLIENT_INVALID', { internal });
  }

  async #find(
    tenant: Tenant,
    { proof, clientId }: PresentedClient,
    source: ClientSource,
  ): Promise<LoadedClient | undefined> {
    // A public client only names itself: its code verifier or refresh token is the proof.
    if (!proof) {
      return this.#findNamed(tenant, clientId, source, (client) =>
        withMethod(client, (method) => method === 'none'),
      );
    }
    if (proof.by === 'secret') {
      const { secret } = proof;
      return this.#findNamed(tenant, proof.clientId, source, (client) =>
        hasSecret(client, secret) ? withMethod(client, hasSecrets) : undefined,
      );
    }
    return undefined;
  }

  /**
   * Uses a cached client only if it is accepted, because its secrets can be outdated. Therefore each failure runs one
   * statement, whether the client is unknown, known or cached.
   */
  async #findNamed(
    { id }: Tenant,
    name: string,
    source: ClientSource,
    accept: (client: LoadedClient | undefined) => LoadedClient | undefined,
  ): Promise<LoadedClient | undefined> {
    if (source === 'database') return accept(await this.#clients.find(id, name));
    const cached = this.#clients.cached(id, name);
    const isRead = cached instanceof Promise;
    const accepted = accept(await cached);
    return accepted || isRead ? accepted : accept(await this.#clients.find(id, name));
  }
}

/** Rejects a client that does not meet the profile, because it was registered before the tenant adopted the profile. */
function requireProfile(
  tenant: Tenant,
  client: LoadedClient,
  fail: Fail<'CLIENT_INVALID'>,
): LoadedClient {
  const [flaw] = flawsUnder(profileOf(tenant, client), client);
  if (!flaw) return client;
  const { path, message } = flaw;
  return fail('CLIENT_INVALID', { detail: `${path} ${message}.`, internal: `fapi2: ${path}` });
}

/** Returns the client if it is registered for this authentication method. */
function withMethod(
  client: LoadedClient | undefined,
  isAccepted: (method: LoadedClient['token_endpoint_auth_method']) => boolean,
): LoadedClient | undefined {
  return client && isAccepted(client.token_endpoint_auth_method) ? client : undefined;
}

function isSigning(method: LoadedClient['token_endpoint_auth_method']): boolean {
  return method === 'private_key_jwt';
}
