import { fail } from '@keywright/contract/errors';
import type { BodyOf, OkOf, ParamsOf, Route } from '@keywright/contract/route';
import { validator } from '../platform/http/validation.ts';
import type { Call, Handler } from './call.ts';
import type { Device } from './device.ts';
import type { Tenant } from './tenant.ts';

/** What a page of the service calls a route with, on behalf of the browser. */
export interface OwnCall<R extends Route> {
  readonly tenant: Tenant;
  readonly params: ParamsOf<R>;
  readonly body: BodyOf<R>;
  readonly device: Device;
}

interface Bound {
  readonly handler: Handler<Route>;
  readonly check: ReturnType<typeof validator> | undefined;
}

/** The handlers of open routes of a tenant that answer with JSON, for the pages of the service. */
export class OwnCalls {
  readonly #bound = new Map<string, Bound>();

  add<R extends Route>(route: R, handler: Handler<R>): void {
    if (
      route.access !== 'tenant' ||
      route.method !== 'POST' ||
      (route.ok.kind ?? 'json') !== 'json'
    )
      return;
    const check = route.body && validator(route.body, false);
    this.#bound.set(route.id, { handler, check });
  }

  async perform<R extends Route>(route: R, call: OwnCall<R>): Promise<OkOf<R>> {
    const bound = this.#bound.get(route.id);
    if (!bound) throw new Error(`${route.id} is not one that pages may call.`);
    const checked = bound.check?.(call.body);
    if (checked && 'error' in checked) throw checked.error;
    const { tenant, params, body, device } = call;
    const { from } = device;
    const given = {
      tenant,
      params,
      body,
      device,
      from,
      address: from.address,
      host: '',
      headers: {},
    };
    return (await bound.handler(given as unknown as Call<Route>, fail)) as OkOf<R>;
  }
}
