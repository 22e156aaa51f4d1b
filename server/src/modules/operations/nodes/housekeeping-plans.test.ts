// A sweep reads only the rows that it deletes, not the entire tables.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { pagesReadSoFar } from '@keywright/tests/harness/pages-read';
import { openPostgres } from '../../../platform/db/postgres.ts';
import { openLog } from '../../../platform/log.ts';
import { UncachedAuditKeys } from '../../../tenancy/audit-keys.ts';
import { MasterKeys } from '../../../tenancy/data-keys.ts';
import { SystemData } from '../../../tenancy/gate.ts';

const ROWS = 20_000;
/** Pages of 8 KiB, per table. A filled table has several hundred. */
const FEW_PAGES = 25;
const NOW = new Date('2026-03-01T00:00:00Z');
const AGES = `CASE WHEN n = $1 / 2 THEN timestamptz '2025-01-01' ELSE timestamptz '2026-02-28 12:00' + n * interval '1 s' END`;

let keywright: Keywright;

before(async () => {
  keywright = await startKeywright();
  // Stops the node's own sweep, so that only the test sweeps.
  await keywright.nodes[0]?.housekeeping.stop();
  const { database } = keywright;
  for (const insert of [
    `INSERT INTO events (tenant_id, id, type, subject, data, created_at)
     SELECT 'org_1', 'evt_' || n, 'user.created', 'user', '{}', ${AGES}`,
    `INSERT INTO idempotency_keys (tenant_id, caller, route, key, request_hash, created_at)
     SELECT 'org_1', 'user', 'route', n::text, sha256(n::text::bytea), ${AGES}`,
    `INSERT INTO login_attempts (tenant_id, subject, window_started_at, window_ends_at, attempts)
     SELECT 'org_1', sha256(n::text::bytea), now(), interval '1 day' + ${AGES}, 1`,
  ]) {
    await database.query(`${insert} FROM generate_series(1, $1::integer) AS n`, [ROWS]);
  }
  await database.query('ANALYZE');
});
after(() => keywright.close());

test('A housekeeping sweep reads only expired rows', async () => {
  const service = openPostgres(keywright.database.url, () => {});
  const system = new SystemData(
    service,
    openLog('silent'),
    () => '[]',
    new UncachedAuditKeys(service, () => new MasterKeys([])),
  );
  const swept = await system.maintain('sweep', async (tx) => {
    const all: { table: string; gone: number; pages: number }[] = [];
    for (const { table, deleteBatch } of keywright.nodes[0]?.housekeeping.sweeps ?? []) {
      const earlier = await pagesReadSoFar(tx.db);
      const gone = await deleteBatch(tx, NOW);
      all.push({ table, gone, pages: (await pagesReadSoFar(tx.db)) - earlier });
    }
    return all;
  });
  await service.close();
  assert.deepEqual(
    swept
      .filter(({ gone }) => gone > 0)
      .map(({ table, gone }) => `${gone} of ${table}`)
      .toSorted(),
    ['1 of events', '1 of idempotency_keys', '1 of login_attempts'],
  );
  assert.deepEqual(
    swept.filter(({ pages }) => pages > FEW_PAGES),
    [],
  );
});
