import { base64url } from 'jose';
import { collect } from '../verifier/issuer.ts';
import { CLOCK_SKEW_SECONDS } from '../verifier/jws-header.ts';
import { ProblemError } from '../verifier/problem.ts';
import { type Author, integerIn, invalid, readStatement } from './statement.ts';

/** draft-ietf-oauth-status-list §5.1. */
const TYP = 'statuslist+jwt';
/** A list of the service has 16 KiB. Eight times that size leaves room to grow. */
const MAX_LIST_BYTES = 128 * 1024;
const DEFAULT_TTL_SECONDS = 10;
const LEAST_TTL_SECONDS = 1;
const MOST_TTL_SECONDS = 300;

/** A list of the issuer: a bit for each session, key, agent or delegation that tokens depend on. */
export interface StatusList {
  /** The first bit is the least significant bit of the first byte; 1 means revoked. */
  readonly bits: Uint8Array<ArrayBuffer>;
  /** Increases with every revocation in the tenant. */
  readonly version: number;
  /** Seconds since the epoch. */
  readonly iat: number;
  /** Seconds since the epoch; undefined if the list does not expire. */
  readonly exp: number | undefined;
  /** How long the list can be used without another request. */
  readonly ttlSeconds: number;
}

/**
 * Reads a Status List Token (draft-ietf-oauth-status-list §5.1).
 *
 * @param uri the URI that it was fetched from, which it must contain
 * @throws ProblemError
 */
export async function readStatusList(
  jws: string,
  uri: string,
  author: Author,
): Promise<StatusList> {
  const { iat, payload } = await readStatement(jws, TYP, author);
  if (payload['sub'] !== uri) {
    throw new ProblemError('STATUS_FOREIGN', 'It is the list of another URL.');
  }
  const { exp, ttl } = payload;
  const expires = exp === undefined ? undefined : integerIn(payload, 'exp');
  if (expires !== undefined && expires + CLOCK_SKEW_SECONDS <= author.now() / 1000) {
    throw new ProblemError('STATUS_REPLAYED', 'The list has expired.');
  }
  const ttlSeconds = ttl === undefined ? DEFAULT_TTL_SECONDS : integerIn(payload, 'ttl');
  return {
    bits: await unpack(payload['status_list']),
    version: integerIn(payload, 'version'),
    iat,
    exp: expires,
    ttlSeconds: Math.min(Math.max(ttlSeconds, LEAST_TTL_SECONDS), MOST_TTL_SECONDS),
  };
}

async function unpack(list: unknown): Promise<Uint8Array<ArrayBuffer>> {
  const { bits, lst } = (list ?? {}) as { bits?: unknown; lst?: unknown };
  if (bits !== 1 || typeof lst !== 'string') invalid('It does not contain a list of single bits.');
  const inflated = new Blob([decode(lst)]).stream().pipeThrough(new DecompressionStream('deflate'));
  try {
    return await collect(inflated, MAX_LIST_BYTES, 'STATUS_TOO_LARGE');
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    return invalid('Its list cannot be decompressed.', error);
  }
}

function decode(lst: string): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(base64url.decode(lst));
  } catch (error) {
    return invalid('Its list is not base64url.', error);
  }
}
