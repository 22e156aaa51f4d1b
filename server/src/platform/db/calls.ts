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

/**
 * Batches calls of one kind: calls that are made while others are in progress, or within two turns of the event loop,
 * become one call. Nothing is cached, so nothing can be stale.
 * @param run returns the results in the order of the items: values or promises
 */
export function batched<Item, Answer>(
  run: (items: readonly Item[]) => Promise<readonly (Answer | Promise<Answer>)[]>,
  limits: { readonly size: number; readonly flights: number },
): (item: Item) => Promise<Answer> {
  const waiting: {
    item: Item;
    resolve: (answer: Answer | Promise<Answer>) => void;
    reject: (reason: unknown) => void;
  }[] = [];
  let inFlight = 0;
  let scheduled = false;

  function schedule(): void {
    if (scheduled || waiting.length === 0 || inFlight >= limits.flights) return;
    scheduled = true;
    setImmediate(() => {
      // A single call runs immediately. After several, more are likely within the next turn.
      const hasMore = waiting.length > 1 && waiting.length < limits.size;
      if (hasMore) setImmediate(depart);
      else depart();
    });
  }

  function depart(): void {
    scheduled = false;
    const flight = waiting.splice(0, limits.size);
    inFlight += 1;
    void settle(flight).finally(() => {
      inFlight -= 1;
      schedule();
    });
    schedule();
  }

  async function settle(flight: typeof waiting): Promise<void> {
    try {
      const answers = await run(flight.map((entry) => entry.item));
      flight.forEach((entry, index) => entry.resolve(answers[index] as Answer | Promise<Answer>));
    } catch (error) {
      for (const entry of flight) entry.reject(error);
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      schedule();
    });
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
