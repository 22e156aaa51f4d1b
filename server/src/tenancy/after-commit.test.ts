import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { DEFAULT_TENANT } from '@keywright/contract/ids';
import { ENGINES, type Opened } from '@keywright/tests/harness/engines';
import { eventLoopIterations } from '@keywright/tests/harness/parallel';
import { sql } from 'kysely';
import { systemClock } from '../platform/clock.ts';
import { openLog } from '../platform/log.ts';
import { AfterCommit, topic } from './after-commit.ts';
import { UncachedAuditKeys } from './audit-keys.ts';
import { MasterKeys } from './data-keys.ts';
import { Gate, SystemData, type TenantTx, asTenant } from './gate.ts';

const greeting = topic<string>('greeting');

for (const [engine, open] of Object.entries(ENGINES)) {
  describe(`on ${engine}, work that a transaction defers until after its commit`, () => {
    let opened: Opened;
    let afterCommit: AfterCommit;
    let gate: Gate;
    let system: SystemData;
    let logged: string[];
    let done: string[];

    before(async () => {
      opened = await open();
      // Makes the commit fail by a deferred constraint, which is checked last.
      await sql`CREATE TABLE looked_at_last (n integer UNIQUE DEFERRABLE INITIALLY DEFERRED)`.execute(
        opened.database.kysely,
      );
      await sql`GRANT ALL ON looked_at_last TO PUBLIC`.execute(opened.database.kysely);
    });
    after(() => opened.close());

    beforeEach(() => {
      logged = [];
      done = [];
      const { database } = opened;
      const auditKeys = new UncachedAuditKeys(database, () => new MasterKeys([]));
      afterCommit = new AfterCommit({
        error: (fields, message) =>
          logged.push(`${message}: ${(fields as { err: Error }).err.message}`),
      });
      gate = new Gate(database, systemClock, afterCommit, auditKeys);
      const log = openLog('silent');
      system = new SystemData(database, log, () => '[]', auditKeys, systemClock, afterCommit);
    });

    const note = (what: string) => () => void done.push(what);
    const inside = <T>(work: (tx: TenantTx) => Promise<T>) =>
      gate.into(DEFAULT_TENANT).transaction(work);
    const insert = (tx: Pick<TenantTx, 'db'>, n: number) =>
      sql`INSERT INTO looked_at_last VALUES (${n})`.execute(tx.db);

    async function rows(): Promise<number> {
      const found = await sql<{
        n: number;
      }>`SELECT count(*)::integer AS n FROM looked_at_last`.execute(opened.database.kysely);
      return found.rows[0]?.n ?? -1;
    }

    test('The deferred work of a transaction is done once, in order, and not before the commit', async () => {
      const rowsBefore = await rows();
      let seen: Promise<number> | undefined;
      const answer = await inside(async (tx) => {
        tx.afterCommit(() => void (seen = rows()));
        tx.afterCommit(note('second'));
        await insert(tx, 1);
        assert.deepEqual(done, []);
        return 'answer';
      });
      assert.equal(answer, 'answer');
      assert.equal(await seen, rowsBefore + 1, 'others see what was written');
      await inside(() => Promise.resolve());
      assert.deepEqual(done, ['second']);
    });

    test("The deferred work is not done if the transaction's work fails", async () => {
      const failing = inside(async (tx) => {
        tx.afterCommit(note('never'));
        tx.publish(greeting, 'never');
        await insert(tx, 2);
        throw new Error('refused');
      });
      afterCommit.subscribe(greeting, (said) => done.push(said));
      await assert.rejects(failing, /refused/);
      await eventLoopIterations(2);
      assert.deepEqual(done, []);
    });

    test('The deferred work is not done if a statement or the commit itself fails', async () => {
      for (const statements of ['SELECT 1/0', 'INSERT INTO looked_at_last VALUES (3), (3)']) {
        const failing = inside(async (tx) => {
          tx.afterCommit(note('never'));
          await sql.raw(statements).execute(tx.db);
        });
        await assert.rejects(failing);
      }
      await eventLoopIterations(2);
      assert.deepEqual(done, []);
    });

    test('The failure of deferred work does not fail the transaction: the error is logged, and the rest is done', async () => {
      const answer = await inside((tx) => {
        tx.afterCommit(() => {
          throw new Error('immediately');
        });
        tx.afterCommit(() => Promise.reject(new Error('by and by')));
        tx.afterCommit(note('the rest'));
        return Promise.resolve('answer');
      });
      await eventLoopIterations(1);
      assert.equal(answer, 'answer');
      assert.deepEqual(done, ['the rest']);
      assert.deepEqual(logged, [
        'work after a commit failed: immediately',
        'work after a commit failed: by and by',
      ]);
    });

    test('The transaction does not wait for its deferred work', async () => {
      await inside((tx) => {
        tx.afterCommit(() => new Promise(() => {}));
        return Promise.resolve();
      });
    });

    test('A message published by a transaction reaches exactly the subscribers of its topic, even if one of them fails', async () => {
      const other = topic<string>('greeting');
      afterCommit.subscribe(greeting, () => {
        throw new Error('deaf');
      });
      afterCommit.subscribe(greeting, (said) => done.push(said));
      afterCommit.subscribe(other, note('never'));
      await inside((tx) => {
        tx.publish(greeting, 'hello');
        assert.deepEqual(done, []);
        return Promise.resolve();
      });
      gate.publish(greeting, 'immediately');
      assert.deepEqual(done, ['hello', 'immediately']);
      assert.equal(logged.length, 2);
    });

    test('The deferred work of a transaction across tenants is done once too, even if that fails for some', async () => {
      afterCommit.forgetWith((tenantId) => done.push(`forgotten ${tenantId}`));
      const work = (isFailing: boolean) =>
        system.maintain('a test', async (across) => {
          await asTenant(across, DEFAULT_TENANT, (tx) => {
            tx.changed();
            tx.afterCommit(note('after'));
            return Promise.resolve();
          });
          if (isFailing) throw new Error('refused');
        });
      await assert.rejects(work(true), /refused/);
      assert.deepEqual(done, [`forgotten ${DEFAULT_TENANT}`]);
      await work(false);
      const again = [`forgotten ${DEFAULT_TENANT}`, 'after'];
      assert.deepEqual(done, [`forgotten ${DEFAULT_TENANT}`, ...again]);
    });

    test('The deferral of work is rejected once the transaction has ended', async () => {
      const tx = await inside((transaction) => Promise.resolve(transaction));
      assert.throws(() => tx.afterCommit(note('never')), /transaction has ended/);
    });
  });
}
