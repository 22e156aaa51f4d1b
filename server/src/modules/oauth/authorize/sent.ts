import type { Fail } from '@keywright/contract/errors';
import { CLIENT_AUTHENTICATION } from '@keywright/contract/routes/client-authentication';
import type { Clock } from '../../../platform/clock.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { ProvenKey } from '../../tokens/access-tokens/index.ts';
import type { KnownClient } from '../clients/index.ts';
import type { FindClientKey } from '../token-endpoint/index.ts';
import { parametersOf } from './parameters.ts';
import type { Rejection } from './request.ts';
import { type Unpacked, unpackRequest } from './request-object.ts';

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
