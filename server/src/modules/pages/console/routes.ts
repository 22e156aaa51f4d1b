import { isFresh } from '@keywright/contract/assurance';
import { LEAST_STEP_UP_MAX_AGE } from '@keywright/contract/records/tenant-config';
import { pathTo, type QueryOf } from '@keywright/contract/route';
import {
  findConsoleSession,
  findConsoleTenant,
  logInToConsole,
} from '@keywright/contract/routes/console';
import { type Clock, epochSeconds } from '../../../platform/clock.ts';
import { SeeOther } from '../../../platform/http/replies.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { BeginOwnLogin } from '../../oauth/authorize/index.ts';
import type { ConsoleUser, FindConsoleUser } from '../../tokens/sessions/index.ts';

interface Dependencies {
  readonly findUser: FindConsoleUser;
  readonly beginOwnLogin: BeginOwnLogin;
  readonly clock: Clock;
}

export function bindConsoleRoutes(router: Router, dependencies: Dependencies): void {
  const { findUser, beginOwnLogin, clock } = dependencies;
  router.add(findConsoleTenant, ({ tenant: { id } }) => ({ tenant_id: id }));
  router.add(findConsoleSession, async ({ tenant, cookies }) => {
    const found = await findUser(tenant, cookies.session, clock.now(), false);
    return { is_logged_in: found !== undefined };
  });
  router.add(logInToConsole, async ({ tenant, query, cookies, host }) => {
    const elsewhere = atIssuer(tenant, host, query);
    if (elsewhere) return new SeeOther(elsewhere);
    const returnTo = pathIn(query.return_to ?? `/console/t/${tenant.id}/`);
    const now = clock.now();
    const found = await findUser(tenant, cookies.session, now);
    const { console_session_ttl: longest, console_idle_ttl: idle } = tenant.config;
    const isNeeded = query.fresh === '1';
    const maxAge = isNeeded ? freshAge(tenant, returnTo) : Math.min(longest, idle);
    if (found && !(isNeeded && !isRecent(found, maxAge, now))) return new SeeOther(returnTo);
    return beginOwnLogin(tenant, { flow: cookies.flow, returnTo, demand: { maxAge } });
  });
}

/** Every path that the contract lets through begins with a slash. */
function pathIn(path: string): `/${string}` {
  return `/${path.slice(1)}`;
}

/** Inside another tenant its own setting counts, which may be the least. */
function freshAge({ config }: Tenant, returnTo: string): number {
  return returnTo.startsWith('/console/in/') ? LEAST_STEP_UP_MAX_AGE : config.step_up_max_age;
}

/** A cookie counts at the issuer's host alone. */
function atIssuer(
  { id, issuer }: Tenant,
  host: string,
  query: QueryOf<typeof logInToConsole>,
): URL | undefined {
  const own = new URL(issuer);
  if ([own.host, own.hostname].includes(host)) return undefined;
  const address = new URL(pathTo(logInToConsole, { tenant_id: id }), own);
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  return address;
}

function isRecent({ row }: ConsoleUser, maxAge: number, now: Date): boolean {
  const made = { auth_time: epochSeconds(row.auth_time), acr: row.acr };
  return isFresh(made, { maxAge }, epochSeconds(now));
}
