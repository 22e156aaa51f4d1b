import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { SIGNALS } from '@keywright/contract/signals';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { pooled } from '../harness/parallel.ts';
import type { PostgresServer } from '../harness/postgres.ts';
import { raceServers } from '../harness/race-servers.ts';
import { SignalClient, type SignalReceiver, startSignalReceiver } from '../harness/signals.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { until } from '../harness/until.ts';

const NODES = 3;
const ONLY_DISABLED = { events_requested: [SIGNALS['account-disabled']] };

for (const { name, isThorough, start } of raceServers()) {
  const users = isThorough ? 120 : 40;

  describe(`shared signals in a race, on ${name}`, () => {
    let server: PostgresServer | undefined;
    let keywright: Keywright;
    let receiver: SignalReceiver;
    let tenant: TestTenant;
    let client: SignalClient;

    before(async () => {
      server = await start();
      receiver = await startSignalReceiver();
      const env = { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' };
      keywright = await startKeywright({ server, nodes: NODES, env });
      tenant = await keywright.tenant('signals');
      client = await SignalClient.register(tenant, { reach: 'all_users' });
    });
    after(async () => {
      await keywright.close();
      await receiver.close();
      await server?.close();
    });

    /** Users who were never logged in, straight into the table. */
    async function makeUsers(prefix: string): Promise<string[]> {
      const ids = Array.from({ length: users }, (_, index) => `user:${prefix}-${index}`);
      await keywright.database.query(
        `INSERT INTO users SELECT (jsonb_populate_record(u, jsonb_build_object('id', n.id))).*
           FROM unnest($1::text[]) AS n (id), users u
          WHERE u.tenant_id = $2 AND u.id = (SELECT min(id) FROM users WHERE tenant_id = $2)`,
        [ids, tenant.id],
      );
      return ids;
    }
    const disable = (id: string) =>
      keywright.database.query(
        'UPDATE users SET is_active = false WHERE tenant_id = $1 AND id = $2',
        [tenant.id, id],
      );
    const runDue = () => Promise.all(keywright.nodes.map((node) => node.signals.runDue()));
    const jtisAt = (path: string) => receiver.at(path).map(({ claims }) => claims.jti);

    test('Each event is pushed once, regardless of which nodes look for it', async () => {
      const path = '/once';
      await client.stream(`${receiver.url}${path}`, ONLY_DISABLED);
      const ids = await makeUsers('once');
      await pooled(8, ids, disable);
      await until('all are pushed', async () => {
        await runDue();
        return new Set(jtisAt(path)).size === ids.length;
      });
      await runDue();
      assert.equal(jtisAt(path).length, ids.length);
    });

    test('An acknowledged event is never delivered again, and every other one is, whichever node is polled', async () => {
      const { stream_id } = await client.stream(undefined, ONLY_DISABLED);
      const ids = await makeUsers('polled');
      const acknowledged = new Set<string>();
      const seen = new Set<string>();
      const token = await client.token();
      const poll = async (node: number, request: object) => {
        const answer = await client.call<{ sets: Record<string, string> }>(
          'POST',
          `/poll/${stream_id}`,
          { returnImmediately: true, ...request },
          { node, token },
        );
        return Object.keys(expectStatus(200, answer).sets);
      };
      const over = new AbortController();
      const receive = async (node: number) => {
        let ack: string[] = [];
        while (!over.signal.aborted || ack.length > 0) {
          const gone = new Set(acknowledged);
          const mine = ack;
          const jtis = await poll(node, { ack: mine, maxEvents: 7 });
          for (const jti of jtis) {
            assert.ok(!gone.has(jti) && !mine.includes(jti), `${jti} came again`);
            seen.add(jti);
          }
          for (const jti of mine) acknowledged.add(jti);
          ack = jtis;
        }
      };
      const receiving = [0, 1, 2, 0, 1, 2].map(receive);
      await pooled(8, ids, disable);
      await until('all were seen', () => seen.size === ids.length);
      over.abort();
      await Promise.all(receiving);
      assert.equal(acknowledged.size, ids.length);
      assert.deepEqual(await poll(0, {}), []);
      await client.call('DELETE', `/streams?stream_id=${stream_id}`);
    });

    test('A stream that is paused and enabled while events occur loses none of them', async () => {
      const path = '/paused';
      const { stream_id } = await client.stream(`${receiver.url}${path}`, ONLY_DISABLED);
      const ids = await makeUsers('paused');
      const set = async (status: string, node: number) =>
        expectStatus(200, await client.call('POST', '/status', { stream_id, status }, { node }));
      const toggling = (async () => {
        for (let turn = 0; turn < 10; turn += 1) {
          await set('paused', turn % NODES);
          await set('enabled', (turn + 1) % NODES);
        }
      })();
      await Promise.all([toggling, pooled(4, ids, disable)]);
      await until('all are pushed', async () => {
        await runDue();
        return new Set(jtisAt(path)).size === ids.length;
      });
      const left = await keywright.database.query(
        `SELECT FROM signal_deliveries WHERE queue_key = $1 AND status <> 'done'`,
        [stream_id],
      );
      assert.equal(left.length, 0);
    });

    test('No change fails because a stream or its client is deleted during it', async () => {
      const ids = await makeUsers('deleted');
      const others = await Promise.all(
        [0, 1, 2].map(() => SignalClient.register(tenant, { reach: 'all_users' })),
      );
      for (const other of others) await other.stream(undefined, ONLY_DISABLED);
      const token = await tenant.adminToken();
      const deleting = others.map(async (other, node) => {
        const path = `/clients/${other.client.id}`;
        expectStatus(200, await tenant.request('DELETE', path, { token, node }));
      });
      await Promise.all([...deleting, pooled(8, ids, disable)]);
      const [row] = await keywright.database.query<{ n: number }>(
        'SELECT count(*)::integer AS n FROM users WHERE NOT is_active AND id = ANY ($1)',
        [ids],
      );
      assert.equal(row?.n, ids.length);
    });
  });
}
