import { randomBytes, timingSafeEqual } from 'node:crypto';
import { AppError } from '@keywright/contract/errors';
import { DEFAULT_TENANT, type TenantId } from '@keywright/contract/ids';
import { logInFirst, showFirstLogin } from '@keywright/contract/routes/first-login';
import { beginFlow, provePassword } from '@keywright/contract/routes/login-flows';
import type { Clock } from '../../../platform/clock.ts';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import type { Cookie } from '../../../platform/http/pages/cookies.ts';
import { Page, SeeOther } from '../../../platform/http/replies.ts';
import { requireIssuer } from '../../../tenancy/issuer-paths.ts';
import type { Device } from '../../../tenancy/device.ts';
import type { Router } from '../../../tenancy/router.ts';
import { SessionCookie } from '../../../tenancy/session-cookie.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { deviceCookie } from '../../authentication/flows/index.ts';
import type { Look, LookService } from '../../branding/brand/index.ts';
import { endedFirstLoginView, firstLoginView } from '../../branding/views/index.ts';

/** Binds the page of the link that a first start prints. The page leads to the console. */
export function bindFirstLogin(router: Router, link: FirstLoginLink, looks: LookService): void {
  router.add(showFirstLogin, async ({ tenant, query: { token }, form, wishes, ...place }, fail) => {
    requireIssuer(tenant, place, fail);
    const look = await looks.find(tenant, wishes, { action: 'first-login', fields: { token } });
    const found = link.find(tenant.id, token);
    if (!found) return ended(look);
    return new Page(firstLoginView({ look, field: form.field, token, ...found }));
  });

  router.add(logInFirst, async ({ tenant, body, device, wishes, ...place }, fail) => {
    requireIssuer(tenant, place, fail);
    const found = link.take(tenant.id, body.token);
    if (!found) return ended(await looks.find(tenant, wishes));
    const cookies = await logIn(router.perform, tenant, device, found);
    const welcome = cookies.length > 0 ? '?welcome=1' : '';
    return new SeeOther(`/console/t/${tenant.id}/${welcome}`, cookies);
  });
}

/** Logs in with the printed secret. @returns the cookies; none if the secret is insufficient or no longer valid */
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

const TOKEN_BYTES = 32;
const LIFETIME_MS = 60 * 60 * 1000;

/** The administrator that a first start created, with the secret that it printed. */
interface FirstAdministrator {
  readonly identifier: string;
  readonly secret: string;
}

/**
 * The link that a first start prints. It replaces the printed secret once. Only this process knows the token, so it
 * cannot be stolen from the database.
 */
export class FirstLoginLink {
  readonly #clock: Clock;
  #open:
    | { readonly hash: Buffer; readonly until: number; readonly administrator: FirstAdministrator }
    | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @returns the token */
  draw(administrator: FirstAdministrator): string {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const until = this.#clock.now().getTime() + LIFETIME_MS;
    this.#open = { hash: sha256(token), until, administrator };
    return token;
  }

  /** Returns the administrator of the link; undefined if the link was used or has expired. */
  find(tenantId: TenantId, token: string): FirstAdministrator | undefined {
    const open = this.#open;
    if (!open || tenantId !== DEFAULT_TENANT) return undefined;
    const isRight = timingSafeEqual(open.hash, sha256(token));
    return isRight && this.#clock.now().getTime() < open.until ? open.administrator : undefined;
  }

  /** Uses it up. */
  take(tenantId: TenantId, token: string): FirstAdministrator | undefined {
    const found = this.find(tenantId, token);
    if (found) this.#open = undefined;
    return found;
  }
}
