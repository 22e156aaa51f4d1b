import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import pg from 'pg';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { eventLoopIterations, parallel } from '../harness/parallel.ts';
import type { PostgresServer } from '../harness/postgres.ts';
import { raceServers } from '../harness/race-servers.ts';
import { type Random, seededRandom } from '../harness/random.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { claimsOf } from '../harness/token.ts';
import { until } from '../harness/until.ts';
import { duringLogins, failuresIn, tokensOf } from './concurrent-logins.ts';

const NODES = 2;

for (const { name, isThorough, start } of raceServers()) {
  describe(`roles and workspaces in a race, on ${name}`, () => {
    const rounds = isThorough ? 40 : 8;
    let server: PostgresServer | undefined;
    let keywright: Keywright;
    let random: Random;
    let tenant: TestTenant;
    let token: string;
    let users: TestUser[];

    before(async () => {
      server = await start();
      keywright = await startKeywright({ server, nodes: NODES });
      random = seededRandom();
      tenant = await keywright.tenant('races', { config: { login_attempts_limit: 10_000 } });
      token = await tenant.adminToken();
      users = [];
      while (users.length < 4) users.push(await tenant.createUser());
    });

    after(async () => {
      await keywright.close();
      await server?.close();
    });

    function asAdmin<Body = object>(method: string, path: string, body?: object, node = 0) {
      return tenant.request<Body>(method, path, { node, token, ...(body && { body }) });
    }

    /** A random delay, to vary the order of requests. */
    const pause = () => eventLoopIterations(random.between(0, 40));

    test('No token with the previous scopes of a role works after a change of the role during logins', async () => {
      const role = { name: 'fickle', scopes: ['read:users'] };
      expectStatus(201, await asAdmin('POST', '/roles', role));
      const holders: TestUser[] = [];
      while (holders.length < 4) {
        holders.push(await tenant.createUser({ roles: [role.name] }));
      }
      for (let round = 0; round < rounds; round += 1) {
        const scopes = round % 2 === 0 ? [] : ['read:users'];
        const logins = await duringLogins(tenant, holders, NODES, async () => {
          await pause();
          expectStatus(200, await asAdmin('PATCH', '/roles/fickle', { scopes }));
        });
        assert.deepEqual(failuresIn(logins), []);
        const outdated = tokensOf(logins).filter(
          (accessToken) => claimsOf(accessToken).scopes.join() !== scopes.join(),
        );
        for (const accessToken of outdated) {
          const { status } = await tenant.request('GET', '/me', { token: accessToken });
          assert.equal(status, 401, `round ${round}, seed ${random.seed}`);
        }
      }
    });

    test('A user who loses a scope while adding it to a role is rejected', async () => {
      const role = { name: 'own', scopes: ['*:roles'] };
      expectStatus(201, await asAdmin('POST', '/roles', role));
      expectStatus(201, await asAdmin('POST', '/roles', { name: 'lent', scopes: ['read:users'] }));
      const { user, token: theirs } = await tenant.createUser({ roles: ['own', 'lent'] });
      const holder = new pg.Client(keywright.database.superuserUrl);
      await holder.connect();
      try {
        await holder.query('BEGIN');
        const values = [tenant.id, role.name];
        await holder.query(
          'SELECT FROM roles WHERE tenant_id = $1 AND name = $2 FOR NO KEY UPDATE',
          values,
        );
        const body = { scopes: ['*:roles', 'read:users'] };
        const path = '/roles/own';
        const answer = tenant.request<ErrorBody>('PATCH', path, { token: theirs, body });
        await until('it waits for the role', async () => {
          const waiting = await keywright.database.query(
            `SELECT FROM pg_stat_activity
              WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          );
          return waiting.length > 0;
        });
        expectStatus(200, await asAdmin('PATCH', `/users/${user.id}`, { roles: ['own'] }));
        await holder.query('COMMIT');
        assert.equal(expectStatus(403, await answer).code, 'SCOPE_NOT_HELD');
      } finally {
        await holder.end();
      }
    });

    test('A role granted while it is deleted is either kept or held by no user', async () => {
      for (let round = 0; round < rounds; round += 1) {
        const role = `doomed-${round}`;
        expectStatus(201, await asAdmin('POST', '/roles', { name: role, scopes: [] }));
        const force = round % 2 === 0 ? '?force=true' : '';
        const answers = await parallel(6, async (index) => {
          await pause();
          const user = users[index % 5];
          // The first user is changed twice: the second change grants roles that they already have.
          if (!user) return asAdmin('DELETE', `/roles/${role}${force}`, undefined, index % NODES);
          const change = { roles: ['member', role] };
          return asAdmin('PATCH', `/users/${user.user.id}`, change, index % NODES);
        });
        assert.deepEqual(failuresIn(answers), [], `seed ${random.seed}`);
        const left = await keywright.database.query(
          'SELECT user_id FROM user_roles WHERE tenant_id = $1 AND role = $2',
          [tenant.id, role],
        );
        const isThere = (await asAdmin('GET', `/roles/${role}`)).status === 200;
        assert.ok(isThere || left.length === 0);
      }
    });

    test('A workspace deleted during joins and logins leaves nothing behind', async () => {
      for (let round = 0; round < rounds; round += 1) {
        const made = await asAdmin<{ id: string }>('POST', '/workspaces', { name: `W ${round}` });
        const { id } = expectStatus(201, made);
        const join = ({ user }: TestUser, node: number) =>
          asAdmin('PUT', `/workspaces/${id}/members/${user.id}`, undefined, node);
        for (const user of users.slice(0, 2)) expectStatus(200, await join(user, 0));
        const answers = await parallel(6, async (index) => {
          await pause();
          const node = index % NODES;
          const user = users[index];
          if (index === 5) {
            const workspaces = { workspaces: [id, 'ws_default'] };
            return asAdmin('PATCH', `/users/${users[0]?.user.id}`, workspaces, node);
          }
          if (!user) return asAdmin('DELETE', `/workspaces/${id}?force=true`, undefined, node);
          if (index > 1) return join(user, node);
          const { identifier, password: secret } = user;
          const workspace = index === 0 ? {} : { workspace_id: id };
          const body = { identifier, secret, ...workspace };
          return tenant.request<object>('POST', '/auth/login', { node, body });
        });
        assert.deepEqual(failuresIn(answers), [], `seed ${random.seed}`);
        assert.equal((await asAdmin('GET', `/workspaces/${id}`)).status, 404);
        // Logins that did not request that workspace succeed.
        expectStatus(200, answers[0] ?? { status: 0, headers: {}, body: {}, text: 'none' });
      }
    });

    test('A user who joins ten workspaces at the same time is in all of them, in a consistent order', async () => {
      const { user } = await tenant.createUser();
      const ids: string[] = [];
      for (let n = 0; n < 10; n += 1) {
        const made = await asAdmin<{ id: string }>('POST', '/workspaces', { name: `Joined ${n}` });
        ids.push(expectStatus(201, made).id);
      }
      const answers = await parallel(10, (index) => {
        const path = `/workspaces/${ids[index]}/members/${user.id}`;
        return asAdmin('PUT', path, undefined, index % NODES);
      });
      for (const answer of answers) expectStatus(200, answer);
      const rows = await keywright.database.query<{ position: number }>(
        'SELECT position FROM workspace_members WHERE tenant_id = $1 AND user_id = $2 ORDER BY 1',
        [tenant.id, user.id],
      );
      assert.deepEqual(
        rows.map((row) => row.position),
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      );
    });
  });
}
