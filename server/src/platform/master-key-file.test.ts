import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryDirectory } from '@keywright/tests/harness/temporary';
import { openLog } from './log.ts';
import { readOrCreateMasterKey } from './master-key-file.ts';

const log = openLog('silent');

test('The master key of a data directory is created once, readable only by its owner', async () => {
  const directory = join(await temporaryDirectory('master-key'), 'data');
  const key = readOrCreateMasterKey(directory, false, log);
  assert.equal(key.length, 32);
  assert.deepEqual(readOrCreateMasterKey(directory, false, log), key);
  assert.equal(statSync(join(directory, 'master.key')).mode & 0o777, 0o600);
  assert.equal(statSync(directory).mode & 0o777, 0o700);
});

test('Two data directories have different master keys', async () => {
  const [first, other] = [
    await temporaryDirectory('master-key'),
    await temporaryDirectory('master-key'),
  ];
  assert.notDeepEqual(
    readOrCreateMasterKey(first, false, log),
    readOrCreateMasterKey(other, false, log),
  );
});
