import { ROUTES } from '../generated/routes.ts';
import type { AnswerOf, RouteId } from './calls.ts';

export type { AnswerOf, InputOf, RouteId } from './calls.ts';

/** Routes that return a page of a list. */
export type ListId = {
  [Id in RouteId]: AnswerOf<Id> extends {
    readonly items: readonly unknown[];
    readonly meta: unknown;
  }
    ? Id
    : never;
}[RouteId];
export type ItemOf<Id extends ListId> = AnswerOf<Id>['items'][number];

/** The parts of a request, whatever its route. */
export interface Input {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  readonly body?: unknown;
  /** Name of a JSON lines file that is sent instead of a body. */
  readonly file?: string | undefined;
}

export interface RouteFacts {
  readonly method: string;
  /** Path below the API, with parameters as `:name`. */
  readonly path: string;
  readonly scope: string | undefined;
  /** The request takes effect once per Idempotency-Key. */
  readonly isIdempotent: boolean;
}

export function factsOfRoute(id: RouteId): RouteFacts {
  const [method = '', path = '', scope] = ROUTES[id].split(' ');
  const isIdempotent = method.startsWith('*');
  return { method: isIdempotent ? method.slice(1) : method, path, scope, isIdempotent };
}

/** Returns the path below the API, with its query. */
export function pathOf(id: RouteId, { params = {}, query = {} }: Input): string {
  const path = factsOfRoute(id).path.replaceAll(/:([a-z_]+)/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') fields.append(name, String(value));
  }
  return fields.size === 0 ? path : `${path}?${fields.toString()}`;
}
