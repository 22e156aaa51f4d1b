import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { SessionRecord } from '@keywright/contract/records/session';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { newClient, UserBrowser } from '@keywright/tests/harness/code-login';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { sessionOf } from '@keywright/tests/harness/token';

interface SessionList {
  readonly items: SessionRecord[];
  readonly meta: { page: number; limit: number; total: number; next_cursor?: string };
}

let keywright: Keywright;
let tenant: TestTenant;
let tenants = 0;

before(async () => {
  keywright = await startKeywright({
    clock: 'fake',
    env: { KEYWRIGHT_TRUSTED_PROXIES: '127.0.0.1' },
  });
  tenant = await freshTenant();
});

after(() => keywright.close());

function freshTenant(): Promise<TestTenant> {
  tenants += 1;
  return keywright.tenant(`sessions-${tenants}`, { config: { login_attempts_limit: 10_000 } });
}

/** Opens this many sessions of a user, one second apart, oldest first. */
async function logInOften(at: TestTenant, times: number): Promise<TokenAnswer[]> {
  const [identifier, secret] = [newIdentifier(), newPassword()];
  const logins = [await at.login(identifier, secret, { extra: { register: true } })];
  while (logins.length < times) {
    keywright.clock.advance(1);
    logins.push(await at.login(identifier, secret));
  }
  return logins;
}

function requestSessions(
  token: string,
  query = '',
  at = tenant,
): Promise<Answer<SessionList & ErrorBody>> {
  return at.request('GET', `/sessions${query}`, { token });
}

async function list(token: string, query = '', at = tenant): Promise<SessionList> {
  return expectStatus(200, await requestSessions(token, query, at));
}

function ids({ items }: SessionList): string[] {
  return items.map((item) => item.id);
}

function idOf({ access_token }: TokenAnswer): string {
  return sessionOf(access_token);
}

describe('a session record', () => {
  test('A session record names its user, its device and its expiry (SPEC resources session 1, SPEC resources session 2, SPEC resources session 3, SPEC resources 1)', async () => {
    const login = await tenant.login(newIdentifier(), newPassword(), {
      extra: { register: true },
      headers: { 'user-agent': 'Browser/1.0 (a phone)', 'x-forwarded-for': '203.0.113.9' },
    });
    const started = keywright.clock.now().getTime();
    const { items } = await list(login.access_token);
    assert.match(idOf(login), /^session:[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    assert.deepEqual(items, [
      {
        id: idOf(login),
        user_id: login.user.id,
        tenant_id: tenant.id,
        workspace_id: 'ws_default',
        device_info: {
          user_agent: 'Browser/1.0 (a phone)',
          ip_address: '203.0.113.9',
          location: null,
        },
        kind: 'api',
        client_id: null,
        parent_id: null,
        scopes: null,
        auth_time: new Date(started).toISOString(),
        acr: 'aal1',
        amr: ['pwd'],
        created_at: new Date(started).toISOString(),
        last_used_at: new Date(started).toISOString(),
        expires_at: new Date(started + 2_592_000_000).toISOString(),
        is_active: true,
        end_reason: null,
        ended_at: null,
      },
    ]);
  });

  test('A session record has a null user agent if the client sent none', async () => {
    const { access_token } = await tenant.login(newIdentifier(), newPassword(), {
      extra: { register: true },
    });
    assert.equal((await list(access_token)).items[0]?.device_info.user_agent, null);
  });

  test('A session record never contains a refresh token or its hash', async () => {
    const [login] = await logInOften(tenant, 1);
    const { text } = await requestSessions(login?.access_token ?? '');
    assert.doesNotMatch(text, /refresh|hash|eyJ/);
  });

  test('A session record is not active once the session has ended or expired', async () => {
    const [first, second, third] = (await logInOften(tenant, 3)) as [
      TokenAnswer,
      TokenAnswer,
      TokenAnswer,
    ];
    const ending = { token: third.access_token };
    expectStatus(200, await tenant.request('DELETE', `/sessions/${idOf(first)}`, ending));
    const active = async (token: string) =>
      (await list(token)).items.map((item) => [item.id, item.is_active]);
    assert.deepEqual(await active(third.access_token), [
      [idOf(third), true],
      [idOf(second), true],
      [idOf(first), false],
    ]);
    keywright.clock.advance(2_592_000 - 2);
    const body = { refresh_token: third.refresh_token };
    const fresh = await tenant.request<TokenAnswer>('POST', '/auth/refresh', { body });
    keywright.clock.advance(2);
    const { access_token: token } = expectStatus(200, fresh);
    assert.deepEqual(await active(token), [
      [idOf(third), true],
      [idOf(second), false],
      [idOf(first), false],
    ]);
    const open = await list(token, '?is_active=true');
    assert.deepEqual([ids(open), open.meta.total], [[idOf(third)], 1]);
    const over = await list(token, '?is_active=false&limit=1');
    assert.deepEqual([ids(over), over.meta.total], [[idOf(second)], 2]);
    const cursor = over.meta.next_cursor ?? '';
    assert.equal(
      (await requestSessions(token, `?cursor=${cursor}`)).status,
      400,
      'a cursor of another list',
    );
    assert.deepEqual(ids(await list(token, `?is_active=false&cursor=${cursor}`)), [idOf(first)]);
  });
});

describe('visible sessions', () => {
  test('A user without read:sessions sees only their own sessions', async () => {
    const [mine] = (await logInOften(tenant, 1)) as [TokenAnswer];
    const [theirs] = (await logInOften(tenant, 1)) as [TokenAnswer];
    assert.deepEqual(ids(await list(mine.access_token)), [idOf(mine)]);
    const filtered = await list(mine.access_token, `?user_id=${mine.user.id}`);
    assert.deepEqual(ids(filtered), [idOf(mine)]);
    const refused = await requestSessions(mine.access_token, `?user_id=${theirs.user.id}`);
    assert.equal(expectStatus(403, refused).code, 'SCOPE_REQUIRED');
    assert.match(refused.body.detail, /read:sessions/);
  });

  test('A caller with read:sessions sees the sessions of all users in the tenant, or of one user', async () => {
    const at = await freshTenant();
    const admin = await at.adminToken();
    const mine = sessionOf(admin);
    keywright.clock.advance(1);
    const logins = await logInOften(at, 2);
    const elsewhere = await logInOften(tenant, 1);
    const everyone = await list(admin, '', at);
    const newestFirst = logins.toReversed().map(idOf);
    assert.deepEqual(ids(everyone).slice(0, 2), newestFirst);
    assert.ok(ids(everyone).includes(mine));
    assert.ok(everyone.items.every((item) => item.tenant_id === at.id));
    const filtered = await list(admin, `?user_id=${logins[0]?.user.id}`, at);
    assert.deepEqual(ids(filtered), newestFirst);
    assert.equal(filtered.meta.total, 2);
    const foreign = await list(admin, `?user_id=${elsewhere[0]?.user.id}`, at);
    assert.deepEqual([foreign.items, foreign.meta.total], [[], 0]);
  });
});

describe('the sessions at a client', () => {
  test('The sessions listed for a client are those that users opened there, for callers who can read them', async () => {
    const at = await freshTenant();
    const admin = await at.adminToken();
    const [client, other] = [await newClient(at), await newClient(at)];
    const user = await at.createUser();
    const browser = new UserBrowser(at, `https://id.example.com/t/${at.id}`, user);
    for (const oauthClient of [client, other, client]) {
      keywright.clock.advance(1);
      await browser.tokensFor(oauthClient);
    }
    const both = await list(admin, `?client_id=${client.id}`, at);
    assert.equal(both.meta.total, 2);
    for (const item of both.items) assert.equal(item.client_id, client.id);
    assert.deepEqual(await list(user.token, `?client_id=${client.id}`, at), both);
    const { access_token: stranger } = (await logInOften(at, 1))[0] as TokenAnswer;
    assert.deepEqual(ids(await list(stranger, `?client_id=${client.id}`, at)), []);
    const page = await list(admin, `?client_id=${client.id}&limit=1`, at);
    const cursor = page.meta.next_cursor ?? '';
    const rest = await list(admin, `?client_id=${client.id}&cursor=${cursor}`, at);
    assert.deepEqual([...ids(page), ...ids(rest)], ids(both));
    const elsewhere = await requestSessions(admin, `?client_id=${other.id}&cursor=${cursor}`, at);
    assert.equal(elsewhere.status, 400, 'a cursor of another list');
    const end = `/sessions/${ids(page)[0]}`;
    expectStatus(200, await at.request('DELETE', end, { token: admin }));
    const open = await list(admin, `?client_id=${client.id}&is_active=true`, at);
    assert.deepEqual(ids(open), ids(rest));
  });

  test('The session list of a client is empty for a client without sessions and for an unknown client', async () => {
    const at = await freshTenant();
    const admin = await at.adminToken();
    for (const { id } of [await newClient(at), await newClient(tenant)]) {
      assert.deepEqual(ids(await list(admin, `?client_id=${id}`, at)), []);
    }
  });
});

describe('the list of sessions', () => {
  test('The list of sessions is paged, newest first or oldest first (SPEC resources list responses 1)', async () => {
    const logins = await logInOften(tenant, 5);
    const oldestFirst = logins.map(idOf);
    const token = logins[0]?.access_token ?? '';
    const first = await list(token, '?limit=2');
    assert.ok(Array.isArray(first.items));
    const { next_cursor: cursor, ...meta } = first.meta;
    assert.equal(typeof cursor, 'string');
    assert.deepEqual(meta, { page: 1, limit: 2, total: 5 });
    assert.deepEqual(ids(first), oldestFirst.toReversed().slice(0, 2));
    const last = await list(token, '?limit=2&page=3&sort=-created_at');
    assert.deepEqual(ids(last), oldestFirst.slice(0, 1));
    assert.deepEqual(last.meta, { page: 3, limit: 2, total: 5 });
    assert.deepEqual((await list(token, '?limit=2&page=4')).items, []);
    const ascending = await list(token, '?limit=3&sort=created_at');
    assert.deepEqual(ids(ascending), oldestFirst.slice(0, 3));
  });

  for (const sort of ['created_at', '-created_at']) {
    test(`The list of sessions can be iterated by cursor in the order of ${sort}, while sessions are opened`, async () => {
      const [identifier, secret] = [newIdentifier(), newPassword()];
      const { access_token: token } = await tenant.login(identifier, secret, {
        extra: { register: true },
      });
      // Some sessions have the same time, so the ID determines their order.
      for (let login = 0; login < 6; login += 1) await tenant.login(identifier, secret);
      const there = ids(await list(token, `?limit=100&sort=${sort}`));
      const seen: string[] = [];
      let cursor: string | undefined = '';
      while (cursor !== undefined) {
        const query = cursor === '' ? '' : `&cursor=${cursor}`;
        const page = await list(token, `?limit=2&sort=${sort}${query}`);
        seen.push(...ids(page));
        cursor = page.meta.next_cursor;
        if (seen.length > 20) break;
        keywright.clock.advance(1);
        if (seen.length < 5) await tenant.login(identifier, secret);
      }
      assert.equal(new Set(seen).size, seen.length, 'none twice');
      assert.deepEqual(
        seen.filter((id) => there.includes(id)),
        there,
      );
    });
  }

  const refusals = {
    '?page=0': '/page',
    '?limit=0': '/limit',
    '?limit=-1': '/limit',
    '?limit=some': '/limit',
    '?sort=expires_at': '/sort',
    '?sort=refresh_hash': '/sort',
    '?user_id=me': '/user_id',
    '?cursor=nonsense': '/cursor',
    '?color=red': '/color',
  };
  for (const [query, path] of Object.entries(refusals)) {
    test(`The list of sessions rejects ${query}`, async () => {
      const answer = await requestSessions(await tenant.adminToken(), query);
      const body = expectStatus(400, answer);
      assert.equal(body.code, 'VALIDATION_FAILED');
      assert.deepEqual(
        body.errors?.map((error) => error.path),
        [path],
      );
    });
  }

  test('The list of sessions rejects a cursor of the opposite order', async () => {
    const [login] = (await logInOften(tenant, 2)) as [TokenAnswer];
    const { meta } = await list(login.access_token, '?limit=1&sort=created_at');
    const answer = await requestSessions(
      login.access_token,
      `?sort=-created_at&cursor=${meta.next_cursor}`,
    );
    expectStatus(400, answer);
  });

  test('The list of sessions reduces a limit above 100 to 100', async () => {
    const { meta } = await list(await tenant.adminToken(), '?limit=5000');
    assert.equal(meta.limit, 100);
  });
});
