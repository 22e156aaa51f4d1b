import type { Fail } from '@keywright/contract/errors';
import { CLIENT_AUTHENTICATION } from '@keywright/contract/routes/client-authentication';
import type { Clock } from '../../../platform/clock.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { ProvenKey } from '../../tokens/access-tokens/index.ts';
import { type Clients, flawsUnder, type KnownClient, profileOf } from '../clients/index.ts';
import { isPushedRequestUri, type PushedRequests, type PushedRequestUse } from '../codes/index.ts';
import { type FindResources, knownResources } from '../resources/index.ts';
import type { FindClientKey } from '../token-endpoint/index.ts';
import { type Rejection, type Verdict, invalid } from './authorization-request.ts';
import { type Unpacked, unpackRequest } from './request-object.ts';
import { clientNamedIn, judgeRequest, parametersOf } from './request-parameters.ts';

interface JudgeDependencies {
  readonly findResources: FindResources;
}

interface ReaderDependencies extends JudgeDependencies {
  readonly clock: Clock;
  readonly findClientKey: FindClientKey;
  readonly clients: Clients;
  readonly pushedRequests: PushedRequests;
}

/** A request and its client. */
interface ReadRequest {
  readonly client: KnownClient | undefined;
  readonly verdict: Verdict;
  /** The pushed request that its code uses up, if there is one. */
  readonly pushed?: PushedRequestUse;
}

/** What a browser brings: a request, or the reference to a pushed one. */
export async function readAsked(
  dependencies: ReaderDependencies,
  tenant: Tenant,
  { parameters, from }: { readonly parameters: URLSearchParams; readonly from: Origin },
  fail: Fail<'TOO_MANY_ATTEMPTS'>,
): Promise<ReadRequest> {
  const named = clientNamedIn(parameters) ?? '';
  const problem = await dependencies.clients.admit(tenant, named, from, fail);
  if (problem !== undefined) return { client: undefined, verdict: unusable(problem) };
  const client = await dependencies.clients.known(tenant.id, named);
  const [uri = '', ...others] = parameters.getAll('request_uri');
  if (!client?.is_active || others.length > 0 || !isPushedRequestUri(uri)) {
    const unpacked = await unpackRequest(dependencies, tenant, client, parameters);
    return { client, verdict: await judge(dependencies, tenant, client, unpacked) };
  }
  return { client, ...(await readPushed(dependencies, tenant, client, uri)) };
}

function unusable(detail: string): Verdict {
  return { kind: 'page', reason: 'document_unusable', detail };
}

/** RFC 9126 §4: all other parameters of the browser are ignored. */
async function readPushed(
  dependencies: ReaderDependencies,
  tenant: Tenant,
  client: KnownClient,
  uri: string,
): Promise<Omit<ReadRequest, 'client'>> {
  const found = await dependencies.pushedRequests.find(tenant.id, client.id, uri);
  if (!found) return { verdict: { kind: 'page', reason: 'request_uri_unknown' } };
  const { parameters, use: pushed } = found;
  // The signature was checked when it was pushed.
  const unpacked = { parameters, isSigned: true };
  return { verdict: await judgePushed(dependencies, tenant, client, unpacked), pushed };
}

/** A request that its client sent directly. */
export function judgePushed(
  dependencies: JudgeDependencies,
  tenant: Tenant,
  client: KnownClient,
  unpacked: Unpacked,
): Promise<Verdict> {
  return judge(dependencies, tenant, client, unpacked, { isPushed: true });
}

/** A request whose user logs in inside the client: the client always sends it directly, and with PKCE. */
export function judgeInApp(
  dependencies: JudgeDependencies,
  tenant: Tenant,
  client: KnownClient,
  unpacked: Unpacked,
): Promise<Verdict> {
  return judge(dependencies, tenant, client, unpacked, { isPushed: true, isInApp: true });
}

async function judge(
  { findResources }: JudgeDependencies,
  tenant: Tenant,
  client: KnownClient | undefined,
  unpacked: Unpacked,
  { isPushed = false, isInApp = false } = {},
): Promise<Verdict> {
  const { parameters } = unpacked;
  const isWanted = parameters.has('resource') || parameters.has('authorization_details');
  const resources = isWanted ? await findResources(tenant.id) : knownResources([]);
  const { oauth_require_pkce: pkceOfAll, oauth_require_pushed_requests: ofAll } = tenant.config;
  const profile = client && profileOf(tenant, client);
  const isStrict = profile === 'fapi2';
  const ofThis = client?.require_pushed_authorization_requests === true || isStrict;
  const mustBePushed = !isPushed && (ofAll || ofThis);
  const objection = objectionTo(client, profile, unpacked);
  const mustUsePkce = pkceOfAll || isStrict || isInApp;
  const policy = { mustUsePkce, tenant, resources, mustBePushed, isInApp, objection };
  return judgeRequest(client, policy, parameters);
}

/** RFC 9101 §10.5. A client that does not meet its profile gets the error before the user logs in. */
function objectionTo(
  client: KnownClient | undefined,
  profile: KnownClient['profile'] | undefined,
  { isSigned, objection }: Unpacked,
): Rejection | undefined {
  const [flaw] = client && profile ? flawsUnder(profile, client) : [];
  if (flaw) {
    const description = `The registration of the client does not meet its profile: ${flaw.path} ${flaw.message}.`;
    return { error: 'unauthorized_client', description };
  }
  const isUnsigned = client?.require_signed_request_object === true && !isSigned;
  return objection ?? (isUnsigned ? invalid('The request has to be signed: RFC 9101.') : undefined);
}

/** Parameters that authenticate the client, and are not part of its request. */
const PROOF = Object.keys(CLIENT_AUTHENTICATION).filter((name) => name !== 'client_id');

/** The error for a redirect URI that is not registered. */
export const UNREGISTERED = {
  errors: [{ path: '/redirect_uri', message: 'must be one of the redirect_uris of the client' }],
};

const OTHER_KEY: Rejection = {
  error: 'invalid_request',
  description: 'dpop_jkt is not the thumbprint of the key of the DPoP proof.',
};

/** Others are `invalid_request`. */
const CODES = {
  unsupported_response_type: 'RESPONSE_TYPE_UNSUPPORTED',
  invalid_scope: 'SCOPE_INVALID',
  invalid_target: 'TARGET_INVALID',
  invalid_authorization_details: 'AUTHORIZATION_DETAILS_INVALID',
  invalid_request_object: 'REQUEST_OBJECT_INVALID',
  request_not_supported: 'REQUEST_OBJECT_INVALID',
  unmet_authentication_requirements: 'UNMET_AUTHENTICATION',
} as const;

export type RefuseSent = Fail<(typeof CODES)[keyof typeof CODES] | 'VALIDATION_FAILED'>;

interface DirectDependencies {
  readonly clock: Clock;
  readonly findClientKey: FindClientKey;
}

interface Sent {
  readonly sent: object;
  /** The key that the code is bound to. */
  readonly key: ProvenKey | undefined;
}

/** A request that its client sent directly, without the parameters that authenticate the client. */
export async function readSent(
  dependencies: DirectDependencies,
  tenant: Tenant,
  client: KnownClient,
  { sent, key }: Sent,
  fail: RefuseSent,
): Promise<Unpacked> {
  const asked = parametersOf({ ...sent, client_id: client.id });
  for (const name of PROOF) asked.delete(name);
  const unpacked = await unpackRequest(dependencies, tenant, client, asked);
  const { parameters } = unpacked;
  if (key) {
    // RFC 9449 §10.1: both are possible, for the same key.
    if ((parameters.get('dpop_jkt') ?? key.jkt) !== key.jkt) return refuse(OTHER_KEY, fail);
    parameters.set('dpop_jkt', key.jkt);
  }
  return unpacked;
}

/** The error response to a client that sent its request directly. */
export function refuse(
  { error, description: detail }: Partial<Rejection>,
  fail: RefuseSent,
): never {
  const code = error && error in CODES ? CODES[error as keyof typeof CODES] : 'VALIDATION_FAILED';
  return fail(code, detail === undefined ? {} : { detail });
}
