import { ChangeLog } from './change-log.ts';
import { Shard } from './shard.ts';
import type { Change } from './status-change.ts';

/** A list that no token has referred to for this long is dropped. */
const UNUSED_MS = 3_600_000;

/** The lists in use, with their changes from the stream. This class makes no requests. */
export class Shards {
  readonly #shards = new Map<number, Shard>();
  #log: ChangeLog | undefined;
  /** The time of the last statement of the current version, in milliseconds. */
  #asOf = -Infinity;

  get all(): readonly Shard[] {
    return [...this.#shards.values()];
  }

  /** The latest version received from the stream. */
  get version(): number | undefined {
    return this.#log?.version;
  }

  get log(): ChangeLog | undefined {
    return this.#log;
  }

  find(number: number): Shard | undefined {
    return this.#shards.get(number);
  }

  findOrAdd(number: number, now: number, longestMs: number): Shard {
    const shard = this.#shards.get(number) ?? new Shard(number, now, longestMs);
    this.#shards.set(number, shard);
    return shard;
  }

  dropUnused(now: number): void {
    for (const { number, usedAt } of this.all) {
      if (now - usedAt > UNUSED_MS) this.#shards.delete(number);
    }
  }

  /** The version after which changes are needed; undefined without any list. */
  get from(): number | undefined {
    const versions = this.all.filter(({ isLoaded }) => isLoaded).map(({ upTo }) => upTo);
    return versions.length === 0 ? undefined : Math.min(...versions);
  }

  /** Starts a log for a connection that sends every change after this version. */
  startLog(version: number): void {
    this.#log = new ChangeLog(version);
  }

  /**
   * Applies a change. Lists with a gap before it become `lagging`.
   *
   * @returns whether the change states the current version; false for an older version
   */
  apply(change: Change, now: number): boolean {
    this.#log ??= new ChangeLog(change.from);
    if (change.from > this.#log.version) this.startLog(change.from);
    const isPresent = change.version >= this.#log.version;
    this.#log.append(change);
    for (const shard of this.#shards.values()) shard.apply(change);
    if (isPresent) this.#asOf = Math.max(this.#asOf, Math.min(now, change.iat * 1000));
    return isPresent;
  }

  /** Drops the changes after the service restarted its versions or discarded them; every list must be fetched again. */
  reset(version: number): void {
    this.startLog(version);
    for (const shard of this.#shards.values()) shard.forgetVersion();
  }

  /** Whether the list has every change of the stream. */
  isCovered({ upTo }: Shard): boolean {
    return this.#log !== undefined && upTo >= this.#log.version;
  }

  /** The lists with missing changes. */
  get lagging(): readonly Shard[] {
    return this.all.filter((shard) => shard.isLoaded && !this.isCovered(shard));
  }

  /** When the list was last known to be current, in milliseconds since the epoch. */
  asOf(shard: Shard): number {
    return this.isCovered(shard) ? Math.max(shard.askedAt, this.#asOf) : shard.askedAt;
  }
}
