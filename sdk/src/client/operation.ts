/** The part of a route that a client needs. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Parameters as `:name`. */
  readonly path: string;
  readonly body?: true;
  readonly query?: true;
  /** Returns a page of a list. */
  readonly list?: true;
  /** Needs no token. */
  readonly open?: true;
  /** A POST that takes effect once per `Idempotency-Key`. */
  readonly idempotent?: true;
  /** The field that only the response to a creation contains. */
  readonly secret?: string;
}

/** Options of a call. */
export interface CallOptions {
  /** Aborts the call. */
  readonly signal?: AbortSignal;
  /** Replaces the key generated for each call, for calls that another process may repeat. */
  readonly idempotencyKey?: string;
  /** Additional request headers. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A call before a token is added. */
export interface Call {
  readonly operation: Operation;
  /** Below the base URL, with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly signal: AbortSignal | undefined;
}

type QueryValue = string | number | boolean;

/** Values of a query; lists are repeated, and what is undefined is left out. */
export type Query = Readonly<Record<string, QueryValue | readonly QueryValue[] | undefined>>;

/** The arguments of a call, in the order that every method has. */
export function readArguments(operation: Operation, given: readonly unknown[]) {
  const rest = [...given];
  const path = operation.path.replaceAll(/:([a-z_]+)/g, (_, name: string) =>
    segment(name, rest.shift()),
  );
  const body = operation.body ? rest.shift() : undefined;
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
  const isSent = operation.body === true && body !== undefined;
  const key = idempotencyKey ?? (operation.idempotent ? crypto.randomUUID() : undefined);
  return {
    operation,
    path: text === '' ? path : `${path}?${text}`,
    headers: {
      accept: 'application/json',
      ...(isSent ? { 'content-type': 'application/json' } : {}),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...headers,
    },
    body: isSent ? JSON.stringify(body) : undefined,
    signal,
  };
}

/** A path parameter. Values that would change the route are rejected. */
function segment(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '' || value === '.' || value === '..') {
    throw new TypeError(`Expected ${name} to be an id, got ${JSON.stringify(value)}.`);
  }
  return encodeURIComponent(value);
}

function queryText(query: Query): string {
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value ?? []].flat()) fields.append(name, String(one));
  }
  return fields.toString();
}
