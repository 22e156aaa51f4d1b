import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, afterEach, before, describe, test } from 'node:test';
import type { OkOf } from '@keywright/contract/route';
import type { AgentRecord } from '@keywright/contract/records/agent';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { CLIENT_ASSERTION_TYPE } from '@keywright/contract/routes/client-authentication';
import type { health } from '@keywright/contract/routes/service';
import { createDatabase } from '../harness/database.ts';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { setMachineClock } from '../harness/machine-clock.ts';
import { spawnServerProcess, startServerProcess } from '../harness/process.ts';
import { type Receiver, startReceiver } from '../harness/receiver.ts';
import { newStatementKey } from '../harness/statement-key.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { postToken, oauthError } from '../harness/token-endpoint.ts';
import { until } from '../harness/until.ts';
import { Webhooks } from '../harness/webhooks.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Within the tolerance, so that the node does all its work. */
const TOLERATED_MS = 55_000;

let keywright: Keywright;
let tenant: TestTenant;
let receiver: Receiver;
let received = 0;

before(async () => {
  receiver = await startReceiver((_request, response) => {
    received += 1;
    response.writeHead(500).end();
  });
  const env = { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' };
  keywright = await startKeywright({ env });
  const config = { login_attempts_limit: 3, login_attempts_window: 300, refresh_retry_window: 10 };
  tenant = await keywright.tenant('clocks', { config });
});

afterEach(() => setMachineClock(0));

after(async () => {
  await keywright.close();
  await receiver.close();
});

const sweep = async () => keywright.nodes[0]?.housekeeping.sweep();

describe('a node whose machine has a wrong clock', () => {
  test('A used client assertion is not accepted again after the clock of a node is set forward', async () => {
    const key = await newStatementKey('ES256');
    const token = await tenant.adminToken();
    const body = { name: 'smith', scopes: ['read:users'], jwks: { keys: [key.publicJwk] } };
    const made = await tenant.request<AgentRecord>('POST', '/agents', { token, body });
    const { id } = expectStatus(201, made);
    const now = Math.floor(Date.now() / 1000);
    const assertion = await key.sign({
      iss: id,
      sub: id,
      aud: `https://id.example.com/t/${tenant.id}`,
      jti: randomUUID(),
      iat: now,
      exp: now + 20,
    });
    const present = () =>
      postToken(tenant, {
        grant_type: 'client_credentials',
        client_assertion_type: CLIENT_ASSERTION_TYPE,
        client_assertion: assertion,
      });
    expectStatus(200, await present());
    setMachineClock(TOLERATED_MS);
    await sweep();
    setMachineClock(0);
    const used = 'SELECT FROM spent_assertions WHERE tenant_id = $1';
    assert.equal((await keywright.database.query(used, [tenant.id])).length, 1);
    assert.equal(oauthError(await present()), '401 invalid_client CLIENT_INVALID');
  });

  test('A node still throttles an identifier, however far its clock was set', async () => {
    const { identifier } = await tenant.createUser();
    const guess = async () => {
      const body = { identifier, secret: 'a wrong password' };
      return (await tenant.request('POST', '/auth/login', { body })).status;
    };
    const statuses = [];
    for (let guesses = 0; guesses < 4; guesses += 1) statuses.push(await guess());
    assert.equal(statuses.at(-1), 429);
    for (const ahead of [10 * MINUTE_MS, -10 * MINUTE_MS, DAY_MS]) {
      setMachineClock(ahead);
      assert.equal(await guess(), 429);
    }
  });

  test('A refresh that is retried within the retry window gets the successor from a node with a wrong clock', async () => {
    const refresh = (refreshToken: string) =>
      tenant.request<TokenAnswer>('POST', '/auth/refresh', {
        body: { refresh_token: refreshToken },
      });
    for (const ahead of [-DAY_MS, DAY_MS]) {
      const { identifier, password } = await tenant.createUser();
      const first = await tenant.login(identifier, password);
      expectStatus(200, await refresh(first.refresh_token));
      setMachineClock(ahead);
      expectStatus(200, await refresh(first.refresh_token));
      setMachineClock(0);
    }
  });

  test('A node with a wrong clock stores no time of its clock', async () => {
    setMachineClock(-400 * DAY_MS);
    const webhooks = new Webhooks(tenant);
    await webhooks.register(`http://127.0.0.1:${receiver.port}/`, ['user.created']);
    const { identifier, password } = await tenant.createUser();
    const body = { identifier, secret: 'a wrong password' };
    expectStatus(401, await tenant.request('POST', '/auth/login', { body }));
    const { refresh_token } = await tenant.login(identifier, password);
    expectStatus(200, await tenant.request('POST', '/auth/refresh', { body: { refresh_token } }));
    const headers = { 'idempotency-key': randomUUID() };
    const token = await tenant.adminToken();
    const agent = { body: { name: 'one' }, token, headers };
    expectStatus(201, await tenant.request<AgentRecord>('POST', '/agents', agent));
    // Also an API key.
    await tenant.createAgent();
    await keywright.nodes[0]?.notes.flush();
    const columns = await keywright.database.query<{ table: string; column: string }>(
      `SELECT table_name AS table, column_name AS column FROM information_schema.columns
        WHERE table_schema = 'public' AND data_type = 'timestamp with time zone'`,
    );
    assert.ok(columns.length > 50);
    for (const { table, column } of columns) {
      const rows = await keywright.database.query(
        `SELECT FROM ${table} WHERE ${column} BETWEEN now() - interval '500 days' AND now() - interval '1 day'`,
      );
      assert.equal(rows.length, 0, `${table}.${column}`);
    }
  });

  test('A node neither deletes expired rows nor delivers while its clock is wrong by more than a minute, and then does both', async () => {
    const webhooks = new Webhooks(tenant);
    await webhooks.register(`http://127.0.0.1:${receiver.port}/`, ['user.created']);
    await keywright.database.query(
      `UPDATE idempotency_keys SET created_at = now() - interval '9 days'`,
    );
    setMachineClock(2 * MINUTE_MS);
    const soFar = received;
    await tenant.createUser();
    await keywright.nodes[0]?.deliveries.runDue();
    assert.equal(received, soFar);
    assert.equal(await sweep(), 0);
    setMachineClock(0);
    await until('it delivers', () => received > soFar);
    assert.ok((await sweep()) ?? 0);
  });
});

describe('a service as a process', () => {
  const wrongClock = `--import ${new URL('../harness/machine-clock.ts', import.meta.url).href}`;
  const environment = (url: string) => ({
    KEYWRIGHT_DATABASE_URL: url,
    KEYWRIGHT_MASTER_KEY: randomBytes(32).toString('base64'),
    KEYWRIGHT_ADMIN_IDENTIFIER: 'root@example.com',
    KEYWRIGHT_ADMIN_SECRET: randomUUID(),
    NODE_OPTIONS: wrongClock,
  });

  test("A service whose clock differs from the database's by more than a minute does not start, and reports the difference", async () => {
    const database = await createDatabase();
    const env = { ...environment(database.url), CLOCK_AHEAD_MS: String(-10 * MINUTE_MS) };
    const service = spawnServerProcess({ env });
    assert.equal((await service.exit()).code, 1);
    assert.match(
      service.stderr,
      /^The clock of this machine is (599|600|601) s behind the database's\./m,
    );
    await database.drop();
  });

  test('A service logs once that the clock of its machine is wrong, and reports it at /health with 503', async () => {
    const database = await createDatabase();
    const env = { ...environment(database.url), CLOCK_AHEAD_ON_SIGNAL_MS: String(90 * DAY_MS) };
    const service = await startServerProcess({ env });
    process.kill(service.pid, 'SIGUSR2');
    const lines = () =>
      service.stdout.split('\n').filter((line) => line.includes('ahead of the database'));
    await until('it logs its clock', () => lines().length > 0);
    const answer = await service.http.request<OkOf<typeof health>>('GET', '/health');
    const { timestamp, problems } = expectStatus(503, answer);
    assert.deepEqual(
      problems?.map(({ code }) => code),
      ['clock'],
    );
    assert.ok(Math.abs(Date.parse(timestamp) - Date.now()) < DAY_MS);
    assert.equal((await service.sigterm()).code, 0);
    assert.equal(lines().length, 1);
    await database.drop();
  });
});
