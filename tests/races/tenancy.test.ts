import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TenantRecord } from '@keywright/contract/records/tenant';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { type Answer, type JsonBody, expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { parallel } from '../harness/parallel.ts';
import type { PostgresServer } from '../harness/postgres.ts';
import { raceServers } from '../harness/race-servers.ts';
import type { RequestToNode, TestTenant, TestUser } from '../harness/tenant.ts';
import { until } from '../harness/until.ts';
import pg from 'pg';
import { duringLogins, failuresIn, says, tokensOf } from './concurrent-logins.ts';

const NODES = 2;

for (const { name, isThorough, start } of raceServers()) {
  describe(`tenants in a race, on ${name}`, () => {
    const rounds = isThorough ? 12 : 3;
    let server: PostgresServer | undefined;
    let keywright: Keywright;
    let made = 0;

    before(async () => {
      server = await start();
      keywright = await startKeywright({ server, nodes: NODES });
      await keywright.adminToken();
    });

    after(async () => {
      await keywright.close();
      await server?.close();
    });

    async function asRoot<Body = JsonBody>(
      method: string,
      path: string,
      options: RequestToNode = {},
    ): Promise<Answer<Body>> {
      const token = await keywright.adminToken();
      return keywright.home.request<Body>(method, path, { token, ...options });
    }

    function freshSlug(): string {
      made += 1;
      return `race-${made}`;
    }

    /** Creates a tenant with its administrator and this number of users. */
    async function freshTenant(count = 0): Promise<{ tenant: TestTenant; users: TestUser[] }> {
      const config = { login_attempts_limit: 10_000 };
      const tenant = await keywright.tenant(freshSlug(), { config });
      await tenant.adminToken();
      const users: TestUser[] = [];
      while (users.length < count) users.push(await tenant.createUser());
      return { tenant, users };
    }

    /** Asserts that one request succeeded, and that all others were rejected with this code. */
    function assertSingleWinner(
      answers: readonly Answer<object>[],
      won: string,
      lost: string,
    ): void {
      const others = Array.from({ length: answers.length - 1 }, () => lost);
      assert.deepEqual(says(answers), [won, ...others]);
    }

    test('Ten concurrent creations with one slug, or with one domain, create one tenant', async () => {
      for (let round = 0; round < rounds; round += 1) {
        const slug = freshSlug();
        const same = await parallel(10, (index) =>
          asRoot('POST', '/tenants', { node: index % NODES, body: { name: `N ${index}`, slug } }),
        );
        assertSingleWinner(same, '201', '400 SLUG_TAKEN');
        const domains = [`${slug}.test`];
        const slugs = Array.from({ length: 10 }, freshSlug);
        const taken = await parallel(10, (index) => {
          const body = { name: 'x', slug: slugs[index], domains };
          return asRoot('POST', '/tenants', { node: index % NODES, body });
        });
        assertSingleWinner(taken, '201', '400 DOMAIN_TAKEN');
        const rows = await keywright.database.query(
          'SELECT tenant_id FROM tenants WHERE tenant_id = ANY ($1)',
          [slugs.map((tenantSlug) => `org_${tenantSlug}`)],
        );
        assert.equal(rows.length, 1, 'nothing is left of those that were refused');
      }
    });

    test('Ten concurrent creations with one Idempotency-Key create one tenant, and all return it', async () => {
      const body = { name: 'Once', slug: freshSlug() };
      const headers = { 'idempotency-key': body.slug };
      const answers = await parallel(10, (index) =>
        asRoot('POST', '/tenants', { node: index % NODES, headers, body }),
      );
      assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([201]));
      assert.equal(new Set(answers.map((answer) => answer.text)).size, 1);
    });

    test('Concurrent changes of different tenant settings are all kept', async () => {
      const { id } = (await freshTenant()).tenant;
      const changes = [
        { config: { session_timeout: 61 } },
        { config: { refresh_token_ttl: 301 } },
        { config: { audience: 'api' } },
        { branding: { company_name: 'Acme' } },
        { branding: { primary_color: '#000001' } },
        { messaging: { email: { smtp_port: 2525 } } },
        { messaging: { email: { smtp_host: 'mail.test' } } },
        { messaging: { sms: { auth_token: 'hush' } } },
        { name: 'Renamed' },
        { domains: [`${id.slice('org_'.length)}.test`] },
      ];
      const path = `/tenants/${id}`;
      const answers = await parallel(changes.length, (index) =>
        asRoot('PATCH', path, { node: index % NODES, body: changes[index] }),
      );
      for (const answer of answers) expectStatus(200, answer);
      const record = expectStatus(200, await asRoot<TenantRecord>('GET', path));
      const { config, branding, messaging } = record;
      assert.deepEqual(
        [config.session_timeout, config.refresh_token_ttl, config.audience],
        [61, 301, 'api'],
      );
      assert.deepEqual(branding, { company_name: 'Acme', primary_color: '#000001' });
      assert.deepEqual(messaging, {
        email: { smtp_port: 2525, smtp_host: 'mail.test' },
        sms: { auth_token: '********' },
      });
      assert.deepEqual([record.name, record.domains], ['Renamed', changes.at(-1)?.domains]);
    });

    test('Ten concurrent rotations create one key', async () => {
      for (let round = 0; round < rounds; round += 1) {
        const { tenant } = await freshTenant();
        const token = await tenant.adminToken();
        const answers = await parallel(10, (index) =>
          tenant.request('POST', '/keys/rotate', { node: index % NODES, token }),
        );
        assertSingleWinner(answers, '201', '400 ROTATION_IN_PROGRESS');
        const rows = await keywright.database.query(
          'SELECT id FROM signing_keys WHERE tenant_id = $1 AND signs_from > now()',
          [tenant.id],
        );
        assert.equal(rows.length, 1);
      }
    });

    /** Asserts that no token of a successful login works on any node. */
    async function assertDead(tenant: TestTenant, tokens: readonly string[]): Promise<void> {
      for (const [index, token] of tokens.entries()) {
        const { status } = await tenant.request('GET', '/me', { node: index % NODES, token });
        assert.ok([400, 401, 403].includes(status), `${status}`);
      }
    }

    test('No login succeeds after the response that deactivates its tenant, and no token of a login during it works', async () => {
      const { tenant, users } = await freshTenant(4);
      const setActive = async (isActive: boolean) => {
        const options = { body: { is_active: isActive } };
        expectStatus(200, await asRoot('PATCH', `/tenants/${tenant.id}`, options));
      };
      const logIn = ({ identifier, password: secret }: TestUser, node: number) =>
        tenant.request('POST', '/auth/login', { node, body: { identifier, secret } });
      for (let round = 0; round < rounds; round += 1) {
        let late: Answer<object>[] = [];
        const logins = await duringLogins(tenant, users, NODES, async () => {
          await setActive(false);
          late = await parallel(users.length, (index) =>
            logIn(users[index] as TestUser, index % NODES),
          );
        });
        assert.deepEqual(failuresIn([...logins, ...late]), []);
        for (const { status } of late) assert.ok([401, 403].includes(status), `${status}`);
        await assertDead(tenant, tokensOf(logins));
        await setActive(true);
        for (let node = 0; node < NODES; node += 1) {
          const isIn = async () => (await logIn(users[0] as TestUser, node)).status === 200;
          await until('it is active again', isIn);
        }
      }
    });

    /** Sets is_active without a notification, as on a node that has not received it yet. */
    async function setActiveUnheard({ id }: TestTenant, isActive: boolean): Promise<void> {
      await keywright.database.query(
        `BEGIN; SET LOCAL session_replication_role = replica;
         UPDATE tenants SET is_active = ${isActive} WHERE tenant_id = '${id}'; COMMIT`,
      );
    }

    test('A refresh in a deactivated tenant gets no tokens, not even from a node that was not notified yet', async () => {
      const { tenant, users } = await freshTenant(NODES);
      const refreshAll = () =>
        parallel(users.length, async (node) => {
          const body = { refresh_token: users[node]?.refreshToken };
          return (await tenant.request('POST', '/auth/refresh', { node, body })).status;
        });
      for (const [node, { token }] of users.entries()) {
        expectStatus(200, await tenant.request('GET', '/me', { node, token }));
      }
      await setActiveUnheard(tenant, false);
      assert.deepEqual(new Set(await refreshAll()), new Set([401]));
      await setActiveUnheard(tenant, true);
      assert.deepEqual(new Set(await refreshAll()), new Set([200]));
    });

    test('A login to a deactivated tenant opens no session, not even on a node that was not notified yet', async () => {
      const { tenant, users } = await freshTenant(NODES);
      const logInAll = () =>
        parallel(users.length, async (node) => {
          const { identifier, password: secret } = users[node] as TestUser;
          const body = { identifier, secret };
          return (await tenant.request('POST', '/auth/login', { node, body })).status;
        });
      const countLiving = async () => {
        const [row] = await keywright.database.query<{ n: number }>(
          'SELECT count(*)::integer AS n FROM sessions WHERE tenant_id = $1 AND is_active',
          [tenant.id],
        );
        return row?.n;
      };
      assert.deepEqual(new Set(await logInAll()), new Set([200]));
      const living = await countLiving();
      await setActiveUnheard(tenant, false);
      assert.deepEqual(new Set(await logInAll()), new Set([401]));
      assert.equal(await countLiving(), living);
      await setActiveUnheard(tenant, true);
      assert.deepEqual(new Set(await logInAll()), new Set([200]));
    });

    test('A session opened while its tenant was deactivated is invalid after reactivation', async () => {
      const { tenant, users } = await freshTenant(1);
      const [{ identifier, password: secret, user }] = users as [TestUser];
      const holder = new pg.Client(keywright.database.superuserUrl);
      await holder.connect();
      const reply = await (async () => {
        try {
          await holder.query('BEGIN');
          await holder.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [user.id]);
          const body = { identifier, secret };
          const login = tenant.request<TokenAnswer>('POST', '/auth/login', { body });
          const waiting = `SELECT FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%kw_finish_logins%'`;
          await until('it waits', async () => (await keywright.database.query(waiting)).length > 0);
          const path = `/tenants/${tenant.id}`;
          expectStatus(200, await asRoot('PATCH', path, { body: { is_active: false } }));
          await holder.query('COMMIT');
          const answer = await login;
          expectStatus(200, await asRoot('PATCH', path, { body: { is_active: true } }));
          return answer;
        } finally {
          await holder.end();
        }
      })();
      const { access_token: token, refresh_token: refreshToken } = expectStatus(200, reply);
      const refreshing = { body: { refresh_token: refreshToken } };
      for (const answer of [
        await tenant.request('GET', '/me', { token }),
        await tenant.request('POST', '/auth/refresh', refreshing),
      ]) {
        assert.equal(answer.status, 401);
      }
    });

    test('All rows of logins and registrations during the deletion of their tenant are deleted', async () => {
      for (let round = 0; round < rounds; round += 1) {
        const { tenant, users } = await freshTenant(2);
        const register = () => {
          const body = { identifier: newIdentifier(), secret: newPassword(), register: true };
          return tenant.request('POST', '/auth/login', { body });
        };
        const logins = await duringLogins(tenant, users, NODES, async () => {
          const answers = await parallel(5, (index) =>
            index < 2 ? asRoot('DELETE', `/tenants/${tenant.id}`, { node: index }) : register(),
          );
          assertSingleWinner(answers.slice(0, 2), '200', '404 NOT_FOUND');
        });
        await assertDead(tenant, tokensOf(logins));
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
