import { AppError } from '@keywright/contract/errors';
import { MERGED, type RequestSchema } from '@keywright/contract/expectation';
import { readOnlyFields } from '@keywright/contract/read-only';
import type { Route } from '@keywright/contract/route';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { isDeepStrictEqual } from '../platform/builtins.ts';
import {
  acceptForms,
  acceptFormsAlone,
  acceptLines,
  acceptText,
} from '../platform/http/content.ts';
import { explain } from '../platform/http/explain.ts';
import { changedFields } from '../platform/patch.ts';

/**
 * Registers routes. Routes with a body other than JSON get a context for that kind of body, so that no other route
 * accepts what a page of any origin can send. A context is as expensive as ten routes, so the routes of a kind share
 * one.
 */
export class RoutesByBody {
  readonly #server: FastifyInstance;
  readonly #contexts = new Map<string, RouteOptions[]>();

  constructor(server: FastifyInstance) {
    this.#server = server;
  }

  /** Must be called before the server is ready. */
  add(route: Route, options: RouteOptions): void {
    const kind = kindOf(route);
    if (kind === 'json') this.#server.route(options);
    else this.#routesOf(kind, route).push(options);
  }

  #routesOf(kind: string, route: Route): RouteOptions[] {
    const existing = this.#contexts.get(kind);
    if (existing) return existing;
    const routes: RouteOptions[] = [];
    this.#contexts.set(kind, routes);
    // Called when the server gets ready, with all routes.
    void this.#server.register((context, _options, done) => {
      acceptBodies(context, route);
      for (const options of Object.freeze(routes)) context.route(options);
      done();
    });
    return routes;
  }
}

function kindOf({ lines, form }: Route): string {
  if (lines) return `${lines.max} lines`;
  if (form === undefined) return 'json';
  return form === 'accepted' || form === 'text' ? form : 'form only';
}

function acceptBodies(context: FastifyInstance, { lines, form }: Route): void {
  if (lines) acceptLines(context, lines.max);
  else if (form === 'accepted') acceptForms(context);
  else if (form === 'text') acceptText(context);
  else acceptFormsAlone(context);
}

type Fields = Readonly<Record<string, unknown>>;

/** Whether the body of a PATCH contains read-only fields, and so is a record as returned by GET. */
export function hasReadOnlyFields(route: Route, body: unknown): body is Fields {
  if (typeof body !== 'object' || body === null) return false;
  return readOnlyFields(route).some((name) => Object.hasOwn(body, name));
}

/**
 * Returns what a submitted record changes. Omits fields with their current value, including those that the caller
 * cannot change.
 * @param record undefined: the caller cannot read it, and every read-only field is rejected
 * @throws AppError VALIDATION_FAILED
 */
export function changesIn(route: Route, body: Fields, record: Fields | undefined): Fields {
  const schema = route.body as RequestSchema;
  const changed = record ? changesOf(route, body, record) : body;
  const readOnly = readOnlyFields(route).filter((name) => Object.hasOwn(changed, name));
  const changes = Object.fromEntries(
    Object.entries(changed).filter(([name]) => !readOnly.includes(name)),
  );
  const message = 'is read-only: send the current value, or omit it';
  const errors = [
    ...readOnly.map((name) => ({ path: `/${name}`, message })),
    ...explain({ ...schema, minProperties: 0 }, changes),
  ];
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
  return changes;
}

function changesOf(route: Route, body: Fields, record: Fields): Fields {
  const { properties = {}, required = [] } = route.body as RequestSchema;
  const readOnly = readOnlyFields(route);
  const changed = Object.entries(body).flatMap(([name, value]) => {
    const current = record[name];
    const isSame =
      isDeepStrictEqual(value, current) || (readOnly.includes(name) && isSameTime(value, current));
    if (isSame && !required.includes(name)) return [];
    const isMerged = properties[name]?.[MERGED] === true && isFields(value) && isFields(current);
    return [[name, isMerged ? changedFields(value, current) : value] as const];
  });
  return Object.fromEntries(changed);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const TIME = /^\d{4}-\d\d-\d\dT/;

/** Clients write the same time with more or fewer fractional digits. */
function isSameTime(value: unknown, current: unknown): boolean {
  const [left, right] = [value, current].map((text) =>
    typeof text === 'string' && TIME.test(text) ? Date.parse(text) : Number.NaN,
  );
  return left === right;
}
