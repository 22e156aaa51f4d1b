import { type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';

/** RFC 6749 §3.3. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/;

type Check = readonly [must: string, isKept: (claims: JWTPayload) => boolean];

const isText = (value: unknown) => typeof value === 'string' && value !== '';
const isTime = (value: unknown) => typeof value === 'number' && Number.isFinite(value);
const isAbsentOr = (isValid: (value: unknown) => boolean, value: unknown) =>
  value === undefined || isValid(value);
/** RFC 7519 §2: a string with a colon is a URI. */
const isStringOrUri = (value: unknown) =>
  isText(value) && (!String(value).includes(':') || URL.canParse(String(value)));

const CLAIMS: readonly Check[] = [
  ['§2.2: iss', ({ iss }) => isStringOrUri(iss)],
  ['§2.2: exp', ({ exp }) => isTime(exp)],
  ['§2.2: aud', ({ aud }) => [aud].flat().every(isStringOrUri)],
  ['§2.2: sub', ({ sub }) => isStringOrUri(sub)],
  ['§2.2: client_id', (claims) => isText(claims['client_id'])],
  ['§2.2: iat', ({ iat }) => isTime(iat)],
  ['§2.2: jti', ({ jti }) => isText(jti)],
  ['§2.2.1: auth_time', (claims) => isAbsentOr(isTime, claims['auth_time'])],
  ['§2.2.1: acr', ({ acr }) => isAbsentOr(isText, acr)],
  [
    '§2.2.1: amr',
    ({ amr }) => isAbsentOr((value) => Array.isArray(value) && value.every(isText), amr),
  ],
  [
    '§2.2.3: scope',
    ({ scope }) =>
      scope === undefined || scope === '' || SCOPE.test(typeof scope === 'string' ? scope : ''),
  ],
  ['§2.2.3.1: roles', ({ roles }) => roles === undefined || [roles].flat().every(isText)],
  ['RFC 8693 §4.1: act', ({ act }) => act === undefined || isText(Object(act).sub)],
];

/**
 * A resource server that enforces each MUST of RFC 9068 §2.1, §2.2 and §4, and nothing else.
 * @returns the claims.
 * @throws on a violation
 */
export async function validateStrictly(
  token: string,
  keys: JWTVerifyGetKey,
  { issuer, audience }: { readonly issuer: string; readonly audience: string },
): Promise<JWTPayload> {
  // §4: the type without regard to `application/`, a signature by an algorithm that is not none, issuer, audience, time.
  const rules = {
    issuer,
    audience,
    typ: 'at+jwt',
    algorithms: ['EdDSA'],
    requiredClaims: ['iss', 'exp', 'aud', 'sub', 'client_id', 'iat', 'jti'],
  };
  const { payload } = await jwtVerify(token, keys, rules);
  const broken = CLAIMS.filter(([, isMet]) => !isMet(payload)).map(([must]) => must);
  if (broken.length > 0) throw new Error(`RFC 9068: ${broken.join(', ')}`);
  return payload;
}
