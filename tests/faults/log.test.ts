import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { temporaryDirectory } from '../harness/temporary.ts';
import { until } from '../harness/until.ts';
import {
  assertServes,
  ENOUGH_BYTES,
  fill,
  LONG,
  lossesIn,
  lossIsLogged,
  start,
} from './lost-lines.ts';

test('A service whose standard output is a socket answers, logs users in and stops while the reader has stopped, and then reports how many lines were lost', async () => {
  const service = await start();
  service.readOutput(false);
  await fill(service);
  await assertServes(service);
  service.readOutput(true);
  await lossIsLogged(service, 1);
  // `assertServes` sent three of them.
  const requests = Math.ceil(ENOUGH_BYTES / LONG.length) + 3;
  await until('each request is logged or counted as lost', () => {
    const lines = service.stdout.split('\n').filter((line) => line.includes(LONG)).length;
    return lines + (lossesIn(service)[0] ?? 0) === requests;
  });
  service.readOutput(false);
  await fill(service);
  assert.equal((await service.sigterm()).code, 0);
});

test('A service whose standard output is a pipe answers, logs users in and stops while the reader has stopped or ended, and logs to the next reader', async () => {
  const path = join(await temporaryDirectory('log'), 'pipe');
  await promisify(execFile)('mkfifo', [path]);
  const read = () => spawn('cat', [path], { stdio: ['ignore', 'pipe', 'ignore'] });
  const first = read();
  const fd = openSync(path, 'w');
  const shown = new PassThrough();
  first.stdout.pipe(shown, { end: false });
  const service = await start({ fd, reader: shown });
  closeSync(fd);

  first.kill('SIGSTOP');
  await fill(service);
  await assertServes(service);
  first.kill('SIGCONT');
  await lossIsLogged(service, 1);

  first.kill('SIGKILL');
  await fill(service);
  await assertServes(service);
  const next = read();
  next.stdout.pipe(shown);
  await lossIsLogged(service, 2);

  next.kill('SIGSTOP');
  await fill(service);
  assert.equal((await service.sigterm()).code, 0);
  next.kill('SIGKILL');
});
