import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { TenantRecord } from '@keywright/contract/records/tenant';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { GRANT_TYPE } from '@keywright/contract/routes/token';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { clientParameters, delegate, exchange } from '@keywright/tests/harness/delegation';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { RequestToNode, TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';
import { postToken } from '@keywright/tests/harness/token-endpoint';
import { until } from '@keywright/tests/harness/until';
import { openPostgres } from '../../../platform/db/postgres.ts';
import { openLog } from '../../../platform/log.ts';
import { UncachedAuditKeys } from '../../../tenancy/audit-keys.ts';
import { MasterKeys } from '../../../tenancy/data-keys.ts';
import { SystemData } from '../../../tenancy/gate.ts';
import { describeSystemWork } from '../../events/journal/audit-record.ts';
import { deleteRowBatch, TENANT_TABLES } from './deletion-store.ts';

const NODES = [0, 1];
/** The maximum delay until a node knows of a change. */
const PROPAGATION_MS = 1000;

let keywright: Keywright;

before(async () => {
  keywright = await startKeywright({ nodes: NODES.length });
});

after(() => keywright.close());

type Refused = Answer<ErrorBody>;

async function asRoot<Body = TenantRecord & ErrorBody>(
  method: string,
  path: string,
  options: RequestToNode = {},
): Promise<Answer<Body>> {
  const token = await keywright.adminToken();
  return keywright.home.request<Body>(method, path, { token, ...options });
}

function setActive({ id }: TestTenant, isActive: boolean) {
  return asRoot('PATCH', `/tenants/${id}`, { body: { is_active: isActive } });
}

async function impersonate({ id }: TestTenant): Promise<string> {
  const body = { tenant_id: id, reason: 'a test' };
  const answer = await asRoot<{ access_token: string }>('POST', '/auth/impersonate', { body });
  return expectStatus(200, answer).access_token;
}

/** Sends every kind of request to a tenant. */
async function requestEverything(tenant: TestTenant, user: TestUser, admin: string, node: number) {
  const { identifier, password: secret, refreshToken } = user;
  const send = (method: string, path: string, options: RequestToNode = {}): Promise<Refused> =>
    tenant.request(method, path, { node, ...options });
  const newcomer = { identifier: newIdentifier(), secret: newPassword(), register: true };
  const host = tenant.domains[0] ?? '';
  return Promise.all([
    send('POST', '/auth/login', { body: { identifier, secret } }),
    send('POST', '/auth/login', { body: newcomer }),
    send('POST', '/auth/refresh', { body: { refresh_token: refreshToken } }),
    send('GET', '/me', { token: user.token }),
    send('GET', '/users', { token: admin }),
    send('POST', '/keys/rotate', { token: admin }),
    send('PATCH', `/tenants/${tenant.id}`, { token: admin, body: { name: 'x' } }),
    send('POST', '/auth/verify-token', { token: admin, body: { token: admin } }),
    send('GET', '/.well-known/jwks.json'),
    keywright.request<ErrorBody>('GET', '/.well-known/jwks.json', { node, host }),
    keywright.request<ErrorBody>('GET', '/me', { node, host, token: user.token }),
    send('GET', `/t/${tenant.id}/.well-known/jwks.json`),
  ]);
}

async function assertAllAnswer(
  says: string,
  tenant: TestTenant,
  user: TestUser,
  admin: string,
): Promise<void> {
  for (const node of NODES) {
    await until(
      `node ${node} answers ${says} to a login`,
      async () => {
        const [login] = await requestEverything(tenant, user, admin, node);
        return `${login.status} ${login.body.code}` === says;
      },
      PROPAGATION_MS,
    );
    const answers = await requestEverything(tenant, user, admin, node);
    assert.deepEqual(
      answers.map(({ status, body }) => `${status} ${body.code}`),
      answers.map(() => says),
    );
  }
}

/** Asserts that the next request with any of the tokens is rejected, on every node. */
async function assertDead(tenant: TestTenant, tokens: readonly string[]): Promise<void> {
  for (const token of tokens) {
    for (const node of NODES) {
      const { status } = await tenant.request('GET', '/users', { node, token });
      assert.ok([400, 401, 403].includes(status), `${status} on node ${node}`);
    }
  }
}

async function countRows(tenantId: string): Promise<number> {
  const union = TENANT_TABLES.map((table) => `SELECT FROM ${table} WHERE tenant_id = $1`);
  const rows = await keywright.database.query<{ n: number }>(
    `SELECT count(*)::integer AS n FROM (${union.join(' UNION ALL ')}) AS every`,
    [tenantId],
  );
  return rows[0]?.n ?? -1;
}

/** Without the queue that the sealing of audit entries empties in the background. */
function countByTable(tenantId: string): Promise<{ name: string; n: number }[]> {
  const tables = TENANT_TABLES.filter((table) => table !== 'audit_unsealed');
  const union = tables.map(
    (table) =>
      `SELECT '${table}' AS name, count(*)::integer AS n FROM ${table} WHERE tenant_id = $1`,
  );
  return keywright.database.query(union.join(' UNION ALL '), [tenantId]);
}

describe('an inactive tenant', () => {
  test('An inactive tenant rejects everything on every node, its tokens from the next request on, until it is reactivated', async () => {
    const tenant = await keywright.tenant('inactive');
    const user = await tenant.createUser({ roles: ['admin'] });
    const [admin, impersonator] = [await tenant.adminToken(), await impersonate(tenant)];
    await requestEverything(tenant, await tenant.createUser(), admin, 1);

    assert.equal(expectStatus(200, await setActive(tenant, false)).is_active, false);
    await assertDead(tenant, [user.token, admin, impersonator]);
    await assertAllAnswer('403 TENANT_INACTIVE', tenant, user, admin);

    assert.equal(expectStatus(200, await setActive(tenant, true)).is_active, true);
    // Tokens that were issued before remain invalid, but users can log in again.
    for (const node of NODES) {
      const login = { node, body: { identifier: user.identifier, secret: user.password } };
      const isOpen = async () =>
        (await tenant.request('POST', '/auth/login', login)).status === 200;
      await until(`node ${node} knows that it is active`, isOpen, PROPAGATION_MS);
    }
    const body = { refresh_token: user.refreshToken };
    for (const node of NODES) {
      for (const token of [user.token, admin]) {
        const answer = await tenant.request('GET', '/users', { node, token });
        assert.equal(answer.status, 401, `node ${node}`);
      }
      expectStatus(401, await tenant.request('POST', '/auth/refresh', { node, body }));
    }
  });

  test('The agent tokens of a reactivated tenant remain invalid, offline too, while its API keys work again', async () => {
    const tenant = await keywright.tenant('reopened');
    const user = await tenant.createUser({ roles: ['admin'] });
    const robot = await tenant.createAgent({ scopes: ['read:users'] });
    await delegate(tenant, user, robot, ['read:users']);
    const parameters = { grant_type: GRANT_TYPE.clientCredentials, ...clientParameters(robot) };
    const acting = await exchange(tenant, robot, user.token);
    const issued = [
      user.token,
      expectStatus(200, await postToken(tenant, parameters)).access_token,
      expectStatus(200, acting).access_token,
    ];
    for (const token of issued) {
      expectStatus(200, await tenant.request('GET', '/users', { token }));
    }
    expectStatus(200, await setActive(tenant, false));
    expectStatus(200, await setActive(tenant, true));
    const bits = await keywright.database.query<{ idx: string }>(
      'SELECT idx FROM status_revocations WHERE tenant_id = $1',
      [tenant.id],
    );
    const revoked = new Set(bits.map(({ idx }) => Number(idx)));
    for (const token of issued) {
      expectStatus(401, await tenant.request('GET', '/users', { token }));
      assert.ok(
        revoked.has(claimsOf(token).status?.status_list.idx ?? 0),
        'published to verifiers',
      );
    }
    expectStatus(200, await tenant.request('GET', '/users', { token: robot.key }));
    const { access_token: token } = expectStatus(200, await postToken(tenant, parameters));
    expectStatus(200, await tenant.request('GET', '/users', { token }));
  });

  test("An impersonating administrator's token remains invalid after reactivation, offline too, but a new impersonation works", async () => {
    const [tenant, other] = [await keywright.tenant('reactivated'), await keywright.tenant('calm')];
    const [first, second] = [await impersonate(tenant), await impersonate(tenant)];
    const elsewhere = await impersonate(other);
    const outcomeOf = async (token: string, node: number, at = tenant) => {
      const { status, body } = await at.request<ErrorBody>('GET', '/users', { node, token });
      return `${status} ${body.code ?? ''}`.trim();
    };
    for (const node of NODES) assert.equal(await outcomeOf(first, node), '200');
    expectStatus(200, await setActive(tenant, false));
    expectStatus(200, await setActive(tenant, true));
    const again = await impersonate(tenant);
    for (const node of NODES) {
      await until(
        'it is known that the tenant is active',
        async () => (await outcomeOf(again, node)) === '200',
      );
      for (const token of [first, second])
        assert.equal(await outcomeOf(token, node), '401 TOKEN_INVALID');
      assert.equal(await outcomeOf(elsewhere, node, other), '200');
    }
    const request = { token: again, body: { token: first } };
    const verified = await tenant.request('POST', '/auth/verify-token', request);
    assert.deepEqual(expectStatus(200, verified), { active: false });
    const bits = await keywright.database.query<{ idx: string }>(
      'SELECT idx FROM status_revocations WHERE tenant_id = $1 ORDER BY idx',
      [tenant.id],
    );
    assert.deepEqual(
      bits.map(({ idx }) => Number(idx)),
      [first, second].map((token) => claimsOf(token).status?.status_list.idx),
    );
  });

  test('An inactive tenant is visible to a system administrator, who cannot impersonate in it', async () => {
    const tenant = await keywright.tenant('closed');
    expectStatus(200, await setActive(tenant, false));
    for (const node of NODES) {
      const read = expectStatus(200, await asRoot('GET', `/tenants/${tenant.id}`, { node }));
      assert.equal(read.is_active, false);
      const body = { tenant_id: tenant.id, reason: 'a test' };
      await until(
        'an exchange is refused',
        async () => {
          const answer = await asRoot('POST', '/auth/impersonate', { node, body });
          return `${answer.status} ${answer.body.code}` === '403 TENANT_INACTIVE';
        },
        PROPAGATION_MS,
      );
    }
    expectStatus(200, await asRoot('GET', `/users?tenant_id=${tenant.id}`));
    const renamed = await asRoot('PATCH', `/tenants/${tenant.id}`, { body: { name: 'Renamed' } });
    assert.deepEqual([expectStatus(200, renamed).name, renamed.body.is_active], ['Renamed', false]);
  });
});

describe('a deleted tenant', () => {
  test('A deleted tenant is inaccessible from the response on, and its rows are deleted soon after (SPEC endpoints tenants 6)', async () => {
    const domains = ['gone.example.com', 'freed.example.com'];
    const tenant = await keywright.tenant('gone', { domains });
    const user = await tenant.createUser();
    const [admin, impersonator] = [await tenant.adminToken(), await impersonate(tenant)];

    const answer = await asRoot('DELETE', `/tenants/${tenant.id}`);
    assert.deepEqual(expectStatus(200, answer), { id: tenant.id, deleted: true });
    const keysAndDomains = await keywright.database.query(
      `SELECT tenant_id FROM tenant_data_keys WHERE tenant_id = $1
        UNION ALL SELECT tenant_id FROM tenant_domains WHERE tenant_id = $1`,
      [tenant.id],
    );
    assert.deepEqual(keysAndDomains, []);
    await assertDead(tenant, [user.token, admin, impersonator]);
    const path = `/tenants/${tenant.id}`;
    for (const node of NODES) {
      expectStatus(404, await asRoot('GET', path, { node }));
      expectStatus(404, await asRoot('PATCH', path, { node, body: { is_active: true } }));
      expectStatus(404, await asRoot('DELETE', path, { node }));
      expectStatus(404, await asRoot('GET', `/users?tenant_id=${tenant.id}`, { node }));
      const { items } = expectStatus(
        200,
        await asRoot<{ items: TenantRecord[] }>('GET', '/tenants?limit=100', { node }),
      );
      assert.equal(
        items.some(({ id }) => id === tenant.id),
        false,
      );
    }
    const body = { name: 'Next', domains: ['freed.example.com'] };
    expectStatus(201, await asRoot('POST', '/tenants', { body }));
    await assertAllAnswer('400 TENANT_NOT_FOUND', tenant, user, admin);
    await until('no row is left', async () => (await countRows(tenant.id)) === 0);
  });

  test('A deleted tenant never gives up its id, during or after its deletion, through the API or the command line', async () => {
    const { id } = await keywright.tenant('never-again');
    const body = { name: 'Never again' };
    const assertTaken = async () => {
      const headers = { 'idempotency-key': 'again' };
      for (const options of [{ body }, { body, headers }]) {
        const answer = await asRoot('POST', '/tenants', options);
        assert.equal(`${answer.status} ${answer.body.code}`, '400 SLUG_TAKEN');
      }
      await assert.rejects(keywright.tenant('never-again', { domains: [] }), {
        code: 'SLUG_TAKEN',
      });
    };
    expectStatus(200, await asRoot('DELETE', `/tenants/${id}`));
    await assertTaken();
    await until('no row is left', async () => (await countRows(id)) === 0);
    await assertTaken();
    assert.equal(await countRows(id), 0);
  });

  test('The deletion of a tenant deletes no row of a tenant that is not deleted', async () => {
    const tenant = await keywright.tenant('taken-over');
    const user = await tenant.createUser();
    const database = openPostgres(keywright.database.url, () => {});
    const system = new SystemData(
      database,
      openLog('silent'),
      describeSystemWork,
      new UncachedAuditKeys(database, () => new MasterKeys([])),
    );
    // The last step of the deletion of an earlier tenant with the same ID, which checks that no row is left.
    const isMore = await system.maintain('clear', (tx) => deleteRowBatch(tx, tenant.id));
    await database.close();
    assert.equal(isMore, false);
    await tenant.login(user.identifier, user.password);
  });

  test('A tenant whose deletion was interrupted is deleted by housekeeping', async () => {
    const tenant = await keywright.tenant('interrupted');
    const { token } = await tenant.createUser();
    // The state if the process crashes right after the response.
    await keywright.database.query(
      'UPDATE tenants SET is_active = false, deleted_at = now() WHERE tenant_id = $1',
      [tenant.id],
    );
    await assertDead(tenant, [token]);
    assert.ok((await countRows(tenant.id)) > 0);
    await keywright.nodes[1]?.housekeeping.sweep();
    assert.equal(await countRows(tenant.id), 0);
  });

  test('The deletion of a tenant deletes no row of another tenant', async () => {
    const [tenant, bystander] = [await keywright.tenant('leaves'), await keywright.tenant('stays')];
    const user = await bystander.createUser();
    await tenant.createUser();
    const rows = await countByTable(bystander.id);
    expectStatus(200, await asRoot('DELETE', `/tenants/${tenant.id}`));
    await until('no row is left', async () => (await countRows(tenant.id)) === 0);
    // Pending notes about requests can be written late.
    for (const { name, n } of await countByTable(bystander.id)) {
      const earlier = rows.find((row) => row.name === name);
      assert.ok(earlier && n >= earlier.n, `${name}: ${n} of ${earlier?.n}`);
    }
    const login: TokenAnswer = await bystander.login(user.identifier, user.password);
    expectStatus(200, await bystander.request('GET', '/me', { token: login.access_token }));
  });
});
