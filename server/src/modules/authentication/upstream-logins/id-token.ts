import {
  keyOf,
  type OutsideKey,
  outsideSignatureIsValid,
  type OutsideToken,
} from '../../../platform/crypto/outside-jws.ts';

const CLOCK_SKEW_SECONDS = 60;
/** A token is redeemed immediately: an older token is a replay. */
const MAX_AGE_SECONDS = 300;
/** A login may take as long as its state is valid. */
const MAX_LOGIN_AGE_SECONDS = 660;
/** OpenID Connect Core 1.0 §2: at most 255 ASCII characters. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;

/** The claims that an ID token must have. */
interface Expected {
  readonly issuer: string;
  readonly clientId: string;
  readonly nonce: string;
  /** The user had to log in again. */
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

/** With several audiences, `azp` must name the client. */
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
