// A queue that exists only in this test: letters to users, like emails.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { TenantId } from '@keywright/contract/ids';
import { type FakeClock, fakeClock } from '@keywright/tests/harness/clock';
import { ENGINES, type Opened } from '@keywright/tests/harness/engines';
import { until } from '@keywright/tests/harness/until';
import { sql } from 'kysely';
import { openLog } from '../../platform/log.ts';
import { AfterCommit } from '../after-commit.ts';
import { UncachedAuditKeys } from '../audit-keys.ts';
import { MasterKeys } from '../data-keys.ts';
import { Gate, SystemData, type SystemTx } from '../gate.ts';
import { defineJobs, type Outcome } from './jobs.ts';
import { JobQueue } from './queue.ts';
import { Poller } from './poller.ts';
import type { PendingTable } from './pending-store.ts';
import type { JobRow } from './store.ts';

const LEASE_SECONDS = 30;
const DELAYS_MS = [5000, 60_000];
const EXPIRE_SECONDS = 3600;
const ROOM = {
  all: 12,
  ofTenant: 6,
  ofKey: 3,
  atFirst: 3,
  whileFailing: 1,
  troubled: 6,
  troubledOfTenant: 3,
  waitingOfKey: 50,
  waiting: 100,
};
const TENANTS = ['org_a', 'org_b', 'org_c'] as TenantId[];
const [A, B, C] = TENANTS as [TenantId, TenantId, TenantId];

interface Letter extends JobRow {
  readonly text: string;
}

/** A node: its queue, and the letters that it processed. */
interface Node {
  readonly queue: JobQueue<Letter>;
  readonly sent: string[];
  /** The outcomes of a tenant's letters. Default: done. */
  readonly outcomes: Map<TenantId, () => Promise<Outcome>>;
}

const never = () => new Promise<Outcome>(() => {});

for (const [engine, open] of Object.entries(ENGINES)) {
  describe(`jobs on ${engine}`, () => {
    let opened: Opened;
    let clock: FakeClock;
    let nodes: Node[];

    before(async () => {
      opened = await open();
      const { kysely } = opened.database;
      await sql`CREATE TABLE letters (
        tenant_id text NOT NULL, id text NOT NULL, queue_key text NOT NULL, text text NOT NULL,
        status text NOT NULL DEFAULT 'pending', attempts integer NOT NULL DEFAULT 0,
        takes integer NOT NULL DEFAULT 0, due_at timestamptz NOT NULL, held_until timestamptz,
        expires_at timestamptz NOT NULL, reason text, PRIMARY KEY (tenant_id, id))`.execute(kysely);
      await sql`CREATE INDEX ON letters (tenant_id, queue_key, due_at) WHERE status = 'pending'`.execute(
        kysely,
      );
      await sql`SELECT kw_isolate('letters')`.execute(kysely);
      for (const tenant of TENANTS) {
        await run(
          `INSERT INTO tenants (tenant_id, name, created_at) VALUES ('${tenant}', 'x', now())`,
        );
      }
    });
    after(() => opened.close());

    beforeEach(async () => {
      clock = fakeClock(new Date('2026-03-01T00:00:00Z'));
      await run('DELETE FROM letters');
      nodes = [];
    });

    function system(afterCommit = new AfterCommit()) {
      const { database } = opened;
      const keys = new UncachedAuditKeys(database, () => new MasterKeys([]));
      return new SystemData(database, openLog('silent'), () => '[]', keys, clock, afterCommit);
    }

    async function run<Row>(statement: string): Promise<Row[]> {
      const work = (tx: SystemTx) => sql.raw<Row>(statement).execute(tx.db);
      return (await system().maintain('a test', work)).rows;
    }

    function startNode(): Node {
      const sent: string[] = [];
      const outcomes: Node['outcomes'] = new Map();
      const kind = {
        name: 'letters',
        // Nothing polls this table, because no poller is started.
        table: 'letters' as string as PendingTable,
        room: ROOM,
        leaseSeconds: LEASE_SECONDS,
        delaysMs: DELAYS_MS,
        run: (letter: Letter) => {
          sent.push(letter.id);
          return (
            outcomes.get(letter.tenant_id)?.() ?? Promise.resolve({ outcome: 'done' as const })
          );
        },
      };
      const log = openLog('silent');
      const around = { system: system(), clock, log, poller: new Poller(async () => [], log) };
      const node = {
        queue: new JobQueue(defineJobs<Letter>(kind, around), around),
        sent,
        outcomes,
      };
      nodes.push(node);
      return node;
    }

    /** Writes letters that are due and not leased by any node. */
    async function write(tenant: TenantId, count: number, key = 'post'): Promise<void> {
      const now = clock.now().toISOString();
      const end = new Date(clock.now().getTime() + EXPIRE_SECONDS * 1000).toISOString();
      await run(
        `INSERT INTO letters (tenant_id, id, queue_key, text, due_at, expires_at)
         SELECT '${tenant}', '${tenant} ${key} ' || n, '${key}', 'Dear', '${now}', '${end}'
           FROM generate_series(1, ${count}) AS n`,
      );
    }

    function letters(tenant: TenantId): Promise<Letter[]> {
      return run(`SELECT * FROM letters WHERE tenant_id = '${tenant}' ORDER BY id`);
    }

    async function stateOf(tenant: TenantId): Promise<string[]> {
      const found = await letters(tenant);
      return found.map(({ status, attempts }) => `${status} ${attempts}`);
    }

    test('Jobs that are due run once and are not taken again once done', async () => {
      const { queue, sent } = startNode();
      await write(A, 2);
      await queue.runDue();
      await queue.runDue();
      assert.deepEqual(sent, ['org_a post 1', 'org_a post 2']);
      assert.deepEqual(await stateOf(A), ['done 1', 'done 1']);
    });

    test('Jobs that fail are retried on their schedule, with the same id, and fail permanently in the end', async () => {
      const { queue, sent, outcomes } = startNode();
      outcomes.set(A, () => Promise.resolve({ outcome: 'retry', reason: { code: 'busy' } }));
      await write(A, 1);
      await queue.runDue();
      for (const delayMs of DELAYS_MS) {
        const [letter] = await letters(A);
        const waitMs = (letter?.due_at.getTime() ?? 0) - clock.now().getTime();
        assert.ok(Math.abs(waitMs - delayMs) <= delayMs / 10, `${waitMs} ms`);
        await queue.runDue();
        clock.advance(1.2 * (delayMs / 1000));
        await queue.runDue();
      }
      assert.deepEqual(
        sent,
        Array.from({ length: 3 }, () => 'org_a post 1'),
      );
      assert.deepEqual(await stateOf(A), ['failed 3']);
      assert.equal((await letters(A))[0]?.reason, 'busy');
    });

    test('Jobs are not started after they expire, nor scheduled for a retry after that', async () => {
      const { queue, sent, outcomes } = startNode();
      await write(A, 1);
      clock.advance(EXPIRE_SECONDS);
      await queue.runDue();
      assert.deepEqual([sent, await stateOf(A)], [[], ['expired 0']]);
      await write(B, 1);
      clock.advance(EXPIRE_SECONDS - 1);
      outcomes.set(B, () => Promise.resolve({ outcome: 'retry', reason: { code: 'busy' } }));
      await queue.runDue();
      assert.deepEqual(await stateOf(B), ['failed 1']);
    });

    test('Jobs that throw are logged and retried a minute later, without counting as an attempt', async () => {
      const { queue, sent, outcomes } = startNode();
      outcomes.set(A, () => Promise.reject(new Error('broken')));
      await write(A, 1);
      await queue.runDue();
      await queue.runDue();
      assert.deepEqual([sent.length, await stateOf(A)], [1, ['pending 0']]);
      outcomes.clear();
      clock.advance(60);
      await queue.runDue();
      assert.deepEqual(await stateOf(A), ['done 1']);
    });

    test('Jobs held by a node are taken over when its lease expires, and its late result is ignored', async () => {
      const [dead, other] = [startNode(), startNode()];
      const deferred = Promise.withResolvers<Outcome>();
      dead.outcomes.set(A, () => deferred.promise);
      await write(A, 1);
      const running = dead.queue.runDue();
      await until('it is under way', () => dead.sent.length === 1);
      await other.queue.runDue();
      assert.deepEqual(other.sent, [], 'while it is held');
      clock.advance(LEASE_SECONDS);
      await other.queue.runDue();
      assert.deepEqual(other.sent, dead.sent, 'the same job');
      deferred.resolve({ outcome: 'failed', reason: { code: 'too_late' } });
      await running;
      assert.deepEqual(await stateOf(A), ['done 1']);
    });

    test('Jobs in progress when a node stops are released to other nodes immediately', async () => {
      const [stopping, other] = [startNode(), startNode()];
      stopping.outcomes.set(A, never);
      await write(A, 1);
      void stopping.queue.runDue();
      await until('it is under way', () => stopping.sent.length === 1);
      await stopping.queue.stop();
      await other.queue.runDue();
      assert.deepEqual([other.sent, await stateOf(A)], [['org_a post 1'], ['done 1']]);
    });

    test('Jobs of a tenant whose jobs hang get a share of the room and delay no other tenant', async () => {
      const { queue, sent, outcomes } = startNode();
      outcomes.set(A, never);
      for (const key of ['one', 'two', 'three', 'four']) await write(A, 20, key);
      for (const tenant of [B, C]) await write(tenant, 20);
      void queue.runDue();
      await until('the others have all of theirs', async () => {
        const states = [...(await stateOf(B)), ...(await stateOf(C))];
        return states.every((state) => state === 'done 1');
      });
      assert.equal(sent.filter((id) => id.startsWith(A)).length, ROOM.ofTenant);
      await queue.stop();
    });

    test('Jobs of one key run concurrently up to its limit', async () => {
      const { queue, sent, outcomes } = startNode();
      outcomes.set(A, never);
      await write(A, 20, 'slow');
      await write(A, 1, 'quick');
      void queue.runDue();
      await until('both keys had their turn', () => sent.length > ROOM.ofKey);
      assert.equal(sent.filter((id) => id.includes('slow')).length, ROOM.ofKey);
      await queue.stop();
    });

    test('Jobs of an inactive tenant wait until it is active again', async () => {
      const { queue, sent } = startNode();
      await run(`UPDATE tenants SET is_active = false WHERE tenant_id = '${A}'`);
      await write(A, 1);
      await queue.runDue();
      await run(`UPDATE tenants SET is_active = true WHERE tenant_id = '${A}'`);
      assert.deepEqual(sent, []);
      await queue.runDue();
      assert.equal(sent.length, 1);
    });

    test('Jobs that several nodes poll concurrently run once each', async () => {
      const working = [startNode(), startNode(), startNode()];
      for (const tenant of TENANTS) await write(tenant, 30);
      await Promise.all(working.map(({ queue }) => queue.runDue()));
      const sent = working.flatMap((node) => node.sent);
      assert.deepEqual([sent.length, new Set(sent).size], [90, 90]);
    });

    test('Jobs enqueued by a transaction run right after its commit, without polling, and never if it is rolled back', async () => {
      const { queue, sent } = startNode();
      const gate = new Gate(opened.database, clock);
      const enqueue = (work: () => Promise<void>) =>
        gate.into(A).transaction(async (tx) => {
          const leasedUntil = new Date(clock.now().getTime() + LEASE_SECONDS * 1000);
          const { rows } = await sql<Letter>`
            INSERT INTO letters (tenant_id, id, queue_key, text, takes, due_at, held_until, expires_at)
            VALUES (${A}, 'fresh', 'post', 'Dear', 1, ${tx.now}, ${leasedUntil}, ${tx.now}::timestamptz + interval '1 hour')
            RETURNING *`.execute(tx.db);
          tx.afterCommit(() => queue.take(rows));
          await work();
        });
      await assert.rejects(enqueue(() => Promise.reject(new Error('refused'))));
      assert.deepEqual(sent, []);
      await enqueue(() => Promise.resolve());
      await until('it is written down', async () => (await stateOf(A))[0] === 'done 1');
      assert.deepEqual(sent, ['fresh']);
    });
  });
}
