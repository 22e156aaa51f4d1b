import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { TenantRecord } from '@keywright/contract/records/tenant';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import pg from 'pg';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { type Answer, type AnyBody, expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { eventLoopTurns, parallel } from '../harness/parallel.ts';
import type { PostgresServer } from '../harness/postgres.ts';
import { raceServers } from '../harness/race-servers.ts';
import { type Random, seededRandom } from '../harness/random.ts';
import type { RequestToNode, TestTenant, TestUser } from '../harness/tenant.ts';
import { claimsOf } from '../harness/token.ts';
import { until } from '../harness/until.ts';

const NODES = 2;

type Asked = Answer<AnyBody & ErrorBody>;

for (const { name, isThorough, start } of raceServers()) {
  describe(`tenants, roles and workspaces in a race, on ${name}`, () => {
    const ROUNDS = isThorough ? 12 : 3;
    let server: PostgresServer | undefined;
    let keywright: Keywright;
    let random: Random;
    let made = 0;

    before(async () => {
      server = await start();
      keywright = await startKeywright({ server, nodes: NODES });
      random = seededRandom();
      await keywright.adminToken();
    });

    after(async () => {
      await keywright.close();
      await server?.close();
    });

    async function asRoot(
      method: string,
      path: string,
      options: RequestToNode = {},
    ): Promise<Asked> {
      const token = await keywright.adminToken();
      return keywright.home.request(method, path, { token, ...options });
    }

    function freshSlug(): string {
      made += 1;
      return `race-${made}`;
    }

    async function freshTenant(): Promise<TestTenant> {
      const tenant = await keywright.tenant(freshSlug(), {
        config: { login_attempts_limit: 10_000 },
      });
      await tenant.adminToken();
      return tenant;
    }

    function says(answers: readonly Asked[]): string[] {
      return answers
        .map(({ status, body }) => (status < 300 ? `${status}` : `${status} ${body.code}`))
        .toSorted();
    }

    /** One of `answers` succeeded, and all others were refused with this. */
    function assertOneWon(answers: readonly Asked[], success: number, refusal: string): void {
      const others = Array.from({ length: answers.length - 1 }, () => refusal);
      assert.deepEqual(says(answers), [`${success}`, ...others], `seed ${random.seed}`);
    }

    /** None of them failed in a way that the contract does not know. */
    function assertNoneFailed(answers: readonly Asked[]): void {
      assert.deepEqual(
        says(answers).filter((one) => one.startsWith('5')),
        [],
        `seed ${random.seed}`,
      );
    }

    /** A moment of some length, so that requests meet in different orders. */
    const pause = () => eventLoopTurns(random.between(0, 40));

    test('ten creations of one slug, or with one domain, make one tenant', async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const slug = freshSlug();
        const same = await parallel(10, (index) =>
          asRoot('POST', '/tenants', { node: index % NODES, body: { name: `N ${index}`, slug } }),
        );
        assertOneWon(same, 201, '400 SLUG_TAKEN');
        const domains = [`${slug}.test`];
        const slugs = Array.from({ length: 10 }, freshSlug);
        const taken = await parallel(10, (index) => {
          const body = { name: 'x', slug: slugs[index], domains };
          return asRoot('POST', '/tenants', { node: index % NODES, body });
        });
        assertOneWon(taken, 201, '400 DOMAIN_TAKEN');
        const rows = await keywright.database.query(
          'SELECT tenant_id FROM tenants WHERE tenant_id = ANY ($1)',
          [slugs.map((one) => `org_${one}`)],
        );
        assert.equal(rows.length, 1, 'nothing is left of those that were refused');
      }
    });

    test('ten creations under one Idempotency-Key make one tenant, and all answer it', async () => {
      const body = { name: 'Once', slug: freshSlug() };
      const headers = { 'idempotency-key': body.slug };
      const answers = await parallel(10, (index) =>
        asRoot('POST', '/tenants', { node: index % NODES, headers, body }),
      );
      assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([201]));
      assert.equal(new Set(answers.map((answer) => answer.text)).size, 1);
    });

    test('changes of different settings at once are all kept', async () => {
      const { id } = await freshTenant();
      const changes = [
        { config: { session_timeout: 61 } },
        { config: { refresh_token_ttl: 301 } },
        { config: { audience: 'api' } },
        { branding: { company_name: 'Acme' } },
        { branding: { primary_color: '#000001' } },
        { messaging: { email: { smtp_port: 26 } } },
        { messaging: { email: { smtp_host: 'mail.test' } } },
        { messaging: { sms: { auth_token: 'hush' } } },
        { name: 'Renamed' },
        { domains: [`${id}.test`] },
      ];
      const answers = await parallel(changes.length, (index) =>
        asRoot('PATCH', `/tenants/${id}`, { node: index % NODES, body: changes[index] }),
      );
      for (const answer of answers) expectStatus(200, answer);
      const read = (await asRoot(
        'GET',
        `/tenants/${id}`,
      )) as Answer<AnyBody> as Answer<TenantRecord>;
      const { config, branding, messaging, ...record } = expectStatus(200, read);
      assert.deepEqual(
        [config.session_timeout, config.refresh_token_ttl, config.audience],
        [61, 301, 'api'],
      );
      assert.deepEqual(branding, { company_name: 'Acme', primary_color: '#000001' });
      assert.deepEqual(messaging, {
        email: { smtp_port: 26, smtp_host: 'mail.test' },
        sms: { auth_token: '********' },
      });
      assert.deepEqual([record.name, record.domains], ['Renamed', [`${id}.test`]]);
    });

    test('ten rotations bring in one key', async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const tenant = await freshTenant();
        const token = await tenant.adminToken();
        const answers = await parallel(10, (index) =>
          tenant.request<AnyBody & ErrorBody>('POST', '/keys/rotate', {
            node: index % NODES,
            token,
          }),
        );
        assertOneWon(answers, 201, '400 ROTATION_UNDER_WAY');
        const rows = await keywright.database.query(
          'SELECT id FROM signing_keys WHERE tenant_id = $1 AND signs_from > now()',
          [tenant.id],
        );
        assert.equal(rows.length, 1);
      }
    });

    /** Somebody who logs in again and again, until told that it is over. */
    async function keepLoggingIn(
      tenant: TestTenant,
      { identifier, password: secret }: TestUser,
      isOver: () => boolean,
    ): Promise<Asked[]> {
      const answers: Asked[] = [];
      while (!isOver()) {
        const node = answers.length % NODES;
        const body = { identifier, secret };
        answers.push(await tenant.request('POST', '/auth/login', { node, body }));
      }
      return answers;
    }

    /** Does `work` somewhere in the middle of logins of these users, and answers with all logins. */
    async function amidLogins(
      tenant: TestTenant,
      users: readonly TestUser[],
      work: () => Promise<unknown>,
    ): Promise<Asked[]> {
      let isOver = false;
      const logins = users.map((user) => keepLoggingIn(tenant, user, () => isOver));
      await eventLoopTurns(200);
      await work();
      await eventLoopTurns(50);
      isOver = true;
      return (await Promise.all(logins)).flat();
    }

    function tokensOf(answers: readonly Asked[]): string[] {
      return answers
        .filter((answer) => answer.status === 200)
        .map((answer) => (answer.body as unknown as TokenAnswer).access_token);
    }

    test('logins while a role loses its scopes: no token that says more works afterwards', async () => {
      const tenant = await freshTenant();
      const token = await tenant.adminToken();
      const role = { name: 'fickle', scopes: ['read:users'] };
      expectStatus(201, await tenant.request('POST', '/roles', { token, body: role }));
      const users: TestUser[] = [];
      for (let n = 0; n < 4; n += 1) users.push(await tenant.createUser({ roles: [role.name] }));
      for (let round = 0; round < ROUNDS * 5; round += 1) {
        const scopes = round % 2 === 0 ? [] : ['read:users'];
        const logins = await amidLogins(tenant, users, async () => {
          await pause();
          const options = { token, body: { scopes } };
          expectStatus(200, await tenant.request('PATCH', '/roles/fickle', options));
        });
        assertNoneFailed(logins);
        const outdated = tokensOf(logins).filter(
          (one) => claimsOf(one).scopes.join() !== scopes.join(),
        );
        for (const one of outdated) {
          const { status } = await tenant.request('GET', '/me', { token: one });
          assert.equal(status, 401, `round ${round}, seed ${random.seed}`);
        }
      }
    });

    test('somebody who loses a scope while they put it into a role is refused', async () => {
      const tenant = await freshTenant();
      const token = await tenant.adminToken();
      const ask = (method: string, path: string, body: object) =>
        tenant.request(method, path, { token, body });
      const [mine, lent] = ['mine', 'lent'].map((role) => ({ name: role, scopes: ['*:roles'] }));
      expectStatus(201, await ask('POST', '/roles', mine ?? {}));
      expectStatus(201, await ask('POST', '/roles', { ...lent, scopes: ['read:users'] }));
      const { user, token: own } = await tenant.createUser({ roles: ['mine', 'lent'] });
      const holder = new pg.Client(keywright.database.url);
      await holder.connect();
      try {
        await holder.query('BEGIN');
        const role = [tenant.id, 'mine'];
        await holder.query('SELECT FROM roles WHERE tenant_id = $1 AND name = $2 FOR UPDATE', role);
        const body = { scopes: ['*:roles', 'read:users'] };
        const answer = tenant.request<ErrorBody>('PATCH', '/roles/mine', { token: own, body });
        await until('it waits for the role', async () => {
          const waiting = await keywright.database.query(
            `SELECT FROM pg_stat_activity
              WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          );
          return waiting.length > 0;
        });
        expectStatus(200, await ask('PATCH', `/users/${user.id}`, { roles: ['mine'] }));
        await holder.query('COMMIT');
        assert.equal(expectStatus(403, await answer).code, 'SCOPE_NOT_HELD');
      } finally {
        await holder.end();
      }
    });

    test('grants of a role that is being deleted: it is kept, or nobody has it', async () => {
      const tenant = await freshTenant();
      const token = await tenant.adminToken();
      const users: TestUser[] = [];
      for (let n = 0; n < 4; n += 1) users.push(await tenant.createUser());
      for (let round = 0; round < ROUNDS * 3; round += 1) {
        const role = `doomed-${round}`;
        const body = { name: role, scopes: [] };
        expectStatus(201, await tenant.request('POST', '/roles', { token, body }));
        const force = round % 2 === 0 ? '?force=true' : '';
        const answers = await parallel(5, async (index) => {
          await pause();
          const node = index % NODES;
          const user = users[index];
          if (!user) return tenant.request('DELETE', `/roles/${role}${force}`, { node, token });
          const path = `/users/${user.user.id}`;
          return tenant.request('PATCH', path, { node, token, body: { roles: [role] } });
        });
        assertNoneFailed(answers as Asked[]);
        const left = await keywright.database.query(
          'SELECT user_id FROM user_roles WHERE tenant_id = $1 AND role = $2',
          [tenant.id, role],
        );
        const isThere = (await tenant.request('GET', `/roles/${role}`, { token })).status === 200;
        assert.ok(isThere || left.length === 0);
      }
    });

    test('joins of and logins into a workspace that is being deleted: nothing of it is left', async () => {
      const tenant = await freshTenant();
      const token = await tenant.adminToken();
      const users: TestUser[] = [];
      for (let n = 0; n < 4; n += 1) users.push(await tenant.createUser());
      for (let round = 0; round < ROUNDS * 3; round += 1) {
        const body = { name: `Doomed ${round}` };
        const answer = await tenant.request<{ id: string }>('POST', '/workspaces', { token, body });
        const { id } = expectStatus(201, answer);
        const join = ({ user }: TestUser, node: number) =>
          tenant.request('PUT', `/workspaces/${id}/members/${user.id}`, { node, token });
        for (const user of users.slice(0, 2)) expectStatus(200, await join(user, 0));
        const answers = await parallel(6, async (index) => {
          await pause();
          const node = index % NODES;
          const user = users[index];
          if (!user) {
            return tenant.request('DELETE', `/workspaces/${id}?force=true`, { node, token });
          }
          if (index > 1) return join(user, node);
          const { identifier, password: secret } = user;
          const login = { identifier, secret, workspace_id: id };
          return tenant.request('POST', '/auth/login', { node, body: login });
        });
        assertNoneFailed(answers as Asked[]);
        const gone = await tenant.request('GET', `/workspaces/${id}`, { token });
        assert.equal(gone.status, 404);
      }
    });

    test('a user who joins ten workspaces at once is in all, in one order', async () => {
      const tenant = await freshTenant();
      const token = await tenant.adminToken();
      const { user } = await tenant.createUser();
      const ids: string[] = [];
      for (let n = 0; n < 10; n += 1) {
        const options = { token, body: { name: `Workspace ${n}` } };
        const answer = await tenant.request<{ id: string }>('POST', '/workspaces', options);
        ids.push(expectStatus(201, answer).id);
      }
      const answers = await parallel(10, (index) => {
        const path = `/workspaces/${ids[index]}/members/${user.id}`;
        return tenant.request('PUT', path, { node: index % NODES, token });
      });
      for (const answer of answers) expectStatus(200, answer);
      const rows = await keywright.database.query<{ position: number }>(
        'SELECT position FROM workspace_members WHERE tenant_id = $1 AND user_id = $2',
        [tenant.id, user.id],
      );
      assert.deepEqual(
        rows.map((row) => row.position).toSorted((a, b) => a - b),
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      );
    });

    test('logins while a tenant is made inactive: none gets in any more, and no token works', async () => {
      const tenant = await freshTenant();
      const users: TestUser[] = [];
      for (let n = 0; n < 4; n += 1) users.push(await tenant.createUser());
      for (let round = 0; round < ROUNDS; round += 1) {
        const setActive = async (isActive: boolean) =>
          expectStatus(
            200,
            await asRoot('PATCH', `/tenants/${tenant.id}`, { body: { is_active: isActive } }),
          );
        const logins = await amidLogins(tenant, users, () => setActive(false));
        assertNoneFailed(logins);
        for (const token of tokensOf(logins)) {
          for (let node = 0; node < NODES; node += 1) {
            const { status } = await tenant.request('GET', '/me', { node, token });
            assert.ok(status === 401 || status === 403, `${status}`);
          }
        }
        await setActive(true);
        const [user] = users;
        const body = { identifier: user?.identifier, secret: user?.password };
        for (let node = 0; node < NODES; node += 1) {
          await until('it is active again', async () => {
            const answer = await tenant.request('POST', '/auth/login', { node, body });
            return answer.status === 200;
          });
        }
      }
    });

    test('logins and registrations while a tenant is deleted: all of it is cleared away', async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const tenant = await freshTenant();
        const users = [await tenant.createUser(), await tenant.createUser()];
        const logins = await amidLogins(tenant, users, async () => {
          const answers = await parallel(5, (index) =>
            index < 2
              ? asRoot('DELETE', `/tenants/${tenant.id}`, { node: index })
              : (tenant.request('POST', '/auth/login', {
                  body: { identifier: newIdentifier(), secret: newPassword(), register: true },
                }) as Promise<Asked>),
          );
          assertOneWon(answers.slice(0, 2), 200, '404 NOT_FOUND');
        });
        for (const token of tokensOf(logins)) {
          const { status } = await tenant.request('GET', '/me', { token });
          assert.ok(status === 400 || status === 401, `${status}`);
        }
        await keywright.nodes[0]?.housekeeping.sweep();
        const left = await keywright.database.query(
          'SELECT tenant_id FROM tenants WHERE tenant_id = $1',
          [tenant.id],
        );
        assert.deepEqual(left, []);
      }
    });
  });
}
