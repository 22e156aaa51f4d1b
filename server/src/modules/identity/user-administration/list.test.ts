import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { UserRecord } from '@keywright/contract/records/user';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';

interface UserList {
  readonly items: UserRecord[];
  readonly meta: {
    readonly page: number;
    readonly limit: number;
    readonly total: number;
    readonly total_is_estimate?: true;
    readonly next_cursor?: string;
  };
}

let keywright: Keywright;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
});

after(() => keywright.close());

async function requestUsers(at: TestTenant, query = ''): Promise<Answer<UserList & ErrorBody>> {
  return at.request('GET', `/users${query}`, { token: await at.adminToken() });
}

async function list(at: TestTenant, query = ''): Promise<UserList> {
  return expectStatus(200, await requestUsers(at, query));
}

/** Creates a user, one second after the previous one. */
async function add(at: TestTenant, identifier: string, roles?: string[]): Promise<UserRecord> {
  keywright.clock.advance(1);
  const body = { identifier, password: 'not a common password', ...(roles ? { roles } : {}) };
  const token = await at.adminToken();
  return expectStatus(201, await at.request<UserRecord>('POST', '/users', { token, body }));
}

async function change(at: TestTenant, id: string, body: Record<string, unknown>): Promise<void> {
  const token = await at.adminToken();
  expectStatus(200, await at.request('PATCH', `/users/${id}`, { token, body }));
}

function firstIdentifiers({ items }: UserList): string[] {
  return items.map((item) => item.identifiers[0]?.identifier ?? '');
}

/** Inserts this many users without the API, one second apart, the last one the newest. */
async function addByStatement(at: TestTenant, count: number): Promise<void> {
  await keywright.database.query(
    `WITH new AS (
       INSERT INTO users (tenant_id, id, created_at)
       SELECT $1, 'user:0' || lpad(n::text, 25, '0'), timestamptz '2026-01-01' + n * interval '1 s'
         FROM generate_series(1, $2) AS n
       RETURNING tenant_id, id)
     INSERT INTO user_identifiers (tenant_id, identifier, user_id, type, position)
     SELECT tenant_id, right(id, 6) || '@bulk.example.com', id, 'email', 0 FROM new`,
    [at.id, count],
  );
}

test('A user is found by an internationalized domain, however it is written', async () => {
  const tenant = await keywright.tenant('international');
  const { id } = await add(tenant, 'zoe@B\u00fccher.example');
  for (const typed of [
    'zoe@b\u00fccher.example',
    '@BU\u0308CHER.',
    'xn--bcher-kva',
    'ZOE@XN--BCHER',
  ]) {
    const { items } = await list(tenant, `?email=${encodeURIComponent(typed)}`);
    assert.deepEqual(
      items.map((item) => item.id),
      [id],
      typed,
    );
  }
  const again = { identifier: 'zoe@xn--bcher-kva.example', password: 'not a common password' };
  const token = await tenant.adminToken();
  const answer = await tenant.request<ErrorBody>('POST', '/users', { token, body: again });
  assert.equal(`${answer.status} ${answer.body.code}`, '400 IDENTIFIER_TAKEN');
});

describe('filters of the user list (SPEC endpoints users 3, SPEC endpoints users 4, SPEC endpoints users 5)', () => {
  let tenant: TestTenant;

  before(async () => {
    tenant = await keywright.tenant('filters');
    await keywright.database.query(
      `INSERT INTO workspaces (tenant_id, id, name, slug, created_at)
       VALUES ($1, 'ws_north', 'North', 'north', now()), ($1, 'ws_south', 'South', 'south', now())`,
      [tenant.id],
    );
    const ada = await add(tenant, 'ada@north.example.com');
    const bob = await add(tenant, 'bob@south.example.com', ['admin', 'member']);
    const eve = await add(tenant, 'eve_100%@south.example.com');
    await add(tenant, '+4915112345678');
    await change(tenant, ada.id, { workspaces: ['ws_north'] });
    await change(tenant, bob.id, { workspaces: ['ws_south', 'ws_north'] });
    await change(tenant, eve.id, {
      identifiers: [
        { identifier: eve.identifiers[0]?.identifier },
        { identifier: 'second@example.net' },
      ],
    });
  });

  const [ada, bob, eve] = [
    'ada@north.example.com',
    'bob@south.example.com',
    'eve_100%@south.example.com',
  ];
  const searches: readonly (readonly [query: string, found: readonly string[]])[] = [
    ['role=member&workspace_id=ws_north', [ada, bob]],
    ['role=admin&workspace_id=ws_south', [bob]],
    ['workspace_id=ws_south', [bob]],
    ['email=north', [ada]],
    ['email=SOUTH.EXAMPLE', [bob, eve]],
    ['email=%40south', [bob, eve]],
    ['email=second%40', [eve]],
    // Neither is a wildcard, and the backslash does not escape anything.
    ['email=%25', [eve]],
    ['email=e_1', [eve]],
    ['email=b_b', []],
    ['email=a%25h', []],
    ['email=%5C', []],
    ['email=4915112345678', []],
    ['email=north&role=admin', []],
  ];
  for (const [query, found] of searches) {
    test(`${query} finds ${found.length === 0 ? 'no user' : found.join(' and ')}`, async () => {
      const answer = await list(tenant, `?sort=created_at&${query}`);
      assert.deepEqual(firstIdentifiers(answer), found);
      assert.equal(answer.meta.total, found.length);
    });
  }

  test('Filters never match users of another tenant', async () => {
    const other = await keywright.tenant('filters-elsewhere');
    for (const [query] of searches.filter(([, found]) => found.length > 0)) {
      // It has no such workspaces.
      if (query.includes('workspace_id')) continue;
      const items = firstIdentifiers(await list(other, `?${query}`));
      assert.deepEqual(
        items.filter((identifier) => [ada, bob, eve].includes(identifier)),
        [],
      );
    }
  });
});

test('Filtering by an unknown role or workspace returns an empty list', async () => {
  const tenant = await keywright.tenant('unknown-filters');
  const token = await tenant.adminToken();
  const role = { token, body: { name: 'unused', scopes: [] } };
  expectStatus(201, await tenant.request('POST', '/roles', role));
  assert.equal((await list(tenant, '?role=unused')).meta.total, 0);
  for (const query of ['role=unknown', 'workspace_id=ws_elsewhere', 'role=unknown&email=x']) {
    const found = await list(tenant, `?${query}`);
    assert.deepEqual([found.items, found.meta.total], [[], 0], query);
  }
});

describe('the order of the user list', () => {
  let tenant: TestTenant;
  const oldestFirst = ['m@example.com', 'a@example.com', 'Z@example.com', 'b@example.com'];

  before(async () => {
    tenant = await keywright.tenant('order');
    // The administrator also exists, and is filtered out.
    for (const identifier of oldestFirst) await add(tenant, identifier);
  });

  const stored = oldestFirst.map((identifier) => identifier.toLowerCase());
  const orders: readonly (readonly [sort: string, identifiers: readonly string[]])[] = [
    ['', stored.toReversed()],
    ['&sort=-created_at', stored.toReversed()],
    ['&sort=created_at', stored],
    ['&sort=identifier', stored.toSorted()],
    ['&sort=-identifier', stored.toSorted().toReversed()],
  ];
  for (const [sort, identifiers] of orders) {
    test(`The order is right with ${sort === '' ? 'no sort: the newest first' : sort.slice(1)} (SPEC endpoints users 6)`, async () => {
      const answer = await list(tenant, `?email=%40example.com${sort}`);
      const listed = firstIdentifiers(answer).filter((identifier) => stored.includes(identifier));
      assert.deepEqual(listed, identifiers);
    });
  }

  for (const sort of ['password', 'id', 'secret_hash', 'created_at desc', '--created_at', '']) {
    test(`An order by ${JSON.stringify(sort)} is rejected`, async () => {
      const body = expectStatus(
        400,
        await requestUsers(tenant, `?sort=${encodeURIComponent(sort)}`),
      );
      assert.deepEqual(
        body.errors?.map((error) => error.path),
        ['/sort'],
      );
    });
  }
});

describe('pages of the user list', () => {
  let tenant: TestTenant;

  before(async () => {
    tenant = await keywright.tenant('pages');
    await tenant.adminToken();
    await addByStatement(tenant, 119);
  });

  test('Pages have 20 users and start with the first page, unless the query says otherwise (SPEC limits 3, SPEC limits 4, SPEC endpoints users 1, SPEC endpoints users 2, SPEC resources list responses 1)', async () => {
    const usual = await list(tenant);
    assert.deepEqual(
      { ...usual.meta, next_cursor: undefined },
      { page: 1, limit: 20, total: 120, next_cursor: undefined },
    );
    assert.equal(usual.items.length, 20);
    assert.deepEqual(await list(tenant, '?page=1&limit=20'), usual);

    const pages = [];
    for (const page of [1, 2, 3, 4]) {
      pages.push(await list(tenant, `?page=${page}&limit=50&sort=identifier`));
    }
    assert.deepEqual(
      pages.map((page) => [page.meta.page, page.items.length, page.meta.total]),
      [
        [1, 50, 120],
        [2, 50, 120],
        [3, 20, 120],
        [4, 0, 120],
      ],
    );
    const all = pages.flatMap(firstIdentifiers);
    assert.deepEqual(all, all.toSorted());
    assert.equal(new Set(all).size, 120);
    assert.equal(pages[2]?.meta.next_cursor, undefined, 'the last page leads nowhere');
  });

  test('Pages have at most 100 users: a higher limit is reduced', async () => {
    for (const limit of [100, 101, 10_000]) {
      const { items, meta } = await list(tenant, `?limit=${limit}`);
      assert.deepEqual([items.length, meta.limit], [100, 100]);
    }
  });

  const refusals = {
    '?page=0': '/page',
    '?page=-1': '/page',
    '?page=1.5': '/page',
    '?page=one': '/page',
    '?page=99999999999': '/page',
    '?page=1&page=2': '/page',
    '?limit=0': '/limit',
    '?limit=-1': '/limit',
    '?limit=': '/limit',
    '?limit=NaN': '/limit',
    '?email=': '/email',
    '?workspace_id=north': '/workspace_id',
    '?cursor=bm9wZQ': '/cursor',
    '?offset=20': '/offset',
  };
  for (const [query, path] of Object.entries(refusals)) {
    test(`A page is rejected for ${query}`, async () => {
      const { code, errors = [] } = expectStatus(400, await requestUsers(tenant, query));
      assert.equal(code, 'VALIDATION_FAILED');
      assert.deepEqual([...new Set(errors.map((error) => error.path))], [path]);
    });
  }
});

describe('iterating over users by cursor', () => {
  for (const sort of ['-created_at', 'created_at', 'identifier', '-identifier']) {
    test(`A list sorted by ${sort} returns each user once, while others are added`, async () => {
      const tenant = await keywright.tenant(`walk-${sort.replaceAll('_', '-')}`);
      await tenant.adminToken();
      await addByStatement(tenant, 25);
      // All at the same time, so that the id decides the order.
      await keywright.database.query('UPDATE users SET created_at = now() WHERE tenant_id = $1', [
        tenant.id,
      ]);
      const there = firstIdentifiers(await list(tenant, `?limit=100&sort=${sort}`));
      assert.equal(there.length, 26);

      const seen: string[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < 20; page += 1) {
        const from = cursor === undefined ? '' : `&cursor=${cursor}`;
        const answer = await list(tenant, `?limit=4&sort=${sort}${from}`);
        seen.push(...firstIdentifiers(answer));
        cursor = answer.meta.next_cursor;
        if (cursor === undefined) break;
        if (page > 3) continue;
        // One user who sorts to the front and one who sorts to the back.
        await add(tenant, `000-${page}@bulk.example.com`);
        await add(tenant, `zzz-${page}@bulk.example.com`);
      }
      assert.equal(new Set(seen).size, seen.length, 'no user twice');
      assert.deepEqual(
        seen.filter((identifier) => there.includes(identifier)),
        there,
      );
    });
  }
});

describe('the total of the user list', () => {
  test('The total is exact up to 10,000, and beyond that a marked estimate', async () => {
    const tenant = await keywright.tenant('many');
    await tenant.adminToken();
    await addByStatement(tenant, 9999);
    const exact = await list(tenant, '?limit=1');
    assert.equal(exact.meta.total, 10_000);
    assert.equal(exact.meta.total_is_estimate, undefined);
    await add(tenant, 'one-more@example.com');
    const estimate = await list(tenant, '?limit=1');
    assert.ok(estimate.meta.total >= 10_000);
    assert.equal(estimate.meta.total_is_estimate, true);
    const far = await list(tenant, '?limit=100&page=101&sort=created_at');
    assert.equal(far.items.length, 1);
    const few = await list(tenant, '?email=one-more');
    assert.deepEqual([few.meta.total, few.meta.total_is_estimate], [1, undefined]);
  });
});
