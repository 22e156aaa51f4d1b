// Full disks and missing data folders: /health reports them, since logins fail.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { appendFile, rename, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { account } from '../harness/account.ts';
import { newPassword } from '../harness/credentials.ts';
import { createDatabase, MIGRATED } from '../harness/database.ts';
import { startPostgres } from '../harness/postgres.ts';
import { type ServerProcess, startServerProcess } from '../harness/process.ts';
import { type SmallDisk, smallDisk } from '../harness/small-disk.ts';
import { until } from '../harness/until.ts';
import { AcknowledgedSessions } from './acknowledged.ts';

const admin = { identifier: 'root@example.com', secret: newPassword() };

function serve(env: Readonly<Record<string, string>>, on?: SmallDisk): Promise<ServerProcess> {
  const key = randomBytes(32).toString('base64');
  return startServerProcess({
    ...(on && { node: on.node }),
    env: {
      KEYWRIGHT_MASTER_KEY: key,
      KEYWRIGHT_ADMIN_IDENTIFIER: admin.identifier,
      KEYWRIGHT_ADMIN_SECRET: admin.secret,
      ...env,
    },
  });
}

interface Health {
  readonly problems?: readonly { readonly code: string }[];
}

function healthIs({ http }: ServerProcess, status: number, code?: string): Promise<unknown> {
  return until(`/health is ${status}, ${code}`, async () => {
    const { status: found, body } = await http.request<Health>('GET', '/health');
    return found === status && body.problems?.[0]?.code === code;
  });
}

async function loginStatus({ http }: ServerProcess): Promise<number> {
  return (await http.request('POST', '/auth/login', { body: admin })).status;
}

async function fill(file: string): Promise<void> {
  const chunk = Buffer.alloc(4096);
  await assert.rejects(
    async () => {
      for (;;) await appendFile(file, chunk);
    },
    { code: 'ENOSPC' },
  );
}

test('A full disk of PostgreSQL is reported, and what was acknowledged holds when it has room again', async () => {
  const disk = await smallDisk('128m', account);
  const server = await startPostgres({ content: MIGRATED });
  const database = await createDatabase(server);
  const superuser = new pg.Client(server.url);
  await superuser.connect();
  await superuser.query(`CREATE TABLESPACE small LOCATION '${disk.path}'`);
  const name = new URL(database.url).pathname.slice(1);
  await superuser.query(`ALTER DATABASE ${name} SET TABLESPACE small`);
  const service = await serve({ KEYWRIGHT_DATABASE_URL: database.url });
  await healthIs(service, 200);
  const sessions = new AcknowledgedSessions(service, admin);
  await sessions.attempt();
  await database.query('CREATE TABLE filling (content text)');
  const insert = `INSERT INTO filling SELECT repeat('x', 2000) FROM generate_series(1, 200)`;
  await assert.rejects(
    async () => {
      for (;;) await database.query(insert);
    },
    { code: '53100' },
  );
  for (let attempts = 0; attempts < 5; attempts += 1) await sessions.attempt();
  await healthIs(service, 503, 'disk_full');
  await database.query('DROP TABLE filling');
  await healthIs(service, 200);
  await sessions.verify();
  assert.equal(await loginStatus(service), 200);
  await service.sigterm();
  await superuser.end();
  await server.close();
  disk.close();
});

test('A full disk of the embedded database is reported, and what was acknowledged holds when it has room again', async () => {
  const disk = await smallDisk('256m');
  const service = await serve({ KEYWRIGHT_DATA_DIR: join(disk.inside, 'data') }, disk);
  await healthIs(service, 200);
  const sessions = new AcknowledgedSessions(service, admin);
  await sessions.attempt();
  const filler = join(disk.path, 'filler');
  await fill(filler);
  for (let attempts = 0; attempts < 5; attempts += 1) await sessions.attempt();
  await healthIs(service, 503, 'disk_full');
  await truncate(filler);
  await healthIs(service, 200);
  await sessions.verify();
  assert.equal(await loginStatus(service), 200);
  await service.sigterm();
  disk.close();
});

test('The health check reports that the data folder of PostgreSQL is deleted', async () => {
  const server = await startPostgres({ content: MIGRATED });
  const database = await createDatabase(server);
  const service = await serve({ KEYWRIGHT_DATABASE_URL: database.url });
  await healthIs(service, 200);
  const [row] = await database.query<{ data_directory: string }>('SHOW data_directory');
  await rm(join(row?.data_directory ?? '', 'base'), { recursive: true });
  await healthIs(service, 503, 'data_folder');
  await service.sigterm();
  await server.close();
});

test('The health check reports that the data folder of the embedded database is moved', async () => {
  const disk = await smallDisk('256m');
  const service = await serve({ KEYWRIGHT_DATA_DIR: join(disk.inside, 'data') }, disk);
  await healthIs(service, 200);
  await rename(join(disk.path, 'data'), join(disk.path, 'moved'));
  await healthIs(service, 503, 'data_folder');
  await service.kill9();
  disk.close();
});
