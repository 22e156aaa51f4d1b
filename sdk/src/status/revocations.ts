import type { RefusalReason } from '../errors.ts';
import type { Issuer } from '../verifier/issuer.ts';
import { CLOCK_SKEW_SECONDS } from '../verifier/jws-header.ts';
import { type ProblemCode, ProblemError, type ProblemReporter } from '../verifier/problem.ts';
import type { StatusReference } from '../verifier/status-reference.ts';
import { startTimer, type Timer } from '../timer.ts';
import { fetchList } from './fetch-list.ts';
import type { Shard } from './shard.ts';
import { Shards } from './shards.ts';
import type { Author } from './statement.ts';
import type { StatusEvent } from './status-change.ts';
import { StatusStream } from './stream.ts';

/**
 * The minimum and maximum interval between checks for due lists, a range so that verifiers started together drift
 * apart. Without a stream every list is due at each check, because a revocation must be known within two seconds.
 */
const TICK_MS = [750, 900] as const;
/** The minimum interval between two fetches of a list, and the maximum number of concurrent fetches. */
const COOLDOWN_MS = 700;
const AT_ONCE = 4;
/**
 * How long to wait for a lost stream to reconnect before fetching lists, if no attempt fails. When a node fails, all
 * of its verifiers lose their streams simultaneously, and fetching lists then would delay every new stream.
 */
const RETURN_MS = [1500, 1800] as const;
/** A connection without a statement for this long is considered broken. */
const STALE_AFTER_MS = 30_000;

interface RevocationsOptions {
  readonly mode: 'stream' | 'poll';
  readonly author: Author;
  readonly problems: ProblemReporter;
  readonly maxStaleMs: number;
  readonly onStale: 'allow' | 'deny';
}

/** The current state of revocations. */
export interface RevocationState {
  /** Whether the stream of changes is connected. */
  readonly isConnected: boolean;
  /** The latest version received from the stream; undefined before its first event. */
  readonly version: number | undefined;
  /** The number of cached lists, and their size in bytes. */
  readonly lists: number;
  readonly bytes: number;
  /** When the oldest cached list was last known to be current; undefined before the first list. */
  readonly asOf: number | undefined;
}

/** The state of a token: valid, or the reason for its rejection. */
export type Verdict = 'good' | RefusalReason;

/** The revoked tokens of an issuer, as lists that the stream or polling keeps current. */
export class Revocations {
  readonly #issuer: Issuer;
  readonly #options: RevocationsOptions;
  readonly #shards = new Shards();
  readonly #stream: StatusStream;
  /** The time of the stream's latest statement, in seconds. */
  #lastIat = 0;
  /**
   * When lists become due without the stream, in milliseconds; in the future while a lost stream could still
   * reconnect.
   */
  #pollsFrom = -Infinity;
  /** When the issuer was found closed, in seconds; undefined while it is open. */
  #closedAt: number | undefined;
  #timer: Timer | undefined;

  constructor(issuer: Issuer, options: RevocationsOptions) {
    this.#issuer = issuer;
    this.#options = options;
    this.#stream = new StatusStream(issuer, {
      author: options.author,
      onLost: (error) => this.#fail(error, 'STREAM_LOST'),
      from: () => this.#shards.from,
      onConnect: (from) => {
        if (from !== undefined) this.#shards.startLog(from);
      },
      onEvent: (event) => this.#take(event),
      onEnd: (wasConnected) => {
        const ms = wasConnected ? between(RETURN_MS) : 0;
        this.#pollsFrom = options.author.now() + ms;
        this.#tickIn(ms);
      },
    });
  }

  /** The state, if no fetch is needed. */
  checkAtOnce(reference: StatusReference): Verdict | undefined {
    const now = this.#options.author.now();
    const shard = this.#shards.find(reference.shard);
    if (shard === undefined) return undefined;
    shard.usedAt = now;
    const verdict = this.#judge(shard, reference, now);
    const isDecided = shard.isLoaded && (verdict === 'good' || verdict === 'revoked');
    if (!isDecided) return this.#mayFetch(shard, now) ? undefined : verdict;
    if (!this.#isDue(shard, now) || shard.flight.isUnderWay) return verdict;
    if (this.#options.mode === 'poll') return undefined;
    void this.#refresh(shard);
    return verdict;
  }

  /** The state after a fetch. */
  async check(reference: StatusReference): Promise<Verdict> {
    const shard = this.#shards.findOrAdd(
      reference.shard,
      this.#options.author.now(),
      this.#issuer.longestMs,
    );
    await this.#refresh(shard);
    return this.#judge(shard, reference, this.#options.author.now());
  }

  get state(): RevocationState {
    const loaded = this.#shards.all.filter(({ isLoaded }) => isLoaded);
    const times = loaded.map((shard) => this.#shards.asOf(shard));
    return {
      isConnected: this.#stream.isConnected,
      version: this.#shards.version,
      lists: loaded.length,
      bytes: loaded.reduce((sum, { bytes }) => sum + bytes, 0),
      asOf: times.length === 0 ? undefined : Math.min(...times),
    };
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #judge(shard: Shard, { index }: StatusReference, now: number): Verdict {
    const isLenient = this.#options.onStale === 'allow';
    if (this.#closedAt !== undefined) return 'issuer_closed';
    if (!shard.isLoaded) {
      if (shard.isUnknown) return 'status_foreign';
      return isLenient ? 'good' : 'status_unavailable';
    }
    const isRevoked = shard.isRevoked(index);
    if (isRevoked === undefined) return 'status_foreign';
    if (isRevoked) return 'revoked';
    const isStale = now - this.#shards.asOf(shard) > this.#options.maxStaleMs;
    return isStale && !isLenient ? 'status_stale' : 'good';
  }

  #mayFetch({ flight, triedAt }: Shard, now: number): boolean {
    return flight.isUnderWay || now - triedAt >= COOLDOWN_MS;
  }

  /** Whether a list is due. */
  #isDue(shard: Shard, now: number): boolean {
    if (!shard.isLoaded || !this.#mayFetch(shard, now)) return false;
    const isFollowed = this.#stream.isConnected && this.#shards.isCovered(shard);
    if (!isFollowed && this.#options.mode === 'stream') return now >= this.#pollsFrom;
    if (!isFollowed || shard.isAging(now)) return now - shard.askedAt >= shard.ttlMs;
    return now - this.#shards.asOf(shard) >= STALE_AFTER_MS;
  }

  /** Fetches a list, once for all waiting callers. Never rejects: problems are reported. */
  async #refresh(shard: Shard, isForced = false): Promise<void> {
    const now = this.#options.author.now();
    if (!isForced && !this.#mayFetch(shard, now)) return;
    await shard.flight.run(() =>
      this.#fetch(shard, now, isForced).catch((error: unknown) =>
        this.#fail(error, 'STATUS_UNAVAILABLE'),
      ),
    );
  }

  async #fetch(shard: Shard, now: number, isForced: boolean): Promise<void> {
    shard.triedAt = now;
    this.#shards.dropUnused(now);
    const isFresh = isForced || shard.isAging(now) || this.#closedAt !== undefined;
    const { author } = this.#options;
    const etag = isFresh ? undefined : shard.etag;
    const fetched = await fetchList(this.#issuer, author, shard.number, etag);
    shard.isUnknown = fetched.kind === 'unknown';
    if (fetched.kind === 'unknown') {
      throw new ProblemError('STATUS_UNAVAILABLE', `List ${shard.number} does not exist.`);
    }
    if (fetched.kind === 'list') {
      shard.accept(fetched.list, this.#shards.log);
      shard.etag = fetched.etag;
      this.#reopen(fetched.list.iat);
      this.#watch();
    }
    shard.askedAt = now;
    if (this.#shards.log !== undefined && !this.#shards.isCovered(shard)) this.#stream.resume();
  }

  #fail(error: unknown, otherwise: ProblemCode): void {
    const isClosed = error instanceof ProblemError && error.code === 'ISSUER_CLOSED';
    if (isClosed) this.#closedAt = Math.floor(this.#options.author.now() / 1000);
    this.#options.problems.report(error, otherwise);
  }

  /** Reopens the issuer if a statement is newer than the time when it was found closed. */
  #reopen(iat: number): void {
    if (this.#closedAt !== undefined && iat > this.#closedAt) this.#closedAt = undefined;
  }

  /** Starts the background work once. In the `poll` mode there is none. */
  #watch(): void {
    if (this.#options.mode === 'poll' || this.#timer !== undefined) return;
    this.#tickIn(between(TICK_MS));
    void this.#stream.run();
  }

  #tickIn(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#issuer.end.aborted) return;
    const run = () => void this.#tick().finally(() => this.#tickIn(between(TICK_MS)));
    this.#timer = startTimer(run, ms);
  }

  /** Drops unused lists and fetches due lists. */
  async #tick(): Promise<void> {
    const now = this.#options.author.now();
    this.#shards.dropUnused(now);
    const due = this.#shards.all.filter((shard) => this.#isDue(shard, now));
    for (let at = 0; at < due.length; at += AT_ONCE) {
      await Promise.all(due.slice(at, at + AT_ONCE).map((shard) => this.#refresh(shard)));
    }
  }

  #take(event: StatusEvent): void {
    if (event.iat < this.#lastIat - CLOCK_SKEW_SECONDS) {
      throw new ProblemError('STATUS_REPLAYED', 'An event is older than the previous ones.');
    }
    this.#lastIat = Math.max(this.#lastIat, event.iat);
    if (event.kind === 'closed') {
      throw new ProblemError('ISSUER_CLOSED', 'The tenant was deactivated or deleted.');
    }
    this.#reopen(event.iat);
    const { version } = this.#shards;
    const isGap = event.kind === 'reset' || (version !== undefined && event.from > version);
    if (isGap) {
      const message = 'Changes were missed, so the lists are fetched again.';
      this.#options.problems.report(new ProblemError('STREAM_GAP', message), 'STREAM_GAP');
    }
    if (event.kind === 'reset') this.#shards.reset(event.version);
    else this.#shards.apply(event, this.#options.author.now());
    for (const shard of this.#shards.lagging) void this.#refresh(shard, true);
  }
}

/** A random number. */
function between([least, most]: readonly [number, number]): number {
  return least + Math.random() * (most - least);
}
