import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { TenantRecord } from '@keywright/contract/records/tenant';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { claimsOf } from '@keywright/tests/harness/token';

interface TenantList {
  readonly items: readonly TenantRecord[];
  readonly meta: { page: number; limit: number; total: number; next_cursor?: string };
}

/** Tenants besides the default one. The last three are created at the same time. */
const COUNT = 7;
const SAME_MOMENT = 3;

let keywright: Keywright;
/** Oldest first; tenants created at the same time are ordered by ID. */
let ids: string[];

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  const slugs = ['zebra', 'kiwi', 'apple', 'mango', 'three', 'one', 'two'];
  for (const [index, slug] of slugs.entries()) {
    if (index <= COUNT - SAME_MOMENT) keywright.clock.advance(1);
    await keywright.tenant(slug);
  }
  ids = ['default', 'zebra', 'kiwi', 'apple', 'mango', 'one', 'three', 'two'].map(
    (slug) => `org_${slug}`,
  );
});

after(() => keywright.close());

async function getTenants(query: string) {
  const token = await keywright.adminToken();
  return keywright.home.request<TenantList & ErrorBody>('GET', `/tenants?${query}`, { token });
}

async function list(query = ''): Promise<TenantList> {
  return expectStatus(200, await getTenants(query));
}

const idsIn = ({ items }: TenantList) => items.map((item) => item.id);

async function walk(query: string, read: (page: TenantList) => void): Promise<void> {
  let page = await list(query);
  read(page);
  while (page.meta.next_cursor !== undefined) {
    page = await list(`${query}&cursor=${page.meta.next_cursor}`);
    read(page);
  }
}

describe('GET /tenants', () => {
  test('GET /tenants lists every tenant, newest first, each with id, name, domains and created_at (SPEC endpoints tenants 1, SPEC resources list responses 1)', async () => {
    const all = await list();
    assert.deepEqual(idsIn(all), ids.toReversed());
    assert.deepEqual(all.meta, { page: 1, limit: 20, total: COUNT + 1 });
    const kiwi = all.items.find((item) => item.id === 'org_kiwi');
    assert.deepEqual([kiwi?.name, kiwi?.domains], ['kiwi', ['kiwi.example.com']]);
    const times = all.items.map((item) => item.created_at);
    assert.deepEqual(times, times.toSorted().toReversed());
    const byId = await keywright.home.request<TenantRecord>('GET', '/tenants/org_kiwi', {
      token: await keywright.adminToken(),
    });
    assert.deepEqual(kiwi, byId.body);
  });

  for (const [sort, sorted] of [
    ['-created_at', (all: string[]) => all.toReversed()],
    ['created_at', (all: string[]) => all],
  ] as const) {
    test(`GET /tenants returns each tenant once by page and by cursor, sorted by ${sort}`, async () => {
      const byPage: string[] = [];
      for (let page = 1; page <= 4; page += 1) {
        const part = await list(`sort=${sort}&limit=3&page=${page}`);
        assert.deepEqual([part.meta.page, part.meta.total], [page, COUNT + 1]);
        byPage.push(...idsIn(part));
      }
      const byCursor: string[] = [];
      await walk(`sort=${sort}&limit=3`, (page) => byCursor.push(...idsIn(page)));
      assert.deepEqual(byPage, sorted(ids));
      assert.deepEqual(byCursor, sorted(ids));
    });
  }

  test('GET /tenants is written to the audit log before the response, with the caller', async () => {
    const token = await keywright.adminToken();
    const answer = await keywright.home.request('GET', '/tenants?limit=1', { token });
    expectStatus(200, answer);
    const rows = await keywright.database.query<Record<string, unknown>>(
      `SELECT tenant_id, action, actor_id, target_kind, details FROM audit_entries
        WHERE request_id = $1`,
      [answer.headers['x-request-id']],
    );
    const by = { actor_id: claimsOf(token).sub, target_kind: 'installation' };
    const work = { action: 'system.work', details: { reason: 'list tenants' } };
    assert.deepEqual(rows, [{ tenant_id: 'org_default', ...work, ...by }]);
  });

  test('GET /tenants reduces a limit above 100 to 100, and rejects invalid page numbers', async () => {
    assert.equal((await list('limit=1000')).meta.limit, 100);
    for (const query of ['limit=0', 'limit=x', 'page=0', 'page=-1', 'sort=name', 'name=kiwi']) {
      assert.equal(expectStatus(400, await getTenants(query)).code, 'VALIDATION_FAILED', query);
    }
  });

  test('GET /tenants rejects a cursor of another order', async () => {
    const { meta } = await list('limit=2');
    const answer = await getTenants(`sort=created_at&cursor=${meta.next_cursor}`);
    assert.equal(expectStatus(400, answer).code, 'VALIDATION_FAILED');
    expectStatus(400, await getTenants('cursor=AAAA'));
  });

  test('GET /tenants continues from its cursor, although tenants were created and deleted meanwhile', async () => {
    const first = await list('limit=3');
    keywright.clock.advance(1);
    await keywright.tenant('newest');
    const token = await keywright.adminToken();
    const [, , last] = idsIn(first);
    expectStatus(200, await keywright.home.request('DELETE', `/tenants/${last}`, { token }));
    const second = await list(`limit=3&cursor=${first.meta.next_cursor}`);
    assert.deepEqual(idsIn(second), ids.toReversed().slice(3, 6));
    assert.equal(second.meta.total, COUNT + 1);
    assert.ok(!idsIn(await list()).includes(last as TenantRecord['id']));
  });

  for (const [what, part, found] of [
    ['the name', 'KIWI the', ['kiwi']],
    ['the id', 'org_man', ['mango']],
    ['a domain', 'Zebra.Example', ['zebra']],
    ['nothing, where a wildcard is no wildcard', 'k%i', []],
    ['nothing, where it is a quote', "'", []],
  ] as const) {
    test(`GET /tenants searches a part of ${what}`, async () => {
      const token = await keywright.adminToken();
      const body = { name: 'The Kiwi The Second' };
      const path = '/tenants/org_kiwi';
      expectStatus(200, await keywright.home.request('PATCH', path, { token, body }));
      const { items, meta } = await list(`search=${encodeURIComponent(part)}`);
      assert.deepEqual(
        idsIn({ items, meta }),
        found.map((slug) => `org_${slug}`),
      );
      assert.equal(meta.total, found.length);
    });
  }

  test('GET /tenants finds tenants by state, page by page, and rejects a cursor of another search', async () => {
    const token = await keywright.adminToken();
    const change = (is_active: boolean) =>
      keywright.home.request('PATCH', '/tenants/org_mango', { token, body: { is_active } });
    expectStatus(200, await change(false));
    assert.deepEqual(idsIn(await list('is_active=false')), ['org_mango']);
    const first = await list('is_active=true&search=org_&limit=2');
    const byCursor: string[] = [];
    await walk('is_active=true&search=org_&limit=2', (page) => byCursor.push(...idsIn(page)));
    assert.equal(byCursor.length, first.meta.total);
    assert.ok(!byCursor.includes('org_mango'));
    assert.equal(new Set(byCursor).size, byCursor.length);
    const other = await getTenants(`is_active=true&search=org&cursor=${first.meta.next_cursor}`);
    assert.equal(expectStatus(400, other).code, 'VALIDATION_FAILED');
    expectStatus(200, await change(true));
  });
});

describe('the dependents of a tenant', () => {
  const read = async (id: string) => {
    const token = await keywright.adminToken();
    return keywright.home.request<Record<string, unknown>>('GET', `/tenants/${id}/dependents`, {
      token,
    });
  };

  test('The dependents of a tenant are counted of that tenant only', async () => {
    const tenant = await keywright.tenant('counted');
    await tenant.createUser();
    const earlier = expectStatus(200, await read(tenant.id));
    await tenant.createUser();
    await (await keywright.tenant('not-counted')).createUser();
    const later = expectStatus(200, await read(tenant.id));
    const { users, sessions, workspaces, agents } = later;
    assert.deepEqual(
      { users, sessions, workspaces, agents },
      {
        users: Number(earlier['users']) + 1,
        sessions: Number(earlier['sessions']) + 1,
        workspaces: 1,
        agents: 0,
      },
    );
  });

  test('The dependents of an unknown tenant are not found', async () => {
    expectStatus(404, await read('org_nobody'));
  });
});
