import { AppError } from '@keywright/contract/errors';
import { logInFirst, showFirstLogin } from '@keywright/contract/routes/first-login';
import { beginFlow, provePassword } from '@keywright/contract/routes/login-flows';
import type { Cookie } from '../../../platform/http/pages/cookies.ts';
import { Page, SeeOther } from '../../../platform/http/replies.ts';
import type { Device } from '../../../tenancy/device.ts';
import type { Router } from '../../../tenancy/router.ts';
import { SessionCookie } from '../../../tenancy/session-cookie.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { deviceCookie } from '../../authentication/flows/index.ts';
import { requireIssuer } from '../../oauth/authorize/index.ts';
import type { FindLook, Look } from '../../branding/brand/index.ts';
import { endedFirstLoginView, firstLoginView } from '../../branding/views/index.ts';
import type { FirstAdministrator, FirstLoginLink } from './link.ts';

interface Dependencies {
  readonly link: FirstLoginLink;
  readonly findLook: FindLook;
}

/** The page of the link that a first start prints. It leads to the console. */
export function bindFirstLogin(router: Router, { link, findLook }: Dependencies): void {
  router.add(showFirstLogin, async ({ tenant, query: { token }, form, wishes, ...place }, fail) => {
    requireIssuer(tenant, place, fail);
    const look = await findLook(tenant, wishes, { action: 'first-login', fields: { token } });
    const found = link.find(tenant.id, token);
    if (!found) return ended(look);
    return new Page(firstLoginView({ look, field: form.field, token, ...found }));
  });

  router.add(logInFirst, async ({ tenant, body, device, wishes, ...place }, fail) => {
    requireIssuer(tenant, place, fail);
    const found = link.take(tenant.id, body.token);
    if (!found) return ended(await findLook(tenant, wishes));
    const cookies = await logIn(router.perform, tenant, device, found);
    const welcome = cookies.length > 0 ? '?welcome=1' : '';
    return new SeeOther(`/console/t/${tenant.id}/${welcome}`, cookies);
  });
}

/** As with the printed secret. @returns the cookies; none where the secret is no longer enough, or no longer right */
async function logIn(
  perform: Router['perform'],
  tenant: Tenant,
  from: Device,
  { identifier, secret }: FirstAdministrator,
): Promise<Cookie<'session' | 'device'>[]> {
  const cookie = new SessionCookie();
  const device = { ...from, cookie };
  try {
    const { flow, flow_token } = await perform(beginFlow, {
      tenant,
      device,
      params: {},
      body: { identifier },
    });
    const params = { flow_id: flow.id };
    const body = { flow_token, secret };
    const { device_token } = await perform(provePassword, { tenant, device, params, body });
    const { value } = cookie;
    const { browser_session_ttl: maxAgeSeconds } = tenant.config;
    if (value === undefined || device_token === undefined) return [];
    return [{ name: 'session', value, maxAgeSeconds }, deviceCookie(device_token)];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [];
  }
}

function ended(look: Look): Page<'FLOW_ENDED'> {
  const { here: _here, ...shown } = look;
  return new Page(endedFirstLoginView(shown), { refusal: 'FLOW_ENDED' });
}
