import { type OutsideKey, readPublicJwk } from '../../../platform/crypto/outside-jws.ts';
import type { Egress, EgressRequest } from '../../../platform/egress/egress.ts';
import type { Answered } from '../../../platform/egress/outcome.ts';
import type { FetchedKeys } from './remote-keys.ts';

/** How long a call may take, and for which tenant it is. */
export type Call = Required<Pick<EgressRequest, 'timeoutMs' | 'onBehalfOf'>>;

/** Far above what key sets and metadata have. */
const MAX_BYTES = 64 * 1024;
/** Whatever the cache headers say, in seconds. */
const LIFE_SECONDS = { min: 60, usual: 300, max: 900 };

/** Fetches a key set (RFC 7517 §5). Redirects are not followed. @param maxKeys further ones are ignored */
export async function fetchKeySet(
  egress: Egress,
  url: string,
  call: Call,
  maxKeys: number,
): Promise<FetchedKeys> {
  const set = await fetchJson(egress, url, call);
  if (!set.json) return { refusal: `jwks: ${set.refusal}` };
  const keys = readKeys(set.json['keys'], maxKeys);
  return keys ? { keys, lifeMs: lifeSeconds(set.answer) * 1000 } : { refusal: 'jwks: no keys' };
}

type Json = Readonly<Record<string, unknown>>;

export async function fetchJson(egress: Egress, url: string, call: Call) {
  const headers = { accept: 'application/json, application/jwk-set+json' };
  const answer = await egress.send({ method: 'GET', url, headers, ...call, maxBytes: MAX_BYTES });
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
function readKeys(keys: unknown, maxKeys: number): OutsideKey[] | undefined {
  if (!Array.isArray(keys)) return undefined;
  return (keys as unknown[])
    .slice(0, maxKeys)
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
