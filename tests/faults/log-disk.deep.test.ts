import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { entrust } from '../harness/janitor.ts';
import { temporaryDirectory } from '../harness/temporary.ts';
import { assertServes, fill, lossIsLogged, start } from './lost-lines.ts';

/** A file system of 64 KB, in a namespace that needs no privileges. */
async function smallDisk() {
  const directory = await temporaryDirectory('disk');
  const mount = `mount -t tmpfs -o size=64k keywright ${directory} && echo mounted && exec sleep infinity`;
  const args = ['--user', '--map-root-user', '--mount', 'sh', '-c', mount];
  const holder = spawn('unshare', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  entrust({ kind: 'process', pid: holder.pid ?? 0 });
  await once(holder.stdout, 'data');
  return { holder, log: join('/proc', String(holder.pid), 'root', directory, 'log') };
}

test('a service whose log fills its disk answers, logs in and stops, and reports the lost lines once there is room again', async () => {
  const { holder, log } = await smallDisk();
  const fd = openSync(log, 'a');
  const reader = spawn('tail', ['-c', '+1', '-f', log], { stdio: ['ignore', 'pipe', 'ignore'] });
  const service = await start({ fd, reader: reader.stdout });
  closeSync(fd);
  await fill(service);
  await assertServes(service);
  // The backlog does not fit into 64 KB: whoever rotates logs makes room more than once.
  const room = setInterval(() => void truncate(log), 50);
  await lossIsLogged(service, 1);
  clearInterval(room);
  await fill(service);
  assert.equal((await service.sigterm()).code, 0);
  reader.kill();
  holder.kill();
});
