import { ChangeLog } from './change-log.ts';
import { Shard } from './shard.ts';
import type { Change } from './status-change.ts';

/** A list that no token named for so long is dropped. */
const UNUSED_MS = 3_600_000;

/** The lists that are in use, and what the stream told of them. It asks nobody for anything. */
export class Shards {
  readonly #shards = new Map<number, Shard>();
  #log: ChangeLog | undefined;
  /** When the statement was made that said last what the present version is, in milliseconds. */
  #asOf = -Infinity;

  get all(): readonly Shard[] {
    return [...this.#shards.values()];
  }

  /** Up to where the stream has told of changes. */
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

  /** From which version on changes are needed; nothing where no list is there to be changed. */
  get from(): number | undefined {
    const versions = this.all.filter(({ isLoaded }) => isLoaded).map(({ upTo }) => upTo);
    return versions.length === 0 ? undefined : Math.min(...versions);
  }

  /** A connection begins that tells of every change from this version on. */
  startLog(version: number): void {
    this.#log = new ChangeLog(version);
  }

  /**
   * Takes in a change. Lists that it leaves a gap in are `lagging` from then on.
   *
   * @returns whether it says what the present version is; false for one that is behind what is known
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

  /** The service counts anew, or cannot tell what changed: every list has to be fetched again. */
  reset(version: number): void {
    this.startLog(version);
    for (const shard of this.#shards.values()) shard.forgetVersion();
  }

  /** Whether every change that the stream told of is in the list. */
  isCovered({ upTo }: Shard): boolean {
    return this.#log !== undefined && upTo >= this.#log.version;
  }

  /** The lists that changes are missing from. */
  get lagging(): readonly Shard[] {
    return this.all.filter((shard) => shard.isLoaded && !this.isCovered(shard));
  }

  /** When the list was last known to be current, in milliseconds since the epoch. */
  asOf(shard: Shard): number {
    return this.isCovered(shard) ? Math.max(shard.askedAt, this.#asOf) : shard.askedAt;
  }
}
