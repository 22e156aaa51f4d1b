// Logins on devices without a browser, and the browsers of the users who approve them.

import type { OAuthErrorBody } from '@keywright/contract/oauth-error';
import { DEVICE_GRANT } from '@keywright/contract/records/client-grants';
import { type CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import type { OkOf } from '@keywright/contract/route';
import type { authorizeDevice } from '@keywright/contract/routes/device';
import { newClient, proofOf } from './code-login.ts';
import { expectStatus } from './http.ts';
import type { RequestToNode, TestTenant, TestUser } from './tenant.ts';
import { postToken } from './token-endpoint.ts';
import { type Seen, Visitor } from './visitor.ts';

type Parameters = Readonly<Record<string, string>>;
type DeviceAuthorization = OkOf<typeof authorizeDevice>;

/** A public client with only the device and refresh grants. */
export function deviceClient(tenant: TestTenant, fields: object = {}): Promise<CreatedOAuthClient> {
  return newClient(tenant, {
    name: 'Acme CLI',
    kind: 'native',
    redirect_uris: [],
    grant_types: [DEVICE_GRANT, 'refresh_token'],
    ...fields,
  });
}

export function requestDeviceCode(tenant: TestTenant, parameters: Parameters) {
  return tenant.request<DeviceAuthorization & OAuthErrorBody>(
    'POST',
    `/t/${tenant.id}/oauth/device_authorization`,
    {
      rawBody: new URLSearchParams(parameters).toString(),
      contentType: 'application/x-www-form-urlencoded',
    },
  );
}

/** A device that has its codes. */
export interface Device {
  readonly authorization: DeviceAuthorization;
  readonly userCode: string;
  /** Asks for the tokens. */
  poll(more?: Parameters, options?: RequestToNode): ReturnType<typeof postToken>;
}

export async function startDevice(
  tenant: TestTenant,
  client: CreatedOAuthClient,
  more: Parameters = {},
): Promise<Device> {
  const request = { ...proofOf(client), scope: 'openid offline_access', ...more };
  const authorization = expectStatus(200, await requestDeviceCode(tenant, request));
  const parameters = {
    grant_type: DEVICE_GRANT,
    ...proofOf(client),
    device_code: authorization.device_code,
  };
  return {
    authorization,
    userCode: authorization.user_code,
    poll: (extra = {}, options = {}) => postToken(tenant, { ...parameters, ...extra }, options),
  };
}

/** The browser of a user who enters user codes. */
export class DeviceBrowser extends Visitor {
  readonly #path: string;
  readonly #user: TestUser;

  /** @param issuer of the tenant */
  constructor(tenant: TestTenant, issuer: string, user: TestUser, headers: Parameters = {}) {
    super(tenant, issuer, headers);
    this.#path = `${new URL(issuer).pathname}/oauth/device`;
    this.#user = user;
  }

  /** Enters a user code and logs in. @returns the consent page, or the page with the error */
  async type(userCode: string): Promise<Seen> {
    await this.open(this.#path);
    const seen = await this.press('device', { user_code: userCode });
    if (!seen.actions.includes('login')) return seen;
    const { identifier, password: secret } = this.#user;
    return this.press('login', { identifier, secret });
  }

  async decide(userCode: string, decision: 'allow' | 'deny'): Promise<Seen> {
    await this.type(userCode);
    return this.press(decision);
  }
}
