// A tenant with more users than are counted: numbered pages start at checkpoints, and searches use the index on
// parts.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserRecord } from '@keywright/contract/records/user';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';

const USERS = 20_123;

interface UserList {
  readonly items: UserRecord[];
  readonly meta: {
    readonly total: number;
    readonly total_is_estimate?: true;
    readonly next_cursor?: string;
  };
}

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  tenant = await keywright.tenant('large');
  await tenant.adminToken();
  await fill(tenant, USERS);
  await keywright.database.query('ANALYZE user_identifiers');
});

after(() => keywright.close());

/** Three users per second, whose order by identifier differs from their order by age. */
async function fill(at: TestTenant, count: number): Promise<void> {
  await keywright.database.query(
    `WITH new AS (
       INSERT INTO users (tenant_id, id, created_at, name, name_key)
       SELECT $1, 'user:0' || lpad(n::text, 25, '0'), timestamptz '2026-01-01' + (n / 3) * interval '1 s',
              CASE WHEN n % 3 > 0 THEN 'Zoë ' || n / 2 || CASE n % 500 WHEN 7 THEN '山田' ELSE '' END END,
              CASE WHEN n % 3 > 0 THEN 'zoe ' || n / 2 || CASE n % 500 WHEN 7 THEN '山田' ELSE '' END
                   ELSE U&'\\+10FFFF' END
         FROM generate_series(1, $2) AS n
       RETURNING tenant_id, id, right(id, 6) AS n), logins AS (
       INSERT INTO user_logins (tenant_id, user_id, last_login_at)
       SELECT tenant_id, id, CASE WHEN n::integer % 4 = 0 THEN '-infinity'
                                  ELSE timestamptz '2026-02-01' + n::integer % 997 * interval '1 min' END
         FROM new)
     INSERT INTO user_identifiers (tenant_id, identifier, user_id, type, position)
     SELECT tenant_id, reverse(n) || '.' || CASE WHEN n::integer % 5 = 0 THEN 'hopper' ELSE 'knuth' END
              || '@dept-' || n::integer % 1000 || '.example.com', id, 'email', 0 FROM new`,
    [at.id, count],
  );
}

async function list(query: string): Promise<UserList> {
  const token = await tenant.adminToken();
  return expectStatus(200, await tenant.request<UserList>('GET', `/users${query}`, { token }));
}

/** The expected users, read from the database without checkpoints or the index on parts. */
async function expected(order: string, offset: number, part = ''): Promise<string[]> {
  const rows = await keywright.database.query<{ id: string }>(
    `SELECT u.id FROM users u
       JOIN user_logins l ON l.tenant_id = u.tenant_id AND l.user_id = u.id
       JOIN user_identifiers i ON i.tenant_id = u.tenant_id AND i.user_id = u.id AND i.position = 0
      WHERE u.tenant_id = $1 AND strpos(i.identifier, $2) > 0 AND ($2 = '' OR i.type = 'email')
      ORDER BY ${order} OFFSET $3 LIMIT 100`,
    [tenant.id, part, offset],
  );
  return rows.map(({ id }) => id);
}

const idsOf = ({ items }: UserList) => items.map(({ id }) => id);

const ORDERS = {
  created_at: 'u.created_at, u.id',
  '-created_at': 'u.created_at DESC, u.id DESC',
  identifier: 'i.identifier, u.id',
  '-identifier': 'i.identifier DESC, u.id DESC',
  name: 'u.name_key, u.id',
  '-name': 'u.name_key DESC, u.id DESC',
  last_login_at: 'l.last_login_at, u.id',
  '-last_login_at': 'l.last_login_at DESC, u.id DESC',
};

describe('pages by number past 10,000 users', () => {
  for (const [sort, order] of Object.entries(ORDERS)) {
    test(`Pages by number, sorted by ${sort}, contain exactly the users at their position`, async () => {
      // 202 is the last one, 203 is beyond the end.
      for (const page of [100, 101, 102, 137, 201, 202, 203]) {
        const found = idsOf(await list(`?limit=100&sort=${sort}&page=${page}`));
        assert.deepEqual(found, await expected(order, (page - 1) * 100), `page ${page}`);
      }
    });
  }

  test('Pages by number estimate the number of users', async () => {
    const { meta } = await list('?limit=100&page=150');
    assert.deepEqual([meta.total, meta.total_is_estimate], [USERS + 1, true]);
  });

  test('Pages by number contain the right users again some minutes after deletions', async () => {
    await list('?limit=100&page=150');
    await keywright.database.query(
      `DELETE FROM users WHERE tenant_id = $1 AND id IN (
         SELECT id FROM users WHERE tenant_id = $1 ORDER BY created_at LIMIT 50)`,
      [tenant.id],
    );
    keywright.clock.advance(700);
    const page = await list('?limit=100&sort=created_at&page=150');
    assert.deepEqual(idsOf(page), await expected('u.created_at, u.id', 14_900));
    assert.equal(page.meta.total, USERS + 1 - 50);
  });
});

describe('a search among more than 10,000 users', () => {
  const parts = {
    'a whole address': '321010.knuth@dept-123.example.com',
    'a number': '321010',
    'a company': '@dept-77.example',
    'a word that some have': 'hopper',
    'a word that most have': 'knuth',
    'what all have': '.example.com',
    'two characters of a number': '33',
    'a character before a sign': '9.',
    'a character after a sign': '-7',
    'two characters that no user has': 'zq',
    'a single digit': '7',
    'a letter within words': 'k',
    'a sign that no user has': '#',
    'signs that some have': '.-',
    'a letter with an accent': 'ñ',
    'a part that no user has': 'lovelace',
    // None of these characters is a wildcard.
    'signs of patterns': 'dept%_\\',
  };
  for (const [what, part] of Object.entries(parts)) {
    test(`A search finds ${what}, newest first and oldest first`, async () => {
      const query = `?limit=100&email=${encodeURIComponent(part)}`;
      const all = await keywright.database.query<{ n: number }>(
        `SELECT count(*)::integer AS n FROM user_identifiers
          WHERE tenant_id = $1 AND type = 'email' AND strpos(identifier, $2) > 0`,
        [tenant.id, part],
      );
      const count = all[0]?.n ?? 0;
      for (const [sort, order] of [
        ['-created_at', 'u.created_at DESC, u.id DESC'],
        ['created_at', 'u.created_at, u.id'],
      ] as const) {
        for (const page of [1, 2]) {
          const found = await list(`${query}&sort=${sort}&page=${page}`);
          assert.deepEqual(idsOf(found), await expected(order, (page - 1) * 100, part));
          if (count <= 10_000) assert.equal(found.meta.total, count);
          assert.equal(found.meta.total_is_estimate, count > 10_000 ? true : undefined);
        }
      }
    });
  }

  for (const [what, term, inName, inIdentifier] of [
    ['a name with an accent', 'ZOË 512', 'zoe 512', 'zoë 512'],
    ['a name that most have', 'zoe', 'zoe', 'zoe'],
    ['a name or an address', '512', '512', '512'],
    ['an address alone', '.knuth@dept-7', '.knuth@dept-7', '.knuth@dept-7'],
    ['two letters of a name', 'oe', 'oe', 'oe'],
    ['a letter within names, with an accent', 'ë', 'e', 'ë'],
    ['Japanese characters', '山田', '山田', '山田'],
    ['a character of another script', '田', '田', '田'],
    ['no user', 'lovelace', 'lovelace', 'lovelace'],
  ] as const) {
    test(`A search in names and identifiers finds ${what}`, async () => {
      const rows = await keywright.database.query<{ id: string }>(
        `SELECT u.id FROM users u
          WHERE u.tenant_id = $1 AND (strpos(u.name_key, $2) > 0 OR EXISTS (
            SELECT FROM user_identifiers i
             WHERE i.tenant_id = u.tenant_id AND i.user_id = u.id AND strpos(i.identifier, $3) > 0))
          ORDER BY u.created_at DESC, u.id DESC`,
        [tenant.id, inName, inIdentifier],
      );
      const ids = rows.map(({ id }) => id);
      for (const page of [1, 2]) {
        const found = await list(`?limit=50&search=${encodeURIComponent(term)}&page=${page}`);
        assert.deepEqual(idsOf(found), ids.slice((page - 1) * 50, page * 50));
        if (ids.length <= 10_000) assert.equal(found.meta.total, ids.length);
        else assert.equal(found.meta.total_is_estimate, true);
      }
    });
  }

  for (const [what, part] of [
    ['few users', '321'],
    ['half of them', 'hopper'],
  ] as const) {
    test(`A search that finds ${what} can be sorted, and combined with other filters`, async () => {
      for (const [sort, order] of [
        ['name', 'u.name_key, u.id'],
        ['-last_login_at', 'l.last_login_at DESC, u.id DESC'],
        ['identifier', 'i.identifier, u.id'],
      ] as const) {
        const found = await list(`?limit=100&email=${part}&sort=${sort}&page=2`);
        assert.deepEqual(idsOf(found), await expected(order, 100, part));
      }
      const never = await list(`?limit=100&email=${part}&has_logged_in=false`);
      assert.ok(never.items.length > 0);
      assert.ok(never.items.every((user) => user.last_login_at === null));
      assert.deepEqual((await list(`?email=${part}&is_active=false`)).items, []);
    });
  }

  test('A search continues by cursor', async () => {
    const first = await list('?limit=50&email=hopper');
    const cursor = first.meta.next_cursor ?? '';
    const second = await list(`?limit=50&email=hopper&cursor=${cursor}`);
    const both = [...idsOf(first), ...idsOf(second)];
    assert.deepEqual(both, await expected('u.created_at DESC, u.id DESC', 0, 'hopper'));
  });

  for (const [sort, order] of Object.entries(ORDERS)) {
    test(`A search sorted by ${sort} continues by cursor to its end`, async () => {
      const all: string[] = [];
      let cursor = '';
      do {
        const query = `?limit=100&sort=${sort}&search=.hopper%40dept-7`;
        const page = await list(`${query}${cursor === '' ? '' : `&cursor=${cursor}`}`);
        all.push(...idsOf(page));
        cursor = page.meta.next_cursor ?? '';
      } while (cursor !== '');
      const pages = [0, 100, 200, 300, 400].map((from) => expected(order, from, '.hopper@dept-7'));
      assert.deepEqual(all, (await Promise.all(pages)).flat());
      assert.ok(all.length > 400);
    });
  }

  test('A search finds the user with an ID, in a page of its order', async () => {
    const id = `user:0${String(700).padStart(25, '0')}`;
    const found = await list(`?search=${id}&sort=name`);
    assert.deepEqual([idsOf(found), found.meta.total], [[id], 1]);
  });

  test('A search finds no user of another tenant', async () => {
    const other = await keywright.tenant('large-neighbor');
    const token = await other.adminToken();
    await keywright.database.query(
      `UPDATE user_identifiers SET identifier = 'secret.neighbor@example.com' WHERE tenant_id = $1`,
      [other.id],
    );
    await keywright.database.query(
      `UPDATE users SET name = 'Secret', name_key = 'secret' WHERE tenant_id = $1`,
      [other.id],
    );
    const answer = await other.request<UserList>('GET', '/users?email=secret.neighbor', { token });
    assert.equal(expectStatus(200, answer).items.length, 1);
    assert.deepEqual((await list('?email=secret.neighbor')).items, []);
    const named = await other.request<UserList>('GET', '/users?search=secret', { token });
    assert.equal(expectStatus(200, named).items.length, 1);
    assert.deepEqual((await list('?search=secret')).items, []);
  });
});
