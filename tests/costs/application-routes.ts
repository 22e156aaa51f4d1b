import assert from 'node:assert/strict';
import { DEVICE_GRANT } from '@keywright/contract/records/client-grants';
import { type CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import type { ClientTokenAnswer } from '@keywright/contract/records/tokens';
import { startDevice, deviceClient } from '../harness/device.ts';
import { newDpopKey } from '../harness/dpop.ts';
import { exchangeOf, newClient, proofOf, requestOf, UserBrowser } from '../harness/code-login.ts';
import type { TestUser } from '../harness/tenant.ts';
import type { HttpRequest } from './exchange.ts';
import type { Prepare, Scene } from './routes.ts';

const SCOPE = 'openid profile email offline_access';

/** A client that gets EdDSA ID tokens, and a browser whose user has consented to everything. */
async function applicationOf({ tenant, issuer }: Scene) {
  const client = await newClient(tenant, { id_token_signed_response_alg: 'EdDSA' });
  const user: TestUser = await tenant.createUser();
  const browser = new UserBrowser(tenant, issuer, user);
  await browser.goThrough(requestOf(client, { scope: SCOPE }));
  const code = () => browser.codeFor(client, { scope: SCOPE });
  const tokens = (): Promise<ClientTokenAnswer> => browser.tokensFor(client, { scope: SCOPE });
  return { client, browser, user, code, tokens };
}

/** A request for a code, from a browser whose user has logged in and consented. */
async function authorizationOf(scene: Scene) {
  const { client, browser, user } = await applicationOf(scene);
  const { id: userId } = user.user;
  const { pathname, host } = new URL(scene.issuer);
  const query = new URLSearchParams(requestOf(client, { scope: SCOPE })).toString();
  const path = `${pathname}/oauth/authorize?${query}`;
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const updateLogin = async (set: string) => {
    const updated = await scene.query(
      `UPDATE sessions SET ${set} WHERE tenant_id = $1 AND user_id = $2 AND kind = 'browser' RETURNING id`,
      [scene.tenant.id, userId],
    );
    assert.equal(updated.length, 1);
  };
  return { request: { method: 'GET', path, headers: { host, cookie } }, updateLogin };
}

/** The frequently called routes of applications, by their names in the tables. */
export const APPLICATION_ROUTES: Readonly<Record<string, Prepare>> = {
  discovery: ({ tenant }) => {
    const path = '/.well-known/openid-configuration';
    const request = { method: 'GET', path, headers: { 'x-tenant-id': tenant.id } };
    return { next: () => request };
  },

  async 'authorize, granted'(scene) {
    const { request } = await authorizationOf(scene);
    return { next: () => request, status: 303 };
  },

  // The expiry equals the end of the session: in the last hours of each login, and always if both lifetimes are
  // equal.
  async 'authorize, granted, of a login that cannot last longer'(scene) {
    const { request, updateLogin } = await authorizationOf(scene);
    await updateLogin('absolute_expires_at = expires_at');
    return { next: () => request, status: 303 };
  },

  async 'authorize, granted, of a login not used for a minute'(scene) {
    const { request, updateLogin } = await authorizationOf(scene);
    const next = async () => {
      await updateLogin(`refresh_issued_at = refresh_issued_at - interval '61 s'`);
      return request;
    };
    return { next, status: 303 };
  },

  async 'authorize, of a user who has not logged in'(scene) {
    const client = await newClient(scene.tenant);
    const { pathname, host } = new URL(scene.issuer);
    const query = new URLSearchParams(requestOf(client)).toString();
    const path = `${pathname}/oauth/authorize?${query}`;
    const request = { method: 'GET', path, headers: { host } };
    return { next: () => request, status: 303 };
  },

  async 'code exchange'(scene) {
    const { client, code } = await applicationOf(scene);
    const next = async () => posting(scene, client, '/auth/token', exchangeOf(await code()));
    return { next };
  },

  async 'code exchange, with a proof of a key'(scene) {
    const { client, code } = await applicationOf(scene);
    const key = await newDpopKey();
    const next = async () => {
      const request = posting(scene, client, '/auth/token', exchangeOf(await code()));
      const htu = `${new URL(scene.issuer).origin}${request.path}`;
      return { ...request, headers: { ...request.headers, dpop: await key.prove({ htu }) } };
    };
    return { next };
  },

  async 'pushed request'(scene) {
    const client = await newClient(scene.tenant);
    const request = posting(scene, client, '/oauth/par', requestOf(client, { scope: SCOPE }));
    return { next: () => request, status: 201 };
  },

  async 'pushed request that is stored'(scene) {
    const client = await newClient(scene.tenant);
    const parameters = requestOf(client, { scope: SCOPE, state: 'long'.repeat(200) });
    const request = posting(scene, client, '/oauth/par', parameters);
    return { next: () => request, status: 201 };
  },

  async 'device that waits'(scene) {
    const client = await deviceClient(scene.tenant);
    const next = async () => {
      const { authorization } = await startDevice(scene.tenant, client);
      const tokenRequest = { grant_type: DEVICE_GRANT, device_code: authorization.device_code };
      return posting(scene, client, '/auth/token', tokenRequest);
    };
    return { next, status: 400 };
  },

  async 'refresh of an application'(scene) {
    const { client, tokens } = await applicationOf(scene);
    let { refresh_token: refreshToken = '' } = await tokens();
    return {
      next: () =>
        posting(scene, client, '/auth/token', {
          grant_type: 'refresh_token',
          refresh_token: refreshToken,
        }),
      hear({ text }) {
        refreshToken = (JSON.parse(text) as ClientTokenAnswer).refresh_token ?? '';
      },
    };
  },

  async userinfo(scene) {
    const { access_token: token } = await (await applicationOf(scene)).tokens();
    const headers = { 'x-tenant-id': scene.tenant.id, authorization: `Bearer ${token}` };
    const request = { method: 'GET', path: '/oauth/userinfo', headers };
    return { next: () => request };
  },

  async introspection(scene) {
    const { client, tokens } = await applicationOf(scene);
    const { access_token: token } = await tokens();
    const request = posting(scene, client, '/oauth/introspect', { token });
    return { next: () => request };
  },

  async 'revocation of a refresh token'(scene) {
    const { client, tokens } = await applicationOf(scene);
    const next = async () => {
      const { refresh_token: token = '' } = await tokens();
      return posting(scene, client, '/oauth/revoke', { token });
    };
    return { next };
  },
};

function posting(
  { tenant }: Scene,
  client: CreatedOAuthClient,
  route: string,
  fields: Readonly<Record<string, string>>,
): HttpRequest {
  const body = new URLSearchParams({ ...proofOf(client), ...fields }).toString();
  const headers = {
    'x-tenant-id': tenant.id,
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': String(body.length),
  };
  const path = route.startsWith('/auth/') ? `/api/sso/v1${route}` : route;
  return { method: 'POST', path, headers, body };
}
