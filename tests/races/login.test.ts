import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { counted } from '@keywright/server/tenancy/counters';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { parallel } from '../harness/parallel.ts';
import type { PostgresServer } from '../harness/postgres.ts';
import { raceServers } from '../harness/race-servers.ts';
import { until } from '../harness/until.ts';
import pg from 'pg';
import type { LoginOptions } from '../harness/tenant.ts';

const NODES = 2;
const LIMIT = 5;

for (const { name, start } of raceServers()) {
  describe(`logins in a race, on ${name}`, () => {
    let server: PostgresServer | undefined;
    let keywright: Keywright;

    before(async () => {
      server = await start();
      keywright = await startKeywright({
        server,
        nodes: NODES,
        passwords: 'real',
        env: { KEYWRIGHT_TRUSTED_PROXIES: '127.0.0.1/32' },
      });
      await keywright.tenant('throttled', {
        config: { login_attempts_limit: LIMIT, login_attempts_address_limit: LIMIT },
      });
      await keywright.tenant('open', { config: { login_attempts_limit: 10_000 } });
    });

    after(async () => {
      await keywright.close();
      await server?.close();
    });

    interface Attempt extends LoginOptions {
      readonly identifier: string;
      readonly secret: string;
      /** The client address, as reported by the proxy. */
      readonly address: string;
    }

    function attempt({ identifier, secret, address, extra, ...options }: Attempt) {
      return keywright.request<TokenAnswer & ErrorBody>('POST', '/auth/login', {
        ...options,
        headers: { 'x-forwarded-for': address },
        body: { identifier, secret, ...extra },
      });
    }

    const hashesComputed = () =>
      keywright.nodes.reduce((sum, node) => sum + node.passwords.computed, 0);

    /** Makes all attempts concurrently. @returns how often each status occurred, and how many hashes it took. */
    async function storm(size: number, attemptAt: (index: number) => Attempt) {
      const hashesBefore = hashesComputed();
      const answers = await parallel(size, (index) =>
        attempt({ node: index % NODES, ...attemptAt(index) }),
      );
      const statuses = answers.map((answer) => answer.status);
      return {
        refused: statuses.filter((status) => status === 401).length,
        throttled: answers.filter((answer) => answer.body.code === 'TOO_MANY_ATTEMPTS').length,
        hashes: hashesComputed() - hashesBefore,
      };
    }

    test('200 parallel wrong passwords for one user, from 200 addresses of a network: 5 are checked', async () => {
      const identifier = newIdentifier();
      const secret = newPassword();
      const tenant = 'org_throttled';
      const registration = {
        identifier,
        secret,
        tenant,
        address: '198.51.100.1',
        extra: { register: true },
      };
      assert.equal((await attempt(registration)).status, 200);

      const outcome = await storm(200, (index) => ({
        identifier,
        secret: newPassword(),
        tenant,
        address: `10.0.0.${index}`,
      }));
      assert.deepEqual(outcome, { refused: LIMIT, throttled: 200 - LIMIT, hashes: LIMIT });
      // The correct password is rejected too: an attacker must not learn that it was correct.
      const right = await attempt({ identifier, secret, tenant, address: '10.0.0.250' });
      assert.equal(right.body.code, 'TOO_MANY_ATTEMPTS');
      assert.ok(Number(right.headers['retry-after']) > 0);
    });

    test('200 parallel wrong passwords for 200 identifiers, from one address: 5 are checked', async () => {
      const outcome = await storm(200, () => ({
        identifier: newIdentifier(),
        secret: newPassword(),
        tenant: 'org_throttled',
        address: '10.1.0.1',
      }));
      assert.deepEqual(outcome, { refused: LIMIT, throttled: 200 - LIMIT, hashes: LIMIT });
    });

    test('50 parallel registrations of one identifier with one secret: one user', async () => {
      const identifier = newIdentifier();
      const secret = newPassword();
      const answers = await parallel(50, (index) =>
        attempt({
          node: index % NODES,
          identifier,
          secret,
          tenant: 'org_open',
          address: `10.2.0.${index}`,
          extra: { register: true },
        }),
      );
      assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [200]);
      assert.equal(new Set(answers.map((answer) => answer.body.user.id)).size, 1);
      await assertSingleUser(identifier);
    });

    test('50 parallel registrations of one identifier with 50 secrets: one of them wins', async () => {
      const identifier = newIdentifier();
      const secrets = Array.from({ length: 50 }, newPassword);
      const answers = await parallel(50, (index) =>
        attempt({
          node: index % NODES,
          identifier,
          secret: secrets[index] ?? '',
          tenant: 'org_open',
          address: `10.3.0.${index}`,
          extra: { register: true },
        }),
      );
      const winners = answers.flatMap((answer, index) => (answer.status === 200 ? [index] : []));
      assert.equal(winners.length, 1);
      for (const [index, { status }] of answers.entries()) {
        assert.equal(status, index === winners[0] ? 200 : 401);
      }
      await assertSingleUser(identifier);
    });

    /** Creates users, each registered by their own login. */
    function people(count: number): Promise<Pick<Attempt, 'identifier' | 'secret'>[]> {
      return parallel(count, async () => {
        const person = { identifier: newIdentifier(), secret: newPassword() };
        const at = { address: '10.4.0.1', tenant: 'org_open', extra: { register: true } };
        assert.equal((await attempt({ ...person, ...at })).status, 200);
        return person;
      });
    }

    test('96 parallel logins of 6 users from 5 addresses, which share their statements: all succeed', async () => {
      const six = await people(6);
      const answers = await parallel(96, (index) =>
        attempt({
          ...(six[index % six.length] as (typeof six)[number]),
          node: index % NODES,
          tenant: 'org_open',
          address: `10.5.0.${index % 5}`,
        }),
      );
      assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [200]);
      const addresses = Array.from({ length: 5 }, (_, index) =>
        counted('login', `10.5.0.${index}`),
      );
      const [row] = await keywright.database.query<{ left: number }>(
        'SELECT sum(attempts)::integer AS left FROM login_attempts WHERE subject = ANY ($1)',
        [addresses],
      );
      assert.equal(row?.left, 0, 'each attempt was given back');
    });

    test('A login that the database rejects does not affect the other logins in the same statement', async () => {
      const users = await people(24);
      await keywright.database.query(
        `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$`,
      );
      const unlucky = `SELECT user_id FROM user_identifiers WHERE identifier = $1`;
      const [row] = await keywright.database.query<{ user_id: string }>(unlucky, [
        users[3]?.identifier,
      ]);
      await keywright.database.query(
        `CREATE TRIGGER fail BEFORE INSERT ON sessions FOR EACH ROW
           WHEN (NEW.user_id = '${row?.user_id}') EXECUTE FUNCTION fail()`,
      );
      const answers = await parallel(users.length, (index) =>
        attempt({
          ...(users[index] as (typeof users)[number]),
          tenant: 'org_open',
          address: `10.6.0.${index}`,
        }),
      );
      assert.deepEqual(
        answers.map((answer) => answer.status),
        users.map((_, index) => (index === 3 ? 500 : 200)),
      );
      await keywright.database.query('DROP FUNCTION fail CASCADE');
    });

    /** Blocks a login before it opens its session, while `change` is applied to its user. */
    async function amidLogin(person: Pick<Attempt, 'identifier' | 'secret'>, change: string) {
      const [row] = await keywright.database.query<{ user_id: string }>(
        'SELECT user_id FROM user_identifiers WHERE identifier = $1',
        [person.identifier],
      );
      const holder = new pg.Client(keywright.database.superuserUrl);
      await holder.connect();
      try {
        await holder.query('BEGIN');
        await holder.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [row?.user_id]);
        const pending = attempt({ ...person, tenant: 'org_open', address: '10.7.0.1' });
        const waiting = `SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%kw_finish_logins%'`;
        await until('it waits', async () => (await keywright.database.query(waiting)).length > 0);
        await holder.query(change.replaceAll('$1', `'${row?.user_id}'`));
        await holder.query('COMMIT');
        const answer = await pending;
        const living = await keywright.database.query(
          'SELECT id FROM sessions WHERE user_id = $1 AND is_active',
          [row?.user_id],
        );
        return { answer: `${answer.status} ${answer.body.code}`, living: living.length };
      } finally {
        await holder.end();
      }
    }

    const meanwhile = {
      'whose password changes meanwhile': `UPDATE user_credentials SET secret_hash = 'another' WHERE user_id = $1;
        UPDATE users SET auth_version = auth_version + 1 WHERE id = $1`,
      'whose user is made inactive meanwhile': 'UPDATE users SET is_active = false WHERE id = $1',
    };
    for (const [what, change] of Object.entries(meanwhile)) {
      test(`A login ${what} opens no session`, async () => {
        const [person] = await people(1);
        assert.ok(person);
        const { answer, living } = await amidLogin(person, change);
        assert.equal(answer, '401 INVALID_CREDENTIALS');
        // The session of the registration remains, although the service would end it with such a change.
        assert.ok(living <= 1, `${living} living sessions`);
      });
    }

    /** One user has the identifier, and no user is left over from a registration that lost. */
    async function assertSingleUser(identifier: string): Promise<void> {
      const [row] = await keywright.database.query<{ users: number; orphans: number }>(
        `SELECT (SELECT count(*)::integer FROM user_identifiers
                  WHERE tenant_id = 'org_open' AND identifier = $1) AS users,
                (SELECT count(*)::integer FROM users u
                  WHERE u.tenant_id = 'org_open' AND NOT EXISTS (
                    SELECT FROM user_identifiers i WHERE i.tenant_id = u.tenant_id AND i.user_id = u.id
                  )) AS orphans`,
        [identifier],
      );
      assert.deepEqual(row, { users: 1, orphans: 0 });
    }
  });
}
