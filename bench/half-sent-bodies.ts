import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { bodyLimitOf, type Route } from '@keywright/contract/route';
import { login } from '@keywright/contract/routes/auth';
import { evaluateAll } from '@keywright/contract/routes/evaluation';
import { newPassword } from '@keywright/tests/harness/credentials';
import { createDatabase, shareServer } from '@keywright/tests/harness/database';
import { expectStatus } from '@keywright/tests/harness/http';
import { type ServerProcess, startServerProcess } from '@keywright/tests/harness/process';

/**
 * `node bench/half-sent-bodies.ts`, run by hand, on Linux: the memory of a service before, while and after 400 connections
 * from one address each hold a body of which only the last byte is missing, without a credential and with one.
 */
const CONNECTIONS = 400;
const SETTLE_MS = 2000;
/** Before and after: what nobody holds any more is collected when somebody works. */
const REQUESTS = 20_000;
const TENANT = { 'x-tenant-id': 'org_default' };

function residentMiB({ pid }: ServerProcess): number {
  const [, kib = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kib) / 1024);
}

async function holdOne(server: ServerProcess, route: Route, token: string | undefined) {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.resume();
  await once(socket, 'connect');
  const limit = bodyLimitOf(route);
  const headers = {
    host: 'localhost',
    ...TENANT,
    'content-type': 'application/json',
    'content-length': String(limit),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${route.method} ${route.path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  socket.write(Buffer.alloc(limit - 1, ' '));
  return socket;
}

async function measure(server: ServerProcess, route: Route, token?: string): Promise<void> {
  const before = residentMiB(server);
  const begun = performance.now();
  const sockets: Socket[] = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => holdOne(server, route, token)),
  );
  const isOver = Promise.all(
    sockets.map(async (socket) => void (socket.closed || (await once(socket, 'close')))),
  );
  await pause(SETTLE_MS);
  const during = residentMiB(server);
  const held = sockets.filter((socket) => !socket.closed).length;
  await isOver;
  const seconds = (performance.now() - begun) / 1000;
  await pause(SETTLE_MS);
  for (let n = 0; n < REQUESTS; n += 1) await server.http.request('GET', '/livez');
  await pause(SETTLE_MS);
  const limit = `${bodyLimitOf(route) / 1024} KiB`;
  console.log(
    `${route.id.padEnd(20)} ${limit.padStart(8)}  before ${before} MiB, with ${held} of ${CONNECTIONS} held ${during} MiB, ` +
      `all closed after ${seconds.toFixed(0)} s, then ${residentMiB(server)} MiB`,
  );
}

const end = await shareServer();
const database = await createDatabase();
const admin = { identifier: 'root@example.com', secret: newPassword() };
const server = await startServerProcess({
  env: {
    KEYWRIGHT_DATABASE_URL: database.url,
    KEYWRIGHT_MASTER_KEY: randomBytes(32).toString('base64'),
    KEYWRIGHT_ADMIN_IDENTIFIER: admin.identifier,
    KEYWRIGHT_ADMIN_SECRET: admin.secret,
  },
});
const answer = await server.http.request<{ access_token: string }>('POST', '/auth/login', {
  headers: TENANT,
  body: admin,
});
const { access_token: token } = expectStatus(200, answer);
for (let n = 0; n < REQUESTS; n += 1) await server.http.request('GET', '/livez');
for (let round = 0; round < 2; round += 1) {
  await measure(server, login);
  await measure(server, evaluateAll, token);
}
await server.interrupt();
await database.drop();
await end();
