import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { test } from 'node:test';
import type { ApiKeyId, TenantId } from '@keywright/contract/ids';
import { until } from '@keywright/tests/harness/until';
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

test('A use noted during a write is written for its own request', async () => {
  const request = new AsyncLocalStorage<string>();
  const writes: (string | undefined)[] = [];
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  const core = { clock: { now: () => new Date(0) }, log: openLog('silent') };
  const write = async () => {
    writes.push(request.getStore());
    if (writes.length === 1) await isReleased;
  };
  const uses = new Uses<ApiKeyId>(core, { what: 'keys', periodMs: 60_000, write });
  request.run('first', () => uses.note('org_1' as TenantId, 'key_1' as ApiKeyId));
  await until('the first write', () => writes.length === 1);
  request.run('second', () => uses.note('org_1' as TenantId, 'key_2' as ApiKeyId));
  release();
  await until('the second write', () => writes.length === 2);
  assert.deepEqual(writes, ['first', 'second']);
  await uses.stop();
});
