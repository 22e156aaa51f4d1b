import { createHash } from 'node:crypto';
import type { Fail } from '@keywright/contract/errors';
import { DEFAULT_LIMIT, EXACT_TOTAL, MAX_LIMIT } from '@keywright/contract/list';
import { type Expression, type QueryExecutorProvider, type SelectQueryBuilder, sql } from 'kysely';

/** A count reads at most this many rows. */
export const COUNT_UP_TO = EXACT_TOTAL + 1;

/** The requested page of a list. */
export interface Page {
  readonly number: number;
  readonly limit: number;
  readonly offset: number;
  /** The sort field; the id breaks ties. */
  readonly field: string;
  readonly descending: boolean;
  /** Identifies the list with its filters and order: a cursor is valid only for the list that issued it. */
  readonly binding: string;
  /** The sort value and ID after which the cursor continues. */
  readonly after: { readonly value: string; readonly id: string } | undefined;
}

export interface PageQuery {
  readonly page?: number;
  readonly limit?: number;
  readonly cursor?: string;
}

/**
 * Parses the page parameters of a query.
 * @param list identifies the list: the tenant, its name, and its parameters
 */
export function readPage(
  list: readonly string[],
  query: PageQuery,
  sort: string,
  fail: Fail<'VALIDATION_FAILED'>,
): Page {
  const binding = bindingOf(list, query, sort);
  const number = query.page ?? 1;
  const limit = Math.min(query.limit ?? DEFAULT_LIMIT, MAX_LIMIT);
  const after =
    query.cursor === undefined ? undefined : readCursor(query.cursor, binding, sort, fail);
  const descending = sort.startsWith('-');
  return {
    number,
    limit,
    offset: after ? 0 : (number - 1) * limit,
    field: descending ? sort.slice(1) : sort,
    descending,
    binding,
    after,
  };
}

/** The time of an event that has not happened. It sorts before all times. */
export const NEVER = '-infinity';

/** Length of the digest prefix, long enough to avoid collisions. */
const BINDING_LENGTH = 16;

function bindingOf(list: readonly string[], query: PageQuery, sort: string): string {
  const { page: _page, limit: _limit, cursor: _cursor, ...filters } = query;
  const named = Object.entries({ ...filters, sort }).toSorted(([left], [right]) =>
    left < right ? -1 : 1,
  );
  const digest = createHash('sha256').update(JSON.stringify([list, named]));
  return digest.digest('base64url').slice(0, BINDING_LENGTH);
}

function readCursor(
  cursor: string,
  binding: string,
  sort: string,
  fail: Fail<'VALIDATION_FAILED'>,
) {
  const [from, value, id] = parseCursor(cursor);
  const isGood =
    from === binding &&
    isText(value) &&
    isText(id) &&
    (!sort.endsWith('_at') || isTime(value) || (value === NEVER && !sort.endsWith('created_at')));
  if (isGood) return { value, id };
  return refuseCursor(fail);
}

/** The parts of a cursor, not validated. */
function parseCursor(cursor: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(parts) && parts.length === 3 ? parts : [];
  } catch {
    return [];
  }
}

/** Whether the database accepts the text: it rejects NUL. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0');
}

/** A time exactly as the service formats it, with a four-digit year that the database supports: it has no year 0. */
function isTime(value: string): boolean {
  const date = new Date(value);
  if (value.length !== 24 || Number.isNaN(date.getTime())) return false;
  return date.getUTCFullYear() > 0 && date.toISOString() === value;
}

/** The sort column of a list, and its tie-breaker. */
interface Order {
  /** Undefined: the ID alone. */
  readonly by: Expression<unknown> | undefined;
  readonly id: Expression<unknown>;
}

const BY_TIME: Order = { by: sql.ref('created_at'), id: sql.ref('id') };
/** The same order for rows whose IDs sort by time, from the primary key. */
export const BY_ID: Order = { by: undefined, id: sql.ref('id') };

/** Selects one page of a query, plus one more row to detect a next page. An index supports continuing from a cursor. */
export function pageOf<Tables, From extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, From, Row>,
  page: Page,
  { by, id }: Order = BY_TIME,
): SelectQueryBuilder<Tables, From, Row> {
  const direction = page.descending ? 'desc' : 'asc';
  const beyond = page.descending ? sql`<` : sql`>`;
  const { after } = page;
  const place = by ? sql`(${by}, ${id})` : id;
  const start = by ? sql`(${after?.value}, ${after?.id})` : sql`${after?.id}`;
  return query
    .$if(after !== undefined, (all) => all.where(sql<boolean>`${place} ${beyond} ${start}`))
    .$if(by !== undefined, (all) => all.orderBy(by ?? id, direction))
    .orderBy(id, direction)
    .limit(page.limit + 1)
    .offset(page.offset);
}

/** Number of rows of a query, counted up to COUNT_UP_TO. */
export async function countUpToLimit<Tables, From extends keyof Tables, Row>(
  { db }: { readonly db: QueryExecutorProvider },
  query: SelectQueryBuilder<Tables, From, Row>,
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::integer AS n FROM ${query.limit(COUNT_UP_TO)} AS found`.execute(db);
  return rows[0]?.n ?? 0;
}

/**
 * Returns the response of a list.
 * @param rows the page, plus one more row if there is a next page
 * @param counted the number of rows, counted up to COUNT_UP_TO; beyond that it is an estimate
 * @param valueOf the sort value of a row
 */
export function listed<Row extends { readonly id: string }, Item>(
  page: Page,
  rows: readonly Row[],
  counted: number,
  valueOf: (row: Row, page: Page) => string,
  present: (row: Row) => Item,
  { stoppedAt, isEstimate = false }: { stoppedAt?: Row | undefined; isEstimate?: boolean } = {},
) {
  const shown = rows.slice(0, page.limit);
  const last = rows.length > page.limit ? shown.at(-1) : stoppedAt;
  return {
    items: shown.map(present),
    meta: {
      page: page.number,
      limit: page.limit,
      total: counted === COUNT_UP_TO ? EXACT_TOTAL : counted,
      ...(isEstimate || counted > EXACT_TOTAL ? { total_is_estimate: true as const } : {}),
      ...(last === undefined
        ? {}
        : {
            next_cursor: Buffer.from(
              JSON.stringify([page.binding, valueOf(last, page), last.id]),
            ).toString('base64url'),
          }),
    },
  };
}

/** Returns the response of a short, complete list, which has no cursor. */
export function listedWhole<Item>(
  query: PageQuery,
  items: readonly Item[],
  fail: Fail<'VALIDATION_FAILED'>,
) {
  if (query.cursor !== undefined) refuseCursor(fail);
  const number = query.page ?? 1;
  const limit = Math.min(query.limit ?? DEFAULT_LIMIT, MAX_LIMIT);
  const shown = items.slice((number - 1) * limit, number * limit);
  return { items: shown, meta: { page: number, limit, total: items.length } };
}

function refuseCursor(fail: Fail<'VALIDATION_FAILED'>): never {
  return fail('VALIDATION_FAILED', {
    errors: [
      {
        path: '/cursor',
        message: 'must be meta.next_cursor of this list, with the same filters and sort',
      },
    ],
  });
}
