import { type OutsideKey, readPublicJwk } from '../../../platform/crypto/outside-jws.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import type { Answered } from '../../../platform/egress/outcome.ts';

type Fetched =
  | { readonly keys: readonly OutsideKey[]; readonly lifeMs: number }
  | { readonly keys?: undefined; readonly refusal: string };

/** Far above what issuers have. */
const MAX_BYTES = 64 * 1024;
const MAX_KEYS = 50;
/** Whatever the issuer's cache headers say, in seconds. */
const LIFE_SECONDS = { min: 60, usual: 300, max: 900 };

/**
 * Fetches the public keys of an issuer by OpenID Connect Discovery §4. Its document has to name the very issuer that
 * was asked for, or one issuer could speak for another. Neither call follows a redirect.
 */
export async function fetchIssuerKeys(
  egress: Egress,
  issuer: string,
  timeoutMs: number,
): Promise<Fetched> {
  const base = issuer.replace(/\/$/, '');
  const found = await fetchJson(egress, `${base}/.well-known/openid-configuration`, timeoutMs);
  if (!found.json) return { refusal: `discovery: ${found.refusal}` };
  const { issuer: named, jwks_uri: address } = found.json;
  if (named !== issuer) return { refusal: 'discovery: another issuer' };
  if (typeof address !== 'string' || isDowngrade(issuer, address)) {
    return { refusal: 'discovery: jwks_uri' };
  }
  const set = await fetchJson(egress, address, timeoutMs);
  if (!set.json) return { refusal: `jwks: ${set.refusal}` };
  const keys = readKeys(set.json['keys']);
  return keys ? { keys, lifeMs: lifeSeconds(set.answer) * 1000 } : { refusal: 'jwks: no keys' };
}

/** An https issuer has an https key set. */
function isDowngrade(issuer: string, address: string): boolean {
  return issuer.startsWith('https:') && !address.startsWith('https:');
}

type Json = Readonly<Record<string, unknown>>;

async function fetchJson(egress: Egress, url: string, timeoutMs: number) {
  const headers = { accept: 'application/json' };
  const answer = await egress.send({ method: 'GET', url, headers, timeoutMs, maxBytes: MAX_BYTES });
  if (answer.outcome !== 'answered') return { refusal: answer.reason };
  if (answer.status !== 200) return { refusal: `status ${answer.status}` };
  const json = readObject(answer.body.toString('utf8'));
  return json ? { json, answer } : { refusal: 'no JSON' };
}

function readObject(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}

/** The keys of supported types. */
function readKeys(keys: unknown): OutsideKey[] | undefined {
  if (!Array.isArray(keys)) return undefined;
  return (keys as unknown[])
    .slice(0, MAX_KEYS)
    .filter((key): key is Json => typeof key === 'object' && key !== null)
    .map(readPublicJwk)
    .filter((key) => key !== undefined);
}

function lifeSeconds({ headers }: Answered): number {
  const wish = headers['cache-control'] ?? '';
  const [, seconds] = /(?:^|[\s,])max-age="?([0-9]{1,10})/i.exec(wish) ?? [];
  const isTransient = /no-(?:store|cache)/i.test(wish);
  const asked = isTransient ? 0 : Number(seconds ?? LIFE_SECONDS.usual);
  return Math.min(Math.max(asked, LIFE_SECONDS.min), LIFE_SECONDS.max);
}
