import type { Fail } from '@keywright/contract/errors';
import type { BodyOf, ErrorsOf, OkOf } from '@keywright/contract/route';
import type { pushAuthorizationRequest } from '@keywright/contract/routes/pushed-requests';
import type { Clock } from '../../../platform/clock.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { requireRoomOfAddress } from '../../authentication/attempts/index.ts';
import type { ProvenKey } from '../../tokens/access-tokens/index.ts';
import type { Clients, KnownClient } from '../clients/index.ts';
import type { PushedRequests } from '../codes/index.ts';
import {
  type ClientRequest,
  type ClientAuthentication,
  readClient,
} from '../token-endpoint/index.ts';
import { invalidRequest } from './authorization-request.ts';
import { failDirectly, type RequestReader, UNREGISTERED_REDIRECT_URI } from './request-reader.ts';

/** The maximum length of a form-encoded request. */
const MAX_LENGTH = 16_384;

/** Limits requests in the name of public clients, which anyone can push because these clients do not authenticate. */
const PUBLIC_CLIENT_LIMITS = { login_attempts_limit: 300, login_attempts_window: 60 };

/** RFC 9126 §2.1. */
const HAS_REFERENCE = invalidRequest('request_uri has no place in a request that is pushed.');
const TOO_LONG = invalidRequest('The request is longer than 16 KiB.');

type PushFail = Fail<ErrorsOf<typeof pushAuthorizationRequest>>;
type PushResponse = OkOf<typeof pushAuthorizationRequest>;

interface PushRequest extends ClientRequest<BodyOf<typeof pushAuthorizationRequest>> {
  /** The key to which the code is bound. */
  readonly key: ProvenKey | undefined;
}

/** The pushed authorization request endpoint (RFC 9126 §2). */
export class PushedRequestEndpoint {
  readonly #core: { readonly gate: Gate; readonly clock: Clock };
  readonly #authentication: ClientAuthentication;
  readonly #clients: Clients;
  readonly #reader: RequestReader;
  readonly #pushedRequests: PushedRequests;

  constructor(
    core: { readonly gate: Gate; readonly clock: Clock },
    authentication: ClientAuthentication,
    clients: Clients,
    reader: RequestReader,
    pushedRequests: PushedRequests,
  ) {
    this.#core = core;
    this.#authentication = authentication;
    this.#clients = clients;
    this.#reader = reader;
    this.#pushedRequests = pushedRequests;
  }

  async push(request: PushRequest, fail: PushFail): Promise<PushResponse> {
    if (request.parameters.request_uri !== undefined) return failDirectly(HAS_REFERENCE, fail);
    await admitClient(this.#clients, request, fail);
    return this.#authentication.withKnownClient(request, fail, (client) =>
      this.#pushFor(request, client, fail),
    );
  }

  /** @returns `stale` if the client has changed since it was authenticated */
  async #pushFor(
    { tenant, parameters: body, from, key }: PushRequest,
    client: KnownClient,
    fail: PushFail,
  ): Promise<PushResponse | 'stale'> {
    if (client.token_endpoint_auth_method === 'none') {
      const limit = { counter: 'push' as const, limits: PUBLIC_CLIENT_LIMITS };
      await requireRoomOfAddress(this.#core, tenant, from, limit, fail);
    }
    const request = await this.#reader.readFromClient(tenant, client, body, key, fail);
    const verdict = await this.#reader.check(tenant, client, request, { isPushed: true });
    const form = request.parameters.toString();
    if (verdict.kind === 'valid' && form.length <= MAX_LENGTH) {
      await key?.requireUnused(fail);
      const pushed = await this.#pushedRequests.push(tenant.id, client, form);
      return pushed
        ? { request_uri: pushed.requestUri, expires_in: pushed.expiresInSeconds }
        : 'stale';
    }
    if (!(await this.#clients.isCurrent(client))) return 'stale';
    if (verdict.kind === 'untrusted') return fail('VALIDATION_FAILED', UNREGISTERED_REDIRECT_URI);
    return failDirectly(verdict.kind === 'rejected' ? verdict.rejection : TOO_LONG, fail);
  }
}

/** Reads the metadata document of a client that is identified by it, before the client authenticates. */
export async function admitClient(
  clients: Clients,
  { tenant, parameters, authorization, from }: ClientRequest,
  fail: Fail<'VALIDATION_FAILED' | 'CLIENT_INVALID' | 'TOO_MANY_ATTEMPTS'>,
): Promise<void> {
  const { clientId } = readClient(parameters, authorization, fail);
  const detail = await clients.admit(tenant, clientId, from, fail);
  if (detail !== undefined) fail('CLIENT_INVALID', { detail });
}
