// Sessions that have ended stay listed, with the reason and the time.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { SessionRecord } from '@keywright/contract/records/session';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { sessionOf } from '@keywright/tests/harness/token';

const REFRESHABLE_SECONDS = 1000;

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  const config = { refresh_token_ttl: REFRESHABLE_SECONDS, login_attempts_limit: 10_000 };
  tenant = await keywright.tenant('ends', { config });
});

after(() => keywright.close());

/** A user with a session, and a function that opens another one. */
async function newLogin() {
  const [identifier, secret] = [newIdentifier(), newPassword()];
  const first = await tenant.login(identifier, secret, { extra: { register: true } });
  const again = async () => {
    // Lists are ordered by age.
    keywright.clock.advance(1);
    return (await tenant.login(identifier, secret)).access_token;
  };
  return { id: first.user.id, secret, token: first.access_token, again };
}

async function list(token: string, query = ''): Promise<SessionRecord[]> {
  const path = `/sessions?sort=created_at&limit=100${query}`;
  const answer = await tenant.request<{ items: SessionRecord[] }>('GET', path, { token });
  return expectStatus(200, answer).items;
}

async function endOf(token: string, reader: string) {
  const { items } = { items: await list(reader) };
  const found = items.find((session) => session.id === sessionOf(token));
  return { reason: found?.end_reason, at: found?.ended_at, isActive: found?.is_active };
}

const now = () => keywright.clock.now().toISOString();

describe('an ended session is listed with the reason and the time', () => {
  test('A logged-out session is listed with its reason and time, to its user and to administrators', async () => {
    const { token, again } = await newLogin();
    const other = await again();
    keywright.clock.advance(5);
    const at = now();
    expectStatus(200, await tenant.request('POST', '/auth/logout', { token }));
    keywright.clock.advance(5);
    const expected = { reason: 'logout', at, isActive: false };
    assert.deepEqual(await endOf(token, other), expected);
    const admin = await tenant.adminToken();
    const ofAll = await list(admin, '&state=ended');
    assert.equal(ofAll.find((session) => session.id === sessionOf(token))?.ended_at, at);
  });

  test('A revoked session is listed with its reason and time, whether revoked alone or with all sessions of its user', async () => {
    const { id, token, again } = await newLogin();
    const other = await again();
    const admin = await tenant.adminToken();
    const path = `/sessions/${sessionOf(token)}`;
    const at = now();
    expectStatus(200, await tenant.request('DELETE', path, { token: admin }));
    assert.deepEqual(await endOf(token, other), { reason: 'revoked', at, isActive: false });
    keywright.clock.advance(1);
    const all = `/sessions?user_id=${id}`;
    const later = now();
    expectStatus(200, await tenant.request('DELETE', all, { token: admin }));
    const theirs = await list(admin, `&user_id=${id}`);
    assert.deepEqual(
      theirs.map((session) => session.ended_at),
      [at, later],
    );
  });

  test('A session that a password change or a deactivation ended is listed with its reason and time', async () => {
    const { id, token, again } = await newLogin();
    const admin = await tenant.adminToken();
    const patch = async (body: object) =>
      expectStatus(200, await tenant.request('PATCH', `/users/${id}`, { token: admin, body }));
    await patch({ password: newPassword() });
    const changed = await list(admin, `&user_id=${id}`);
    assert.deepEqual(
      changed.map((session) => session.end_reason),
      ['password_changed'],
    );
    assert.ok(token && again);
    const other = await tenant.createUser();
    await tenant.request('PATCH', `/users/${other.user.id}`, {
      token: admin,
      body: { is_active: false },
    });
    const [deactivated] = await list(admin, `&user_id=${other.user.id}`);
    assert.equal(deactivated?.end_reason, 'deactivated');
    assert.ok(deactivated?.ended_at);
  });

  test('A session that was not refreshed is listed as expired, at its expiry', async () => {
    const { token, again } = await newLogin();
    const [session] = await list(token);
    keywright.clock.advance(REFRESHABLE_SECONDS + 60);
    const expected = { reason: 'expired', at: session?.expires_at, isActive: false };
    assert.deepEqual(await endOf(token, await again()), expected);
  });
});

test('Sessions are found by their state, alone and with a user', async () => {
  const { id, token: ended, again } = await newLogin();
  expectStatus(200, await tenant.request('POST', '/auth/logout', { token: ended }));
  const expired = await again();
  keywright.clock.advance(REFRESHABLE_SECONDS + 60);
  const active = await again();
  const admin = await tenant.adminToken();
  for (const [state, token] of Object.entries({ active, ended, expired })) {
    for (const [reader, whose] of [
      [active, ''],
      [admin, `&user_id=${id}`],
    ] as const) {
      const found = await list(reader, `${whose}&state=${state}`);
      assert.deepEqual(
        found.map((session) => session.id),
        [sessionOf(token)],
        state,
      );
    }
  }
  assert.deepEqual(await list(active, '&state=ended&is_active=true'), []);
  const wrong = await tenant.request('GET', '/sessions?state=over', { token: active });
  expectStatus(400, wrong);
});

test('A cursor of one state is rejected with another state', async () => {
  const { token, again } = await newLogin();
  await again();
  const page = await tenant.request<{ meta: { next_cursor: string } }>(
    'GET',
    '/sessions?limit=1&state=active',
    { token },
  );
  const cursor = encodeURIComponent(expectStatus(200, page).meta.next_cursor);
  const other = await tenant.request('GET', `/sessions?state=expired&cursor=${cursor}`, { token });
  expectStatus(400, other);
});
