// Layer 2, for statements shared by many tenants: each row is read as the tenant that requested it, whatever the
// planner knows of the tables.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { pagesRead } from '../harness/pages-read.ts';
import type { PostgresServer } from '../harness/postgres.ts';
import { raceServers } from '../harness/race-servers.ts';
import { seededRandom } from '../harness/random.ts';
import { startedOf, callOf, openedOf } from './login-functions.ts';
import { type Seeded, seedTenant } from './seed.ts';
import { inTransaction, openPostgres, type ClosableSession, type Session } from './session.ts';

const TENANTS = 12;
const CROWD = 20_000;
/** The limit for one row and its dependents. The tenant with nearly all rows has thousands of pages. */
const FEW_PAGES = 30;
/** The limit for a call that writes as many rows as a login, into all of their indexes. */
const PAGES_OF_A_LOGIN = 120;
const NOW = new Date('2026-01-15T00:00:00Z');
const LATER = new Date('2026-01-20T00:00:00Z');
const NEXT = Buffer.from('next');

/** Table contents and statistics that make the planner choose different plans. */
const STATES: readonly (readonly [what: string, sql: readonly string[]])[] = [
  ['tables that nothing is known of', []],
  ['tables that are known to be small', ['ANALYZE']],
  [
    'a table in which one tenant has nearly all',
    [
      `INSERT INTO sessions (tenant_id, id, user_id, workspace_id, ip_address, created_at, expires_at,
                             absolute_expires_at, refresh_hash, refresh_kid, refresh_issued_at, kind, auth_time, acr, amr)
       SELECT tenant_id, 'session:of-the-crowd-' || n, user_id, workspace_id, ip_address, created_at, expires_at,
              absolute_expires_at, refresh_hash, refresh_kid, refresh_issued_at, kind, auth_time, acr, amr
         FROM sessions, generate_series(1, ${CROWD}) AS n WHERE id = 'session:tenant-0'`,
      `INSERT INTO users (tenant_id, id, created_at)
       SELECT tenant_id, id || '-' || n, created_at
         FROM users, generate_series(1, ${CROWD}) AS n WHERE id = 'user:tenant-0'`,
      // Without it, foreign key checks before PostgreSQL 18 read all of a table that the statistics report as small.
      'ANALYZE users',
      `INSERT INTO user_identifiers (tenant_id, identifier, user_id, type, position)
       SELECT tenant_id, n || identifier, user_id || '-' || n, type, position
         FROM user_identifiers, generate_series(1, ${CROWD}) AS n WHERE user_id = 'user:tenant-0'`,
      `INSERT INTO user_roles (tenant_id, user_id, role)
       SELECT tenant_id, user_id || '-' || n, role
         FROM user_roles, generate_series(1, ${CROWD}) AS n WHERE user_id = 'user:tenant-0'`,
      `INSERT INTO workspace_members (tenant_id, workspace_id, user_id, position)
       SELECT tenant_id, workspace_id, user_id || '-' || n, position
         FROM workspace_members, generate_series(1, ${CROWD}) AS n WHERE user_id = 'user:tenant-0'`,
      'ANALYZE',
    ],
  ],
];

/** Pairs of caller and owner in random order, half of them across tenants. */
function shuffledPairs(tenants: readonly Seeded[]): (readonly [where: Seeded, whose: Seeded])[] {
  const random = seededRandom(1);
  const pairs = tenants.flatMap((tenant, index) => [
    [tenant, tenant] as const,
    [tenant, tenants[(index + 1) % tenants.length] as Seeded] as const,
  ]);
  return pairs
    .map((pair) => [random.between(0, 1_000_000), pair] as const)
    .toSorted(([rank], [other]) => rank - other)
    .map(([, pair]) => pair);
}

type Pairs = ReturnType<typeof shuffledPairs>;

async function value(session: Session, call: string, values: readonly unknown[]): Promise<unknown> {
  const [row] = await session.query<{ answer: unknown }>(`SELECT ${call} AS answer`, values);
  return row?.answer;
}

/** One column of a function's result. */
async function columnOf(
  session: Session,
  column: string,
  name: string,
  values: readonly unknown[],
) {
  const call = `SELECT ${column} AS answer FROM ${callOf(name, values)}`;
  const rows = await session.query<{ answer: unknown }>(call, values);
  return rows.map((row) => row.answer);
}

/** The dependents of each user found. */
function partsOf(found: unknown): unknown[] {
  return (found as (UserRow | null)[]).map(
    (user) => user && [user.id, user.identifiers.length, user.roles, user.workspaces],
  );
}

interface UserRow {
  readonly id: string;
  readonly identifiers: readonly unknown[];
  readonly roles: readonly string[];
  readonly workspaces: readonly string[];
}

/** Calls each function shared by many tenants. Each returns only the caller's own rows. */
async function assertIsolated(session: Session, pairs: Pairs): Promise<void> {
  const tenants = pairs.map(([where]) => where.tenantId);
  const isSameTenant = pairs.map(([where, whose]) => where === whose);
  const ofEach = <T>(constant: T) => pairs.map(() => constant);
  for (const kind of ['sessionId', 'apiKeyId', 'delegationId', 'agentId'] as const) {
    const grants = pairs.map(([, whose]) => whose[kind]);
    const alive = [tenants, grants, ofEach(0), NOW];
    assert.equal(
      await value(session, 'kw_live_grants($1, $2, $3, $4)', alive),
      isSameTenant.map((isSame) => (isSame ? '1' : '0')).join(''),
      kind,
    );
  }
  const hashes = pairs.map(([, whose]) => whose.refreshHash);
  assert.equal(
    await value(session, 'kw_find_api_keys($1, $2, $3)', [tenants, hashes, NOW]),
    isSameTenant.map((isSame) => (isSame ? '0,' : ',')).join(''),
  );
  const users = pairs.map(([, whose]) => whose.userId);
  assert.deepEqual(
    partsOf(await value(session, 'kw_find_users($1, $2)', [tenants, users])),
    pairs.map(([where, { userId, role, workspaceId }]) =>
      where.userId === userId ? [userId, 1, [role], [workspaceId]] : null,
    ),
  );
  assert.deepEqual(
    await columnOf(session, 'user_id', 'kw_start_logins', startedOf(pairs, NEXT, 1000)),
    pairs.map(([where, whose]) => (where === whose ? whose.userId : null)),
  );
  assert.deepEqual(
    await columnOf(session, 'scopes[1]', 'kw_finish_logins', openedOf(pairs, NEXT)),
    pairs.map(([where, whose]) => (where === whose ? `read:${whose.role}` : null)),
  );
  const rotated = await session.query(
    'SELECT outcome, user_id, scopes FROM kw_refresh_sessions($1, $2, $3, $4, $5, $6, $7, $8, $9, NULL, $10)',
    [
      tenants,
      pairs.map(([, whose]) => whose.sessionId),
      hashes,
      ofEach(NEXT),
      ofEach('kid'),
      ofEach(NOW),
      ofEach(LATER),
      ofEach(30),
      ofEach(null),
      ofEach(true),
    ],
  );
  assert.deepEqual(
    rotated,
    pairs.map(([where, whose]) =>
      where === whose
        ? { outcome: 'rotated', user_id: whose.userId, scopes: [`read:${whose.role}`] }
        : { outcome: 'ended', user_id: null, scopes: [] },
    ),
  );
}

for (const { name, start } of raceServers()) {
  describe(`on ${name}`, () => {
    let server: PostgresServer | undefined;
    let session: ClosableSession;
    const tenants: Seeded[] = [];

    before(async () => {
      server = await start();
      session = await openPostgres(server);
      for (let index = 0; index < TENANTS; index += 1) {
        tenants.push(await seedTenant(session, `tenant-${index}`));
      }
    });

    after(async () => {
      await session.close();
      await server?.close();
    });

    for (const [what, prepare] of STATES) {
      test(`Each tenant of a batch sees only its own rows, with ${what} (SPEC service 6)`, async () => {
        for (const sql of prepare) await session.query(sql);
        await session.query('DISCARD PLANS');
        const pairs = shuffledPairs(tenants);
        const ofFirst = pairs.filter(([where]) => where === tenants[0]);
        // Repeats the batches with the plans that were cached for each.
        for (const batch of [pairs, ofFirst, pairs, ofFirst]) {
          await inTransaction(session, '', () => assertIsolated(session, batch));
        }
      });
    }

    test('A batch query reads a few pages per requested row, however many its tenant has', async () => {
      await session.query('DISCARD PLANS');
      const pairs = shuffledPairs(tenants);
      const ids = pairs.map(([where]) => where.tenantId);
      const hashes = pairs.map(([, whose]) => whose.refreshHash);
      const sessions = pairs.map(([, whose]) => whose.sessionId);
      const localPairs = pairs.map(([where]) => [where, where] as const);
      const started = startedOf(localPairs, NEXT, 1000);
      const opened = openedOf(localPairs, NEXT);
      const calls: readonly (readonly [call: string, values: readonly unknown[], most?: number])[] =
        [
          [callOf('kw_start_logins', started), started],
          [callOf('kw_finish_logins', opened), opened, PAGES_OF_A_LOGIN],
          ['kw_live_grants($1, $2, $3, $4)', [ids, sessions, pairs.map(() => 0), NOW]],
          ['kw_find_api_keys($1, $2, $3)', [ids, hashes, NOW]],
          ['kw_find_users($1, $2)', [ids, localPairs.map(([, { userId }]) => userId)]],
          [
            'kw_refresh_sessions($1, $2, $3, $3, $4, $5, $5, $6, $7, NULL, $8)',
            [
              ids,
              sessions,
              hashes,
              pairs.map(() => 'kid'),
              pairs.map(() => NOW),
              pairs.map(() => 30),
              pairs.map(() => null),
              pairs.map(() => true),
            ],
          ],
        ];
      const pagesOfCall = (call: string, values: readonly unknown[]) =>
        inTransaction(session, '', () =>
          pagesRead((sql, those) => session.query(sql, those), `SELECT ${call}`, values),
        );
      for (const [call, values, most = FEW_PAGES] of calls) {
        // The first call is not measured, since planning it reads catalogs.
        await pagesOfCall(call, values);
        const pages = await pagesOfCall(call, values);
        assert.ok(pages < most * pairs.length, `${call} reads ${pages} pages`);
      }
    });
  });
}
