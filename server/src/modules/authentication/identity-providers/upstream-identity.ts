import { parseIdentifier } from '@keywright/contract/identifiers';
import {
  keyOf,
  type OutsideKey,
  outsideSignatureIsValid,
  type OutsideToken,
} from '../../../platform/crypto/outside-jws.ts';
import { ownsDomain, type Provider, sourceOf } from './provider-settings.ts';

const CLOCK_SKEW_SECONDS = 60;
/** It is redeemed at once: an older one is a replay. */
const MAX_AGE_SECONDS = 300;
/** A login may take as long as its state is valid. */
const MAX_LOGIN_AGE_SECONDS = 660;
/** OpenID Connect Core 1.0 §2: at most 255 ASCII characters. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;

/** What an ID token has to say. */
interface Expected {
  readonly issuer: string;
  readonly clientId: string;
  readonly nonce: string;
  /** The user was asked to log in anew. */
  readonly asksLogin?: boolean;
}

export type CheckedIdToken =
  | { readonly subject: string; readonly refusal?: undefined }
  /** The claim that failed, or `signature`. */
  | {
      readonly refusal:
        | 'signature'
        | 'iss'
        | 'sub'
        | 'aud'
        | 'azp'
        | 'exp'
        | 'iat'
        | 'nonce'
        | 'auth_time';
    };

/** OpenID Connect Core 1.0 §3.1.3.7. The signature is verified although the token came by TLS (ASVS 5.0 V6.8.2). */
export function checkIdToken(
  token: OutsideToken,
  keys: readonly OutsideKey[],
  expected: Expected,
  now: Date,
): CheckedIdToken {
  const key = keyOf(token, keys);
  if (!key || !outsideSignatureIsValid(token, key)) return { refusal: 'signature' };
  const { iss, sub, nonce } = token.claims;
  if (iss !== expected.issuer) return { refusal: 'iss' };
  const refusal = audienceRefusal(token, expected) ?? timeRefusal(token, now);
  if (refusal) return { refusal };
  if (nonce !== expected.nonce) return { refusal: 'nonce' };
  if (expected.asksLogin && !isRecentLogin(token, now)) return { refusal: 'auth_time' };
  return typeof sub === 'string' && SUBJECT.test(sub) ? { subject: sub } : { refusal: 'sub' };
}

/** Further audiences have to be named by `azp`. */
function audienceRefusal({ claims }: OutsideToken, { clientId }: Expected) {
  const { aud, azp } = claims;
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!audiences.includes(clientId)) return 'aud';
  const isAlone = audiences.length === 1 && azp === undefined;
  return isAlone || azp === clientId ? undefined : 'azp';
}

function timeRefusal({ claims: { exp, iat } }: OutsideToken, now: Date) {
  const seconds = now.getTime() / 1000;
  if (!isTime(exp) || exp + CLOCK_SKEW_SECONDS <= seconds) return 'exp';
  const isRecent =
    isTime(iat) && iat <= seconds + CLOCK_SKEW_SECONDS && iat > seconds - MAX_AGE_SECONDS;
  return isRecent ? undefined : 'iat';
}

/** Some providers leave it out. */
function isRecentLogin({ claims: { auth_time: at } }: OutsideToken, now: Date): boolean {
  return at === undefined || (isTime(at) && at > now.getTime() / 1000 - MAX_LOGIN_AGE_SECONDS);
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** Who somebody is at a provider. */
export interface UpstreamIdentity {
  readonly subject: string;
  /** The settings of the provider that decide whose the subject is (`sourceOf`). */
  readonly source: string;
  /** Normalised. */
  readonly email: string | null;
  /** The provider says that the address was verified. */
  readonly is_verified: boolean;
  /** It is verified, and the provider decides who has an address in its domain. */
  readonly is_authoritative: boolean;
  /** It is verified, and the provider is known to prove what it calls so. */
  readonly is_proven: boolean;
  /** The provider says that it verified two factors. */
  readonly has_mfa: boolean;
}

/**
 * From the claims of an ID token that was checked, or of a profile.
 * @param captures domains whose users log in at this provider only
 */
export function identityOf(
  { type, settings }: Pick<Provider, 'type' | 'settings'>,
  subject: string,
  claims: Readonly<Record<string, unknown>>,
  captures: readonly string[] = [],
): UpstreamIdentity {
  const email = emailOf(claims['email']);
  const domain = email?.slice(email.lastIndexOf('@') + 1) ?? '';
  // The tenant has proven the domain, and said that this provider decides who has an address in it.
  const isCaptured = captures.includes(domain) && !isDenied(claims);
  const is_verified = email !== null && (isCaptured || isVerified(type, claims));
  const is_proven = is_verified && PROVES.includes(type);
  const isOwn = isCaptured || isAuthoritative({ type, settings }, domain, claims);
  const is_authoritative = is_verified && isOwn;
  const trust = { is_verified, is_authoritative, is_proven, has_mfa: hasMfa(claims) };
  return { subject, source: sourceOf(type, settings), email, ...trust };
}

/** Values of `acr` for two factors: NIST SP 800-63, OpenID Connect EAP, REFEDS, PAPE, and that of Microsoft. */
const TWO_FACTORS: readonly unknown[] = [
  'aal2',
  'aal3',
  'phr',
  'phrh',
  'https://refeds.org/profile/mfa',
  'http://schemas.openid.net/pape/policies/2007/06/multi-factor',
  'http://schemas.microsoft.com/claims/multipleauthn',
];

/** RFC 8176 §2: `mfa` in `amr`; or a value of `acr`. */
function hasMfa({ amr, acr }: Readonly<Record<string, unknown>>): boolean {
  return (Array.isArray(amr) && amr.includes('mfa')) || TWO_FACTORS.includes(acr);
}

/** Those that are known to send a message to an address before they call it verified. */
const PROVES: readonly Provider['type'][] = ['google', 'microsoft', 'apple', 'github'];

function isDenied({ email_verified: verified }: Readonly<Record<string, unknown>>): boolean {
  return verified === false || verified === 'false';
}

function isVerified(type: Provider['type'], claims: Readonly<Record<string, unknown>>): boolean {
  if (type === 'microsoft') return ownsDomain(claims);
  // Some providers send text.
  return claims['email_verified'] === true || claims['email_verified'] === 'true';
}

/** Whether the provider decides who has an address in a domain. */
function isAuthoritative(
  { type, settings: { domains } }: Pick<Provider, 'type' | 'settings'>,
  domain: string,
  { hd }: Readonly<Record<string, unknown>>,
): boolean {
  // Accounts there exist for any address; `hd` tells those of an organization.
  if (type === 'google') {
    return domain === 'gmail.com' || (hd === domain && domains.includes(domain));
  }
  return domains.includes(domain);
}

function emailOf(value: unknown): string | null {
  const parsed = typeof value === 'string' ? parseIdentifier(value) : undefined;
  return parsed?.type === 'email' ? parsed.identifier : null;
}
