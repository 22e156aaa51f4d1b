// GET /installation: the listed nodes, and the pending work of all tenants.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { OkOf } from '@keywright/contract/route';
import type { getInstallation } from '@keywright/contract/routes/installation';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { startReceiver } from '@keywright/tests/harness/receiver';
import { until } from '@keywright/tests/harness/until';
import { Webhooks } from '@keywright/tests/harness/webhooks';
import { startKeywright as start } from '../../../app.ts';
import { readConfig } from '../../../platform/config.ts';
import { migrationNames } from '../../../platform/db/schema-files.ts';
import { openLog } from '../../../platform/log.ts';
import { QUEUES } from './node-store.ts';

type Installation = OkOf<typeof getInstallation>;

const LEASE_SECONDS = 660;

let keywright: Keywright;
const masterKey = randomBytes(32).toString('base64');

before(async () => {
  const env = { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1', KEYWRIGHT_MASTER_KEY: masterKey };
  keywright = await startKeywright({ clock: 'fake', env });
});

after(() => keywright.close());

async function read(of = keywright): Promise<Installation> {
  const token = await of.adminToken();
  return expectStatus(200, await of.home.request<Installation>('GET', '/installation', { token }));
}

const idsOf = ({ nodes }: Installation) => nodes.map(({ node_id: id }) => id);

/** Nodes register themselves once they serve requests. */
async function untilListed(count: number): Promise<void> {
  await until('they are listed', async () => (await read()).nodes.length === count);
}

function startNode(hasChores = true, log = openLog('silent')) {
  const config = readConfig({
    KEYWRIGHT_PORT: '0',
    KEYWRIGHT_LOG_LEVEL: 'silent',
    KEYWRIGHT_BASE_URL: 'https://id.example.com',
    KEYWRIGHT_DATABASE_URL: keywright.database.url,
    KEYWRIGHT_MASTER_KEY: masterKey,
    KEYWRIGHT_WORKERS: '3',
  });
  return start({ config, clock: keywright.clock, hasChores, log });
}

test('GET /installation lists a node from its start to its stop, with what it runs', async () => {
  await untilListed(1);
  keywright.clock.advance(1);
  const startedAt = keywright.clock.now().toISOString();
  const node = await startNode();
  await untilListed(2);
  const { version, nodes } = await read();
  const [, { node_id: _id, host, ...rest } = assert.fail()] = nodes;
  assert.notEqual(host, '');
  assert.deepEqual(rest, { version, processes: 3, started_at: startedAt, seen_at: startedAt });
  await node.close();
  assert.equal((await read()).nodes.length, 1);
});

test('The further processes of a node are not listed separately', async () => {
  const worker = await startNode(false);
  await worker.housekeeping.sweep();
  assert.equal((await read()).nodes.length, 1);
  await worker.close();
});

test('A node without the current master key logs an error when it renews its lease', async () => {
  const lines: string[] = [];
  const node = await startNode(
    true,
    openLog('error', { write: (line: string) => void lines.push(line) }),
  );
  const [installed] = await keywright.database.query<{ id: string }>(
    'SELECT master_key_id AS id FROM installation',
  );
  const use = (id: string | undefined) =>
    keywright.database.query('UPDATE installation SET master_key_id = $1', [id]);
  await untilListed(2);
  // Housekeeping at the start can also renew the lease.
  await node.housekeeping.stop();
  await use('another');
  await node.housekeeping.sweep();
  await use(installed?.id);
  await node.close();
  assert.match(
    lines.join(''),
    /"masterKeyId":"another".*rotated to one that this node does not have/,
  );
  assert.equal(lines.length, 1);
});

test('A node that gives no sign of life is off the list after its lease, and the others are kept', async () => {
  const [nodeId] = idsOf(await read());
  await keywright.database.query(
    `INSERT INTO nodes VALUES ('lost', 'lost', '0.0.1', 1, $1, $1, $2)`,
    [
      keywright.clock.now().toISOString(),
      new Date(keywright.clock.now().getTime() + LEASE_SECONDS * 1000).toISOString(),
    ],
  );
  assert.deepEqual(new Set(idsOf(await read())), new Set([nodeId, 'lost']));
  keywright.clock.advance(LEASE_SECONDS - 1);
  await keywright.nodes[0]?.housekeeping.sweep();
  assert.equal((await read()).nodes.length, 2);
  keywright.clock.advance(1);
  assert.deepEqual(idsOf(await read()), [nodeId]);
  keywright.clock.advance(1);
  await keywright.nodes[0]?.housekeeping.sweep();
  const remaining = await keywright.database.query<{ id: string }>('SELECT id FROM nodes');
  assert.deepEqual(remaining, [{ id: nodeId }]);
  const [{ seen_at: seenAt } = assert.fail()] = (await read()).nodes;
  assert.equal(seenAt, keywright.clock.now().toISOString());
});

test('GET /installation counts the waiting queue entries of every tenant, and says since when they are late', async () => {
  const tenant = await keywright.tenant('queues');
  const receiver = await startReceiver((request, response) =>
    response.writeHead(request.url === '/well' ? 200 : 500).end(),
  );
  const queueOf = async (name: string) =>
    (await read()).queues.find((queue) => queue.name === name) ?? assert.fail();
  try {
    const webhooks = new Webhooks(tenant);
    const url = `http://127.0.0.1:${receiver.port}/`;
    const { webhook } = await webhooks.register(url, ['workspace.created']);
    // Deliveries to this endpoint succeed, so they are not waiting.
    await webhooks.register(`${url}well`, ['workspace.created']);
    const { waiting } = await queueOf('webhooks');
    await webhooks.send('POST', '/workspaces', { name: 'Cellar' });
    await keywright.nodes[0]?.deliveries.runDue();
    assert.deepEqual(await queueOf('webhooks'), {
      name: 'webhooks',
      waiting: waiting + 1,
      late_since: null,
    });
    await keywright.nodes[0]?.deliveries.stop();
    keywright.clock.advance(60);
    const { late_since: lateSince } = await queueOf('webhooks');
    const [first] = await keywright.database.query<{ due_at: Date }>(
      `SELECT min(due_at) AS due_at FROM webhook_deliveries
        WHERE status = 'pending' AND webhook_id = $1`,
      [webhook.id],
    );
    assert.equal(lateSince, first?.due_at.toISOString());
  } finally {
    await receiver.close();
  }
});

test('GET /installation lists every queue of the database', async () => {
  const tables = await keywright.database.query<{ name: string }>(
    `SELECT relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
      WHERE pg_get_expr(indpred, indrelid) LIKE '%pending%'
        AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = indexrelid AND attname = 'due_at')
      GROUP BY 1 ORDER BY 1`,
  );
  assert.deepEqual(
    tables.map(({ name }) => name),
    Object.values(QUEUES).toSorted(),
  );
});

test('GET /installation names the schema, and says when a newer version has migrated it', async () => {
  const names = migrationNames().toSorted();
  const { schema } = await read();
  const expected = { migrations: names.length, latest: names.at(-1), is_ahead: false };
  assert.deepEqual(schema, expected);
  const newer = '9999_of_a_newer_version';
  await keywright.database.query('INSERT INTO migration_checksums VALUES ($1, $1)', [newer]);
  try {
    const ahead = { migrations: names.length + 1, latest: newer, is_ahead: true };
    assert.deepEqual((await read()).schema, ahead);
  } finally {
    await keywright.database.query('DELETE FROM migration_checksums WHERE name = $1', [newer]);
  }
});

test('GET /installation says which database there is', async () => {
  const [server] = await keywright.database.query<{ version: string }>('SHOW server_version');
  const { engine, version } = (await read()).database;
  assert.equal(engine, 'postgresql');
  assert.ok(server && Object.values(server)[0]?.startsWith(version), version);
});

test('GET /installation is for system administrators only', async () => {
  const tenant = await keywright.tenant('nosy');
  const token = await tenant.adminToken();
  const answer = await tenant.request('GET', '/installation', { token });
  const same = await tenant.request('GET', '/tenants', { token });
  assert.deepEqual(
    [answer.status, (answer.body as { code?: string }).code],
    [same.status, (same.body as { code?: string }).code],
  );
  assert.equal(answer.status, 403);
});
