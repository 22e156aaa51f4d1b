import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { newPassword } from '../harness/credentials.ts';
import { createDatabase } from '../harness/database.ts';
import { type ServerProcess, startServerProcess } from '../harness/process.ts';
import { until } from '../harness/until.ts';

const ADMIN = { identifier: 'root@example.com', secret: newPassword() };
/** Exceeds what a pipe and the service's log buffer can hold. */
export const ENOUGH_BYTES = 2 * 1024 * 1024;
/** A long path, which is logged with each request. */
export const LONG = `/${'x'.repeat(12_000)}`;

/** @param output standard output of the service; default a socket that the test reads */
export async function start(output?: { readonly fd: number; readonly reader: Readable }) {
  const database = await createDatabase();
  const env = {
    KEYWRIGHT_DATABASE_URL: database.url,
    KEYWRIGHT_MASTER_KEY: randomBytes(32).toString('base64'),
    KEYWRIGHT_ADMIN_IDENTIFIER: ADMIN.identifier,
    KEYWRIGHT_ADMIN_SECRET: ADMIN.secret,
  };
  return startServerProcess({ env, ...(output === undefined ? {} : { output }) });
}

/** Sends requests until their log lines fill every buffer. Each gets a response. */
export async function fill({ http }: ServerProcess): Promise<void> {
  for (let bytes = 0; bytes < ENOUGH_BYTES; bytes += LONG.length) {
    assert.equal((await http.request('GET', LONG)).status, 404);
  }
}

export async function assertServes({ http }: ServerProcess): Promise<void> {
  assert.equal((await http.request('GET', '/livez')).status, 200);
  assert.equal((await http.request('GET', '/health')).status, 200);
  assert.equal((await http.request('POST', '/auth/login', { body: ADMIN })).status, 200);
}

/** The counts of lost lines that the service logged. */
export function lossesIn({ stdout }: ServerProcess): number[] {
  const lines = stdout.split('\n').filter((line) => line.includes('log lines were lost'));
  return lines.map((line) => (JSON.parse(line) as { lines: number }).lines);
}

export const lossIsLogged = (service: ServerProcess, times: number) =>
  until('the loss is logged', () => lossesIn(service).length === times);
