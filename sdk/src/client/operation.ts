/** The part of a route that a client needs. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Parameters as `:name`. */
  readonly path: string;
  readonly body?: true;
  /** The body is JSON lines. */
  readonly lines?: true;
  readonly query?: true;
  /** Whether the response is a page of a list. */
  readonly list?: true;
  /** Needs no token. */
  readonly open?: true;
  /** Whether it is a POST that takes effect only once per `Idempotency-Key`. */
  readonly idempotent?: true;
  /** The field that is only in the response to the creation. */
  readonly secret?: string;
}

/** Options of a call. */
export interface CallOptions {
  /** Aborts the call. */
  readonly signal?: AbortSignal;
  /** Replaces the key generated for each call. Set it for calls that another process can repeat. */
  readonly idempotencyKey?: string;
  /** Additional request headers. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A call before a token is added. */
export interface Call {
  readonly operation: Operation;
  /** The path relative to the base URL, with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly signal: AbortSignal | undefined;
}

type QueryValue = string | number | boolean;

/** The values of a query. Lists become repeated parameters, and undefined values are omitted. */
export type Query = Readonly<Record<string, QueryValue | readonly QueryValue[] | undefined>>;

/** Reads the arguments of a call, which every method takes in the same order. */
export function readArguments(operation: Operation, args: readonly unknown[]) {
  const rest = [...args];
  const path = operation.path.replaceAll(/:([a-z_]+)/g, (_, name: string) =>
    segment(name, rest.shift()),
  );
  const body = (operation.body ?? operation.lines) ? rest.shift() : undefined;
  const query = (operation.query ? rest.shift() : undefined) ?? {};
  const options = rest.shift() ?? {};
  return { path, body, query: query as Query, options: options as CallOptions };
}

/** Builds a call. */
export function toCall(
  operation: Operation,
  path: string,
  body: unknown,
  query: Query,
  { signal, idempotencyKey, headers }: CallOptions,
): Call {
  const text = queryText(query);
  const sent = textOf(operation, body);
  const key = idempotencyKey ?? (operation.idempotent ? crypto.randomUUID() : undefined);
  return {
    operation,
    path: text === '' ? path : `${path}?${text}`,
    headers: {
      accept: 'application/json',
      ...(sent ? { 'content-type': sent.type } : {}),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...headers,
    },
    body: sent?.text,
    signal,
  };
}

function textOf({ body: isObject, lines: isLines }: Operation, body: unknown) {
  if (body === undefined) return undefined;
  if (isObject) return { type: 'application/json', text: JSON.stringify(body) };
  if (!isLines) return undefined;
  const lines = (body as readonly unknown[]).map((line) => `${JSON.stringify(line)}\n`);
  return { type: 'application/x-ndjson', text: lines.join('') };
}

/** Encodes a path parameter, and rejects values that would change the route. */
function segment(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '' || value === '.' || value === '..') {
    throw new TypeError(`Expected ${name} to be an ID, got ${JSON.stringify(value)}.`);
  }
  return encodeURIComponent(value);
}

function queryText(query: Query): string {
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of [value ?? []].flat()) fields.append(name, String(item));
  }
  return fields.toString();
}
