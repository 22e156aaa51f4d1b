// Batches of functions that are called for each item lock the rows of their items in one order, so that two batches with
// the same rows, named in opposite orders, wait for each other and never deadlock.

import { after, before, describe, test } from 'node:test';
import type {
  FactorId,
  LoginFlowId,
  OAuthClientId,
  TenantId,
  UserId,
} from '@keywright/contract/ids';
import pg from 'pg';
import { startPasskey } from '../../server/sql/authentication/kw_start_passkey.ts';
import { guessTotps } from '../../server/sql/authentication/kw_guess_totps.ts';
import { takePasskey } from '../../server/sql/authentication/kw_take_passkey.ts';
import { useTotp } from '../../server/sql/authentication/kw_use_totp.ts';
import { noteDevicePolls } from '../../server/sql/oauth/kw_note_device_polls.ts';
import { createDatabase, type TestDatabase } from '../harness/database.ts';
import { until } from '../harness/until.ts';

const TENANT = 'org_raced' as TenantId;
const CLIENT = 'client_raced' as OAuthClientId;
const HASH = Buffer.alloc(32);
const NOW = new Date();
const SOON = new Date(NOW.getTime() + 60_000);
const FIRST = { flow: 'login_1' as LoginFlowId, user: 'user:1' as UserId };
const SECOND = { flow: 'login_2' as LoginFlowId, user: 'user:2' as UserId };

interface Sent {
  readonly text: string;
  readonly values: readonly unknown[];
}

let database: TestDatabase;
let clients: readonly [one: pg.Client, other: pg.Client, holder: pg.Client];

before(async () => {
  database = await createDatabase();
  const open = async () => {
    const client = new pg.Client(database.url);
    await client.connect();
    return client;
  };
  clients = [await open(), await open(), await open()];
  await database.query(
    `INSERT INTO tenants (tenant_id, name, created_at) VALUES ('${TENANT}', 'Raced', now())`,
  );
  for (const { flow, user } of [FIRST, SECOND]) {
    await database.query(
      `INSERT INTO login_flows (tenant_id, id, purpose, token_hash, identifier, created_at, expires_at)
       VALUES ('${TENANT}', '${flow}', 'login', $1, 'x', now(), now() + interval '1 hour')`,
      [HASH],
    );
    await database.query(
      `INSERT INTO users (tenant_id, id, created_at) VALUES ('${TENANT}', '${user}', now())`,
    );
    await database.query(
      `INSERT INTO user_factors (tenant_id, id, user_id, type, name, created_at, confirmed_at, totp_secret, last_step)
       VALUES ('${TENANT}', 'fct_${user}', '${user}', 'totp', 'x', now(), now(), $1, 0)`,
      [HASH],
    );
    await database.query(
      `INSERT INTO device_grants (tenant_id, id, user_code_hash, client_id, scopes, targets, ip_address, created_at,
                                  expires_at, interval_seconds)
       VALUES ('${TENANT}', $1, $1, '${CLIENT}', '{}', '{}', '::1', now(), now() + interval '1 hour', 5)`,
      [deviceOf(user)],
    );
  }
  // A large table, so that rows are read in the order of the polls.
  await database.query(
    `INSERT INTO device_grants (tenant_id, id, user_code_hash, client_id, scopes, targets, ip_address, created_at,
                                expires_at, interval_seconds)
     SELECT tenant_id, sha256(n::text::bytea), sha256(n::text::bytea), client_id, scopes, targets, ip_address, created_at,
            expires_at, interval_seconds
       FROM device_grants, generate_series(1, 1000) AS n WHERE id = $1`,
    [deviceOf(FIRST.user)],
  );
  await database.query('ANALYZE device_grants');
});
after(async () => {
  for (const client of clients) await client.end();
  await database.drop();
});

/** Runs two batches at the same time: both wait for the locked row, the first one first, before either continues. */
async function runTogether(
  lock: string,
  [first, second]: readonly [first: Sent, second: Sent],
): Promise<void> {
  const [client, other, holder] = clients;
  await holder.query('BEGIN');
  await holder.query(`SELECT kw_enter('${TENANT}')`);
  await holder.query(lock);
  const running = [client.query(first.text, [...first.values])];
  await until('the first batch waits', async () => (await countWaiting()) === 1);
  running.push(other.query(second.text, [...second.values]));
  await until('the second batch waits', async () => (await countWaiting()) === 2);
  await holder.query('COMMIT');
  await Promise.all(running);
}

async function countWaiting(): Promise<number> {
  const rows = await database.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows.length;
}

function deviceOf(user: UserId): Buffer {
  return Buffer.from(user);
}

function pollsOf(entries: readonly (typeof FIRST)[]): Sent {
  const values = noteDevicePolls.values({
    tenants: entries.map(() => TENANT),
    ids: entries.map(({ user }) => deviceOf(user)),
    clients: entries.map(() => CLIENT),
    now: NOW,
  });
  return { text: noteDevicePolls.text, values };
}

function flowOf({ flow }: typeof FIRST) {
  return { tenant: TENANT, flow, tokenHash: HASH, challengeHash: HASH, now: NOW };
}

function challengeFor(entry: typeof FIRST) {
  return { ...flowOf(entry), limit: 20, expiresAt: SOON };
}

function presentedFor(entry: typeof FIRST) {
  return { ...flowOf(entry), credential: HASH };
}

function codeOf({ user }: typeof FIRST) {
  return { tenant: TENANT, user, factor: `fct_${user}` as FactorId, step: 2, now: NOW };
}

function sent<Item>(
  call: { readonly text: string; readonly values: (items: readonly Item[]) => unknown[] },
  ...items: readonly NoInfer<Item>[]
): Sent {
  return { text: call.text, values: call.values(items) };
}

const FLOW = `SELECT FROM login_flows WHERE id = '${FIRST.flow}' FOR UPDATE`;
const DEVICE = `SELECT FROM device_grants WHERE id = convert_to('${FIRST.user}', 'UTF8') FOR UPDATE`;
const FACTOR = `SELECT FROM user_factors WHERE user_id = '${FIRST.user}' FOR UPDATE`;

describe('two batches with the same rows in opposite orders do not deadlock', () => {
  const orders = (call: (entry: typeof FIRST, other: typeof FIRST) => Sent) =>
    [call(FIRST, SECOND), call(SECOND, FIRST)] as const;

  test('Batches of challenges for passkeys lock their flows in one order', () =>
    runTogether(
      FLOW,
      orders((...both) => sent(startPasskey, ...both.map(challengeFor))),
    ));

  test('Batches of presented passkeys lock their flows in one order', async () => {
    const started = sent(startPasskey, challengeFor(FIRST), challengeFor(SECOND));
    await clients[0].query(started.text, [...started.values]);
    await runTogether(
      FLOW,
      orders((...both) => sent(takePasskey, ...both.map(presentedFor))),
    );
  });

  test('Batches of device polls lock the grants of a tenant in one order', () =>
    runTogether(
      DEVICE,
      orders((...both) => pollsOf(both)),
    ));

  test('Batches of accepted codes lock the authenticators of their users in one order', () =>
    runTogether(
      FACTOR,
      orders((...both) => sent(useTotp, ...both.map(codeOf))),
    ));
});

test('A batch of guesses at authenticators that waits for one user does not block the logins of another', async () => {
  const [guesser, login, holder] = clients;
  const users = [FIRST.user, SECOND.user];
  const subjects = users.map((user) => Buffer.from(user));
  const text = guessTotps.text;
  const values = guessTotps.values({
    users,
    subjects,
    tenants: [TENANT, TENANT],
    challenges: subjects,
    now: [NOW, NOW],
    limit: 20,
    windowSeconds: 60,
    challengeLimit: 5,
    maxFailures: [20, 20],
  });
  const lock = (user: UserId, how: string) => `SELECT FROM users WHERE id = '${user}' FOR ${how}`;
  await holder.query('BEGIN');
  await holder.query(`SELECT kw_enter('${TENANT}')`);
  await holder.query(lock(SECOND.user, 'UPDATE'));
  const guess = guesser.query(text, values);
  await until('the guesses wait', async () => (await countWaiting()) === 1);
  await login.query('BEGIN');
  await login.query(`SELECT kw_enter('${TENANT}')`);
  await login.query(lock(FIRST.user, 'SHARE NOWAIT'));
  await login.query('COMMIT');
  await holder.query('COMMIT');
  await guess;
});
