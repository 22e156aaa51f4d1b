import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { WorkspaceRecord } from '@keywright/contract/records/workspace';
import { type Answer, type JsonBody, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { RequestToNode, TestTenant } from '@keywright/tests/harness/tenant';

const UNKNOWN = 'ws_unknown';

let keywright: Keywright;
let tenant: TestTenant;
let other: TestTenant;
let workspaces = 0;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  tenant = await keywright.tenant('acme');
  other = await keywright.tenant('other');
});

after(() => keywright.close());

async function asAdmin<Body = JsonBody & ErrorBody>(
  method: string,
  path: string,
  body?: object,
  at: TestTenant = tenant,
): Promise<Answer<Body>> {
  const options: RequestToNode = { token: await at.adminToken() };
  return at.request<Body>(method, path, body ? { ...options, body } : options);
}

function says({ status, body }: Answer<ErrorBody>): string {
  return `${status} ${body.code ?? ''}`.trim();
}

async function create(body: object, at?: TestTenant): Promise<WorkspaceRecord> {
  return expectStatus(201, await asAdmin<WorkspaceRecord>('POST', '/workspaces', body, at));
}

function freshWorkspace(): Promise<WorkspaceRecord> {
  workspaces += 1;
  keywright.clock.advance(1);
  return create({ name: `Workspace ${workspaces}` });
}

describe('a workspace', () => {
  test('A workspace is created, read, changed and deleted (SPEC service 7)', async () => {
    const made = await create({ name: 'Süd Büro' });
    const { created_at: createdAt, ...rest } = made;
    assert.deepEqual(rest, {
      id: 'ws_sud-buro',
      tenant_id: tenant.id,
      name: 'Süd Büro',
      slug: 'sud-buro',
      is_active: true,
    });
    assert.equal(createdAt, keywright.clock.now().toISOString());
    const path = `/workspaces/${made.id}`;
    assert.deepEqual(expectStatus(200, await asAdmin('GET', path)), made);
    const changes = [{ name: 'Nord' }, { is_active: false }, { name: 'Ost', is_active: true }];
    const expected = { ...made };
    for (const change of changes) {
      Object.assign(expected, change);
      assert.deepEqual(expectStatus(200, await asAdmin('PATCH', path, change)), expected);
      assert.deepEqual(expectStatus(200, await asAdmin('GET', path)), expected);
    }
    const gone = await asAdmin('DELETE', path);
    assert.deepEqual(expectStatus(200, gone), { id: made.id, deleted: true });
    for (const method of ['GET', 'DELETE']) {
      assert.equal(says(await asAdmin(method, path)), '404 NOT_FOUND');
    }
    await create({ name: 'Süd Büro' });
  });

  test('A workspace has a slug, from the request or derived from the name, unique in its tenant', async () => {
    assert.equal((await create({ name: 'Any', slug: 'given' })).id, 'ws_given');
    assert.equal(says(await asAdmin('POST', '/workspaces', { name: 'Given' })), '400 SLUG_TAKEN');
    const again = { name: 'Else', slug: 'given' };
    assert.equal(says(await asAdmin('POST', '/workspaces', again)), '400 SLUG_TAKEN');
    assert.equal((await create(again, other)).tenant_id, other.id);
    const taken = { name: 'Default' };
    assert.equal(says(await asAdmin('POST', '/workspaces', taken)), '400 SLUG_TAKEN');
    const nothing = await asAdmin<ErrorBody>('POST', '/workspaces', { name: '!!' });
    assert.equal(expectStatus(400, nothing).errors?.[0]?.path, '/slug');
  });

  test('A malformed workspace is rejected, and its slug cannot change', async () => {
    const { id } = await freshWorkspace();
    for (const body of [
      {},
      { name: '' },
      { name: 'x', slug: 'A' },
      { name: 'x', is_active: false },
    ]) {
      assert.equal(says(await asAdmin('POST', '/workspaces', body)), '400 VALIDATION_FAILED');
    }
    for (const body of [{}, { slug: 'other' }, { name: null }, { is_active: 'no' }]) {
      const answer = await asAdmin('PATCH', `/workspaces/${id}`, body);
      assert.equal(says(answer), '400 VALIDATION_FAILED');
    }
  });

  test('A workspace with an Idempotency-Key is created once', async () => {
    const headers = { 'idempotency-key': 'once' };
    const token = await tenant.adminToken();
    const body = { name: 'Made once' };
    const options = { token, headers, body };
    const first = expectStatus(201, await tenant.request('POST', '/workspaces', options));
    assert.deepEqual(
      await tenant.request('POST', '/workspaces', options).then((a) => a.body),
      first,
    );
  });

  test('A workspace is listed newest first, by page and by cursor', async () => {
    const at = await keywright.tenant('listing');
    const ids = ['ws_default'];
    for (const slug of ['zebra', 'kiwi', 'apple', 'mango']) {
      keywright.clock.advance(1);
      ids.unshift((await create({ name: slug }, at)).id);
    }
    type List = { items: WorkspaceRecord[]; meta: { total: number; next_cursor?: string } };
    const list = async (query: string) =>
      expectStatus(200, await asAdmin<List>('GET', `/workspaces?${query}`, undefined, at));
    assert.deepEqual(
      (await list('')).items.map((item) => item.id),
      ids,
    );
    assert.deepEqual(
      (await list('sort=created_at')).items.map((item) => item.id),
      ids.toReversed(),
    );
    assert.deepEqual(
      (await list('limit=2&page=2')).items.map((item) => item.id),
      ids.slice(2, 4),
    );
    const first = await list('limit=2');
    assert.equal(first.meta.total, ids.length);
    const second = await list(`limit=2&cursor=${first.meta.next_cursor}`);
    assert.deepEqual(
      [...first.items, ...second.items].map((item) => item.id),
      ids.slice(0, 4),
    );
  });
});

describe('the default workspace', () => {
  test('The default workspace exists from the start, can be renamed, and cannot be deleted or deactivated', async () => {
    const path = '/workspaces/ws_default';
    assert.equal(expectStatus(200, await asAdmin('PATCH', path, { name: 'Main' }))['name'], 'Main');
    const off = { name: 'Off', is_active: false };
    assert.equal(says(await asAdmin('PATCH', path, off)), '400 DEFAULT_WORKSPACE_PROTECTED');
    for (const force of ['', '?force=true']) {
      const answer = await asAdmin('DELETE', `${path}${force}`);
      assert.equal(says(answer), '400 DEFAULT_WORKSPACE_PROTECTED');
    }
    const read = expectStatus(200, await asAdmin<WorkspaceRecord>('GET', path));
    assert.deepEqual([read.name, read.is_active], ['Main', true]);
  });
});

describe('a workspace of another tenant', () => {
  test('A workspace of another tenant is not found: every route responds as for an unknown one (SPEC authentication 7b, SPEC errors 4)', async () => {
    const { id } = await create({ name: 'Foreign' }, other);
    const user = await tenant.createUser();
    const foreigner = await other.createUser();
    const past = await asAdmin('GET', `/workspaces/${id}`, undefined, other);
    const tenantWorkspace = await freshWorkspace();
    const requests = (workspace: string): [string, string, object?][] => [
      ['GET', `/workspaces/${workspace}`],
      ['PATCH', `/workspaces/${workspace}`, { name: 'Taken over' }],
      ['DELETE', `/workspaces/${workspace}?force=true`],
      ['GET', `/workspaces/${workspace}/members`],
      ['PUT', `/workspaces/${workspace}/members/${user.user.id}`],
      ['DELETE', `/workspaces/${workspace}/members/${user.user.id}`],
      ['PATCH', `/users/${user.user.id}`, { workspaces: [workspace] }],
    ];
    for (const [index, [method, path, body]] of requests(id).entries()) {
      const [, nowhere] = requests(UNKNOWN)[index] ?? ['', '', undefined];
      const [foreign, none] = [
        await asAdmin(method, path, body),
        await asAdmin(method, nowhere, body),
      ];
      assert.deepEqual([foreign.status, foreign.text], [404, none.text], `${method} ${path}`);
    }
    const member = `/workspaces/${tenantWorkspace.id}/members/${foreigner.user.id}`;
    for (const method of ['PUT', 'DELETE']) {
      assert.equal(says(await asAdmin(method, member)), '404 NOT_FOUND');
    }
    const now = await asAdmin('GET', `/workspaces/${id}`, undefined, other);
    assert.deepEqual(now.body, past.body);
    const body = {
      identifier: user.identifier,
      secret: user.password,
      workspace_id: id,
    };
    assert.equal(says(await tenant.request('POST', '/auth/login', { body })), '404 NOT_FOUND');
  });

  test('A workspace of another tenant with the same slug is not affected by changes', async () => {
    const [original, twin] = [
      await create({ name: 'Twin' }),
      await create({ name: 'Twin' }, other),
    ];
    assert.equal(original.id, twin.id);
    const { user } = await other.createUser();
    const member = `/workspaces/${twin.id}/members/${user.id}`;
    expectStatus(200, await asAdmin('PUT', member, undefined, other));
    expectStatus(200, await asAdmin('DELETE', `/workspaces/${original.id}`));
    const read = await asAdmin('GET', `/workspaces/${twin.id}/members`, undefined, other);
    assert.equal((expectStatus(200, read)['items'] as unknown[]).length, 1);
  });
});

describe('a user without the scopes', () => {
  test('A user without the scopes can do nothing with workspaces', async () => {
    const { id } = await freshWorkspace();
    const { token, user } = await tenant.createUser();
    for (const [method, path, body] of [
      ['GET', '/workspaces'],
      ['POST', '/workspaces', { name: 'Mine' }],
      ['GET', `/workspaces/${id}`],
      ['PATCH', `/workspaces/${id}`, { name: 'Mine' }],
      ['DELETE', `/workspaces/${id}`],
      ['GET', `/workspaces/${id}/members`],
      ['PUT', `/workspaces/${id}/members/${user.id}`],
      ['DELETE', `/workspaces/${id}/members/${user.id}`],
    ] as const) {
      const options: RequestToNode = body === undefined ? { token } : { token, body };
      const answer = await tenant.request<ErrorBody>(method, path, options);
      assert.equal(says(answer), '403 SCOPE_REQUIRED', `${method} ${path}`);
    }
  });
});
