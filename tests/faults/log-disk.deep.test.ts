import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { smallDisk } from '../harness/small-disk.ts';
import { assertServes, fill, lossIsLogged, start } from './lost-lines.ts';

test('A service whose log fills its disk answers, logs users in and stops, and reports the lost lines once there is room again', async () => {
  const disk = await smallDisk('64k');
  const log = join(disk.path, 'log');
  const fd = openSync(log, 'a');
  const reader = spawn('tail', ['-c', '+1', '-f', log], { stdio: ['ignore', 'pipe', 'ignore'] });
  const service = await start({ fd, reader: reader.stdout });
  closeSync(fd);
  await fill(service);
  await assertServes(service);
  // The backlog does not fit into 64 KB: log rotation makes room more than once.
  const room = setInterval(() => void truncate(log), 50);
  await lossIsLogged(service, 1);
  clearInterval(room);
  await fill(service);
  assert.equal((await service.sigterm()).code, 0);
  reader.kill();
  disk.close();
});
