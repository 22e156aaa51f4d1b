import { Flight } from '../flight.ts';
import { ProblemError } from '../verifier/problem.ts';
import type { ChangeLog } from './change-log.ts';
import type { Change } from './status-change.ts';
import type { StatusList } from './status-list.ts';

/** A list of the issuer, as fetched and then updated by the stream. Times are in milliseconds. */
export class Shard {
  readonly number: number;
  /** When a fetch last confirmed that the list is current. */
  askedAt = -Infinity;
  /** When a fetch was last attempted. */
  triedAt = -Infinity;
  /** Whether the issuer reported that it has no such list. */
  isUnknown = false;
  /** When a token last referred to the list. */
  usedAt: number;
  etag: string | undefined;
  /** The fetch in progress. */
  readonly flight: Flight;
  #bits = new Uint8Array();
  /** The version up to which the bits are complete. */
  #upTo = 0;
  #list: Omit<StatusList, 'bits'> | undefined;

  /** @param longestMs the maximum duration of a fetch */
  constructor(number: number, now: number, longestMs: number) {
    this.number = number;
    this.usedAt = now;
    this.flight = new Flight(longestMs);
  }

  get isLoaded(): boolean {
    return this.#list !== undefined;
  }

  get upTo(): number {
    return this.#upTo;
  }

  get bytes(): number {
    return this.#bits.byteLength;
  }

  /** Returns how long the list can be used before it must be fetched again. */
  get ttlMs(): number {
    return (this.#list?.ttlSeconds ?? 0) * 1000;
  }

  /** Whether most of the list's lifetime has passed, so that it should be replaced. */
  isAging(now: number): boolean {
    const { iat, exp } = this.#list ?? {};
    if (iat === undefined || exp === undefined) return false;
    return now / 1000 > iat + (exp - iat) * 0.8;
  }

  /** Returns the bit, or undefined if the list does not contain it. */
  isRevoked(index: number): boolean | undefined {
    const byte = this.#bits[Math.floor(index / 8)];
    return byte === undefined ? undefined : (byte & (1 << (index & 7))) !== 0;
  }

  /**
   * Adopts a fetched list and applies the stream's changes since then.
   *
   * @throws ProblemError `STATUS_REPLAYED` if it is older than the previous list
   */
  accept({ bits, ...list }: StatusList, log: ChangeLog | undefined): void {
    const before = this.#list;
    if (before && (list.iat < before.iat || list.version < before.version)) {
      throw new ProblemError('STATUS_REPLAYED', 'The list is older than the previous one.');
    }
    const changes = log?.since(list.version);
    const isBehind = changes === undefined && list.version < this.#upTo;
    // Known revocations are retained while the changes after the list are unknown.
    if (isBehind) this.#bits.forEach((byte, at) => (bits[at] = (bits[at] ?? 0) | byte));
    else this.#upTo = list.version;
    this.#bits = bits;
    this.#list = list;
    for (const change of changes ?? []) this.apply(change);
  }

  /** Applies a change of the stream; false if there is a gap before it. */
  apply({ from, version, revoked }: Change): boolean {
    for (const index of revoked.get(this.number) ?? []) {
      const at = Math.floor(index / 8);
      if (at < this.#bits.length) this.#bits[at] = (this.#bits[at] ?? 0) | (1 << (index & 7));
    }
    if (from > this.#upTo) return false;
    this.#upTo = Math.max(this.#upTo, version);
    return true;
  }

  /**
   * Resets the version after the service restarted its versions. The next list can have a lower version, but not an
   * earlier time.
   */
  forgetVersion(): void {
    this.#upTo = 0;
    if (this.#list) this.#list = { ...this.#list, version: 0 };
  }
}
