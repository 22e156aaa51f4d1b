// Each count is written once, whatever happens to the database in the meantime.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ActivitySpan } from '@keywright/contract/records/activity';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';
import pg from 'pg';

const ROUNDS = 3;

describe('counts that could not be written', () => {
  let keywright: Keywright;

  before(async () => {
    keywright = await startKeywright({ clock: 'fake' });
  });
  after(() => keywright.close());

  /**
   * Fails one counted login. If its statement ran on the broken connection, the attempt gets 503 and is not counted.
   */
  async function failLogin(tenant: TestTenant): Promise<void> {
    const body = { identifier: newIdentifier(), secret: newPassword() };
    await until('it is refused', async () => {
      const answer = await tenant.request('POST', '/auth/login', { body });
      return answer.status !== 503 && expectStatus(401, answer);
    });
  }

  /** The counts of the current five minutes and of the day. The node writes its counts before it responds. */
  async function failedLogins(tenant: TestTenant): Promise<number[]> {
    const token = await tenant.adminToken();
    const read = async (interval: string) => {
      const path = `/activity?interval=${interval}`;
      const answer = await tenant.request<{ spans: ActivitySpan[] }>('GET', path, { token });
      return expectStatus(200, answer).spans.at(-1)?.logins_failed.password ?? 0;
    };
    return [await read('5m'), await read('day')];
  }

  /** Ends statements that write counts and wait for a lock, until there is a response. @returns how many */
  async function endWriting(how: string, request: Promise<unknown>): Promise<number> {
    let isAnswered = false;
    const end = () => (isAnswered = true);
    void request.then(end, end);
    let ended = 0;
    await until('there is an answer', async () => {
      const rows = await keywright.database.query(
        `SELECT ${how}(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND query LIKE '%kw_count_activity%' AND wait_event_type = 'Lock'`,
      );
      ended += rows.length;
      return isAnswered;
    });
    return ended;
  }

  for (const [event, how] of [
    ['its connection broke', 'pg_terminate_backend'],
    ['its statement took too long', 'pg_cancel_backend'],
  ] as const) {
    test(`The counts whose write failed because ${event} are written later, exactly once`, async () => {
      const tenant = await keywright.tenant(how.replaceAll('_', '-'));
      await failLogin(tenant);
      // Ensures that there are rows to lock.
      await until('it is counted', async () => (await failedLogins(tenant)).join() === '1,1');
      const holder = new pg.Client(keywright.database.superuserUrl);
      await holder.connect();
      try {
        await holder.query('BEGIN');
        // The row of the five minutes is written before that of the day.
        const lock = `SELECT FROM activity WHERE tenant_id = $1 AND span = 'day' FOR UPDATE`;
        await holder.query(lock, [tenant.id]);
        for (let round = 0; round < ROUNDS; round += 1) {
          await failLogin(tenant);
          const request = failedLogins(tenant);
          const ended = await endWriting(how, request);
          assert.ok(ended > 0, 'nothing was being written');
          assert.deepEqual(await request, [1, 1]);
        }
      } finally {
        await holder.end();
      }
      await failLogin(tenant);
      const expected = [2 + ROUNDS, 2 + ROUNDS];
      const isExact = async () => (await failedLogins(tenant)).join() === expected.join();
      // Comparing the figures gives a better error than the timeout.
      await until('all are counted', isExact).catch(async () =>
        assert.deepEqual(await failedLogins(tenant), expected),
      );
    });
  }
});
