import { CLOCK_SKEW_SECONDS } from '@keywright/contract/claims';
import { AuthorizationParameters } from '@keywright/contract/routes/authorize';
import {
  type OutsideToken,
  outsideSignatureIsValid,
  parseOutsideToken,
} from '../../../platform/crypto/outside-jws.ts';
import { parseJsonObject } from '../../../platform/crypto/jws.ts';
import type { Clock } from '../../../platform/clock.ts';
import { WEAK_ALGORITHM } from '../../../tenancy/oauth-profile.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { timesFlaw } from '../../tokens/proofs/index.ts';
import { isFapi2Client, type KnownClient } from '../clients/index.ts';
import type { FindClientKey } from '../token-endpoint/index.ts';
import type { Rejection } from './authorization-request.ts';

/** How far in the future a request object can expire. */
const LONGEST_SECONDS = 3600;
/** RFC 9101 §10.8; many clients name none. */
const TYPES = ['jwt', 'oauth-authz-req+jwt'];
/** The parameters that are read from a request object. */
const NAMES = Object.keys(AuthorizationParameters.properties).filter(
  (name) => !['client_id', 'request', 'request_uri', 'registration'].includes(name),
);
/** What is needed to tell an application that its request object is refused. */
const OF_REPLIES = ['redirect_uri', 'state', 'response_mode'];

/** Parameters that are JSON, and can be objects in a request object. */
const OF_JSON = ['claims', 'authorization_details'];

type Claims = Readonly<Record<string, unknown>>;

/** The request that counts: what the client signed, if it signed one. */
export interface Unpacked {
  readonly parameters: URLSearchParams;
  readonly isSigned: boolean;
  /** What is wrong with the request object. */
  readonly objection?: Rejection;
}

interface Dependencies {
  readonly clock: Clock;
  readonly findClientKey: FindClientKey;
}

/** Takes the request out of its request object (RFC 9101 §6). All other parameters are then ignored. */
export async function unpackRequest(
  { clock, findClientKey }: Dependencies,
  tenant: Tenant,
  client: KnownClient | undefined,
  parameters: URLSearchParams,
): Promise<Unpacked> {
  const [object, ...others] = parameters.getAll('request');
  if (!client?.is_active || object === undefined || others.length > 0) {
    return { parameters, isSigned: false };
  }
  const token = parseOutsideToken(object);
  if (!token) return refused(parameters, object, isUnsigned(object) ? UNSIGNED : MALFORMED);
  const read = readRequestObject(token, client, tenant, clock.now());
  if ('flaw' in read) return refused(parameters, object, flawed(read.flaw));
  const flaw = isFapi2Client(tenant, client) ? fapi2Flaw(token) : undefined;
  if (flaw) return refused(parameters, object, flawed(flaw));
  // Last, because a key may have to be fetched.
  const { key } = await findClientKey(tenant, client, token);
  if (!key || !outsideSignatureIsValid(token, key)) return refused(parameters, object, FORGED);
  return { parameters: read.parameters, isSigned: true };
}

/**
 * The request in a request object, if its claims are valid for this client, issuer and time. The signature is checked
 * later.
 */
function readRequestObject(
  { typ, claims }: Pick<OutsideToken, 'typ' | 'claims'>,
  { id }: Pick<KnownClient, 'id'>,
  { issuer }: Pick<Tenant, 'issuer'>,
  now: Date,
): { readonly parameters: URLSearchParams } | { readonly flaw: string } {
  const { iss, aud, sub, client_id: clientId } = claims;
  if (!TYPES.includes(typ)) return { flaw: 'typ' };
  if (clientId !== id) return { flaw: 'client_id' };
  if (iss !== id) return { flaw: 'iss' };
  // RFC 9101 §10.8: otherwise it could pass as a client assertion.
  if (sub === id) return { flaw: 'sub' };
  if (![aud].flat().includes(issuer)) return { flaw: 'aud' };
  const flaw = timesFlaw(claims, now, LONGEST_SECONDS);
  if (flaw) return { flaw };
  const nested = ['request', 'request_uri'].find((name) => Object.hasOwn(claims, name));
  if (nested !== undefined) return { flaw: nested };
  return parametersIn(claims, id);
}

/** FAPI 2.0 Message Signing §5.3.1. @returns the claim that violates the profile */
function fapi2Flaw({
  alg,
  claims: { nbf, exp },
}: Pick<OutsideToken, 'alg' | 'claims'>): string | undefined {
  if (alg === WEAK_ALGORITHM) return 'alg';
  if (typeof nbf !== 'number') return 'nbf';
  // exp is in the future, so this also bounds how old nbf is.
  return Number(exp) > nbf + LONGEST_SECONDS ? 'exp' : undefined;
}

function parametersIn(
  claims: Claims,
  id: string,
): { readonly parameters: URLSearchParams } | { readonly flaw: string } {
  const parameters = new URLSearchParams({ client_id: id });
  for (const name of NAMES) {
    if (!Object.hasOwn(claims, name)) continue;
    const values = valuesOf(name, claims[name]);
    if (!values) return { flaw: name };
    for (const value of values) parameters.append(name, value);
  }
  return { parameters };
}

/** As they would be sent (RFC 9101 §4). Undefined for a value that a parameter cannot have. */
function valuesOf(name: string, value: unknown): readonly string[] | undefined {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (OF_JSON.includes(name) && typeof value === 'object' && value !== null) {
    return [JSON.stringify(value)];
  }
  if (name !== 'resource' || !Array.isArray(value)) return undefined;
  return value.every((one) => typeof one === 'string') ? value : undefined;
}

const MALFORMED = flawed('form');
const FORGED: Rejection = {
  error: 'invalid_request_object',
  description: 'The request object is not signed by a key of the client.',
};
/** OpenID Connect Core §6.1 allows unsigned request objects. */
const UNSIGNED: Rejection = {
  error: 'request_not_supported',
  description: 'A request object has to be signed: RFC 9101.',
};

function flawed(name: string): Rejection {
  return {
    error: 'invalid_request_object',
    description: `The request object is not one of this client for this issuer: ${name}, RFC 9101. Clocks may differ by ${CLOCK_SKEW_SECONDS} seconds.`,
  };
}

function isUnsigned(object: string): boolean {
  const [header = ''] = object.split('.', 1);
  return parseJsonObject(header)?.['alg'] === 'none';
}

/**
 * Reports the error at a registered redirect URI, in the requested response mode. The object is untrusted, but anyone
 * could send the same parameters without one.
 */
function refused(sent: URLSearchParams, object: string, objection: Rejection): Unpacked {
  const parameters = new URLSearchParams(sent);
  parameters.delete('request');
  const [, payload = ''] = object.split('.', 2);
  const claims = parseJsonObject(payload) ?? {};
  for (const name of OF_REPLIES) {
    const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
    if (typeof value === 'string' && !parameters.has(name)) parameters.set(name, value);
  }
  return { parameters, isSigned: false, objection };
}
