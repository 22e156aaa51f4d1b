// Queued deliveries arrive although the process or its database is killed repeatedly. `npm run faults -- queue` does
// the same with 100,000 deliveries.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { EventRecord } from '@keywright/contract/events';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { createDatabase, type TestDatabase } from '../harness/database.ts';
import { expectStatus } from '../harness/http.ts';
import { type Inbox, openInbox } from '../harness/inbox.ts';
import { parallel } from '../harness/parallel.ts';
import { type PostgresServer, startPostgres } from '../harness/postgres.ts';
import { type ServerProcess, startServerProcess } from '../harness/process.ts';
import { until } from '../harness/until.ts';
import { repeated } from '../harness/tier.ts';
import { dispatchThroughKills, emit, KIND } from './queue.ts';
import { replayable } from './scenario.ts';

const QUEUED = 800;
const ENDPOINTS = 4;
const KILLS = repeated(2);
const WRITERS = 4;
const admin = { identifier: newIdentifier(), secret: newPassword() };

let server: PostgresServer;
let database: TestDatabase;
let inbox: Inbox;
let service: ServerProcess;
let env: Record<string, string>;
let token: string;

before(async () => {
  server = await startPostgres({ fsync: true });
  database = await createDatabase(server);
  inbox = await openInbox();
  env = {
    KEYWRIGHT_DATABASE_URL: database.url,
    KEYWRIGHT_MASTER_KEY: randomBytes(32).toString('base64'),
    KEYWRIGHT_ADMIN_IDENTIFIER: admin.identifier,
    KEYWRIGHT_ADMIN_SECRET: admin.secret,
    KEYWRIGHT_BASE_URL: 'https://id.example.com',
    KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1',
  };
  service = await startServerProcess({ env });
  const login = await service.http.request<TokenAnswer>('POST', '/auth/login', { body: admin });
  token = expectStatus(200, login).access_token;
  for (let number = 0; number < ENDPOINTS; number += 1) {
    const body = { url: `${inbox.url}/${number}`, events: [KIND] };
    expectStatus(201, await service.http.request('POST', '/webhooks', { token, body }));
  }
});
after(async () => {
  if (!service.hasExited) await service.kill9();
  await inbox.close();
  await database.drop();
  await server.close();
});

/** Received bodies of these events, by path and ID. */
function cameOf(ids: readonly string[]): Map<string, string[]> {
  const expected = new Set(ids);
  const came = inbox.received.filter(({ headers }) => expected.has(String(headers['webhook-id'])));
  const bodies = new Map<string, string[]>();
  for (const { path, headers, body } of came) {
    const key = `${path} ${String(headers['webhook-id'])}`;
    bodies.set(key, [...(bodies.get(key) ?? []), body]);
  }
  return bodies;
}

function requireWhole(came: ReadonlyMap<string, readonly string[]>, ids: readonly string[]): void {
  assert.equal(came.size, ids.length * ENDPOINTS);
  for (const [key, bodies] of came) {
    assert.equal(new Set(bodies).size, 1, 'a repeat has the body of the first time');
    assert.equal((JSON.parse(bodies[0] ?? '') as EventRecord).id, key.split(' ')[1]);
  }
}

describe(`SIGKILL with ${QUEUED} deliveries queued`, { concurrency: true }, () => {
  test('No queued delivery is lost when the process is killed repeatedly, and repeats have the same id and body', async () => {
    await replayable(KILLS, (run) => dispatchThroughKills(run, QUEUED));
  });

  test('No delivery is lost when the database is killed, neither queued before nor acknowledged meanwhile', async () => {
    const acknowledged: string[] = [];
    const writing = new AbortController();
    const writers = parallel(WRITERS, async () => {
      while (!writing.signal.aborted) {
        const slug = randomBytes(8).toString('hex');
        const body = { name: slug, slug };
        const made = await service.http.request('POST', '/workspaces', { token, body });
        if (made.status === 201) acknowledged.push(`ws_${slug}`);
      }
    });
    const ids = await emit(database, QUEUED / ENDPOINTS);
    await until('some have come', () => cameOf(ids).size > QUEUED / 10);
    await server.kill9();
    await server.restart();
    const were = acknowledged.length;
    await until('changes are made again', () => acknowledged.length > were + 2 * WRITERS);
    writing.abort();
    await writers;
    await until('all have come', () => cameOf(ids).size >= QUEUED, 90_000);
    requireWhole(cameOf(ids), ids);
    await until(
      'each acknowledged change has come to each endpoint',
      () => {
        const reported = new Set(
          inbox.received.map(({ path, body }) => {
            const { data } = JSON.parse(body) as EventRecord;
            return `${path} ${String(data['workspace_id'])}`;
          }),
        );
        return acknowledged.every((id) =>
          Array.from({ length: ENDPOINTS }, (_, number) => `/${number} ${id}`).every((key) =>
            reported.has(key),
          ),
        );
      },
      90_000,
    );
    assert.equal(service.hasExited, false, service.stderr);
  });
});
