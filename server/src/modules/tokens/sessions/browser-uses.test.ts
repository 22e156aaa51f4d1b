// The last use of browser logins is collected and written in the background.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { UserId } from '@keywright/contract/ids';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import {
  browserUseIsWritten,
  newClient,
  requestOf,
  UserBrowser,
} from '@keywright/tests/harness/code-login';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { holdStatements, watchStatements } from '@keywright/tests/harness/statements';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';
import pg from 'pg';

const IDLE_SECONDS = 600;
const STATEMENT = 'kw_write_browser_uses';

let keywright: Keywright;
let tenant: TestTenant;
let client: CreatedOAuthClient;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  tenant = await keywright.tenant('uses', {
    config: { browser_session_idle_ttl: IDLE_SECONDS, browser_session_ttl: 86_400 },
  });
  client = await newClient(tenant);
});
after(() => keywright.close());

interface Login {
  readonly browser: UserBrowser;
  readonly userId: UserId;
}

/** Logs a new user in. */
async function newLogin(): Promise<Login> {
  const issuer = `${keywright.nodes[0]?.baseUrl}/t/${tenant.id}`;
  const user = await tenant.createUser();
  const browser = new UserBrowser(tenant, issuer, user);
  await browser.codeFor(client);
  return { browser, userId: user.user.id };
}

async function use({ browser }: Login): Promise<void> {
  const { redirectsTo } = await browser.authorize(requestOf(client, { prompt: 'none' }));
  assert.ok(redirectsTo?.searchParams.has('code'), String(redirectsTo));
}

/** The remaining seconds of a login without further use. */
async function remaining({ userId }: Login): Promise<number> {
  const [row] = await keywright.database.query<{ expires_at: Date }>(
    `SELECT expires_at FROM sessions WHERE user_id = $1 AND kind = 'browser'`,
    [userId],
  );
  assert.ok(row);
  return (row.expires_at.getTime() - keywright.clock.now().getTime()) / 1000;
}

async function update({ userId }: Login, set: string): Promise<void> {
  await keywright.database.query(
    `UPDATE sessions SET ${set} WHERE user_id = $1 AND kind = 'browser'`,
    [userId],
  );
}

test('A use extends its login up to its absolute expiry, independently of other logins in the batch', async () => {
  const [ending, other] = [await newLogin(), await newLogin()];
  keywright.clock.advance(300);
  await update(ending, 'absolute_expires_at = expires_at');
  await Promise.all([use(ending), use(other)]);
  await browserUseIsWritten(keywright);
  assert.equal(await remaining(ending), IDLE_SECONDS - 300);
  assert.equal(await remaining(other), IDLE_SECONDS);
});

test('A use of a login within a minute of the last written one is not written', async () => {
  const login = await newLogin();
  const statements = watchStatements();
  keywright.clock.advance(59);
  await use(login);
  keywright.clock.advance(1);
  await use(login);
  await browserUseIsWritten(keywright);
  statements.stop();
  const written = statements.valuesOf(STATEMENT).flatMap(([tenants]) => tenants);
  assert.deepEqual(written, [tenant.id]);
});

test('A pending use does not change a login that has ended', async () => {
  const [ended, other] = [await newLogin(), await newLogin()];
  keywright.clock.advance(300);
  const hold = holdStatements(STATEMENT);
  await Promise.all([use(ended), use(other)]);
  await hold.isReached;
  await update(ended, 'is_active = false');
  hold.release();
  await browserUseIsWritten(keywright);
  assert.equal(await remaining(ended), IDLE_SECONDS - 300);
});

test('The pending uses of a login count from when they were made, and revive no login that has expired meanwhile', async () => {
  const [first, second, third] = [await newLogin(), await newLogin(), await newLogin()];
  keywright.clock.advance(300);
  const hold = holdStatements(STATEMENT);
  await use(first);
  await hold.isReached;
  await update(third, `expires_at = expires_at + interval '1 hour'`);
  await use(third);
  keywright.clock.advance(290);
  await use(second);
  await use(third);
  keywright.clock.advance(20);
  hold.release();
  await until('the use is written', async () => (await remaining(third)) === IDLE_SECONDS - 20);
  assert.equal(await remaining(second), -10);
});

test('A use whose session is locked is given up, and the next use is written', async () => {
  const { database } = keywright;
  const login = await newLogin();
  keywright.clock.advance(300);
  const other = new pg.Client(database.superuserUrl);
  await other.connect();
  try {
    await other.query('BEGIN');
    await other.query('SELECT FROM sessions WHERE user_id = $1 FOR UPDATE', [login.userId]);
    const waiting = () =>
      database.query(
        `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
      );
    await use(login);
    await until('the use waits', async () => (await waiting()).length > 0);
    await until('the use is given up', async () => (await waiting()).length === 0);
  } finally {
    await other.end();
  }
  keywright.clock.advance(1);
  await use(login);
  await browserUseIsWritten(keywright);
  assert.equal(await remaining(login), IDLE_SECONDS);
});

test('A node that stops writes the login uses that it collected', async () => {
  const stopped = await startKeywright({ nodes: 2 });
  try {
    const { database } = stopped;
    const node = stopped.nodes[0] ?? assert.fail();
    const of = await stopped.tenant('stopped');
    const application = await newClient(of);
    const issuer = `${node.baseUrl}/t/${of.id}`;
    const browser = new UserBrowser(of, issuer, await of.createUser());
    await browser.codeFor(application);
    await database.query(
      `UPDATE sessions SET refresh_issued_at = created_at - interval '1 hour' WHERE kind = 'browser'`,
    );
    await browser.codeFor(application);
    await stopped.stop(node);
    const written = await database.query(
      `SELECT FROM sessions WHERE kind = 'browser' AND refresh_issued_at > created_at`,
    );
    assert.equal(written.length, 1);
  } finally {
    await stopped.close();
  }
});
