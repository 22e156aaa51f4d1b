// On a new database, statements that are already planned must not get more expensive as its tables fill.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type {
  ConsentId,
  OAuthClientId,
  SessionId,
  TenantId,
  UserId,
  WorkspaceId,
} from '@keywright/contract/ids';
import { findUnsealed, insertSealed } from '@keywright/server/modules/events/journal/chain-store';
import { type Database, statement } from '@keywright/server/platform/db/database';
import { GrownTables } from '@keywright/server/platform/db/grown-tables';
import { openPostgres } from '@keywright/server/platform/db/postgres';
import type { SystemTx } from '@keywright/server/tenancy/gate';
import { sql } from 'kysely';
import { openClientSessions } from '../../server/sql/tokens/kw_open_client_sessions.ts';
import { createDatabase, type TestDatabase } from '../harness/database.ts';
import { startKeywright } from '../harness/keywright.ts';
import { until } from '../harness/until.ts';

const TENANT = 'org_1' as TenantId;
const CLIENT = 'client_1' as OAuthClientId;
const USERS = 500;
const EXCHANGES = 10_000;
const BATCH = 16;
/** Exchanges between two checks of the tables, as on a busy node. */
const LOOK_AFTER = 1000;
/** How much more an exchange can cost initially than later. */
const MORE = 1.2;
const NOW = new Date();
const LATER = new Date(NOW.getTime() + 3_600_000);
const PAGES = `
  SELECT sum(coalesce(heap_blks_read, 0) + coalesce(heap_blks_hit, 0) + coalesce(idx_blks_read, 0)
             + coalesce(idx_blks_hit, 0))::float8 AS pages
    FROM pg_statio_user_tables`;
const FLUSH = statement('flush', 'SELECT pg_stat_force_next_flush()');

let database: TestDatabase;
let service: Database;
let exchanged = 0;
let sealed = 0;

before(async () => {
  database = await createDatabase();
  service = openPostgres(database.url, () => {});
  for (const { name } of await database.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  )) {
    await database.query(`ALTER TABLE ${name} SET (autovacuum_enabled = off)`);
  }
  // Both statements are planned while the tables contain a single user.
  await installTenant();
  await addUsers(1, 1);
  assert.equal(await exchange(() => 1), BATCH);
  await seal();
  await addUsers(2, USERS);
});
after(async () => {
  await service.close();
  await database.drop();
});

async function installTenant(): Promise<void> {
  for (const insert of [
    `INSERT INTO tenants (tenant_id, name, created_at) VALUES ('org_1', 'New', now())`,
    `INSERT INTO workspaces (tenant_id, id, name, slug, created_at)
     VALUES ('org_1', 'ws_default', 'Default', 'default', now())`,
    `INSERT INTO oauth_clients (tenant_id, id, name, kind, first_party, token_endpoint_auth_method, redirect_uris,
                                post_logout_redirect_uris, grant_types, scopes, id_token_signed_response_alg, created_at)
     VALUES ('org_1', 'client_1', 'New', 'web', false, 'none', '{}', '{}', '{}', '{}', 'RS256', now())`,
  ]) {
    await database.query(insert);
  }
}

/** Users of these numbers, who are logged in and have allowed an application something. */
async function addUsers(from: number, to: number): Promise<void> {
  const each = `generate_series(${from}, ${to}) AS n`;
  for (const insert of [
    `INSERT INTO users (tenant_id, id, created_at) SELECT 'org_1', 'user:' || n, now() FROM ${each}`,
    `INSERT INTO user_identifiers (tenant_id, user_id, position, type, identifier, verified)
     SELECT 'org_1', 'user:' || n, 0, 'email', n || '@example.com', true FROM ${each}`,
    `INSERT INTO consents (tenant_id, id, user_id, client_id, scopes, created_at, updated_at)
     SELECT 'org_1', 'cns_' || n, 'user:' || n, 'client_1', '{openid}', now(), now() FROM ${each}`,
    `INSERT INTO sessions (tenant_id, id, user_id, workspace_id, ip_address, created_at, expires_at, absolute_expires_at,
                           refresh_hash, refresh_issued_at, kind, auth_time, acr, amr)
     SELECT 'org_1', 'session:' || n, 'user:' || n, 'ws_default', '', now() - n * interval '1 s', 'infinity', 'infinity', '', now(), 'browser',
            now(), 'aal1', '{pwd}' FROM ${each}`,
  ]) {
    await database.query(insert);
  }
}

/** A different time for each exchange, as in an index by time. */
const timeOf = (number: number) => new Date(NOW.getTime() + number);

function entryOf(id: number): string {
  const kinds = { actor_kind: 'anonymous', target_kind: 'session', outcome: 'success', count: 1 };
  const mac = `\\x${'00'.repeat(32)}`;
  const action = 'auth.code_redeemed';
  return JSON.stringify([
    { ...kinds, id: `aud_${id}`, action, created_at: timeOf(id), mac, details: {} },
  ]);
}

/** Exchanges several codes in one statement, as the service does. @returns how many sessions it opened */
async function exchange(userOf = (n: number) => 1 + (n % USERS)): Promise<number> {
  const numbers = Array.from({ length: BATCH }, (_, index) => exchanged + index);
  exchanged += BATCH;
  const ofEach = <T>(value: T) => numbers.map(() => value);
  const users = numbers.map(userOf);
  const logins = users.map((n) => `session:${n}` as SessionId);
  const values = openClientSessions.values({
    tenants: ofEach(TENANT),
    sessions: numbers.map((n) => `session:new${n}` as SessionId),
    clients: ofEach(CLIENT),
    users: users.map((n) => `user:${n}` as UserId),
    workspaces: ofEach('ws_default' as WorkspaceId),
    logins,
    parents: logins,
    consents: users.map((n) => `cns_${n}` as ConsentId),
    consentVersions: ofEach(1),
    codeHashes: numbers.map((n) => Buffer.from(`code ${n}`)),
    scopes: ofEach('openid'),
    userAgents: ofEach(null),
    ipAddresses: ofEach(''),
    now: numbers.map(timeOf),
    expiresAt: ofEach(LATER),
    endsAt: ofEach(LATER),
    refreshHashes: numbers.map((n) => Buffer.from(`token ${n}`)),
    statusIndexes: numbers,
    entries: numbers.map(entryOf).join('\n'),
    events: ofEach('[]').join('\n'),
    userinfoClaims: ofEach(null),
    clientVersions: ofEach(1),
    metadata: ofEach(true),
  });
  const rows = await service.run(openClientSessions, values);
  return rows.filter(({ outcome }) => outcome === 'opened').length;
}

/** Seals what was recorded, as the service does. */
async function seal(): Promise<void> {
  await service.kysely.transaction().execute(async (db) => {
    await sql`SELECT set_config('role', 'keywright_system', true)`.execute(db);
    const tx = { db, now: NOW } as SystemTx;
    const rows = await findUnsealed(tx, [TENANT], 1000);
    const hash = Buffer.alloc(32);
    const chained = rows.map((row) => {
      sealed += 1;
      const previous = sealed === 1 ? null : hash;
      return { tenantId: TENANT, entryId: row.id, position: sealed, previous_hash: previous, hash };
    });
    await insertSealed(tx, chained, []);
  });
}

/** The pages of tables and indexes read per exchange. */
async function pagesOf(exchanges: number, look: () => Promise<void>): Promise<number> {
  const atFirst = await pagesSoFar();
  let looked = 0;
  let pages = 0;
  for (let done = 0; done < exchanges; done += BATCH) {
    assert.equal(await exchange(), BATCH);
    if (done % (8 * BATCH) === 0) await seal();
    if (done - looked < LOOK_AFTER) continue;
    looked = done;
    await seal();
    const earlier = await pagesSoFar();
    await look();
    pages -= (await pagesSoFar()) - earlier;
  }
  return (pages + (await pagesSoFar()) - atFirst) / exchanges;
}

/** The pages read so far, after every connection has reported its reads. */
async function pagesSoFar(): Promise<number> {
  await service.run(FLUSH, []);
  await sql`SELECT pg_stat_force_next_flush()`.execute(service.kysely);
  const read = async () => (await database.query<{ pages: number }>(PAGES))[0]?.pages ?? 0;
  return until('the counters stand still', async () => {
    const pages = await read();
    return (await read()) === pages && pages;
  });
}

test('10,000 exchanges on a new database read few more pages each than later ones', async () => {
  const grownTables = new GrownTables(service.kyselyFor('maintenance'));
  const first = await pagesOf(EXCHANGES, () => grownTables.look());
  await database.query('ANALYZE');
  const later = await pagesOf(1600, async () => {});
  assert.ok(first <= MORE * later, `${first.toFixed(1)} pages each, and ${later.toFixed(1)} later`);
});

test('A running service updates the statistics of tables that have grown from empty', async () => {
  const keywright = await startKeywright({ passwords: 'real' });
  try {
    await keywright.createUser();
    await until('the statistics of the table are those of its rows', async () => {
      const [row] = await keywright.database.query<{ isKnown: boolean }>(
        `SELECT reltuples > 0 AS "isKnown" FROM pg_class WHERE oid = 'sessions'::regclass`,
      );
      return row?.isKnown;
    });
  } finally {
    await keywright.close();
  }
});
