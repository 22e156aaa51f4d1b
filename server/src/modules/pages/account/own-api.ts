import type { Gate } from '../../../tenancy/gate.ts';
import type { Device } from '../../../tenancy/device.ts';
import type { UserCaller } from '../../../tenancy/caller.ts';
import { ownCallerOf } from '../../../tenancy/own-caller.ts';
import type { OwnCallAs } from '../../../tenancy/own-calls.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { OkOf, Route } from '@keywright/contract/route';
import { findWays, type Ways } from '../../authentication/login-methods/index.ts';
import type { BrowserLogin } from '../../tokens/sessions/index.ts';

/** Routes of the user of this page, as any client of theirs calls them. */
export interface OwnApi {
  readonly tenant: Tenant;
  readonly login: BrowserLogin;
  readonly call: CallOwn;
  /** Where the user gives away what they may do: the login does not limit that, their present permissions do. */
  readonly lend: CallOwn;
  /** How the user can log in. */
  readonly findWays: () => Promise<Ways>;
}

type CallOwn = <const R extends Route>(
  route: R,
  given: Pick<OwnCallAs<R>, 'params' | 'query' | 'body'>,
) => Promise<OkOf<R>>;

const ALL_PERMISSIONS = { scopes: ['*:*'] };

/** Where a page is shown. */
interface Place {
  readonly tenant: Tenant;
  readonly device: Device;
  /** The language of the page: what it causes to be sent is in it. */
  readonly locale: string;
}

interface Dependencies {
  readonly gate: Gate;
  readonly performAs: Router['performAs'];
}

export function ownApi(
  { gate, performAs }: Dependencies,
  { tenant, device, locale }: Place,
  login: BrowserLogin,
): OwnApi {
  const by =
    (caller: UserCaller): CallOwn =>
    (route, given) =>
      performAs(route, { ...given, tenant, caller, device, locale });
  return {
    tenant,
    login,
    call: by(ownCallerOf(tenant, login, device.from)),
    lend: by(ownCallerOf(tenant, login, device.from, ALL_PERMISSIONS)),
    findWays: () => gate.into(tenant.id).transaction((tx) => findWays(tx, login.userId)),
  };
}
