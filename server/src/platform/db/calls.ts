import type { TenantId } from '@keywright/contract/ids';
import { type Kysely, sql } from 'kysely';
import type { Answering } from './database.ts';
import type { DB } from './schema.ts';

/** A database function, as described by its generated caller in server/sql. */
export interface Call<Arguments, Row> extends Answering<Row> {
  readonly text: string;
  /** Returns the arguments in the function's order. */
  readonly values: (given: Arguments) => unknown[];
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
  readonly values: (tenantId: TenantId, given: Arguments) => unknown[];
}

/** A function whose first arguments are the audit record of work across tenants. The function writes the record. */
export interface SystemCall<Arguments, Row> extends Answering<Row> {
  readonly text: string;
  readonly values: (work: string, given: Arguments) => unknown[];
}

/** One kind of row for each value of a column, so that comparing the column narrows the row. */
export type RowFor<Column extends string, Value, Row> = Value extends unknown
  ? Row & { readonly [C in Column]: Value }
  : never;

/** Executes SQL on the connection of a transaction. */
export type SqlConnection = Pick<Kysely<DB>, 'getExecutor'>;

interface Within {
  readonly db: SqlConnection;
}

/** Calls a function within a transaction. */
export function callWithin<Arguments, Row>(
  { db }: Within,
  one: Call<Arguments, Row>,
  given: NoInfer<Arguments>,
): Promise<Row[]> {
  return execute<Row>(db, one.text, one.values(given));
}

/** Calls a function whose first argument is the tenant within a transaction. */
export function callAs<Arguments, Row>(
  { db, tenantId }: Within & { readonly tenantId: TenantId },
  one: TenantCall<Arguments, Row>,
  given: NoInfer<Arguments>,
): Promise<Row[]> {
  return execute<Row>(db, one.text, one.values(tenantId, given));
}

/** Calls a function that takes an audit record of work across tenants, which the transaction has already written. */
export function callAcross<Arguments, Row>(
  { db }: Within,
  one: SystemCall<Arguments, Row>,
  given: NoInfer<Arguments>,
): Promise<Row[]> {
  return execute<Row>(db, one.text, one.values('[]', given));
}

/** Executes a call like a statement built by Kysely, so that it is observed in the same way. */
async function execute<Row>(
  db: SqlConnection,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const fragments = text.split(/\$\d+/) as readonly string[] as TemplateStringsArray;
  return (await sql<Row>(fragments, ...values).execute(db)).rows;
}
