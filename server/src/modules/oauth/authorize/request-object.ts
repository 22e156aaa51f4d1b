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
import { timesFlaw } from '../../machines/proofs/index.ts';
import { isFapi2Client, type KnownClient } from '../clients/index.ts';
import type { FindClientKey } from '../token-endpoint/index.ts';
import type { Rejection } from './request.ts';

/** How far ahead the expiry of a request object may be. */
const LONGEST_SECONDS = 3600;
/** RFC 9101 §10.8; many clients name none. */
const TYPES = ['jwt', 'oauth-authz-req+jwt'];
/** What a request object may contain; of others nothing is read. */
const NAMES = Object.keys(AuthorizationParameters.properties).filter(
  (name) => !['client_id', 'request', 'request_uri', 'registration'].includes(name),
);
/** What an application needs to be told that its request object is refused. */
const OF_REPLIES = ['redirect_uri', 'state', 'response_mode'];

/** Parameters that are JSON, and in a request object need not be a text of it. */
const OF_JSON = ['claims', 'authorization_details'];

type Claims = Readonly<Record<string, unknown>>;

/** A request as it is judged: what its client signed, if it did. */
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

/** Takes the request out of its request object (RFC 9101 §6): then nothing else of what was sent counts. */
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
  // Last: a key may have to be fetched.
  const { key } = await findClientKey(tenant, client, token);
  if (!key || !outsideSignatureIsValid(token, key)) return refused(parameters, object, FORGED);
  return { parameters: read.parameters, isSigned: true };
}

/** What a request object asks for, if that is what this client may have it say here and now, whoever signed it. */
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
  // RFC 9101 §10.8: or it could be taken for a client assertion.
  if (sub === id) return { flaw: 'sub' };
  if (![aud].flat().includes(issuer)) return { flaw: 'aud' };
  const flaw = timesFlaw(claims, now, LONGEST_SECONDS);
  if (flaw) return { flaw };
  const nested = ['request', 'request_uri'].find((name) => Object.hasOwn(claims, name));
  if (nested !== undefined) return { flaw: nested };
  return parametersIn(claims, id);
}

/** FAPI 2.0 Message Signing §5.3.1. @returns what is against a request object under the profile */
function fapi2Flaw({
  alg,
  claims: { nbf, exp },
}: Pick<OutsideToken, 'alg' | 'claims'>): string | undefined {
  if (alg === WEAK_ALGORITHM) return 'alg';
  if (typeof nbf !== 'number') return 'nbf';
  // So nbf is no older than that, either: exp is not over.
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

/** As they would be sent (RFC 9101 §4). Undefined for a value that no parameter has. */
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
/** OpenID Connect Core §6.1 lets clients send requests that nobody signed. */
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
 * The client is told at an address that it has registered, in the form that it asked for. Nothing in the object is
 * believed: everybody could send the same outside of it.
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
