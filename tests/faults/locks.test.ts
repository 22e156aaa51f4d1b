// Statements that PostgreSQL aborts because of a lock, with timeouts set by an administrator.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import { login as logIn } from '@keywright/contract/routes/auth';
import pg from 'pg';
import { ApiDocument } from '../conformance/document.ts';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { expectStatus } from '../harness/http.ts';
import { entriesOf } from '../harness/journal.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { until } from '../harness/until.ts';

let keywright: Keywright;
let locker: pg.Client;

before(async () => {
  keywright = await startKeywright();
  locker = new pg.Client(keywright.database.superuserUrl);
  await locker.connect();
});

afterEach(() => locker.query('ROLLBACK'));

after(async () => {
  await locker.end();
  await keywright.close();
});

/** Applies to new connections of the service. */
async function set(setting: string): Promise<void> {
  const name = new URL(keywright.database.url).pathname.slice(1);
  await keywright.database.query(`ALTER DATABASE ${name} RESET ALL`);
  await keywright.database.query(`ALTER DATABASE ${name} SET ${setting}`);
  await keywright.database.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'keywright%' AND datname = '${name}'`,
  );
  // The next login uses these connections.
  const body = { identifier: keywright.admin.identifier, secret: keywright.admin.password };
  await until('the service has connected again', async () => {
    const { status } = await keywright.home.request('POST', '/auth/login', { body });
    return status === 200;
  });
}

for (const setting of [`lock_timeout = '100ms'`, `statement_timeout = '300ms'`]) {
  test(`A login whose statement ends with ${setting} gets 503 UNAVAILABLE with Retry-After, and succeeds afterwards`, async () => {
    const body = { identifier: newIdentifier(), secret: newPassword() };
    await keywright.login(body.identifier, body.secret, { extra: { register: true } });
    const openapi = await keywright.request('GET', '/openapi.json');
    const document = await ApiDocument.read(expectStatus(200, openapi));
    await set(setting);
    await locker.query('BEGIN; LOCK TABLE sessions IN ACCESS EXCLUSIVE MODE');
    const answer = await keywright.home.request<ErrorBody>('POST', '/auth/login', { body });
    assert.equal(expectStatus(503, answer).code, 'UNAVAILABLE');
    assert.equal(answer.headers['retry-after'], '1');
    document.assertDescribes(logIn, answer);
    await locker.query('ROLLBACK');
    expectStatus(200, await keywright.home.request('POST', '/auth/login', { body }));
  });
}

test('A rejected login is in the audit log, although the log was locked at the time', async () => {
  await set(`lock_timeout = '100ms'`);
  const tenant = await keywright.tenant('locked-log');
  const user = await tenant.createUser();
  await locker.query('BEGIN; LOCK TABLE audit_entries, audit_unsealed IN ACCESS EXCLUSIVE MODE');
  const body = { identifier: user.identifier, secret: newPassword() };
  expectStatus(401, await tenant.request('POST', '/auth/login', { body }));
  const [node] = keywright.nodes;
  await node?.notes.flush();
  await locker.query('ROLLBACK');
  await node?.notes.flush();
  const entries = await entriesOf(tenant, { action: 'auth.login_failed' });
  assert.equal(entries.length, 1);
});
