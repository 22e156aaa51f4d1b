import type { TenantId } from '@keywright/contract/ids';
import { type QueryExecutorProvider, sql } from 'kysely';
import type { Answering } from './database.ts';
import { isUnavailable } from './failures.ts';

/** A database function, as described by its generated caller in server/sql. */
export interface Call<Arguments, Row> extends Answering<Row> {
  readonly text: string;
  /** Returns the arguments in the function's order. */
  readonly values: (args: Arguments) => unknown[];
}

/** The row of a batch, with the place of its item in the batch, from 1. */
export type Placed<Row> = Row & { readonly place: number };

/** A function for one tenant that one statement calls for each item of a batch, of any tenants. */
export interface BatchCall<Item, Row> extends Answering<Placed<Row>> {
  readonly text: string;
  readonly values: (items: readonly Item[]) => unknown[];
}

/** A function whose first argument is the tenant, which the gate supplies. */
export interface TenantCall<Arguments, Row> extends Answering<Row> {
  readonly text: string;
  readonly values: (tenantId: TenantId, args: Arguments) => unknown[];
}

/** A function whose first arguments are the audit record of work across tenants. The function writes the record. */
export interface SystemCall<Arguments, Row> extends Answering<Row> {
  readonly text: string;
  readonly values: (work: string, args: Arguments) => unknown[];
}

/** The rows of a call. */
export type RowOf<Source> = Source extends Answering<infer Row> ? Row : never;

/** One kind of row for each value of a column, so that comparing the column narrows the row. */
export type RowFor<Column extends string, Value, Row> = Value extends unknown
  ? Row & { readonly [C in Column]: Value }
  : never;

interface Within {
  readonly db: QueryExecutorProvider;
}

/** Calls a function within a transaction. */
export function callWithin<Arguments, Row>(
  { db }: Within,
  call: Call<Arguments, Row>,
  args: NoInfer<Arguments>,
): Promise<Row[]> {
  return execute<Row>(db, call.text, call.values(args));
}

/** Calls a function whose first argument is the tenant within a transaction. */
export function callAs<Arguments, Row>(
  { db, tenantId }: Within & { readonly tenantId: TenantId },
  call: TenantCall<Arguments, Row>,
  args: NoInfer<Arguments>,
): Promise<Row[]> {
  return execute<Row>(db, call.text, call.values(tenantId, args));
}

/** Calls a function that takes an audit record of work across tenants, which the transaction has already written. */
export function callAcross<Arguments, Row>(
  { db }: Within,
  call: SystemCall<Arguments, Row>,
  args: NoInfer<Arguments>,
): Promise<Row[]> {
  return execute<Row>(db, call.text, call.values('[]', args));
}

/** Executes a call like a statement built by Kysely, so that it is observed in the same way. */
async function execute<Row>(
  db: QueryExecutorProvider,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const fragments = text.split(/\$\d+/) as readonly string[] as TemplateStringsArray;
  return (await sql<Row>(fragments, ...values).execute(db)).rows;
}

interface BatchLimits {
  /** The maximum number of items in a call. */
  readonly size: number;
  /** The maximum number of calls in progress. */
  readonly flights: number;
  /** A call that is not full starts only after the last one has been in progress for this time. Default 0. */
  readonly slowAfterMs?: number;
}

type Run<Item, Answer> = (items: readonly Item[]) => Promise<readonly (Answer | Promise<Answer>)[]>;

/**
 * Batches calls of one kind: calls that are made while others are in progress, or within two turns of the event loop,
 * become one call. Nothing is cached, so nothing can be stale.
 * @param run returns the results in the order of the items: values or promises
 */
export function batched<Item, Answer>(
  run: Run<Item, Answer>,
  limits: BatchLimits,
): (item: Item) => Promise<Answer> {
  const batches = new Batches(run, limits);
  return (item) => batches.call(item);
}

interface WaitingItem<Item, Answer> {
  readonly item: Item;
  readonly resolve: (answer: Answer | Promise<Answer>) => void;
  readonly reject: (reason: unknown) => void;
}

class Batches<Item, Answer> {
  readonly #run: Run<Item, Answer>;
  readonly #limits: Required<BatchLimits>;
  readonly #waiting: WaitingItem<Item, Answer>[] = [];
  #inFlight = 0;
  #isScheduled = false;
  #departedAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(run: Run<Item, Answer>, limits: BatchLimits) {
    this.#run = run;
    this.#limits = { slowAfterMs: 0, ...limits };
  }

  call(item: Item): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    const { size, flights } = this.#limits;
    const count = this.#waiting.length;
    if (this.#isScheduled || count === 0 || this.#inFlight >= flights) return;
    if (this.#inFlight > 0 && count < size && this.#isEarly()) return;
    this.#isScheduled = true;
    setImmediate(() => {
      // A single call runs immediately. After several, more are likely within the next turn.
      const hasMore = this.#waiting.length > 1 && this.#waiting.length < size;
      if (hasMore) setImmediate(() => this.#depart());
      else this.#depart();
    });
  }

  /** Whether the last call is not slow yet. If so, a timer schedules the waiting items for when it is. */
  #isEarly(): boolean {
    const { slowAfterMs } = this.#limits;
    if (slowAfterMs === 0 || this.#timer) return this.#timer !== undefined;
    const restMs = this.#departedAt + slowAfterMs - performance.now();
    if (restMs <= 0) return false;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#schedule();
    }, restMs).unref();
    return true;
  }

  #depart(): void {
    this.#isScheduled = false;
    if (this.#limits.slowAfterMs > 0) this.#departedAt = performance.now();
    const flight = this.#waiting.splice(0, this.#limits.size);
    this.#inFlight += 1;
    void this.#settle(flight).finally(() => {
      this.#inFlight -= 1;
      this.#schedule();
    });
    this.#schedule();
  }

  async #settle(flight: readonly WaitingItem<Item, Answer>[]): Promise<void> {
    try {
      const answers = await this.#run(flight.map((entry) => entry.item));
      flight.forEach((entry, index) => entry.resolve(answers[index] as Answer | Promise<Answer>));
    } catch (error) {
      for (const entry of flight) entry.reject(error);
    }
  }
}

/**
 * Writes many items in one commit, and returns their results in order. If the commit fails, nothing was written; each
 * item is then written separately, so that one failure does not affect the others.
 */
export async function writeTogether<Item, Answer>(
  items: readonly Item[],
  write: (items: readonly Item[]) => Promise<readonly Answer[]>,
): Promise<readonly (Answer | Promise<Answer>)[]> {
  try {
    return await write(items);
  } catch (error) {
    // After a broken connection, the outcome of the write is unknown.
    if (items.length === 1 || isUnavailable(error)) throw error;
    return items.map(async (item) => (await write([item]))[0] as Answer);
  }
}

/** Sorts items by a key; `unsorted` returns results to the items' original order. */
export function sortedBatch<Item>(items: readonly Item[], keyOf: (item: Item) => string) {
  const keyed = items.map((item, index) => ({ item, index, key: keyOf(item) }));
  const order = keyed.toSorted((left, right) =>
    left.key < right.key ? -1 : Number(left.key > right.key),
  );
  return {
    sorted: order.map((entry) => entry.item),
    unsorted: <Answer>(answers: readonly Answer[]): Answer[] => {
      const back = Array.from<Answer>({ length: items.length });
      order.forEach(({ index }, place) => {
        back[index] = answers[place] as Answer;
      });
      return back;
    },
  };
}

/** Groups rows by item; `place` is the 1-based position of a row's item. */
export function rowsByPlace<Row extends { readonly place: number }>(
  count: number,
  rows: readonly Row[],
): Row[][] {
  const placed = Array.from({ length: count }, (): Row[] => []);
  for (const row of rows) placed[row.place - 1]?.push(row);
  return placed;
}
