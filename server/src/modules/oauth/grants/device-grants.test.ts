import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DEVICE_GRANT } from '@keywright/contract/records/client-grants';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import { newClient, proofOf, redeem, refreshWith } from '@keywright/tests/harness/code-login';
import {
  DeviceBrowser,
  requestDeviceCode,
  startDevice,
  deviceClient,
} from '@keywright/tests/harness/device';
import { newDpopKey } from '@keywright/tests/harness/dpop';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';
import { postToken, oauthError } from '@keywright/tests/harness/token-endpoint';

// Logins on devices without a browser, as the devices see them.

const PENDING = '400 authorization_pending AUTHORIZATION_PENDING';
const TOO_SOON = '400 slow_down SLOW_DOWN';
const EXPIRED = '400 expired_token DEVICE_CODE_EXPIRED';
const DENIED = '400 access_denied DEVICE_DENIED';
const UNKNOWN = '400 invalid_grant GRANT_INVALID';

let keywright: Keywright;
let tenant: TestTenant;
let user: TestUser;
let client: CreatedOAuthClient;

before(async () => {
  keywright = await startKeywright({ nodes: 2, clock: 'fake' });
  tenant = await keywright.tenant('devices');
  user = await tenant.createUser();
  client = await deviceClient(tenant);
});
after(() => keywright.close());

const issuerOf = ({ id }: TestTenant) => `https://id.example.com/t/${id}`;
const browser = (by = user, of = tenant) => new DeviceBrowser(of, issuerOf(of), by);
const start = (of = client, more = {}) => startDevice(tenant, of, more);

async function tokensOf(device: Awaited<ReturnType<typeof start>>, more = {}) {
  return expectStatus(200, await device.poll(more));
}

describe('a device', () => {
  test('A device gets two codes, and the address where its user types one (RFC 8628 §3.2)', async () => {
    const { authorization } = await start();
    assert.match(authorization.device_code, /^[A-Za-z0-9_-]{43}$/);
    assert.match(authorization.user_code, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    const page = `${issuerOf(tenant)}/oauth/device`;
    assert.deepEqual(
      [
        authorization.verification_uri,
        authorization.verification_uri_complete,
        authorization.expires_in,
        authorization.interval,
      ],
      [page, `${page}?user_code=${authorization.user_code}`, 600, 5],
    );
  });

  test('A device gets tokens once its user has typed the code and allowed it', async () => {
    const device = await start();
    assert.equal(oauthError(await device.poll()), PENDING);
    const seen = await browser().decide(device.userCode, 'allow');
    assert.equal(seen.title, 'Device connected', seen.text);
    const tokens = await tokensOf(device);
    const claims = claimsOf(tokens.access_token);
    assert.deepEqual([claims.sub, claims['client_id']], [user.user.id, client.id]);
    assert.deepEqual([tokens.scope, tokens.token_type], ['openid offline_access', 'Bearer']);
    assert.equal(claimsOf(tokens.id_token ?? '').sub, user.user.id);
    const again = await refreshWith(tenant, client, tokens.refresh_token);
    assert.equal(claimsOf(expectStatus(200, again).access_token).sub, user.user.id);
  });

  test('A device that proves a key gets tokens that are bound to it, also at every refresh (RFC 9449 §5)', async () => {
    const device = await start();
    await browser().decide(device.userCode, 'allow');
    const now = () => keywright.clock.now();
    const [key, other] = [await newDpopKey(now), await newDpopKey(now)];
    const proving = async (by: typeof key) => ({ headers: { dpop: await by.prove() } });
    const tokens = expectStatus(200, await device.poll({}, await proving(key)));
    assert.equal(tokens.token_type, 'DPoP');
    assert.deepEqual(claimsOf(tokens.access_token)['cnf'], { jkt: key.jkt });
    const refresh = async (by: typeof key) => {
      const { refresh_token = '' } = tokens;
      const parameters = { grant_type: 'refresh_token', refresh_token, ...proofOf(client) };
      return postToken(tenant, parameters, await proving(by));
    };
    assert.equal(oauthError(await refresh(other)), UNKNOWN);
    const again = expectStatus(200, await refresh(key));
    assert.deepEqual(claimsOf(again.access_token)['cnf'], { jkt: key.jkt });
  });

  test('A device whose client must prove a key gets no tokens without a proof', async () => {
    const bound = await deviceClient(tenant, { dpop_bound_access_tokens: true });
    const device = await start(bound);
    await browser().decide(device.userCode, 'allow');
    assert.equal(oauthError(await device.poll()), '400 invalid_dpop_proof DPOP_INVALID');
    const key = await newDpopKey(() => keywright.clock.now());
    const tokens = expectStatus(
      200,
      await device.poll({}, { headers: { dpop: await key.prove() } }),
    );
    assert.equal(tokens.token_type, 'DPoP');
  });

  test('A device gets its tokens once, whichever node it polls; a later second use ends its session', async () => {
    const device = await start();
    await browser().decide(device.userCode, 'allow');
    const tokens = await tokensOf(device);
    assert.equal(oauthError(await device.poll({}, { node: 1 })), UNKNOWN);
    const { access_token: token } = tokens;
    const info = () => tenant.request('GET', '/oauth/userinfo', { token });
    expectStatus(200, await info());
    keywright.clock.advance(6);
    assert.equal(oauthError(await device.poll()), UNKNOWN);
    expectStatus(401, await info());
  });

  test('A device that polls too soon must wait 5 seconds longer from then on (RFC 8628 §3.5)', async () => {
    const device = await start();
    assert.equal(oauthError(await device.poll()), PENDING);
    assert.equal(oauthError(await device.poll({}, { node: 1 })), TOO_SOON);
    keywright.clock.advance(6);
    assert.equal(oauthError(await device.poll()), TOO_SOON);
    keywright.clock.advance(15);
    assert.equal(oauthError(await device.poll()), PENDING);
    keywright.clock.advance(5);
    assert.equal(oauthError(await device.poll()), TOO_SOON);
  });

  test('A device learns that its user has not allowed it, or has not decided in time', async () => {
    const [denied, late] = [await start(), await start()];
    const seen = await browser().decide(denied.userCode, 'deny');
    assert.equal(seen.title, 'Device not connected');
    assert.equal(oauthError(await denied.poll()), DENIED);
    keywright.clock.advance(600);
    assert.equal(oauthError(await late.poll()), EXPIRED);
    const typed = await browser().type(late.userCode);
    assert.deepEqual([typed.status, typed.actions], [400, ['device']]);
  });

  test('A device whose user decides at the last moment still gets its tokens', async () => {
    const device = await start();
    const visitor = browser();
    await visitor.type(device.userCode);
    keywright.clock.advance(599);
    assert.equal((await visitor.press('allow')).title, 'Device connected');
    keywright.clock.advance(5);
    await tokensOf(device);
  });

  test('A device whose user decides after the end gets no tokens', async () => {
    const device = await start();
    const visitor = browser();
    await visitor.type(device.userCode);
    keywright.clock.advance(600);
    assert.equal((await visitor.press('allow')).title, 'This code no longer works');
    assert.equal(oauthError(await device.poll()), EXPIRED);
  });

  test('A device gets no tokens if the login, the user or the consent has ended in the meantime', async () => {
    const token = await tenant.adminToken();
    const ends: Readonly<Record<string, (by: TestUser) => Promise<Answer<unknown>>>> = {
      login: ({ user: { id } }) => tenant.request('DELETE', `/sessions?user_id=${id}`, { token }),
      user: ({ user: { id } }) =>
        tenant.request('PATCH', `/users/${id}`, { token, body: { is_active: false } }),
      consent: async ({ user: { id } }) => {
        const path = `/consents?user_id=${id}`;
        const list = await tenant.request<{ items: { id: string }[] }>('GET', path, { token });
        const [consent] = expectStatus(200, list).items;
        return tenant.request('DELETE', `/consents/${consent?.id}`, { token });
      },
    };
    for (const [what, end] of Object.entries(ends)) {
      const by = await tenant.createUser();
      const device = await start();
      await browser(by).decide(device.userCode, 'allow');
      expectStatus(200, (await end(by)) as Answer<object>);
      assert.equal(oauthError(await device.poll()), UNKNOWN, what);
    }
  });

  test('A device code is unknown for another client', async () => {
    const other = await deviceClient(tenant);
    const device = await start();
    assert.equal(oauthError(await device.poll(proofOf(other))), UNKNOWN);
    await browser().decide(device.userCode, 'allow');
    assert.equal(oauthError(await device.poll(proofOf(other))), UNKNOWN);
    await tokensOf(device);
  });

  test('A device keeps its session after the browser is logged out only with offline_access', async () => {
    const by = await tenant.createUser();
    const visitor = browser(by);
    const [lasting, ended] = [await start(), await start(client, { scope: 'openid' })];
    await visitor.decide(lasting.userCode, 'allow');
    await visitor.decide(ended.userCode, 'allow');
    const [offline, online] = [await tokensOf(lasting), await tokensOf(ended)];
    assert.deepEqual([!!offline.refresh_token, !!online.refresh_token], [true, false]);
    await visitor.open(`/t/${tenant.id}/oauth/logout`);
    await visitor.press('logout');
    const info = (token: string) => tenant.request('GET', '/oauth/userinfo', { token });
    expectStatus(200, await info(offline.access_token));
    expectStatus(401, await info(online.access_token));
  });
});

describe('a login on a device', () => {
  test('A login on a device is for what the client can request, and the user holds', async () => {
    const wide = await deviceClient(tenant, {
      scopes: ['openid', 'email', 'read:users', 'read:roles'],
    });
    const scope = 'openid email read:users phone';
    const device = await start(wide, { scope });
    const seen = await browser().type(device.userCode);
    assert.ok(!seen.text.includes('phone number'), seen.text);
    await browser().decide(device.userCode, 'allow');
    const { scope: grantedScope } = await tokensOf(device);
    assert.ok(grantedScope.includes('openid') && !grantedScope.includes('phone'), grantedScope);
    const none = await requestDeviceCode(tenant, { ...proofOf(wide), scope: 'phone' });
    assert.equal(`${none.status} ${none.body.error}`, '400 invalid_scope');
    const odd = { ...proofOf(wide), resource: 'https://other.example.com/' };
    assert.equal((await requestDeviceCode(tenant, odd)).body.error, 'invalid_target');
  });

  test('A login of a user who holds none of the scopes is refused, and the device gets the error', async () => {
    const other = await deviceClient(tenant, { scopes: ['delete:tenant'] });
    const device = await start(other, { scope: 'delete:tenant' });
    const seen = await browser().type(device.userCode);
    assert.equal(seen.title, 'Device not connected');
    assert.equal(oauthError(await device.poll()), DENIED);
  });

  test('A login on a device is only for clients that are registered for it', async () => {
    const web = await newClient(tenant);
    const refused = await requestDeviceCode(tenant, proofOf(web));
    assert.equal(`${refused.status} ${refused.body.error}`, '400 unauthorized_client');
    const poll = { grant_type: DEVICE_GRANT, ...proofOf(web), device_code: 'x' };
    assert.equal(
      oauthError(await postToken(tenant, poll)),
      '400 unauthorized_client CLIENT_UNAUTHORIZED',
    );
    const code = await redeem(tenant, client, 'a-code');
    assert.equal(oauthError(code), '400 unauthorized_client CLIENT_UNAUTHORIZED');
    const confidential = await deviceClient(tenant, { kind: 'web' });
    const unauthenticated = await requestDeviceCode(tenant, { client_id: confidential.id });
    assert.equal(`${unauthenticated.status} ${unauthenticated.body.error}`, '401 invalid_client');
    expectStatus(200, await requestDeviceCode(tenant, proofOf(confidential)));
  });

  test('A client can have the device grant alone, and then needs no redirect URI', async () => {
    assert.deepEqual(
      [client.grant_types, client.redirect_uris],
      [[DEVICE_GRANT, 'refresh_token'], []],
    );
    const token = await tenant.adminToken();
    const wrong = { name: 'Wrong', kind: 'native', redirect_uris: [] };
    for (const grants of [['refresh_token'], [DEVICE_GRANT, 'authorization_code']]) {
      const body = { ...wrong, grant_types: grants };
      const answer = await tenant.request('POST', '/clients', { token, body });
      assert.equal(answer.status, 400, answer.text);
    }
  });

  test('A device gets no tokens if its client lost the grant, was changed or deleted in the meantime', async () => {
    const token = await tenant.adminToken();
    const app = await deviceClient(tenant);
    const device = await start(app);
    await browser().decide(device.userCode, 'allow');
    const path = `/clients/${app.id}`;
    const body = { grant_types: ['authorization_code'], redirect_uris: ['app.example:/cb'] };
    expectStatus(200, await tenant.request('PATCH', path, { token, body }));
    assert.equal(oauthError(await device.poll()), '400 unauthorized_client CLIENT_UNAUTHORIZED');
    expectStatus(200, await tenant.request('DELETE', path, { token }));
    assert.equal(oauthError(await device.poll()), '401 invalid_client CLIENT_INVALID');
  });

  test('The decision on a device is recorded with the user who decided', async () => {
    const [allowed, other] = [await start(), await start()];
    await browser().decide(allowed.userCode, 'allow');
    await browser().decide(other.userCode, 'deny');
    const token = await tenant.adminToken();
    for (const action of ['device.approved', 'device.denied']) {
      const path = `/audit?action=${action}&limit=1`;
      const { items } = expectStatus(
        200,
        await tenant.request<{
          items: { actor: { id: string }; target: { id: string } }[];
        }>('GET', path, { token }),
      );
      assert.deepEqual([items[0]?.actor.id, items[0]?.target.id], [user.user.id, client.id]);
    }
  });

  test('A login on a device stores neither of its codes', async () => {
    const { authorization, userCode } = await start();
    const rows = await keywright.database.query(
      'SELECT row_to_json(d)::text AS text FROM device_grants d WHERE tenant_id = $1',
      [tenant.id],
    );
    const text = rows.map((row) => String(row['text'])).join('\n');
    for (const secret of [authorization.device_code, userCode, userCode.replace('-', '')]) {
      assert.ok(!text.includes(secret));
    }
  });
});
