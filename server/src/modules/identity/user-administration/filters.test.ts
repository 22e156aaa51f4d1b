// Filters of the list of users by their state, and by when they last logged in.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { UserRecord } from '@keywright/contract/records/user';
import { expectStatus } from '@keywright/tests/harness/http';
import { addPasskey } from '@keywright/tests/harness/passkey';
import { addTotp, enrollTotp } from '@keywright/tests/harness/totp';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';

const PASSWORD = 'not a common password';
const HOUR = 3600;

let keywright: Keywright;
let tenant: TestTenant;
/** Between the logins of Ada and Bob. */
let between: Date;

async function requestUsers(query: string, at = tenant) {
  const token = await at.adminToken();
  return at.request<
    { items: UserRecord[]; meta: { total: number; next_cursor?: string } } & ErrorBody
  >('GET', `/users?${query}`, { token });
}

/** First names of the users found, oldest first. The administrator of the test is not among them. */
async function found(query: string): Promise<string[]> {
  const { items } = expectStatus(200, await requestUsers(`sort=created_at&${query}`));
  return items
    .map((item) => item.identifiers[0]?.identifier ?? '')
    .filter((identifier) => identifier.endsWith('@named.example'))
    .map((identifier) => identifier.split('@')[0] ?? '');
}

async function administer<Body = object>(method: string, path: string, body: object) {
  const token = await tenant.adminToken();
  return tenant.request<Body>(method, path, { token, body });
}

async function add(name: string, patch?: object): Promise<UserRecord> {
  keywright.clock.advance(1);
  const identifier = `${name}@named.example`;
  const body = { identifier, password: PASSWORD };
  const user = expectStatus(201, await administer<UserRecord>('POST', '/users', body));
  if (patch) expectStatus(200, await administer('PATCH', `/users/${user.id}`, patch));
  return user;
}

const verified = (name: string, isVerified: boolean) => ({
  identifier: `${name}@named.example`,
  verified: isVerified,
});

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  tenant = await keywright.tenant('filtered');
  await add('ada', { identifiers: [verified('ada', true)] });
  await add('bob', { identifiers: [verified('bob', false), verified('bob.second', true)] });
  await add('eve', { is_active: false, name: 'Ève Ångström' });
  await add('zoe', { identifiers: [verified('zoe', false), { identifier: '+4930123456' }] });
  await tenant.login('ada@named.example', PASSWORD);
  keywright.clock.advance(HOUR);
  between = keywright.clock.now();
  keywright.clock.advance(HOUR);
  await tenant.login('bob@named.example', PASSWORD);
  await until('the logins are noted', async () => (await found('has_logged_in=true')).length === 2);
});

after(() => keywright.close());

describe('users are found', () => {
  for (const [query, names] of [
    ['is_active=true', ['ada', 'bob', 'zoe']],
    ['is_active=false', ['eve']],
    ['is_verified=true', ['ada', 'bob']],
    ['is_verified=false', ['eve', 'zoe']],
    ['has_logged_in=true', ['ada', 'bob']],
    ['has_logged_in=false', ['eve', 'zoe']],
    ['is_verified=false&is_active=true', ['zoe']],
    ['is_active=false&has_logged_in=true', []],
    ['search=eve', ['eve']],
    ['search=angstrom', ['eve']],
    ['search=%C3%88VE%20%C3%85', ['eve']],
    ['search=%2B49%20(30)%20123-456', ['zoe']],
    ['search=bob.second', ['bob']],
    ['search=named.ex&is_active=false', ['eve']],
    ['search=%25', []],
    // Without their punctuation or accents, nothing would be left, which every user contains.
    ['search=...', []],
    ['search=%2B((((', []],
    ['search=%CC%81%CC%81%CC%81', []],
    ['search=e&email=zoe', ['zoe']],
    ['is_active=false&role=member&workspace_id=ws_default&email=named', ['eve']],
  ] as const) {
    test(`A list with ${query} has ${names.join(', ') || 'no user'}`, async () => {
      assert.deepEqual(await found(query), names);
    });
  }

  test('A filter by a last login before a time excludes users with later logins, and users who never logged in', async () => {
    const earlier = encodeURIComponent(between.toISOString());
    assert.deepEqual(await found(`last_login_before=${earlier}`), ['ada']);
    keywright.clock.advance(60);
    const later = encodeURIComponent(keywright.clock.now().toISOString());
    assert.deepEqual(await found(`last_login_before=${later}`), ['ada', 'bob']);
  });
});

describe('users are found by their ids', () => {
  const idsOf = async (names: readonly string[]) => {
    const { items } = expectStatus(200, await requestUsers('email=named.example'));
    const isNamed = ({ identifiers: [first] }: UserRecord) =>
      names.some((name) => first?.identifier === `${name}@named.example`);
    return items.filter(isNamed).map(({ id }) => id);
  };

  test('A search for an ID finds its user', async () => {
    const [id = ''] = await idsOf(['eve']);
    assert.deepEqual(await found(`search=${id}`), ['eve']);
    assert.deepEqual(await found(`search=${id}&is_active=true`), []);
  });

  test('A list sorted by name or last login continues by cursor, with users without one at an end', async () => {
    for (const [sort, names] of [
      ['name', ['eve', 'ada', 'bob', 'zoe']],
      ['-name', ['zoe', 'bob', 'ada', 'eve']],
      ['last_login_at', ['eve', 'zoe', 'ada', 'bob']],
      ['-last_login_at', ['bob', 'ada', 'zoe', 'eve']],
    ] as const) {
      for (const filter of ['', '&email=named.example&is_verified=true', '&email=named.example']) {
        const all: string[] = [];
        let cursor: string | undefined = '';
        while (cursor !== undefined) {
          const from = cursor === '' ? '' : `&cursor=${cursor}`;
          const page = await requestUsers(`sort=${sort}&limit=1${filter}${from}`);
          const { items, meta } = expectStatus(200, page);
          all.push(...items.map(({ identifiers: [first] }) => first?.identifier ?? ''));
          cursor = meta.next_cursor;
        }
        const known = all.filter((identifier) => identifier.endsWith('@named.example'));
        const expected = filter.includes('is_verified') ? ['ada', 'bob'] : [...names];
        assert.deepEqual(
          known.map((identifier) => identifier.split('@')[0]),
          filter.includes('is_verified') && sort.startsWith('-') ? expected.toReversed() : expected,
          `${sort}${filter}`,
        );
      }
    }
  });

  test('A list by IDs has the existing users', async () => {
    const ids = [...(await idsOf(['zoe', 'ada'])), 'user:00000000000000000000000000'];
    assert.deepEqual(await found(`ids=${ids.join(',')}`), ['ada', 'zoe']);
    assert.deepEqual(await found(`ids=${ids.join(',')}&has_logged_in=false`), ['zoe']);
    const { meta } = expectStatus(200, await requestUsers(`ids=${ids.join(',')}`));
    assert.equal(meta.total, 2);
  });

  test('A list by IDs has users of this tenant only', async () => {
    const [ada] = await idsOf(['ada']);
    const { user: stranger } = await (await keywright.tenant('other')).createUser();
    assert.deepEqual(await found(`ids=${ada},${stranger.id}`), ['ada']);
    const { items } = expectStatus(200, await requestUsers(`ids=${stranger.id}`));
    assert.deepEqual(items, []);
  });

  test('A list by IDs has at most a hundred', async () => {
    const ids = Array.from({ length: 101 }, (_, n) => `user:${String(n).padStart(26, '0')}`);
    expectStatus(200, await requestUsers(`ids=${ids.slice(1).join(',')}`));
    const answer = expectStatus(400, await requestUsers(`ids=${ids.join(',')}`));
    assert.match(JSON.stringify(answer), /up to 100 IDs/);
    expectStatus(400, await requestUsers('ids=unknown'));
  });
});

test('A later login replaces the earlier one', async () => {
  await add('pam');
  await tenant.login('pam@named.example', PASSWORD);
  await until('the login is noted', async () =>
    (await found('has_logged_in=true')).includes('pam'),
  );
  keywright.clock.advance(120);
  const earlier = `last_login_before=${encodeURIComponent(keywright.clock.now().toISOString())}`;
  assert.ok((await found(earlier)).includes('pam'));
  keywright.clock.advance(120);
  await tenant.login('pam@named.example', PASSWORD);
  await until('the later one is noted', async () => !(await found(earlier)).includes('pam'));
});

test('Pages of a filtered list continue by cursor, and count what the filter finds', async () => {
  const first = expectStatus(200, await requestUsers('is_verified=false&limit=1'));
  assert.equal(first.items.length, 1);
  const cursor = encodeURIComponent(first.meta.next_cursor ?? '');
  const second = expectStatus(
    200,
    await requestUsers(`is_verified=false&limit=1&cursor=${cursor}`),
  );
  assert.notEqual(second.items[0]?.id, first.items[0]?.id);
  assert.equal(second.meta.total, first.meta.total);
  // Of another list.
  expectStatus(400, await requestUsers(`is_verified=true&limit=1&cursor=${cursor}`));
});

test('A value that is not a time, or neither true nor false, is rejected', async () => {
  for (const [query, path] of [
    ['last_login_before=yesterday', '/last_login_before'],
    ['last_login_before=2026-01-31T09:30:00', '/last_login_before'],
    ['is_active=1', '/is_active'],
    ['is_verified=', '/is_verified'],
    ['has_logged_in=never', '/has_logged_in'],
  ] as const) {
    const { errors } = expectStatus(400, await requestUsers(query));
    assert.deepEqual(
      errors?.map((error) => error.path),
      [path],
      query,
    );
  }
});

test('Logins of another tenant do not count', async () => {
  const other = await keywright.tenant('filtered-elsewhere');
  const { user } = await other.createUser();
  await until('the login is noted there', async () => {
    const { items } = expectStatus(200, await requestUsers('has_logged_in=true', other));
    return items.some((item) => item.id === user.id);
  });
  const { items } = expectStatus(200, await requestUsers('has_logged_in=true&limit=100'));
  assert.ok(!items.some((item) => item.id === user.id));
});

test('Active users are counted once, by a passkey or else a confirmed authenticator app', async () => {
  const other = await keywright.tenant('protected');
  const people = [];
  for (let person = 0; person < 4; person += 1) people.push(await other.createUser());
  const [both, withApp, begun] = people;
  assert.ok(both && withApp && begun);
  await addTotp(other, begun.token);
  await enrollTotp(other, withApp.token, keywright.clock);
  // With a confirmed app, adding a passkey would require another login.
  const { factor } = await addTotp(other, both.token);
  await addPasskey(other, both.token);
  await keywright.database.query(
    'UPDATE user_factors SET confirmed_at = now(), expires_at = NULL WHERE id = $1',
    [factor.id],
  );
  const token = await other.adminToken();
  const answer = await other.request('GET', '/users/protection', { token });
  const administrators = 1;
  assert.deepEqual(expectStatus(200, answer), {
    users: people.length + administrators,
    passkey: 1,
    authenticator_app: 1,
  });
  expectStatus(403, await other.request('GET', '/users/protection', { token: begun.token }));
});
