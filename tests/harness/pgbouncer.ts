import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import pg from 'pg';
import { account } from './account.ts';
import { serviceRoleOf } from './database.ts';
import { entrust, release } from './janitor.ts';
import { freePort } from './postgres.ts';
import { handOver, temporaryDirectory } from './temporary.ts';
import { until } from './until.ts';

/** PgBouncer in front of a server, in transaction mode: every database, by the same name. */
export interface Bouncer {
  /** Of the maintenance database. */
  readonly url: string;
  close(): Promise<void>;
}

/** The path of the program, if it is installed. */
export function findPgBouncer(): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, 'pgbouncer')).find((path) => existsSync(path));
}

/**
 * @param serverUrl of one of its databases, as the superuser
 * @param poolSize server connections for each database: fewer than the clients have
 */
export async function startPgBouncer(
  program: string,
  serverUrl: string,
  poolSize: number,
): Promise<Bouncer> {
  const { username, password, port: serverPort } = new URL(serverUrl);
  const service = serviceRoleOf(serverUrl);
  // Users have the same credentials on the server, so the service's role is the same as without a pooler.
  const users = [`"${username}" "${password}"`, `"${service.username}" "${service.password}"`];
  const port = await freePort();
  const dir = await temporaryDirectory('pgbouncer');
  const settings = [
    '[databases]',
    `* = host=127.0.0.1 port=${serverPort}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = trust',
    `auth_file = ${join(dir, 'users')}`,
    'pool_mode = transaction',
    `default_pool_size = ${poolSize}`,
    'max_client_conn = 500',
  ];
  await writeFile(join(dir, 'pgbouncer.ini'), `${settings.join('\n')}\n`);
  await writeFile(join(dir, 'users'), `${users.join('\n')}\n`);
  await handOver(dir);
  const child = spawn(program, ['--quiet', join(dir, 'pgbouncer.ini')], {
    ...account,
    detached: true,
    stdio: 'ignore',
  });
  child.unref();
  const pid = child.pid ?? 0;
  entrust({ kind: 'process', pid });
  child.once('exit', () => release({ kind: 'process', pid }));
  const url = `postgres://${username}:${password}@127.0.0.1:${port}/postgres`;
  await until('PgBouncer listens', () => answers(url));
  return {
    url,
    async close() {
      child.kill('SIGKILL');
      await until('PgBouncer ends', () => child.exitCode !== null || child.signalCode !== null);
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client(url);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
