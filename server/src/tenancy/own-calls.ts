import { fail } from '@keywright/contract/errors';
import type { BodyOf, OkOf, ParamsOf, QueryOf, Route } from '@keywright/contract/route';
import { Prepared } from '../platform/http/replies.ts';
import { validator } from '../platform/http/validation.ts';
import { requireAccess, requireFreshLogin } from './authorization.ts';
import type { Call, Handler } from './call.ts';
import type { Device, UserCaller } from './caller.ts';
import type { Tenant } from './tenant.ts';

/** The input of a call that a page of the service makes to a route on behalf of the browser. */
export interface OwnCall<R extends Route> {
  readonly tenant: Tenant;
  readonly params: ParamsOf<R>;
  readonly body: BodyOf<R>;
  readonly device: Device;
  /** The page's language, as a browser would request it there. */
  readonly locale?: string | undefined;
}

/** A call on behalf of a logged-in user. */
export interface OwnCallAs<R extends Route> extends OwnCall<R> {
  readonly caller: UserCaller;
  readonly query: QueryOf<R>;
}

interface Bound {
  readonly handler: Handler<Route>;
  readonly checkBody: ReturnType<typeof validator> | undefined;
  readonly checkQuery: ReturnType<typeof validator> | undefined;
}

/** Handlers of JSON routes that the pages of the service can call: open routes, and routes for users in person. */
export class OwnCalls {
  readonly #bound = new Map<string, Bound>();
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  add<R extends Route>(route: R, handler: Handler<R>): void {
    const isOpen = route.access === 'tenant' && route.method === 'POST';
    const isOfUser = route.access === 'user' || route.access === 'caller';
    if ((!isOpen && !isOfUser) || (route.ok.kind ?? 'json') !== 'json') return;
    const checkBody = route.body && validator(route.body, false);
    const checkQuery = route.query && validator(route.query, true);
    this.#bound.set(route.id, { handler, checkBody, checkQuery });
  }

  perform<R extends Route>(route: R, call: OwnCall<R>): Promise<OkOf<R>> {
    if (route.access !== 'tenant') throw new Error(`${route.id} needs a caller.`);
    return this.#call(route, call, {});
  }

  /** @throws AppError as the route does, if the caller lacks access or logged in too long ago */
  async performAs<R extends Route>(route: R, call: OwnCallAs<R>): Promise<OkOf<R>> {
    const { caller, query, tenant } = call;
    requireAccess(route, caller);
    requireFreshLogin(route, tenant, caller, this.#now());
    const seen = route.begins === 'unconfirmed' ? { claimed: caller } : caller;
    return this.#call(route, call, { caller: seen, query });
  }

  async #call<R extends Route>(route: R, call: OwnCall<R>, more: object): Promise<OkOf<R>> {
    const bound = this.#bound.get(route.id);
    if (!bound) throw new Error(`${route.id} is not one that pages may call.`);
    const { tenant, params, body, device, locale } = call;
    for (const checked of [
      bound.checkBody?.(body),
      'query' in more ? bound.checkQuery?.(more.query) : undefined,
    ]) {
      if (checked && 'error' in checked) throw checked.error;
    }
    const { from } = device;
    const given: Partial<Call<Route>> = {
      tenant,
      params,
      body,
      device,
      from,
      address: from.address,
      host: '',
      headers: locale === undefined ? {} : { 'accept-language': locale },
      ...more,
    };
    const answer: unknown = await bound.handler(given as Call<Route>, fail);
    return (answer instanceof Prepared ? JSON.parse(answer.text) : answer) as OkOf<R>;
  }
}
