import type { Route } from '@keywright/contract/route';
import type { FastifyInstance, RouteOptions } from 'fastify';
import {
  acceptForms,
  acceptFormsAlone,
  acceptLines,
  acceptText,
} from '../platform/http/content.ts';

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
    const known = this.#contexts.get(kind);
    if (known) return known;
    const routes: RouteOptions[] = [];
    this.#contexts.set(kind, routes);
    // Called when the server gets ready, with all routes.
    void this.#server.register((context, _options, done) => {
      acceptBodies(context, route);
      for (const one of Object.freeze(routes)) context.route(one);
      done();
    });
    return routes;
  }
}

function kindOf({ lines, form }: Route): string {
  if (lines) return `${lines.max} lines`;
  if (form === undefined) return 'json';
  return form === 'accepted' || form === 'text' ? form : 'form alone';
}

function acceptBodies(context: FastifyInstance, { lines, form }: Route): void {
  if (lines) acceptLines(context, lines.max);
  else if (form === 'accepted') acceptForms(context);
  else if (form === 'text') acceptText(context);
  else acceptFormsAlone(context);
}
