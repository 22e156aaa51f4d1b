import { createHash } from 'node:crypto';
import { epochSeconds } from '../../../platform/clock.ts';
import { type SigningKey, signToken } from '../../../platform/crypto/jws.ts';
import { Cacheable } from '../../../platform/http/replies.ts';
import { LIST_BITS } from './status-store.ts';
import { listOf, listUri } from './token-bits.ts';

const LIST_NUMBER = /^(0|[1-9]\d{0,8})$/;

/** Parses the list number in a path. */
export function readListNumber(text: string): number | undefined {
  return LIST_NUMBER.test(text) ? Number(text) : undefined;
}

/** Groups bits by list. The bits are counted from the first bit of their list. */
export function byList(bits: readonly number[]): Map<number, number[]> {
  const lists = Map.groupBy(bits, listOf);
  for (const [list, ofList] of lists) {
    lists.set(
      list,
      ofList.map((bit) => bit - list * LIST_BITS),
    );
  }
  return lists;
}

/** Bits of a tenant that were set, between two versions of its lists. */
export interface StatusChange {
  /** The version up to which earlier changes include everything that was set. */
  readonly from: number;
  readonly version: number;
  /** Numbered over all lists; undefined if there are too many to list. */
  readonly bits: readonly number[] | undefined;
}

const LIST_TYP = 'statuslist+jwt';
const CHANGE_TYP = 'statusdelta+jwt';

/**
 * How long a verifier may use a list before it polls again, and how long caches may store it, in seconds. A verifier
 * without a stream polls about once a second: even through a cache, it sees a revocation within two seconds.
 */
export const LIST_TTL_SECONDS = 10;
const LIST_MAX_AGE_SECONDS = 1;
/** How long a list is valid for verifiers that cannot poll. */
export const LIST_LIFE_SECONDS = 3600;

/** A list as responses contain it. */
export type SignedList = Cacheable<string>;

/** Returns the half-lifetime that a time is in: lists are signed again halfway through their lifetime. */
export function periodOf(now: Date): number {
  return Math.floor(epochSeconds(now) / (LIST_LIFE_SECONDS / 2));
}

export interface ListContent {
  readonly issuer: string;
  readonly list: number;
  readonly version: number;
  readonly packed: Buffer;
}

/** Signs a Status List Token (draft-ietf-oauth-status-list §5.1). Keywright adds `version`, its place in the stream. */
export function signList(key: SigningKey, content: ListContent, now: Date): SignedList {
  const { issuer, list, version, packed } = content;
  const iat = epochSeconds(now);
  const token = signToken(key, LIST_TYP, {
    sub: listUri(issuer, list),
    iss: issuer,
    iat,
    exp: iat + LIST_LIFE_SECONDS,
    ttl: LIST_TTL_SECONDS,
    version,
    status_list: { bits: 1, lst: packed.toString('base64url') },
  });
  return new Cacheable(token, LIST_MAX_AGE_SECONDS, etagOf(key, content, now));
}

/**
 * Returns an ETag that is equal on every node while nothing changes. It is weak, since signing times differ (RFC 9110
 * §8.8.1). It also changes halfway through a list's lifetime.
 */
function etagOf(key: SigningKey, { issuer, list, packed }: ListContent, now: Date): string {
  const hash = createHash('sha256')
    .update(`${issuer} ${list} ${key.kid} ${periodOf(now)} `)
    .update(packed);
  return `W/"${hash.digest('base64url')}"`;
}

type EventName = 'status' | 'reset' | 'closed';

/** Serializes an event of the stream (HTML §9.2). */
function event(name: EventName, key: SigningKey, claims: object, id?: number): string {
  const data = signToken(key, CHANGE_TYP, claims);
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${data}\n\n`;
}

/** Announces a change. A change without bits means that the reader is up to date. */
export function changeEvent(
  key: SigningKey,
  issuer: string,
  { from, version, bits }: StatusChange,
  now: Date,
): string {
  const common = { iss: issuer, iat: epochSeconds(now) };
  if (bits === undefined) {
    return event('reset', key, { ...common, version, reset: true }, version);
  }
  const revoked = bits.length === 0 ? {} : { revoked: Object.fromEntries(byList(bits)) };
  return event('status', key, { ...common, from, version, ...revoked }, version);
}

/** Returns the event that announces that all tokens of the issuer are invalid from now on. */
export function closedEvent(key: SigningKey, issuer: string, now: Date): string {
  return event('closed', key, { iss: issuer, iat: epochSeconds(now), closed: true });
}
