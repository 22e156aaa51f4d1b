import { CLOCK_SKEW_SECONDS } from '@keywright/contract/claims';
import type { OAuthClientId } from '@keywright/contract/ids';
import {
  ASSERTION_SECONDS,
  type AssertionAudience,
} from '@keywright/contract/records/identity-assertions';
import { epochSeconds } from '../../../platform/clock.ts';
import { jtiOf, timesFlaw } from '../../tokens/proofs/index.ts';

/** RFC 8725 §3.11: no other token is accepted as an identity assertion, nor an identity assertion as another token. */
export const ASSERTION_TYP = 'oauth-id-jag+jwt';

/** The parameters of a request for an identity assertion. */
interface RequestedAssertion {
  readonly audience?: string | readonly string[];
  readonly resource?: string | readonly string[];
  /** Joined by spaces. */
  readonly scope?: string;
}

/** The content of an assertion, with its audience. */
export interface AssertedGrant {
  readonly audience: AssertionAudience;
  readonly resource: string | undefined;
  readonly scopes: readonly string[];
}

/** Decides whether the administrators allow an assertion. @returns the parameter that is not allowed otherwise */
export function decideAssertion(
  audiences: readonly AssertionAudience[],
  requested: RequestedAssertion,
): AssertedGrant | 'audience' | 'resource' | 'scope' {
  const [issuer, ...others] = [requested.audience ?? []].flat();
  const audience = audiences.find((one) => one.issuer === issuer);
  if (!audience || others.length > 0) return 'audience';
  const resources = [requested.resource ?? []].flat();
  const [resource = resources.length === 0 ? onlyOf(audience.resources) : undefined, ...more] =
    resources;
  const isNamed =
    resource === undefined
      ? audience.resources.length === 0
      : audience.resources.includes(resource);
  if (!isNamed || more.length > 0) return 'resource';
  const scopes = [...new Set((requested.scope ?? '').split(' ').filter(Boolean))];
  if (!scopes.every((scope) => audience.scopes.includes(scope))) return 'scope';
  return { audience, resource, scopes: scopes.length > 0 ? scopes : audience.scopes };
}

function onlyOf(resources: readonly string[]): string | undefined {
  return resources.length === 1 ? resources[0] : undefined;
}

/** The claims of an identity assertion from another issuer. */
export interface Assertion {
  readonly issuer: string;
  readonly subject: string;
  readonly jti: string;
  /** Undefined: the assertion does not limit the scopes. */
  readonly scopes: readonly string[] | undefined;
  readonly resource: string | undefined;
  /** When the user authenticated at the issuer, in seconds; if unknown, when the assertion was issued. */
  readonly authTime: number;
}

interface Expected {
  /** The issuer of the tenant. */
  readonly issuer: string;
  readonly clientId: OAuthClientId;
  /** Thumbprint of the key that the client proved. */
  readonly jkt: string | undefined;
}

type Claims = Readonly<Record<string, unknown>>;

/** OpenID Connect Core 1.0 §2: at most 255 ASCII characters. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;
const MAX_TEXT = 8192;

/**
 * Reads the claims of an assertion before its signature is verified. @returns the flaw if it has one, for the log
 * only
 */
export function readAssertion(
  { typ, claims }: { readonly typ: string; readonly claims: Claims },
  expected: Expected,
  now: Date,
): Assertion | { readonly refusal: string } {
  if (typ !== ASSERTION_TYP) return { refusal: 'typ' };
  const { iss, sub, aud, client_id: clientId, iat, scope, resource, auth_time: at } = claims;
  // A tenant must not redeem its own assertions for access tokens, which would widen its grants.
  if (typeof iss !== 'string' || iss === expected.issuer) return { refusal: 'iss' };
  // Rejects a list, because another audience could replay the assertion here.
  if (aud !== expected.issuer) return { refusal: 'aud' };
  if (clientId !== expected.clientId) return { refusal: 'client_id' };
  if (typeof sub !== 'string' || !SUBJECT.test(sub)) return { refusal: 'sub' };
  const flaw = timesFlaw(claims, now, ASSERTION_SECONDS);
  if (flaw || typeof iat !== 'number') return { refusal: flaw ?? 'iat' };
  const jti = jtiOf(claims);
  if (jti === undefined) return { refusal: 'jti' };
  if (!isTextOrNothing(scope)) return { refusal: 'scope' };
  if (!isTextOrNothing(resource)) return { refusal: 'resource' };
  const bound = keyIn(claims);
  if (bound !== undefined && bound !== expected.jkt) return { refusal: 'cnf' };
  return {
    issuer: iss,
    subject: sub,
    jti,
    scopes: scope?.split(' ').filter(Boolean),
    resource,
    authTime: isPast(at, now) ? at : iat,
  };
}

function isTextOrNothing(value: unknown): value is string | undefined {
  return value === undefined || (typeof value === 'string' && value.length <= MAX_TEXT);
}

function isPast(value: unknown, now: Date): value is number {
  return (
    Number.isSafeInteger(value) &&
    Number(value) > 0 &&
    Number(value) <= epochSeconds(now) + CLOCK_SKEW_SECONDS
  );
}

/** Returns the key to which an assertion is bound. An unknown kind of binding never matches a key. */
function keyIn({ cnf }: Claims): string | undefined {
  if (cnf === undefined) return undefined;
  const { jkt = '' } = (typeof cnf === 'object' && cnf !== null ? cnf : {}) as {
    readonly jkt?: unknown;
  };
  return typeof jkt === 'string' ? jkt : '';
}
