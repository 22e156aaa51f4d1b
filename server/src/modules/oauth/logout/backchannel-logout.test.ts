import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import {
  type LogoutReceiver,
  startLogoutReceiver,
  type ReceivedLogout,
} from '@keywright/tests/harness/logout-receiver';
import { type AppLogin, RelyingParty } from '@keywright/tests/harness/relying-party';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';
import type { Visitor } from '@keywright/tests/harness/visitor';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

let keywright: Keywright;
let tenant: TestTenant;
let receiver: LogoutReceiver;
let app: RelyingParty;
let user: TestUser;

before(async () => {
  receiver = await startLogoutReceiver();
  keywright = await startKeywright({
    env: { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1', KEYWRIGHT_BASE_URL: 'http://localhost' },
  });
  tenant = await keywright.tenant('told');
  user = await tenant.createUser();
  app = await register('/app');
});
after(async () => {
  await keywright.close();
  await receiver.close();
});

const register = (path: string, fields: object = {}) =>
  RelyingParty.register(tenant, {
    issuer: `http://localhost/t/${tenant.id}`,
    fields: { name: path.slice(1), backchannel_logout_uri: `${receiver.url}${path}`, ...fields },
  });

/** Sends what is queued. */
const deliver = () => keywright.nodes[0]?.logouts.runDue();
const asAdmin = async (method: string, path: string, body?: object) =>
  tenant.request(method, path, { token: await tenant.adminToken(), ...(body && { body }) });

async function notificationsOf({ sid }: AppLogin): Promise<ReceivedLogout[]> {
  await deliver();
  return receiver.received.filter((notification) => notification.sid === sid);
}

/** Logs out on the page. */
async function logOut(browser: Visitor, at = app) {
  await at.logOut(browser, {});
  return browser.press('logout');
}

describe('a logout token (Back-Channel Logout §2.4)', () => {
  for (const alg of ['RS256', 'ES256', 'EdDSA'] as const) {
    test(`A logout token is signed as the ID tokens of its client are: ${alg}`, async () => {
      const path = `/${alg}`;
      const subject = alg === 'ES256' ? 'pairwise' : 'public';
      const party = await register(path, {
        id_token_signed_response_alg: alg,
        subject_type: subject,
        backchannel_logout_session_required: true,
      });
      const browser = party.browser();
      const login = await party.logIn(browser, user);
      await logOut(browser, party);
      const [notification, ...others] = await notificationsOf(login);
      assert.ok(notification);
      assert.deepEqual([others.length, notification.path, notification.method], [0, path, 'POST']);
      assert.equal(notification.contentType, 'application/x-www-form-urlencoded');
      assert.deepEqual([...new URLSearchParams(notification.body).keys()], ['logout_token']);
      const keys = await tenant.request<JSONWebKeySet>('GET', '/.well-known/jwks.json');
      const { payload, protectedHeader } = await jwtVerify(
        notification.token,
        createLocalJWKSet(expectStatus(200, keys)),
        { issuer: party.issuer, audience: party.client.id, typ: 'logout+jwt' },
      );
      assert.equal(protectedHeader.alg, alg);
      assert.deepEqual(decodeProtectedHeader(login.idToken).alg, alg);
      const { iat = 0, exp, jti, ...claims } = payload;
      assert.equal(exp, iat + 120);
      assert.ok(jti && jti.length >= 20);
      assert.deepEqual(claims, {
        iss: party.issuer,
        aud: party.client.id,
        sub: claimsOf(login.idToken)['sub'],
        sid: login.sid,
        events: { [EVENT]: {} },
      });
    });
  }

  test('A logout token is neither an ID token nor an access token', async () => {
    const browser = app.browser();
    const login = await app.logIn(browser, user);
    await logOut(browser);
    const [notification] = await notificationsOf(login);
    const token = notification?.token ?? '';
    const again = await app.logIn(app.browser(), user);
    const page = await app.logOut(browser, {
      id_token_hint: token,
      post_logout_redirect_uri: 'https://app.example.com/bye',
    });
    assert.deepEqual([page.title, page.redirectsTo], ['You’re signed out', undefined]);
    assert.equal((await tenant.request('GET', '/me', { token })).status, 401);
    expectStatus(200, await app.refresh(again.refreshToken ?? ''));
  });
});

describe('the end of a session notifies its client, once', () => {
  interface LoggedIn {
    readonly browser: Visitor;
    readonly login: AppLogin;
    readonly person: TestUser;
  }
  const ends: Readonly<Record<string, (context: LoggedIn) => Promise<unknown>>> = {
    'a logout on the page': ({ browser }) => logOut(browser),
    'the end of all sessions of the user': ({ person }) =>
      asAdmin('DELETE', `/sessions?user_id=${person.user.id}`),
    'the end of this session': ({ login }) => asAdmin('DELETE', `/sessions/${login.sid}`),
    'a user who is switched off': ({ person }) =>
      asAdmin('PATCH', `/users/${person.user.id}`, { is_active: false }),
    'the kill switch': ({ person }) =>
      asAdmin('POST', `/users/${person.user.id}/disable`, { reason: 'a stolen laptop' }),
    'a user who is deleted': ({ person }) => asAdmin('DELETE', `/users/${person.user.id}`),
    'another password': ({ person }) =>
      asAdmin('PATCH', `/users/${person.user.id}`, { password: 'quite another password 42' }),
    'a consent that is taken back': async ({ person }) => {
      const list = await tenant.request<{ items: { id: string }[] }>('GET', '/me/consents', {
        token: person.token,
      });
      const [consent] = expectStatus(200, list).items;
      return tenant.request('DELETE', `/me/consents/${consent?.id}`, { token: person.token });
    },
    'a refresh token that is used twice': async ({ login }) => {
      let next = login.refreshToken ?? '';
      for (let time = 0; time < 2; time += 1) {
        next = expectStatus(200, await app.refresh(next)).refresh_token ?? '';
      }
      assert.equal((await app.refresh(login.refreshToken ?? '')).status, 400);
    },
  };
  for (const [what, end] of Object.entries(ends)) {
    test(what, async () => {
      const person = await tenant.createUser();
      const browser = app.browser();
      const login = await app.logIn(browser, person);
      await end({ browser, login, person });
      const notifications = await notificationsOf(login);
      assert.deepEqual(
        notifications.map(({ path }) => path),
        ['/app'],
      );
      assert.equal(notifications[0]?.claims['sub'], person.user.id);
    });
  }

  test('The end of a login used in many applications notifies each that has an address', async () => {
    const [other, deaf] = [
      await register('/other'),
      await register('/deaf', { backchannel_logout_uri: null }),
    ];
    const browser = app.browser();
    const logins = [
      await app.logIn(browser, user),
      await other.logIn(browser, user),
      await deaf.logIn(browser, user),
    ];
    await logOut(browser);
    const paths = (await Promise.all(logins.map(notificationsOf))).map((all) =>
      all.map(({ path }) => path),
    );
    assert.deepEqual(paths, [['/app'], ['/other'], []]);
  });

  test('The end of a login also notifies an application whose session outlives it, and whose access continues', async () => {
    const browser = app.browser();
    const login = await app.logIn(browser, user, { scope: 'openid offline_access' });
    await logOut(browser);
    assert.equal((await notificationsOf(login)).length, 1);
    const { refresh_token: next = '' } = expectStatus(
      200,
      await app.refresh(login.refreshToken ?? ''),
    );
    expectStatus(200, await asAdmin('DELETE', `/sessions/${login.sid}`));
    assert.equal((await app.refresh(next)).status, 400);
    assert.equal((await notificationsOf(login)).length, 1, 'of a session once');
  });

  test('A login that replaces another one of the same user notifies no application', async () => {
    const browser = app.browser();
    const logins = [
      await app.logIn(browser, user),
      await app.logIn(browser, user, { scope: 'openid offline_access' }),
    ];
    await app.authorize(browser, { prompt: 'login' });
    await browser.press('login', { identifier: user.identifier, secret: user.password });
    for (const login of logins) assert.deepEqual(await notificationsOf(login), []);
    await logOut(browser);
    for (const login of logins) assert.equal((await notificationsOf(login)).length, 1);
  });

  test('A logout that is rolled back notifies no application', async () => {
    const login = await app.logIn(app.browser(), user);
    await keywright.database.query(
      `DO $$ BEGIN
         UPDATE sessions SET is_active = false WHERE id = '${login.sid}';
         RAISE EXCEPTION 'no';
       EXCEPTION WHEN raise_exception THEN NULL; END $$`,
    );
    assert.deepEqual(await notificationsOf(login), []);
  });
});

describe('the address of a client', () => {
  for (const [what, uri] of Object.entries({
    'a fragment': 'https://app.example.com/logout#here',
    'another scheme': 'ftp://app.example.com/logout',
    'a private address': 'https://10.0.0.7/logout',
    'the metadata service': 'http://169.254.169.254/latest',
    'a user name': 'https://a:b@app.example.com/logout',
  })) {
    test(`An address is refused with ${what}`, async () => {
      const answer = await asAdmin('PATCH', `/clients/${app.client.id}`, {
        backchannel_logout_uri: uri,
      });
      assert.equal(answer.status, 400);
      const [error] = (answer.body as { errors?: { path: string }[] }).errors ?? [];
      assert.equal(error?.path, '/backchannel_logout_uri');
    });
  }
});
