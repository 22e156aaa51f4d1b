import { type ParsedOptions, type Remote, remote, UsageError } from '../command.ts';
import { ROUTES } from '../generated/routes.ts';
import { type Connection, onTarget, requirePage } from './connection.ts';
import { optionsFor, readFields } from './fields.ts';
import { renderList, renderRecord } from './render.ts';
import type { RouteFields } from './route-fields.ts';
import type { Row } from './row.ts';
import { TABLE } from './table.ts';
import { TARGET_OPTIONS } from './target.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 10_000;
/** The largest page of the service. */
const MAX_PAGE = 100;

type Item = Readonly<Record<string, unknown>>;

interface Page {
  readonly items: readonly Item[];
  readonly meta: {
    readonly next_cursor?: string;
    readonly has_more?: boolean;
    readonly [other: string]: unknown;
  };
}

/** Any method of the client. */
type Method = (...args: unknown[]) => Promise<Item> & { readonly page: () => Promise<Page> };

/** Lists continue after a cursor, the event log after an event. */
const CURSOR = { value: 'CURSOR', help: 'continue the previous list' } as const;
const LIMIT = {
  limit: { value: 'N', help: `number of records, at most ${MAX_LIMIT}; default ${DEFAULT_LIMIT}` },
} as const;

export const REMOTE_TABLE: readonly Remote[] = TABLE.map((row) =>
  row.columns === undefined ? recordCommand(row) : listCommand(row, row.columns),
);

function recordCommand(row: Row): Remote {
  const route = ROUTES[row.route];
  return remote<Item>({
    ...described(row, route),
    options: { ...optionsFor(row, route), ...TARGET_OPTIONS },
    perform: async (options, context) => {
      const { query, body } = await readFields(row, route, options, context);
      const args = [...options.args, ...(route.hasBody ? [body] : []), ...queryOf(route, query)];
      return onTarget(options, context, ({ client, call }) =>
        methodOf(client, route)(...args, call),
      );
    },
    render: renderRecord,
  });
}

function listCommand(row: Row, shown: readonly string[]): Remote {
  const route = ROUTES[row.route];
  const routeOptions = optionsFor(row, route);
  const options = {
    ...routeOptions,
    ...('cursor' in routeOptions ? { cursor: CURSOR } : {}),
    ...LIMIT,
  };
  return remote<Page>({
    ...described(row, route),
    options: { ...options, ...TARGET_OPTIONS },
    perform: async (parsed, context) => {
      const limit = readLimit(parsed);
      const { query } = await readFields(row, route, parsed, context);
      return onTarget(parsed, context, (connection) =>
        gather(connection, route, parsed, query, limit),
      );
    },
    render: (page) => renderList(page.items, shown, nextOf(page)),
  });
}

function described(row: Row, { about, takes }: RouteFields) {
  const { name, summary, examples } = row;
  return { name, summary, examples, details: about, takes };
}

function methodOf(client: Connection['client'], { group, method }: RouteFields): Method {
  // The names are generated from the contract, as is the client.
  const operations = Reflect.get(client, group) as Readonly<Record<string, Method>> | undefined;
  const found = operations?.[method];
  if (!found) throw new Error(`The client has no ${group}.${method}.`);
  return found;
}

/** Returns the query argument, which the client accepts only if the route has a query. */
function queryOf({ fields }: RouteFields, query: object): readonly object[] {
  return fields.some((field) => field.in === 'query') ? [query] : [];
}

/** Reads pages up to the limit; the result contains the cursor to continue from. */
async function gather(
  { client, call }: Connection,
  route: RouteFields,
  { args }: ParsedOptions,
  query: Readonly<Record<string, unknown>>,
  limit: number,
): Promise<Page> {
  const items: Item[] = [];
  let meta: Page['meta'] = {};
  let from: Readonly<Record<string, unknown>> | undefined = query;
  while (from !== undefined && items.length < limit) {
    const size = Math.min(limit - items.length, MAX_PAGE);
    const page: Page = requirePage(
      await methodOf(client, route)(...args, { ...from, limit: size }, call).page(),
    );
    items.push(...page.items);
    meta = page.meta;
    from = page.items.length === 0 ? undefined : queryAfter(page, query);
  }
  return { items, meta: { ...meta, limit } };
}

function queryAfter({ meta }: Page, query: Readonly<Record<string, unknown>>) {
  return meta.next_cursor === undefined ? undefined : { ...query, cursor: meta.next_cursor };
}

/** The option that continues the list. */
function nextOf({ meta }: Page): string | undefined {
  return meta.next_cursor === undefined ? undefined : `--cursor ${meta.next_cursor}`;
}

function readLimit(options: ParsedOptions): number {
  const text = options.get('limit');
  if (text === undefined) return DEFAULT_LIMIT;
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw new UsageError(`--limit must be a number from 1 to ${MAX_LIMIT}.`);
}
