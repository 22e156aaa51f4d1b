import { Cache } from '../platform/cache/cache.ts';
import type { Changes, QueryTime } from './changes.ts';

/** Limited, because clients choose the unknown names. */
const MAX_ABSENT = 2000;

/** The cached value, if available synchronously; otherwise the pending lookup. */
export type Found<Value> = Value | Promise<Value | undefined>;

/** A query result, the time of the query, and its tenant. */
interface Answer<Value> extends QueryTime {
  readonly value: Value;
  readonly tenantId: string;
}

interface LookUp<Value> {
  readonly answer: Promise<Value | undefined>;
  readonly asOf: QueryTime;
}

export interface Source<Key, Value> {
  /** @param asOf taken before the query */
  load(key: Key, asOf: QueryTime): Promise<Value | undefined>;
  /** The tenant that a value belongs to. */
  tenantOf(value: Value, key: Key): string;
  /** Whether an unchanged value is still valid; default: always. */
  isCurrent?(value: Value): boolean;
  /** Called with each evicted value. */
  onEvict?(value: Value): void;
  /** Maximum number of cached values, if they are large; default: as many as changes are remembered for. */
  readonly most?: number;
}

/**
 * Caches what is loaded for a key until its tenant changes. Concurrent requests share a lookup, unless something
 * changed after it started; absence is cached for a second. Never used for credentials.
 */
export class TenantCache<Key extends string, Value extends object> {
  readonly #changes: Changes;
  readonly #source: Source<Key, Value>;
  readonly #answers: Cache<Key, Answer<Value>>;
  readonly #absent = new Cache<Key, QueryTime>(MAX_ABSENT);
  readonly #inFlight = new Map<Key, LookUp<Value>>();

  constructor(changes: Changes, source: Source<Key, Value>) {
    this.#changes = changes;
    this.#source = source;
    this.#answers = new Cache(source.most ?? changes.remembers, ({ value }) =>
      source.onEvict?.(value),
    );
  }

  find(key: Key): Found<Value> | undefined {
    const value = this.known(key);
    if (value) return value;
    const missed = this.#absent.get(key);
    if (missed && this.#changes.isRecent(missed)) return undefined;
    const pending = this.#inFlight.get(key);
    // A lookup that started before a change can have read the old state.
    return pending && this.#changes.isLatest(pending.asOf) ? pending.answer : this.#lookUp(key);
  }

  /** Returns the cached value if it is still valid; does not load. */
  known(key: Key): Value | undefined {
    const answer = this.#answers.get(key);
    if (!answer || !this.#changes.holdsSince(answer, answer.tenantId)) return undefined;
    return (this.#source.isCurrent?.(answer.value) ?? true) ? answer.value : undefined;
  }

  /** Caches a value that was part of another result. @param asOf taken before that query */
  learn(key: Key, value: Value, { turn, at }: QueryTime): void {
    const tenantId = this.#source.tenantOf(value, key);
    // A key from a request can be a slice of a long URL, which the cache would keep in memory.
    const own = tenantId === key ? (tenantId as Key) : key;
    this.#answers.set(own, { value, tenantId, turn, at });
  }

  clear(): void {
    this.#answers.clear();
  }

  #lookUp(key: Key): Promise<Value | undefined> {
    const asOf = this.#changes.now();
    const answer = this.#load(key, asOf).finally(() => {
      if (this.#inFlight.get(key)?.answer === answer) this.#inFlight.delete(key);
    });
    this.#inFlight.set(key, { answer, asOf });
    return answer;
  }

  async #load(key: Key, asOf: QueryTime): Promise<Value | undefined> {
    const value = await this.#source.load(key, asOf);
    if (value) this.learn(key, value, asOf);
    else {
      this.#answers.delete(key);
      this.#absent.set(key, asOf);
    }
    return value;
  }
}
