// The pages that the queue's statements read do not grow with earlier deliveries, although the statements were
// planned when the table was empty. PostgreSQL keeps a plan until the connection ends or the table's statistics
// change.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TenantId, WebhookId } from '@keywright/contract/ids';
import { createDatabase, type TestDatabase } from '@keywright/tests/harness/database';
import { pagesReadAlone, type Sent } from '@keywright/tests/harness/pages-read';
import pg from 'pg';
import { claimDeliveries } from '../../../../sql/events/kw_claim_deliveries.ts';
import { finishDeliveries } from '../../../../sql/events/kw_finish_deliveries.ts';
import { renewDeliveries } from '../../../../sql/events/kw_renew_deliveries.ts';
import { queueUnsent } from '../../../../sql/events/kw_queue_unsent.ts';

const TENANT = 'org_planned' as TenantId;
const WEBHOOK = 'wh_planned' as WebhookId;
const DELIVERED = 20_000;
/** In pages of 8 KiB; all rows together take some hundreds, and so does each index. */
const FEW_PAGES = 120;
const NOW = new Date('2026-01-15T00:00:00Z');

let database: TestDatabase;
let client: pg.Client;

before(async () => {
  database = await createDatabase();
  client = new pg.Client(database.superuserUrl);
  await client.connect();
  await client.query(
    `INSERT INTO tenants (tenant_id, name, created_at) VALUES ($1, 'Planned', now())`,
    [TENANT],
  );
  await client.query(
    `INSERT INTO webhooks (tenant_id, id, url, events, secret, created_at)
     VALUES ($1, $2, 'https://hooks.example.com/', '{user.created}', '', now())`,
    [TENANT, WEBHOOK],
  );
  for (const table of ['webhook_deliveries', 'events']) {
    await client.query(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
    // Tells PostgreSQL that the table is empty.
    await client.query(`VACUUM ANALYZE ${table}`);
  }
});
after(async () => {
  await client.end();
  await database.drop();
});

const listOf = (id: string, takes: number) => {
  const event = { event_id: 'evt_1', event_type: 'user.created', created_at: NOW };
  return JSON.stringify([{ webhook_id: WEBHOOK, id, takes, ...event, outcome: 'delivered' }]);
};
const [never, taken] = [listOf('job_0', 0), listOf('job_1', 1)];
const tenants = [TENANT];
const claim = { tenants, webhooks: [WEBHOOK], limits: [10], now: NOW, leaseSeconds: 6 };
const calls: readonly Sent[] = [
  { text: claimDeliveries.text, values: claimDeliveries.values(claim) },
  ...[never, taken].flatMap((list) => [
    {
      text: renewDeliveries.text,
      values: renewDeliveries.values({ tenants, held: [list], until: NOW }),
    },
    {
      text: finishDeliveries.text,
      values: finishDeliveries.values({ tenants, finished: [list], now: NOW, hopelessSince: NOW }),
    },
  ]),
  { text: queueUnsent.text, values: queueUnsent.values({ now: NOW }) },
];

test("The delivery queue's reads do not grow with past deliveries", async () => {
  // Runs each call twice: to plan it, and to keep the plan.
  for (const call of [...calls, ...calls]) await pagesReadAlone(client, call);
  await client.query(
    `INSERT INTO webhook_deliveries (
       tenant_id, webhook_id, id, event_id, event_type, status, due_at, created_at)
     SELECT $1, $2, 'job_' || n, 'evt_' || n, 'user.created',
            CASE WHEN n = 1 THEN 'pending' ELSE 'delivered' END, $3, $3
       FROM generate_series(1, $4::integer) AS n`,
    [TENANT, WEBHOOK, NOW, DELIVERED],
  );
  await client.query(
    `INSERT INTO events (tenant_id, id, type, subject, data, created_at, told)
     SELECT $1, 'evt_' || n, 'user.created', 'user', '{}', $2, '{${WEBHOOK}}'
       FROM generate_series(1, $3::integer) AS n`,
    [TENANT, NOW, DELIVERED],
  );
  await client.query('UPDATE deliveries_checked SET before_xid = $1', [Number.MAX_SAFE_INTEGER]);
  for (const call of calls) {
    const pages = await pagesReadAlone(client, call);
    assert.ok(pages < FEW_PAGES, `${call.text} reads ${pages} pages`);
  }
});
