import { type Cache, createCache } from '../platform/cache/cache.ts';
import type { Changes, Mark } from './changes.ts';

/** Names that nobody has are the invention of whoever asks. */
const MAX_ABSENT = 2000;

/** What is kept, at once; otherwise what the look-up will answer. */
export type Found<Value> = Value | Promise<Value | undefined>;

/** An answer, when it was asked for, and which tenant it belongs to. */
interface Answer<Value> extends Mark {
  readonly value: Value;
  readonly tenantId: string;
}

interface LookUp<Value> {
  readonly answer: Promise<Value | undefined>;
  readonly mark: Mark;
}

export interface Source<Key, Value> {
  /** @param mark from before the database is asked */
  load(key: Key, mark: Mark): Promise<Value | undefined>;
  /** Which tenant an answer belongs to. */
  tenantOf(value: Value, key: Key): string;
  /** Whether an answer is still right that nobody changed; default: always. */
  isCurrent?(value: Value): boolean;
  /** Told of each answer that is no longer kept. */
  onEvict?(value: Value): void;
}

/**
 * Keeps what is loaded for a key until the tenant that it belongs to changes. Requests that ask at the same time share
 * one look-up, unless something changed after it began; what is absent is remembered for a second. Never for credentials.
 */
export class TenantCache<Key extends string, Value extends object> {
  readonly #changes: Changes;
  readonly #source: Source<Key, Value>;
  readonly #answers: Cache<Key, Answer<Value>>;
  readonly #absent = createCache<Key, Mark>(MAX_ABSENT);
  readonly #underWay = new Map<Key, LookUp<Value>>();

  constructor(changes: Changes, source: Source<Key, Value>) {
    this.#changes = changes;
    this.#source = source;
    this.#answers = createCache(changes.remembers, ({ value }) => source.onEvict?.(value));
  }

  find(key: Key): Found<Value> | undefined {
    const value = this.known(key);
    if (value) return value;
    const missed = this.#absent.get(key);
    if (missed && this.#changes.isRecent(missed)) return undefined;
    const pending = this.#underWay.get(key);
    // One that began before a change may have read what was there before it.
    return pending && this.#changes.isLatest(pending.mark) ? pending.answer : this.#lookUp(key);
  }

  /** What is kept and still right; asks for nothing. */
  known(key: Key): Value | undefined {
    const answer = this.#answers.get(key);
    if (!answer || !this.#changes.holdsSince(answer, answer.tenantId)) return undefined;
    return (this.#source.isCurrent?.(answer.value) ?? true) ? answer.value : undefined;
  }

  /** Keeps what came with another answer. @param mark from before that was asked for */
  learn(key: Key, value: Value, { turn, at }: Mark): void {
    const tenantId = this.#source.tenantOf(value, key);
    // The text of a request may be part of a long URL, all of which it would keep in memory.
    const own = tenantId === key ? (tenantId as Key) : key;
    this.#answers.set(own, { value, tenantId, turn, at });
  }

  clear(): void {
    this.#answers.clear();
  }

  #lookUp(key: Key): Promise<Value | undefined> {
    const mark = this.#changes.mark();
    const answer = this.#load(key, mark).finally(() => {
      if (this.#underWay.get(key)?.answer === answer) this.#underWay.delete(key);
    });
    this.#underWay.set(key, { answer, mark });
    return answer;
  }

  async #load(key: Key, mark: Mark): Promise<Value | undefined> {
    const value = await this.#source.load(key, mark);
    if (value) this.learn(key, value, mark);
    else {
      this.#answers.delete(key);
      this.#absent.set(key, mark);
    }
    return value;
  }
}
