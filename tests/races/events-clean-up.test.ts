// Old events are deleted during normal operation: sweeps and writers do not block each other.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { describeSystemWork } from '@keywright/server/modules/events/journal/audit-record';
import type { Database } from '@keywright/server/platform/db/database';
import { openPostgres } from '@keywright/server/platform/db/postgres';
import { openLog } from '@keywright/server/platform/log';
import { UncachedAuditKeys } from '@keywright/server/tenancy/audit-keys';
import { MasterKeys } from '@keywright/server/tenancy/data-keys';
import { SystemData } from '@keywright/server/tenancy/gate';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { until } from '../harness/until.ts';

const OLD = 3000;

let keywright: Keywright;
let database: Database;
let system: SystemData;
let tenant: TestTenant;
let user: TestUser;

before(async () => {
  const masterKey = randomBytes(32);
  keywright = await startKeywright({
    env: { KEYWRIGHT_MASTER_KEY: masterKey.toString('base64') },
  });
  tenant = await keywright.tenant('sweeping', { config: { login_attempts_limit: 10_000 } });
  user = await tenant.createUser();
  database = openPostgres(keywright.database.url, () => {});
  system = new SystemData(
    database,
    openLog('silent'),
    describeSystemWork,
    new UncachedAuditKeys(database, () => new MasterKeys([masterKey])),
  );
});

after(async () => {
  await database.close();
  await keywright.close();
});

async function addOldEvents(): Promise<void> {
  await keywright.database.query(
    `INSERT INTO events (tenant_id, id, type, subject, data, created_at)
     SELECT $1, 'evt_' || gen_random_uuid(), 'user.deleted', 'x',
            jsonb_build_object('tenant_id', $1::text), now() - interval '31 days'
       FROM generate_series(1, $2::integer) AS n`,
    [tenant.id, OLD],
  );
}

async function countOld(): Promise<number> {
  const [row] = await keywright.database.query<{ n: number }>(
    `SELECT count(*)::integer AS n FROM events WHERE tenant_id = $1 AND subject = 'x'`,
    [tenant.id],
  );
  return row?.n ?? -1;
}

test('Logins, changes and readers of events continue while a sweep has not committed', async () => {
  await addOldEvents();
  const { promise: letGo, resolve: commit } = Promise.withResolvers<void>();
  const { promise: deleted, resolve: hasDeleted } = Promise.withResolvers<number>();
  let deletedRows = 0;
  const sweeping = system.maintain('a sweep that takes long', async (tx) => {
    for (const sweep of keywright.nodes[0]?.housekeeping.sweeps ?? []) {
      deletedRows += await sweep.deleteBatch(tx, new Date());
    }
    hasDeleted(deletedRows);
    await letGo;
  });
  try {
    assert.ok((await deleted) >= 1000);
    // Each of these would wait forever for a lock held by the sweep.
    await tenant.login(user.identifier, user.password);
    const token = await tenant.adminToken();
    const body = { metadata: { seen: true } };
    const path = `/users/${user.user.id}`;
    expectStatus(200, await tenant.request('PATCH', path, { token, body }));
    expectStatus(200, await tenant.request('GET', '/events', { token }));
    // A concurrent sweep on another node takes other rows, without waiting.
    await keywright.nodes[0]?.housekeeping.sweep();
    assert.equal(await countOld(), 1000, 'those of the open sweep');
  } finally {
    commit();
    await sweeping;
  }
  assert.equal(await countOld(), 0);
});

test('A sweep waits for no transaction that is writing events', async () => {
  await addOldEvents();
  const { promise: letGo, resolve: commit } = Promise.withResolvers<void>();
  const { promise: written, resolve: hasWritten } = Promise.withResolvers<void>();
  const writing = system
    .run({ kind: 'system', name: 'tests' }, 'list tenants', async () => {
      hasWritten();
      await letGo;
    })
    .catch((error: unknown) => error);
  await written;
  await until('the sweep has taken all', async () => {
    await keywright.nodes[0]?.housekeeping.sweep();
    return (await countOld()) === 0;
  });
  commit();
  assert.equal(await writing, undefined);
});
