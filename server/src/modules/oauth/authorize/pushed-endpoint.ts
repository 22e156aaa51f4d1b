import type { Fail } from '@keywright/contract/errors';
import type { BodyOf, ErrorsOf, OkOf } from '@keywright/contract/route';
import type { pushAuthorizationRequest } from '@keywright/contract/routes/pushed-requests';
import type { Clock } from '../../../platform/clock.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { requireRoomOfAddress } from '../../authentication/attempts/index.ts';
import type { ProvenKey } from '../../tokens/access-tokens/index.ts';
import type { Clients, KnownClient } from '../clients/index.ts';
import type { PushedRequests } from '../codes/index.ts';
import type { FindResources } from '../resources/index.ts';
import {
  type ClientRequest,
  type FindClientKey,
  type Identify,
  readClient,
} from '../token-endpoint/index.ts';
import type { Rejection } from './authorization-request.ts';
import { judgePushed, readSent, refuse, UNREGISTERED } from './request-reader.ts';

/** Of a request as a form. */
const LONGEST = 16_384;

/** Public clients do not authenticate, so anyone can push in their name. */
const LIMITS = { login_attempts_limit: 300, login_attempts_window: 60 };

/** RFC 9126 §2.1. */
const HAS_REFERENCE: Rejection = {
  error: 'invalid_request',
  description: 'request_uri has no place in a request that is pushed.',
};

const TOO_LONG: Rejection = {
  error: 'invalid_request',
  description: 'The request is longer than 16 KiB.',
};

type Refuse = Fail<ErrorsOf<typeof pushAuthorizationRequest>>;

interface PushRequest extends ClientRequest<BodyOf<typeof pushAuthorizationRequest>> {
  /** The key that the code is bound to. */
  readonly key: ProvenKey | undefined;
}
type PushedAnswer = OkOf<typeof pushAuthorizationRequest>;

/** Stores an authorization request of a client that authenticates (RFC 9126). */
type Push = (request: PushRequest, fail: Refuse) => Promise<PushedAnswer>;

interface Dependencies {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly identify: Identify;
  readonly clients: Clients;
  readonly findResources: FindResources;
  readonly findClientKey: FindClientKey;
  readonly pushedRequests: PushedRequests;
}

export function createPush(dependencies: Dependencies): Push {
  const { identify, clients } = dependencies;
  return async (request, fail) => {
    if (request.parameters.request_uri !== undefined) return refuse(HAS_REFERENCE, fail);
    await admitNamed(clients, request, fail);
    return identify.withKnownClient(request, fail, (client) =>
      pushFor(dependencies, request, client, fail),
    );
  };
}

/** @returns `stale` if the client has changed since it was authenticated */
async function pushFor(
  dependencies: Dependencies,
  { tenant, parameters: sent, from, key }: PushRequest,
  client: KnownClient,
  fail: Refuse,
): Promise<PushedAnswer | 'stale'> {
  const { clients, pushedRequests } = dependencies;
  if (client.token_endpoint_auth_method === 'none') {
    const most = { counter: 'push' as const, limits: LIMITS };
    await requireRoomOfAddress(dependencies, tenant, from, most, fail);
  }
  const unpacked = await readSent(dependencies, tenant, client, { sent, key }, fail);
  const verdict = await judgePushed(dependencies, tenant, client, unpacked);
  const form = unpacked.parameters.toString();
  if (verdict.kind === 'sound' && form.length <= LONGEST) {
    await key?.requireUnused(fail);
    const pushed = await pushedRequests.push(tenant.id, client, form);
    return pushed
      ? { request_uri: pushed.requestUri, expires_in: pushed.expiresInSeconds }
      : 'stale';
  }
  if (!(await clients.isCurrent(client))) return 'stale';
  if (verdict.kind === 'page') return fail('VALIDATION_FAILED', UNREGISTERED);
  return refuse(verdict.kind === 'rejected' ? verdict.rejection : TOO_LONG, fail);
}

/** Admits a client that sends its request itself. */
export async function admitNamed(
  clients: Clients,
  { tenant, parameters, authorization, from }: ClientRequest,
  fail: Fail<'VALIDATION_FAILED' | 'CLIENT_INVALID' | 'TOO_MANY_ATTEMPTS'>,
): Promise<void> {
  const { clientId } = readClient(parameters, authorization, fail);
  const detail = await clients.admit(tenant, clientId, from, fail);
  if (detail !== undefined) fail('CLIENT_INVALID', { detail });
}
