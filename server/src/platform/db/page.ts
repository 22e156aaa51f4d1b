import { createHash } from 'node:crypto';
import type { Fail } from '@keywright/contract/errors';
import { DEFAULT_LIMIT, EXACT_TOTAL, MAX_LIMIT } from '@keywright/contract/list';
import { type Expression, type QueryExecutorProvider, type SelectQueryBuilder, sql } from 'kysely';

/** A count looks at this many rows at the most. */
export const COUNT_UP_TO = EXACT_TOTAL + 1;

/** Which part of a list is asked for. */
export interface Page {
  readonly number: number;
  readonly limit: number;
  readonly offset: number;
  /** The field that it is sorted by; the id settles ties. */
  readonly field: string;
  readonly descending: boolean;
  /** Tells the list, with its filters and order, from every other: a cursor is good for its own alone. */
  readonly binding: string;
  /** Where a walk by cursor goes on: after this value and id. */
  readonly after: { readonly value: string; readonly id: string } | undefined;
}

export interface PageQuery {
  readonly page?: number;
  readonly limit?: number;
  readonly cursor?: string;
}

/**
 * Reads which page a query asks for.
 * @param list what tells the list from others: the tenant, its name, and what it is a list of
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

/** Enough of a digest that two lists never have the same one by chance. */
const BINDING_LENGTH = 16;

function bindingOf(list: readonly string[], query: PageQuery, sort: string): string {
  const { page: _page, limit: _limit, cursor: _cursor, ...filters } = query;
  const named = Object.entries({ ...filters, sort }).toSorted(([one], [other]) =>
    one < other ? -1 : 1,
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
    (!sort.endsWith('created_at') || isTime(value));
  if (isGood) return { value, id };
  return refuseCursor(fail);
}

/** The parts of a cursor; nothing of them is believed yet. */
function parseCursor(cursor: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(parts) && parts.length === 3 ? parts : [];
  } catch {
    return [];
  }
}

/** Text that the database takes: it knows no NUL. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0');
}

/** A time exactly as the service writes it, of a year with four digits that the database knows: it has no year 0. */
function isTime(value: string): boolean {
  const date = new Date(value);
  if (value.length !== 24 || Number.isNaN(date.getTime())) return false;
  return date.getUTCFullYear() > 0 && date.toISOString() === value;
}

/** What a list is sorted by, and what settles ties. */
interface Order {
  readonly by: Expression<unknown>;
  readonly id: Expression<unknown>;
}

const BY_TIME: Order = { by: sql.ref('created_at'), id: sql.ref('id') };

/** One page of a query, and one row more if there is one. Where a cursor leads to, an index leads too. */
export function pageOf<Tables, From extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, From, Row>,
  page: Page,
  { by, id }: Order = BY_TIME,
): SelectQueryBuilder<Tables, From, Row> {
  const direction = page.descending ? 'desc' : 'asc';
  const beyond = page.descending ? sql`<` : sql`>`;
  const { after } = page;
  return query
    .$if(after !== undefined, (all) =>
      all.where(sql<boolean>`(${by}, ${id}) ${beyond} (${after?.value}, ${after?.id})`),
    )
    .orderBy(by, direction)
    .orderBy(id, direction)
    .limit(page.limit + 1)
    .offset(page.offset);
}

/** How many rows a query has, counted no further than COUNT_UP_TO. */
export async function countSome<Tables, From extends keyof Tables, Row>(
  { db }: { readonly db: QueryExecutorProvider },
  query: SelectQueryBuilder<Tables, From, Row>,
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::integer AS n FROM ${query.limit(COUNT_UP_TO)} AS found`.execute(db);
  return rows[0]?.n ?? 0;
}

/**
 * The answer of a list.
 * @param rows the page and, if there is more, one row beyond it
 * @param counted how many there are, counted no further than COUNT_UP_TO; more than that is an estimate
 * @param valueOf the value that a row is sorted by
 */
export function listed<Row extends { readonly id: string }, Item>(
  page: Page,
  rows: readonly Row[],
  counted: number,
  valueOf: (row: Row, page: Page) => string,
  present: (row: Row) => Item,
) {
  const shown = rows.slice(0, page.limit);
  const last = rows.length > page.limit ? shown.at(-1) : undefined;
  return {
    items: shown.map(present),
    meta: {
      page: page.number,
      limit: page.limit,
      total: counted === COUNT_UP_TO ? EXACT_TOTAL : counted,
      ...(counted > EXACT_TOTAL ? { total_is_estimate: true as const } : {}),
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

/** The answer of a list that is short by its nature and at hand as a whole. It has no cursor. */
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

/** What is told of a filter that names nothing of the tenant. A record of another tenant is none (SPEC errors 4). */
export function unknownFilter(name: string): string {
  return `The query parameter ${name} names a record that does not exist.`;
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
