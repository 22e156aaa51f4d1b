// Expired rows are deleted: a module that adds a table of such rows must register a sweep for it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';

/** Columns that hold the time at which a row expires. */
const OVER = String.raw`(^|_)(expires_at|ends_at|kept_until)$`;
/** Rows that are not deleted when they expire, and why. This list must only shrink. */
const EXEMPT: Readonly<Record<string, string>> = {
  api_keys: 'they are shown as expired until they are deleted',
};
/** Tables of records that are delivered and then obsolete, without a column for the expiry. */
const LOGS = ['events', 'idempotency_keys', 'status_revocations', 'webhook_deliveries'];
/** Tables with a second sweep, because their number of rows is also limited. */
const BOUNDED = ['signal_deliveries'];

let keywright: Keywright;

before(async () => {
  keywright = await startKeywright();
});
after(() => keywright.close());

test('Every table whose rows expire has one sweep, which its module registers', async () => {
  const expiring = await keywright.database.query<{ name: string }>(
    `SELECT DISTINCT c.relname AS name
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND a.attname ~ $1
      ORDER BY 1`,
    [OVER],
  );
  const names = [...expiring.map(({ name }) => name), ...LOGS, ...BOUNDED];
  const expected = names.filter((name) => !(name in EXEMPT));
  const swept = keywright.nodes[0]?.housekeeping.sweeps.map(({ table }) => table);
  assert.deepEqual(swept?.toSorted(), expected.toSorted());
});
