// The pages that the queue's statements read grow neither with sent nor with waiting messages, although the
// statements were planned when the table was empty.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TenantId } from '@keywright/contract/ids';
import { createDatabase, type TestDatabase } from '@keywright/tests/harness/database';
import { pagesReadAlone, type Sent } from '@keywright/tests/harness/pages-read';
import pg from 'pg';
import { claimMessages } from '../../../../sql/events/kw_claim_messages.ts';
import { finishMessages } from '../../../../sql/events/kw_finish_messages.ts';

const TENANT = 'org_planned' as TenantId;
const MESSAGES = 20_000;
/** In pages of 8 KiB; all rows together take some hundreds, and so does each index. */
const FEW_PAGES = 120;
const NOW = new Date('2026-01-15T00:00:00Z');

let database: TestDatabase;
let client: pg.Client;

before(async () => {
  database = await createDatabase();
  client = new pg.Client(database.superuserUrl);
  await client.connect();
  await client.query('ALTER TABLE messages SET (autovacuum_enabled = off)');
  // Tells PostgreSQL that the table is empty.
  await client.query('VACUUM ANALYZE messages');
});
after(async () => {
  await client.end();
  await database.drop();
});

const result = { id: 'msg_1', takes: 0, status: 'done', attempts: 1, due_at: NOW, reason: null };
const claim = { tenants: [TENANT], queueKeys: ['email'], limits: [4], now: NOW, until: NOW };
const finish = { tenants: [TENANT], finished: [JSON.stringify([result])] };
const calls: readonly Sent[] = [
  { text: claimMessages.text, values: claimMessages.values(claim) },
  { text: finishMessages.text, values: finishMessages.values(finish) },
];

test("The message queue's reads grow neither with sent messages nor with waiting ones", async () => {
  // Runs each call twice: to plan it, and to keep the plan.
  for (const call of [...calls, ...calls]) await pagesReadAlone(client, call);
  for (const waiting of [MESSAGES, 10]) {
    await client.query(
      `INSERT INTO messages (
         tenant_id, id, kind, channel, destination, masked_destination, vars, queue_key, status, due_at, expires_at,
         created_at)
       SELECT $1, 'msg_' || n, 'login', 'email', '', 'x', '{}', 'email',
              CASE WHEN n <= $4 THEN 'pending' ELSE 'done' END, $2, $2, $2
         FROM generate_series(1, $3::integer) AS n`,
      [TENANT, NOW, MESSAGES, waiting],
    );
    for (const call of calls) {
      const pages = await pagesReadAlone(client, call);
      assert.ok(pages < FEW_PAGES, `${call.text} reads ${pages} pages while ${waiting} wait`);
    }
    await client.query('TRUNCATE messages');
  }
});
