import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import type { UserRecord } from '@keywright/contract/records/user';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { parallel } from '../harness/parallel.ts';
import { type Bouncer, findPgBouncer, startPgBouncer } from '../harness/pgbouncer.ts';
import { type PostgresServer, startPostgres } from '../harness/postgres.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { until } from '../harness/until.ts';

const NODES = 2;
/** Far fewer than the nodes have connections, so that server processes constantly change clients. */
const POOL_SIZE = 4;
const PEOPLE = 5;
const program = findPgBouncer();
const MISSING =
  'There is no pgbouncer here (Debian: apt-get install pgbouncer): that the service works behind it was not tested.';

if (program === undefined && process.env['CI'] !== undefined) throw new Error(MISSING);
if (program === undefined) {
  test('The tests behind PgBouncer report that they did not run where pgbouncer is not installed', (t) =>
    t.diagnostic(MISSING));
} else {
  describeBehind(program);
}

function describeBehind(path: string): void {
  describe('two nodes behind PgBouncer in transaction mode', () => {
    let server: PostgresServer;
    let bouncer: Bouncer;
    let keywright: Keywright;
    let tenants: readonly TestTenant[];

    before(async () => {
      server = await startPostgres({ fsync: true });
      bouncer = await startPgBouncer(path, server.url, POOL_SIZE);
      keywright = await startKeywright({ server: bouncer, nodes: NODES });
      const config = { login_attempts_limit: 10_000 };
      tenants = await Promise.all(
        ['north', 'south'].map((slug) => keywright.tenant(slug, { config })),
      );
    });

    after(async () => {
      await keywright.close();
      await bouncer.close();
      await server.close();
    });

    test('Every user gets their own record from two nodes behind PgBouncer, in tenants that share the server processes', async () => {
      const people: { tenant: TestTenant; user: TestUser }[] = [];
      for (const tenant of tenants) {
        for (let n = 0; n < PEOPLE; n += 1)
          people.push({ tenant, user: await tenant.createUser() });
      }
      await parallel(1000, async (index) => {
        const { tenant, user } = people[index % people.length] ?? assert.fail();
        const node = index % NODES;
        const answer = await tenant.request<UserRecord>('GET', '/me', { node, token: user.token });
        assert.equal(expectStatus(200, answer).id, user.user.id);
        const list = await tenant.request<{ items: UserRecord[] }>('GET', '/users', {
          node,
          token: await tenant.adminToken(),
        });
        for (const { tenant_id: of } of expectStatus(200, list).items) assert.equal(of, tenant.id);
      });
    });

    test('A refresh token used on two nodes behind PgBouncer gets one successor', async () => {
      const [tenant = assert.fail()] = tenants;
      for (let family = 0; family < 5; family += 1) {
        const { refreshToken } = await tenant.createUser();
        const body = { refresh_token: refreshToken };
        const answers = await parallel(64, (index) =>
          tenant.request<TokenAnswer>('POST', '/auth/refresh', { node: index % NODES, body }),
        );
        const successors = answers.map((answer) => expectStatus(200, answer).refresh_token);
        assert.equal(new Set(successors).size, 1);
      }
    });

    test('A token revoked on one node behind PgBouncer is immediately rejected on the other', async () => {
      const [tenant = assert.fail()] = tenants;
      const { token } = await tenant.createUser();
      expectStatus(200, await tenant.request('GET', '/me', { node: 0, token }));
      expectStatus(200, await tenant.request('POST', '/auth/logout', { node: 1, token }));
      expectStatus(401, await tenant.request('GET', '/me', { node: 0, token }));
    });

    test('A change made on one node behind PgBouncer applies on the other within a second, without notifications', async () => {
      const [, tenant = assert.fail()] = tenants;
      const look = () => tenant.request('GET', '/.well-known/jwks.json', { node: 0 });
      expectStatus(200, await look());
      const token = await keywright.adminToken();
      const patch = { node: 1, token, body: { is_active: false } };
      expectStatus(200, await keywright.home.request('PATCH', `/tenants/${tenant.id}`, patch));
      await until('the tenant is inactive there', async () => (await look()).status === 403, 1000);
    });
  });
}
