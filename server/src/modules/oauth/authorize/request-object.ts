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
import type { ClientSigningKeys } from '../token-endpoint/index.ts';
import type { Rejection } from './authorization-request.ts';

/** The maximum time until a request object expires. */
const MAX_LIFETIME_SECONDS = 3600;
/** RFC 9101 §10.8. Many clients do not set `typ`. */
const TYPES = ['jwt', 'oauth-authz-req+jwt'];
/** The parameters that are read from a request object. */
const PARAMETERS = Object.keys(AuthorizationParameters.properties).filter(
  (name) => !['client_id', 'request', 'request_uri', 'registration'].includes(name),
);
/** The parameters on which an error response depends. */
const RESPONSE_PARAMETERS = ['redirect_uri', 'state', 'response_mode'];
/** Parameters with JSON values, which can be objects in a request object. */
const JSON_PARAMETERS = ['claims', 'authorization_details'];

type Claims = Readonly<Record<string, unknown>>;

/** The effective parameters of a request: those of its request object, if it has one. */
export interface EffectiveRequest {
  readonly parameters: URLSearchParams;
  readonly isSigned: boolean;
  /** The error in the request object. */
  readonly objection?: Rejection;
}

/** Reads the request object of a request (RFC 9101 §6), which overrides all other parameters. */
export class RequestObjects {
  readonly #clock: Clock;
  readonly #clientKeys: ClientSigningKeys;

  constructor(clock: Clock, clientKeys: ClientSigningKeys) {
    this.#clock = clock;
    this.#clientKeys = clientKeys;
  }

  async read(
    tenant: Tenant,
    client: KnownClient | undefined,
    parameters: URLSearchParams,
  ): Promise<EffectiveRequest> {
    const [object, ...others] = parameters.getAll('request');
    if (!client?.is_active || object === undefined || others.length > 0) {
      return { parameters, isSigned: false };
    }
    const token = parseOutsideToken(object);
    if (!token) {
      return objectRejected(parameters, object, isUnsigned(object) ? UNSIGNED : MALFORMED);
    }
    const read = readClaims(token, client, tenant, this.#clock.now());
    if ('flaw' in read) return objectRejected(parameters, object, flawed(read.flaw));
    const flaw = isFapi2Client(tenant, client) ? fapi2Flaw(token) : undefined;
    if (flaw) return objectRejected(parameters, object, flawed(flaw));
    // Verified last, because the key might have to be fetched.
    const { key } = await this.#clientKeys.find(tenant, client, token);
    if (!key || !outsideSignatureIsValid(token, key)) {
      return objectRejected(parameters, object, FORGED);
    }
    return { parameters: read.parameters, isSigned: true };
  }
}

/** Checks the client, issuer and time in the claims, but not the signature. @returns the parameters in the claims */
function readClaims(
  { typ, claims }: Pick<OutsideToken, 'typ' | 'claims'>,
  { id }: Pick<KnownClient, 'id'>,
  { issuer }: Pick<Tenant, 'issuer'>,
  now: Date,
): { readonly parameters: URLSearchParams } | { readonly flaw: string } {
  const { iss, aud, sub, client_id: clientId } = claims;
  if (!TYPES.includes(typ)) return { flaw: 'typ' };
  if (clientId !== id) return { flaw: 'client_id' };
  if (iss !== id) return { flaw: 'iss' };
  // RFC 9101 §10.8: otherwise the object could be used as a client assertion.
  if (sub === id) return { flaw: 'sub' };
  if (![aud].flat().includes(issuer)) return { flaw: 'aud' };
  const flaw = timesFlaw(claims, now, MAX_LIFETIME_SECONDS);
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
  // exp is in the future, so this also limits the age of nbf.
  return Number(exp) > nbf + MAX_LIFETIME_SECONDS ? 'exp' : undefined;
}

function parametersIn(
  claims: Claims,
  id: string,
): { readonly parameters: URLSearchParams } | { readonly flaw: string } {
  const parameters = new URLSearchParams({ client_id: id });
  for (const name of PARAMETERS) {
    if (!Object.hasOwn(claims, name)) continue;
    const values = valuesOf(name, claims[name]);
    if (!values) return { flaw: name };
    for (const value of values) parameters.append(name, value);
  }
  return { parameters };
}

/** Converts the values to request parameters (RFC 9101 §4); undefined if a parameter cannot have its value. */
function valuesOf(name: string, value: unknown): readonly string[] | undefined {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (JSON_PARAMETERS.includes(name) && typeof value === 'object' && value !== null) {
    return [JSON.stringify(value)];
  }
  if (name !== 'resource' || !Array.isArray(value)) return undefined;
  return value.every((item) => typeof item === 'string') ? value : undefined;
}

const MALFORMED = flawed('form');
const FORGED: Rejection = {
  error: 'invalid_request_object',
  description: 'The request object is not signed by a key of the client.',
};
/** OpenID Connect Core §6.1 allows unsigned request objects, but this service rejects them. */
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
 * Takes the parameters of the error response from the untrusted object: a registered redirect URI, the state and the
 * response mode. Anyone could send the same parameters without an object.
 */
function objectRejected(
  original: URLSearchParams,
  object: string,
  objection: Rejection,
): EffectiveRequest {
  const parameters = new URLSearchParams(original);
  parameters.delete('request');
  const [, payload = ''] = object.split('.', 2);
  const claims = parseJsonObject(payload) ?? {};
  for (const name of RESPONSE_PARAMETERS) {
    const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
    if (typeof value === 'string' && !parameters.has(name)) parameters.set(name, value);
  }
  return { parameters, isSigned: false, objection };
}
