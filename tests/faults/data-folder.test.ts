import assert from 'node:assert/strict';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { preparedDataFolder } from '../harness/data-folder.ts';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { expectStatus } from '../harness/http.ts';
import { until } from '../harness/until.ts';
import { spawnServerProcess, startServerProcess } from '../harness/process.ts';
import { AcknowledgedSessions } from './acknowledged.ts';

interface Health {
  readonly status: string;
  readonly database: string;
}

test('A service whose data folder is moved acknowledges no login until it is back, still has what it acknowledged before, reports the fault once, and starts no empty database', async () => {
  const folder = await preparedDataFolder();
  const env = { KEYWRIGHT_DATA_DIR: folder };
  const server = await startServerProcess({ env });
  const body = { identifier: newIdentifier(), secret: newPassword(), register: true };
  const logIn = () => server.http.request('POST', '/auth/login', { body });
  expectStatus(200, await logIn());
  const { identifier, secret } = body;
  const sessions = new AcknowledgedSessions(server, { identifier, secret });
  await sessions.attempt();

  renameSync(folder, `${folder}.moved`);
  await sessions.attempt();
  for (let attempt = 0; attempt < 5; attempt += 1) expectStatus(503, await logIn());
  const { database } = expectStatus(503, await server.http.request<Health>('GET', '/health'));
  assert.equal(database, 'unavailable');
  expectStatus(200, await server.http.request('GET', '/livez'));

  renameSync(`${folder}.moved`, folder);
  expectStatus(200, await logIn());
  await until('it is healthy again', async () => {
    return (await server.http.request('GET', '/health')).status === 200;
  });

  await sessions.verify();

  rmSync(join(folder, 'database'), { recursive: true });
  expectStatus(503, await logIn());
  assert.deepEqual(await server.sigterm(), { code: 0, signal: null });
  // These reports are in addition to the log lines of the failed requests.
  const reports = server.stdout
    .split('\n')
    .filter((line) => /"level":50,.*"msg":"The data folder/.test(line));
  assert.equal(reports.length, 2, 'one for each disappearance');
  for (const line of reports)
    assert.match(line, /move it back: .* restore the folder from a backup/);

  const again = spawnServerProcess({ env });
  assert.equal((await again.exit()).code, 1);
  assert.match(again.stderr, /^The data folder \S+ no longer contains its database: /);
});
