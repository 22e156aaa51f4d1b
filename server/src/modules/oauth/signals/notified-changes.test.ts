import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { systemClock } from '@keywright/server/platform/clock';
import { SET_TYP, type Signal, SIGNALS } from '@keywright/contract/signals';
import { consent as grantConsent } from '@keywright/tests/harness/consent';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { AppLogin } from '@keywright/tests/harness/relying-party';
import {
  nameOf,
  type Pushed,
  type SetClaims,
  SignalClient,
  type SignalReceiver,
  setClaims,
  startSignalReceiver,
  subjectOf,
} from '@keywright/tests/harness/signals';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';
import { enrollTotp } from '@keywright/tests/harness/totp';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';

let keywright: Keywright;
let tenant: TestTenant;
let receiver: SignalReceiver;
/** This client receives events about its own users, by push and by polling. */
let client: SignalClient;
let polled: string;
/** This client receives the events of all users. */
let all: SignalClient;

before(async () => {
  receiver = await startSignalReceiver();
  keywright = await startKeywright({
    env: { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1', KEYWRIGHT_BASE_URL: 'http://localhost' },
  });
  tenant = await keywright.tenant('told');
  const issuer = `http://localhost/t/${tenant.id}`;
  client = await SignalClient.register(tenant, { issuer });
  await client.stream(`${receiver.url}/own`);
  polled = (await client.stream()).stream_id;
  all = await SignalClient.register(tenant, { issuer, reach: 'all_users' });
  await all.stream(`${receiver.url}/all`);
});
after(async () => {
  await keywright.close();
  await receiver.close();
});

const asAdmin = async (method: string, path: string, body?: object) =>
  tenant.request(method, path, { token: await tenant.adminToken(), ...(body && { body }) });

/** The events about a user that were pushed to a path. */
async function pushedOf(path: string, { user }: TestUser): Promise<SetClaims[]> {
  await keywright.nodes[0]?.signals.runDue();
  const claims = receiver.at(path).map((delivery) => delivery.claims);
  return claims.filter((event) => subjectOf(event) === user.id);
}

/** The events about a user that are polled. */
async function polledOf({ user }: TestUser): Promise<SetClaims[]> {
  const { sets } = await client.poll(polled);
  return Object.values(sets)
    .map(setClaims)
    .filter((event) => subjectOf(event) === user.id);
}

const namesOf = (claims: readonly SetClaims[]) => claims.map(nameOf).toSorted();

interface LoggedIn {
  readonly user: TestUser;
  readonly login: AppLogin;
}

/** A user who is logged in to the application of the first receiver. */
async function loggedIn(): Promise<LoggedIn & { logOut: () => Promise<unknown> }> {
  const user = await tenant.createUser();
  const browser = client.app.browser();
  const login = await client.app.logIn(browser, user);
  const logOut = async () => {
    await client.app.logOut(browser, {});
    return browser.press('logout');
  };
  return { user, login, logOut };
}

describe('an event', () => {
  test('An event is a SET that anyone can verify, and that is no other kind of token', async () => {
    const { user, login } = await loggedIn();
    expectStatus(200, await asAdmin('DELETE', `/sessions/${login.sid}`));
    await pushedOf('/own', user);
    const pushed = receiver.at('/own').find(({ claims }) => subjectOf(claims) === user.user.id);
    assert.ok(pushed);
    assert.equal(pushed.contentType, 'application/secevent+jwt');
    const keys = await tenant.request<JSONWebKeySet>('GET', '/.well-known/jwks.json');
    const { payload, protectedHeader } = await jwtVerify(
      pushed.token,
      createLocalJWKSet(expectStatus(200, keys)),
      { issuer: client.app.issuer, audience: client.client.id, typ: SET_TYP },
    );
    assert.equal(protectedHeader.alg, 'RS256');
    const { iat, jti, txn, events, ...claims } = payload as Record<string, unknown> & {
      iat: number;
      events: Record<Signal, { event_timestamp: number }>;
    };
    assert.match(String(jti), /^set_[0-9a-f]{32}$/);
    assert.match(String(txn), /^[0-9a-f]{32}$/);
    assert.ok(Math.abs(iat - Date.now() / 1000) < 60);
    assert.deepEqual(claims, {
      iss: client.app.issuer,
      aud: client.client.id,
      sub_id: {
        format: 'complex',
        user: { format: 'iss_sub', iss: client.app.issuer, sub: user.user.id },
        session: { format: 'opaque', id: login.sid },
      },
    });
    const { event_timestamp: at, ...event } = Object.values(events)[0] ?? { event_timestamp: 0 };
    assert.ok(Math.abs(at - iat) <= 1);
    assert.deepEqual(Object.keys(events), [SIGNALS['session-revoked']]);
    assert.deepEqual(event, {
      initiating_entity: 'admin',
      reason_admin: { en: 'The session was ended.' },
    });
    assert.equal((await tenant.request('GET', '/me', { token: pushed.token })).status, 401);
  });

  test('An event names a user by the subject that the client knows', async () => {
    const path = '/pairwise';
    const other = await SignalClient.register(tenant, {
      issuer: client.app.issuer,
      fields: { subject_type: 'pairwise' },
    });
    await other.stream(`${receiver.url}${path}`);
    const user = await tenant.createUser();
    const login = await other.app.logIn(other.app.browser(), user);
    await asAdmin('PATCH', `/users/${user.user.id}`, { is_active: false });
    await keywright.nodes[0]?.signals.runDue();
    const subjects = receiver.at(path).map(({ claims }) => subjectOf(claims));
    const { sub } = claimsOf(login.idToken);
    assert.notEqual(sub, user.user.id);
    assert.deepEqual(subjects, [sub, sub]);
    const text = receiver
      .at(path)
      .map(({ token }) => JSON.stringify(claimsOf(token)))
      .join();
    assert.ok(!text.includes(user.user.id));
  });

  test('An event has a txn that all events of one change share', async () => {
    const { user } = await loggedIn();
    await asAdmin('PATCH', `/users/${user.user.id}`, { is_active: false });
    const pushed = [...(await pushedOf('/own', user)), ...(await pushedOf('/all', user))];
    assert.ok(pushed.length > 3);
    assert.equal(new Set(pushed.map(({ txn }) => txn)).size, 1);
    assert.equal(new Set(pushed.map(({ jti }) => jti)).size, pushed.length);
  });
});

describe('receivers, one of whom polls, are notified once of', () => {
  const ended = ['session-revoked'];
  const ends: Readonly<
    Record<string, readonly [names: string[], by: string, (context: LoggedIn) => Promise<unknown>]>
  > = {
    'the end of a session': [
      ended,
      'admin',
      ({ login }) => asAdmin('DELETE', `/sessions/${login.sid}`),
    ],
    'the end of all sessions of a user': [
      ended,
      'admin',
      ({ user }) => asAdmin('DELETE', `/sessions?user_id=${user.user.id}`),
    ],
    'another password': [
      ['credential-change', ...ended],
      'admin',
      ({ user }) =>
        asAdmin('PATCH', `/users/${user.user.id}`, { password: 'quite another password 42' }),
    ],
    'a user who is switched off': [
      ['account-disabled', ...ended],
      'admin',
      ({ user }) => asAdmin('PATCH', `/users/${user.user.id}`, { is_active: false }),
    ],
    'the kill switch': [
      ['account-disabled', ...ended],
      'admin',
      ({ user }) => asAdmin('POST', `/users/${user.user.id}/disable`, { reason: 'stolen' }),
    ],
    'a user who is deleted': [
      ['account-purged', ...ended],
      'admin',
      ({ user }) => asAdmin('DELETE', `/users/${user.user.id}`),
    ],
    'a consent that is taken back': [
      ended,
      'user',
      async ({ user }) => {
        const { token } = user;
        const list = await tenant.request<{ items: { id: string }[] }>('GET', '/me/consents', {
          token,
        });
        const [consent] = expectStatus(200, list).items;
        return tenant.request('DELETE', `/me/consents/${consent?.id}`, { token });
      },
    ],
    'a user directly in the database': [
      ['account-disabled', ...ended],
      '',
      ({ user }) =>
        keywright.database.query('UPDATE users SET is_active = false WHERE id = $1', [
          user.user.id,
        ]),
    ],
  };
  for (const [name, [names, by, end]] of Object.entries(ends)) {
    test(name, async () => {
      const context = await loggedIn();
      await end(context);
      const pushed = await pushedOf('/own', context.user);
      assert.deepEqual(namesOf(pushed), names);
      const [polledNow, again] = [await polledOf(context.user), await polledOf(context.user)];
      assert.deepEqual([namesOf(polledNow), again], [names, polledNow]);
      const session = pushed.find((claims) => nameOf(claims) === 'session-revoked');
      assert.equal(session?.sub_id.session?.id, context.login.sid);
      const [event] = Object.values(session?.events ?? {});
      assert.equal(event?.['initiating_entity'] ?? '', by);
      await client.poll(polled, { maxEvents: 0, ack: polledNow.map(({ jti }) => jti) });
      assert.deepEqual(await polledOf(context.user), []);
    });
  }

  test('Receivers, one of whom polls, are notified once of a logout of the user', async () => {
    const { user, logOut } = await loggedIn();
    await logOut();
    const pushed = await pushedOf('/own', user);
    assert.deepEqual(namesOf(pushed), ended);
    assert.deepEqual(
      Object.values(pushed[0]?.events ?? {}).map(({ event_timestamp: _at, ...event }) => event),
      [{ initiating_entity: 'user', reason_admin: { en: 'The user signed out.' } }],
    );
  });

  test('Receivers, one of whom polls, are notified once of a user who is enabled again', async () => {
    const { user } = await loggedIn();
    for (const is_active of [false, true])
      await asAdmin('PATCH', `/users/${user.user.id}`, { is_active });
    const pushed = await pushedOf('/own', user);
    assert.deepEqual(namesOf(pushed), ['account-disabled', 'account-enabled', 'session-revoked']);
  });

  test('Receivers, one of whom polls, are notified once of a second factor that a user adds and an administrator removes', async () => {
    const { user } = await loggedIn();
    const { factor } = await enrollTotp(tenant, user.token, systemClock);
    const path = `/users/${user.user.id}/factors/${factor.id}`;
    expectStatus(200, await asAdmin('DELETE', path));
    const pushed = await pushedOf('/own', user);
    const changes = pushed.flatMap(({ events }) => Object.values(events));
    assert.deepEqual(
      changes.map(({ credential_type: type, change_type: change, initiating_entity: by }) => [
        type,
        change,
        by,
      ]),
      [
        ['app', 'create', 'user'],
        ['recovery-codes', 'create', 'user'],
        ['app', 'delete', 'admin'],
        ['recovery-codes', 'delete', 'admin'],
      ],
    );
  });
});

describe('whom a receiver hears of', () => {
  test('A receiver hears of its own users, and of all users if an administrator allows it', async () => {
    const stranger = await tenant.createUser();
    await asAdmin('PATCH', `/users/${stranger.user.id}`, { is_active: false });
    assert.deepEqual(await pushedOf('/own', stranger), []);
    assert.deepEqual(await polledOf(stranger), []);
    // Also of the session of the login itself.
    assert.deepEqual(namesOf(await pushedOf('/all', stranger)), [
      'account-disabled',
      'session-revoked',
    ]);
  });

  test('A receiver hears of its own sessions, not of those that a user has elsewhere', async () => {
    const { user, login } = await loggedIn();
    expectStatus(200, await tenant.request('POST', '/auth/logout', { token: user.token }));
    assert.deepEqual(await pushedOf('/own', user), []);
    assert.equal((await pushedOf('/all', user)).length, 1);
    await asAdmin('DELETE', `/sessions/${login.sid}`);
    assert.equal((await pushedOf('/own', user)).length, 1);
  });

  test('A receiver hears only of the events that it requested', async () => {
    const path = '/some';
    await all.stream(`${receiver.url}${path}`, { events_requested: [SIGNALS['account-enabled']] });
    const { user } = await loggedIn();
    for (const is_active of [false, true])
      await asAdmin('PATCH', `/users/${user.user.id}`, { is_active });
    assert.deepEqual(namesOf(await pushedOf(path, user)), ['account-enabled']);
  });

  test('A receiver that is inactive gets no events', async () => {
    const path = '/withdrawn';
    const former = await SignalClient.register(tenant, { reach: 'all_users' });
    await former.stream(`${receiver.url}${path}`);
    await asAdmin('PATCH', `/clients/${former.client.id}`, { is_active: false });
    const { user } = await loggedIn();
    await asAdmin('PATCH', `/users/${user.user.id}`, { is_active: false });
    assert.deepEqual(await pushedOf(path, user), []);
  });

  test('A receiver gets events about users who consent to it, until they withdraw their consent', async () => {
    const user = await tenant.createUser();
    const grant = { userId: user.user.id, clientId: client.client.id };
    await grantConsent(keywright, tenant.id, grant);
    const set = (is_active: boolean) => asAdmin('PATCH', `/users/${user.user.id}`, { is_active });
    await set(false);
    assert.deepEqual(namesOf(await pushedOf('/own', user)), ['account-disabled']);
    const sql = 'UPDATE consents SET revoked_at = now() WHERE user_id = $1';
    await keywright.database.query(sql, [user.user.id]);
    await set(true);
    assert.equal((await pushedOf('/own', user)).length, 1);
  });

  test('A receiver gets no events about a session that a stronger login replaced', async () => {
    const user = await tenant.createUser();
    const end = `UPDATE sessions SET is_active = false, end_reason = 'replaced' WHERE user_id = $1`;
    await keywright.database.query(end, [user.user.id]);
    assert.deepEqual(await pushedOf('/all', user), []);
  });

  test('A receiver gets no events about a user of another tenant', async () => {
    const other = await keywright.tenant('next-door');
    const user = await other.createUser();
    const token = await other.adminToken();
    await other.request('PATCH', `/users/${user.user.id}`, { token, body: { is_active: false } });
    assert.deepEqual(await pushedOf('/all', user), []);
  });
});

test('A change that is rolled back queues no event for receivers', async () => {
  const { user } = await loggedIn();
  const count = async () => {
    const [row] = await keywright.database.query<{ n: number }>(
      'SELECT count(*)::integer AS n FROM signal_deliveries WHERE user_id = $1',
      [user.user.id],
    );
    return row?.n;
  };
  const update = `UPDATE users SET is_active = false WHERE id = '${user.user.id}'`;
  await keywright.database
    .query(`DO $$ BEGIN ${update}; RAISE EXCEPTION 'undone'; END $$`)
    .catch(() => {});
  assert.equal(await count(), 0);
  await keywright.database.query(update);
  assert.ok(((await count()) ?? 0) > 0);
});

test('A verification event returns with its state, about the stream, once in ten seconds', async () => {
  const path = '/verified';
  const { stream_id } = await client.stream(`${receiver.url}${path}`, {});
  const state = 'VGhpcyBpcyBhbiBleGFtcGxl';
  const first = await client.call('POST', '/verify', { stream_id, state });
  assert.equal(first.status, 204);
  await keywright.nodes[0]?.signals.runDue();
  const [pushed] = receiver.at(path) as [Pushed];
  const { sub_id, events } = pushed.claims;
  assert.deepEqual(sub_id, { format: 'opaque', id: stream_id });
  assert.deepEqual(events, {
    'https://schemas.openid.net/secevent/ssf/event-type/verification': { state },
  });
  const early = await client.call('POST', '/verify', { stream_id, state });
  assert.deepEqual([early.status, early.headers['retry-after']], [429, '10']);
});

test('A deleted tenant sends no events to receivers, and leaves nothing behind', async () => {
  const doomed = await keywright.tenant('doomed');
  const last = await SignalClient.register(doomed, { reach: 'all_users' });
  await last.stream(`${receiver.url}/doomed`);
  await doomed.createUser();
  const root = await keywright.home.login(keywright.admin.identifier, keywright.admin.password);
  const token = root.access_token;
  expectStatus(
    200,
    await keywright.home.request('DELETE', `/tenants/${doomed.id}?force=true`, { token }),
  );
  await keywright.nodes[0]?.signals.runDue();
  assert.deepEqual(receiver.at('/doomed'), []);
});
