import type { UserCaller } from '../../../tenancy/caller.ts';
import type { Device } from '../../../tenancy/device.ts';
import type { OwnCallAs } from '../../../tenancy/own-calls.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { DIRECT_CLIENT } from '@keywright/contract/claims';
import type { OkOf, Route } from '@keywright/contract/route';
import { epochSeconds } from '../../../platform/clock.ts';
import type { BrowserLogin } from '../../tokens/sessions/index.ts';

/** Routes of the user of this page, as any client of theirs calls them. */
export interface OwnApi {
  readonly tenant: Tenant;
  readonly login: BrowserLogin;
  readonly call: <const R extends Route>(
    route: R,
    given: Pick<OwnCallAs<R>, 'params' | 'query' | 'body'>,
  ) => Promise<OkOf<R>>;
}

/** Where a page is shown. */
interface Place {
  readonly tenant: Tenant;
  readonly device: Device;
  /** The language of the page: what it causes to be sent is in it. */
  readonly locale: string;
}

export function ownApi(
  performAs: Router['performAs'],
  { tenant, device, locale }: Place,
  login: BrowserLogin,
): OwnApi {
  const caller = callerOf(tenant, login, device);
  const call: OwnApi['call'] = (route, given) =>
    performAs(route, { ...given, tenant, caller, device, locale });
  return { tenant, login, call };
}

/** The user in person, without scopes: the page does what everybody may do to their own account, and nothing else. */
function callerOf(tenant: Tenant, login: BrowserLogin, { from }: Device): UserCaller {
  const { userId: subject, sessionId, authTime, acr, workspaceId } = login;
  const at = epochSeconds(authTime);
  return {
    kind: 'user',
    subject,
    sessionId,
    scopes: [],
    roles: [],
    isSystemAdministrator: false,
    from,
    claims: {
      token_type: 'access',
      iss: tenant.issuer,
      sub: subject,
      aud: tenant.audience,
      iat: at,
      exp: epochSeconds(login.expiresAt),
      tenant_id: tenant.id,
      workspace_id: workspaceId,
      roles: [],
      scopes: [],
      scope: '',
      sid: sessionId,
      client_id: DIRECT_CLIENT,
      auth_time: at,
      acr,
      ver: 0,
    },
  };
}
