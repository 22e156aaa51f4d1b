import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import { TenantConfig, type TenantRecord } from '@keywright/contract/records/tenant';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { type Answer, type JsonBody, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { RequestToNode } from '@keywright/tests/harness/tenant';
import { watchStatements } from '@keywright/tests/harness/statements';
import { headerOf } from '@keywright/tests/harness/token';
import { Default } from 'typebox/value';
import { TENANT_TABLES } from './deletion-store.ts';

let keywright: Keywright;
let tenants = 0;

before(async () => {
  keywright = await startKeywright({ nodes: 2 });
});

after(() => keywright.close());

/** A slug that no other test uses. */
function freshSlug(): string {
  tenants += 1;
  return `create-${tenants}`;
}

async function asRoot<Body = JsonBody>(
  method: string,
  path: string,
  options: RequestToNode = {},
): Promise<Answer<Body>> {
  const token = await keywright.adminToken();
  return keywright.home.request<Body>(method, path, { token, ...options });
}

function create(body: object, options: RequestToNode = {}) {
  return asRoot<TenantRecord & ErrorBody>('POST', '/tenants', { ...options, body });
}

async function created(body: object): Promise<TenantRecord> {
  return expectStatus(201, await create(body));
}

async function assertRefused(body: object, code: string): Promise<Answer<ErrorBody>> {
  const answer = await create(body);
  assert.equal(`${answer.status} ${answer.body.code}`, `400 ${code}`, JSON.stringify(body));
  return answer;
}

/** A token of a system administrator that works in the tenant. */
async function impersonate(tenantId: string): Promise<string> {
  const body = { tenant_id: tenantId, reason: 'a test' };
  const answer = await asRoot<{ access_token: string }>('POST', '/auth/impersonate', { body });
  return expectStatus(200, answer).access_token;
}

/** In how many tables the tenant has rows. */
async function tablesWith(tenantId: string): Promise<string[]> {
  const found = TENANT_TABLES.map(async (table) => {
    const sql = `SELECT FROM ${table} WHERE tenant_id = $1 LIMIT 1`;
    return (await keywright.database.query(sql, [tenantId])).length > 0 ? [table] : [];
  });
  return (await Promise.all(found)).flat();
}

describe('POST /tenants', () => {
  test('POST /tenants returns the complete tenant, with every default (SPEC endpoints tenants 2, SPEC resources tenant 1, SPEC resources tenant 2)', async () => {
    const slug = freshSlug();
    const body = { name: 'Acme Corp', slug, domains: ['b.acme.test', 'a.acme.test'] };
    const { created_at: createdAt, ...tenant } = await created({
      ...body,
      config: { session_timeout: 600 },
    });
    assert.deepEqual(tenant, {
      id: `org_${slug}`,
      tenant_id: `org_${slug}`,
      name: 'Acme Corp',
      slug,
      domains: ['a.acme.test', 'b.acme.test'],
      issuer: `https://id.example.com/t/org_${slug}`,
      config: Default(TenantConfig, { session_timeout: 600 }),
      branding: {},
      messaging: {},
      email_delivery: 'none',
      is_active: true,
    });
    assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000);
    const read = await asRoot<TenantRecord>('GET', `/tenants/org_${slug}`);
    assert.deepEqual(expectStatus(200, read), { ...tenant, created_at: createdAt });
  });

  test('POST /tenants creates a tenant that works immediately on every node: logins, keys, workspace and roles (SPEC service 6)', async () => {
    const { id, domains } = await created({ name: freshSlug(), domains: ['works.test'] });
    const token = await impersonate(id);
    for (const node of [1, 0]) {
      const body = { identifier: newIdentifier(), secret: newPassword(), register: true };
      const login = await keywright.request('POST', '/auth/login', {
        node,
        host: domains[0] ?? '',
        body,
      });
      const { access_token: userToken } = expectStatus(200, login) as { access_token: string };
      expectStatus(
        200,
        await keywright.request('GET', '/me', { node, tenant: id, token: userToken }),
      );
      const keySet = await keywright.request<{ keys: { kid: string }[] }>(
        'GET',
        `/t/${id}/.well-known/jwks.json`,
        { node },
      );
      const kids = expectStatus(200, keySet).keys.map((key) => key.kid);
      assert.deepEqual(kids, [headerOf(userToken).kid]);
      const at = { node, tenant: id, token };
      const workspaces = await keywright.request<{ items: object[] }>('GET', '/workspaces', at);
      assert.deepEqual(pick(expectStatus(200, workspaces).items, 'id', 'is_active', 'tenant_id'), [
        { id: 'ws_default', is_active: true, tenant_id: id },
      ]);
      const roles = await keywright.request<{ items: object[] }>('GET', '/roles', at);
      assert.deepEqual(pick(expectStatus(200, roles).items, 'name', 'scopes', 'is_builtin'), [
        { name: 'admin', scopes: ['*:*'], is_builtin: true },
        { name: 'member', scopes: [], is_builtin: true },
      ]);
    }
  });

  test('POST /tenants is atomic: a domain in use leaves no row of the tenant', async () => {
    await created({ name: freshSlug(), domains: ['taken.test'] });
    const slug = freshSlug();
    await assertRefused(
      { name: 'half', slug, domains: ['free.test', 'taken.test'] },
      'DOMAIN_TAKEN',
    );
    assert.deepEqual(await tablesWith(`org_${slug}`), []);
    await created({ name: 'whole', slug, domains: ['free.test'] });
    const tables = await tablesWith(`org_${slug}`);
    // Whether the entry of the creation is already sealed depends on timing.
    const settled = tables.filter(
      (table) => !['audit_unsealed', 'audit_chain', 'audit_checkpoints'].includes(table),
    );
    assert.deepEqual(settled, [
      'audit_entries',
      'roles',
      'workspaces',
      'signing_keys',
      'tenant_data_keys',
      'tenant_domains',
      'tenants',
    ]);
  });

  test("POST /tenants is one statement, after the one that checks the caller's session", async () => {
    const token = await keywright.adminToken();
    const createTenant = () =>
      keywright.home.request('POST', '/tenants', { token, body: { name: freshSlug() } });
    expectStatus(201, await createTenant());
    const statements = watchStatements({ untilAnswered: true });
    try {
      expectStatus(201, await createTenant());
      assert.deepEqual(statements.sent, ['kw_live_grants', 'kw_create_tenant']);
    } finally {
      statements.stop();
    }
  });

  test('POST /tenants records its work across tenants in the log, unless it was rejected', async () => {
    const slug = freshSlug();
    const reasons = async () => {
      const rows = await keywright.database.query<{ reason: string }>(
        `SELECT details ->> 'reason' AS reason FROM audit_entries
          WHERE tenant_id = 'org_default' AND action = 'system.work'`,
      );
      return rows.map((row) => row.reason).filter((reason) => reason.endsWith(` ${slug}`));
    };
    await assertRefused({ name: slug, slug, domains: ['localhost'] }, 'DOMAIN_TAKEN');
    assert.deepEqual(await reasons(), []);
    await created({ name: slug, slug });
    await assertRefused({ name: slug, slug }, 'SLUG_TAKEN');
    assert.deepEqual(await reasons(), [`create tenant ${slug}`]);
  });

  test('POST /tenants with an Idempotency-Key creates one tenant, with the same response to every repetition', async () => {
    const body = { name: 'Once', slug: freshSlug(), domains: ['once.test'] };
    const headers = { 'idempotency-key': 'one' };
    const first = expectStatus(201, await create(body, { headers }));
    const again = expectStatus(201, await create(body, { headers, node: 1 }));
    assert.deepEqual(again, first);
    const other = await create({ ...body, name: 'Twice' }, { headers });
    assert.equal(expectStatus(400, other).code, 'IDEMPOTENCY_KEY_REUSED');
    await assertRefused(body, 'SLUG_TAKEN');
  });

  test('A rejected POST /tenants is not remembered under its Idempotency-Key', async () => {
    const { id } = await created({ name: freshSlug(), domains: ['later.test'] });
    const body = { name: freshSlug(), domains: ['later.test'] };
    const headers = { 'idempotency-key': 'later' };
    expectStatus(400, await create(body, { headers }));
    expectStatus(200, await asRoot('PATCH', `/tenants/${id}`, { body: { domains: [] } }));
    assert.deepEqual(expectStatus(201, await create(body, { headers })).domains, ['later.test']);
  });

  const MALFORMED: readonly [string, object][] = [
    ['no name', {}],
    ['an empty name', { name: '' }],
    ['a name with a line break', { name: 'a\nb' }],
    ['a name of 129 characters', { name: 'x'.repeat(129) }],
    ['an unknown field', { name: 'x', plan: 'gold' }],
    ['is_active', { name: 'x', is_active: false }],
    ['issuer', { name: 'x', issuer: 'https://a.test' }],
    ['an unknown setting', { name: 'x', config: { session_timeouts: 60 } }],
    ['a setting out of range', { name: 'x', config: { password_min_length: 7 } }],
    ['a color in words', { name: 'x', branding: { primary_color: 'red' } }],
    ['a port of zero', { name: 'x', messaging: { email: { smtp_port: 0 } } }],
    ['65 domains', { name: 'x', domains: Array.from({ length: 65 }, (_, n) => `d${n}.test`) }],
  ];
  for (const [what, body] of MALFORMED) {
    test(`POST /tenants rejects ${what}`, async () => {
      const slug = freshSlug();
      await assertRefused({ ...body, slug }, 'VALIDATION_FAILED');
      assert.deepEqual(await tablesWith(`org_${slug}`), []);
    });
  }
});

function pick(items: readonly object[], ...names: readonly string[]): object[] {
  return items.map((item) =>
    Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name))),
  );
}

describe('the slug of a new tenant', () => {
  const FROM_NAMES = [
    ['Kiwi & Söhne  GmbH', 'kiwi-sohne-gmbh'],
    ['  --Dash--  ', 'dash'],
    [`${'long '.repeat(10)}tail`, 'long-long-long-long-long-long-long-long-long-lon'],
  ] as const;
  for (const [name, slug] of FROM_NAMES) {
    test(`The slug of a new tenant is derived from the name: ${slug}`, async () => {
      const tenant = await created({ name });
      assert.deepEqual([tenant.slug, tenant.id, tenant.name], [slug, `org_${slug}`, name]);
    });
  }

  test('The slug of a new tenant is required if the name has no usable character', async () => {
    const { body } = await assertRefused({ name: '日本' }, 'VALIDATION_FAILED');
    assert.equal(body.errors?.[0]?.path, '/slug');
    const slug = freshSlug();
    assert.equal((await created({ name: '日本', slug })).id, `org_${slug}`);
  });

  test('The slug of a new tenant is rejected if in use, given or derived from the name', async () => {
    const slug = freshSlug();
    await created({ name: 'first', slug });
    await assertRefused({ name: 'second', slug }, 'SLUG_TAKEN');
    await assertRefused({ name: slug.toUpperCase() }, 'SLUG_TAKEN');
    await assertRefused({ name: 'x', slug: 'default' }, 'SLUG_TAKEN');
    const read = await asRoot<TenantRecord>('GET', `/tenants/org_${slug}`);
    assert.equal(expectStatus(200, read).name, 'first');
  });

  for (const slug of ['', 'Acme', 'a_b', 'a b', 'ä', 'x'.repeat(49), '../x', 'a\n']) {
    test(`The slug of a new tenant is rejected if malformed: ${JSON.stringify(slug)}`, async () => {
      await assertRefused({ name: 'fine', slug }, 'VALIDATION_FAILED');
    });
  }
});

describe('the domains of a new tenant', () => {
  const SPELLINGS = [
    ['Shout.Example.COM', 'shout.example.com'],
    ['port.example.com:8080', 'port.example.com'],
    ['dot.example.com.', 'dot.example.com'],
    ['all.example.com.:443', 'all.example.com'],
    ['münchen.example.com', 'xn--mnchen-3ya.example.com'],
    ['203.0.113.9', '203.0.113.9'],
    ['[2001:DB8::1]:8080', '[2001:db8::1]'],
  ] as const;
  for (const [spelling, normalized] of SPELLINGS) {
    test(`The domains of a new tenant are normalized, and match in any form: ${spelling} (SPEC resources tenant 3)`, async () => {
      const tenant = await created({ name: freshSlug(), domains: [spelling, normalized] });
      assert.deepEqual(tenant.domains, [normalized]);
      await assertRefused({ name: freshSlug(), domains: [normalized] }, 'DOMAIN_TAKEN');
      await assertRefused({ name: freshSlug(), domains: [spelling] }, 'DOMAIN_TAKEN');
      const keySet = await keywright.request<{ keys: { kid: string }[] }>(
        'GET',
        '/.well-known/jwks.json',
        { host: `${normalized.toUpperCase()}:9999`, node: 1 },
      );
      assert.deepEqual(expectStatus(200, keySet).keys.length, 1);
      const byIssuer = await keywright.request('GET', `/t/${tenant.id}/.well-known/jwks.json`);
      assert.deepEqual(keySet.body, byIssuer.body);
    });
  }

  for (const domain of ['', ' ', 'a b.test', 'https://a.test', 'a.test/x', 'me@a.test', '0x7f.1']) {
    test(`The domains of a new tenant are rejected if one is not a host name: ${JSON.stringify(domain)}`, async () => {
      const { body } = await assertRefused(
        { name: freshSlug(), domains: ['fine.test', domain] },
        'VALIDATION_FAILED',
      );
      assert.equal(body.errors?.[0]?.path, '/domains/1');
    });
  }

  test('The domains of a new tenant are unique: those of the default tenant are in use too', async () => {
    await assertRefused({ name: freshSlug(), domains: ['LOCALHOST:3000'] }, 'DOMAIN_TAKEN');
  });
});
