import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiKeyId, TenantId } from '@keywright/contract/ids';
import { openLog } from '../platform/log.ts';
import { type Use, Uses } from './activity.ts';

test('The uses of records are written together, each record once in a period', async () => {
  const statements: (readonly Use<ApiKeyId>[])[] = [];
  const core = { clock: { now: () => new Date(0) }, log: openLog('silent') };
  const write = async (uses: readonly Use<ApiKeyId>[]) => {
    statements.push(uses);
  };
  const uses = new Uses<ApiKeyId>(core, { what: 'keys', periodMs: 60_000, write });
  for (const id of ['key_1', 'key_2', 'key_1'] as ApiKeyId[]) uses.note('org_1' as TenantId, id);
  await uses.stop();
  assert.deepEqual(
    statements.map((statement) => statement.map(({ id }) => id)),
    [['key_1', 'key_2']],
  );
});
