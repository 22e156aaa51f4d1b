// Batches that mix valid and invalid credentials of several tenants: each result is about its own.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { seededRandom } from '../harness/random.ts';
import { startedOf, callOf, type Login, openedOf } from './login-functions.ts';
import {
  permissionQueriesOf,
  type MixedRow,
  type Kind,
  type MixedTenant,
  mixTenant,
  effectivePermissionsOf,
} from './mixed-tenants.ts';
import {
  NOW,
  outcomeOf,
  presentedVersionOf,
  presenterOf,
  PRESENTED,
  RETRY_SECONDS,
} from './refreshed-sessions.ts';
import type { Seeded } from './seed.ts';
import { inTransaction, openPostgres, type ClosableSession } from './session.ts';

const LATER = new Date('2026-01-20T00:00:00Z');
const SUBJECT = Buffer.from('attempts');
const ORDERS = 3;

let session: ClosableSession;
let tenants: MixedTenant[];

before(async () => {
  session = await openPostgres();
  tenants = [
    await mixTenant(session, 'one', 0),
    await mixTenant(session, 'two', 1),
    await mixTenant(session, 'asleep', 0, false),
    await mixTenant(session, 'three', 2),
    await mixTenant(session, 'gone', 1, false),
  ];
  await session.query(`UPDATE tenants SET is_active = false WHERE tenant_id = 'org_asleep'`);
  await session.query(`UPDATE tenants SET deleted_at = $1 WHERE tenant_id = 'org_gone'`, [NOW]);
});

after(() => session.close());

/** Returns batches of rows of these kinds: all tenants together in several orders, and each tenant alone. */
function batchesOf(...kinds: readonly Kind[]): MixedRow[][] {
  const random = seededRandom(1);
  const ofEach = tenants.map(({ rows }) => kinds.flatMap((kind) => rows[kind]));
  const mixed = Array.from({ length: ORDERS }, () => random.shuffled(ofEach.flat()));
  return [...mixed, ...ofEach];
}

/** Runs each batch in a transaction that is rolled back. */
async function forEachBatch<Entry extends MixedRow>(
  batches: readonly (readonly Entry[])[],
  check: (batch: readonly Entry[]) => Promise<void>,
): Promise<void> {
  for (const batch of batches) await inTransaction(session, '', () => check(batch));
}

async function rowsOf(name: string, values: readonly unknown[]) {
  return session.query<Record<string, unknown>>(`SELECT * FROM ${callOf(name, values)}`, values);
}

const idsOf = (batch: readonly MixedRow[]) => batch.map(({ id }) => id);
const tenantsOf = (batch: readonly MixedRow[]) => batch.map(({ tenant }) => tenant.tenantId);
const isLiving = ({ tenant, state }: MixedRow) => tenant.isActive && state === 'living';
/** A rotated key works until it expires. */
const isGood = (entry: MixedRow) =>
  isLiving(entry) || (entry.tenant.isActive && entry.state === 'rotated');

/** A tenant as a login names it, with one of its users. */
function userOf({ tenant, id }: MixedRow): Seeded {
  return { ...tenant, userId: id, identifier: `${id}@example.com`, secretHash: `hash of ${id}` };
}

describe('in a batch of several tenants', () => {
  test('Exactly the active grants of a mixed batch are valid, none that ended, is outdated or belongs to an inactive tenant (SPEC service 6)', async () => {
    // Each valid id is followed by one that does not exist.
    const batches = batchesOf('sessions', 'api_keys', 'delegations', 'agents').map((rows) =>
      rows.flatMap((entry) => [entry, { ...entry, id: 'nothing', state: 'unknown' }]),
    );
    await forEachBatch(batches, async (batch) => {
      const values = [tenantsOf(batch), idsOf(batch), batch.map(() => 0), NOW];
      const [row] = await rowsOf('kw_live_grants', values);
      const expected = batch.map((entry) => (isGood(entry) ? '1' : '0')).join('');
      assert.equal(row?.['kw_live_grants'], expected);
    });
  });

  test('The valid API keys of a mixed batch are found, each with its version and whether it was rotated (SPEC service 6)', async () => {
    await forEachBatch(batchesOf('api_keys'), async (batch) => {
      const hashes = batch.map(({ id }) => Buffer.from(id));
      const [row] = await rowsOf('kw_find_api_keys', [tenantsOf(batch), hashes, NOW]);
      const expected = batch.map((entry) => {
        // The agent's version applies to its tokens, not to its API keys.
        if (!isGood(entry) && !(entry.tenant.isActive && entry.state === 'of an outdated agent'))
          return ',';
        return `${entry.version}${entry.state === 'rotated' ? 'r' : ''},`;
      });
      assert.equal(row?.['kw_find_api_keys'], expected.join(''));
    });
  });

  test('Each session of a mixed batch is refreshed only by its current token, and no row of another one changes (SPEC service 6)', async () => {
    await forEachBatch(batchesOf('refreshed'), async (batch) => {
      const ofEach = <T>(constant: T) => batch.map(() => constant);
      const next = batch.map(({ tenant, id }) => Buffer.from(`${tenant.tenantId} ${id}`));
      const rotated = await rowsOf('kw_refresh_sessions', [
        tenantsOf(batch),
        idsOf(batch),
        ofEach(PRESENTED),
        next,
        ofEach('kid'),
        ofEach(NOW),
        ofEach(LATER),
        ofEach(RETRY_SECONDS),
        batch.map(({ state }) => presenterOf(state)),
        batch.map(({ state }) => presentedVersionOf(state)),
        ofEach(true),
      ]);
      assert.deepEqual(
        rotated.map((row) => [row['outcome'], row['scopes']]),
        batch.map((entry) => refreshOf(entry)),
      );
      await session.query('RESET ROLE');
      const changed = await session.query(
        `SELECT FROM sessions WHERE generation = 1 AND refresh_hash = ANY ($1)
            AND refresh_hash = convert_to(tenant_id || ' ' || id, 'UTF8')`,
        [next],
      );
      const current = batch.filter((entry) => refreshOf(entry)[0] === 'rotated');
      assert.equal(changed.length, current.length);
      const [touched] = await session.query<{ n: number }>(
        'SELECT count(*)::integer AS n FROM sessions WHERE generation > 0',
      );
      assert.equal(touched?.n, current.length);
    });
  });

  test('The session of a refresh token that does not rotate is found for its client alone, and nothing changes (SPEC service 6)', async () => {
    const ofClients = batchesOf('refreshed').map((rows) =>
      rows.filter(({ state }) => presenterOf(state) !== null),
    );
    await forEachBatch(ofClients, async (batch) => {
      const found = await rowsOf('kw_find_fixed_sessions', [
        tenantsOf(batch),
        idsOf(batch),
        batch.map(() => PRESENTED),
        batch.map(() => NOW),
        batch.map(({ state }) => presenterOf(state)),
        batch.map(({ state }) => presentedVersionOf(state)),
        batch.map(() => true),
      ]);
      assert.deepEqual(
        found.map((row) => [row['outcome'], row['scopes'], row['metadata'] !== null]),
        batch.map((entry) => fixedOf(entry)),
      );
      await session.query('RESET ROLE');
      const touched = await session.query('SELECT FROM sessions WHERE generation > 0');
      assert.equal(touched.length, 0);
    });
  });

  test('Each user of a mixed batch is found with the data of their own tenant, active or not (SPEC service 6)', async () => {
    await forEachBatch(batchesOf('users'), async (batch) => {
      const [row] = await rowsOf('kw_find_users', [tenantsOf(batch), idsOf(batch)]);
      const found = row?.['kw_find_users'] as readonly Record<string, unknown>[];
      assert.deepEqual(
        found.map((user) => [user['tenant_id'], user['id'], user['is_active'], user['roles']]),
        batch.map(({ tenant, id, state }) => [
          tenant.tenantId,
          id,
          state === 'living',
          [tenant.role],
        ]),
      );
    });
  });

  test('Logins of a mixed batch find the user of their own tenant, and a rejected one finds no other (SPEC service 6)', async () => {
    await forEachBatch(batchesOf('users'), async (batch) => {
      const logins = batch.map((entry): Login => [entry.tenant, userOf(entry)]);
      const values = startedOf(logins, SUBJECT, 1);
      const started = await rowsOf('kw_start_logins', values);
      // All attempts of a tenant share one identifier, and only one of them is admitted.
      const seen = new Set<string>();
      const expected = batch.map((entry) => {
        const { tenantId } = entry.tenant;
        if (seen.has(tenantId)) return [60, null, null, null];
        seen.add(tenantId);
        return [null, entry.id, entry.state === 'living', `hash of ${entry.id}`];
      });
      assert.deepEqual(
        started.map((row) => [
          row['retry_after'],
          row['user_id'],
          row['is_active'],
          row['secret_hash'],
        ]),
        expected,
      );
    });
  });

  test('Sessions of a mixed batch are opened for active users of active tenants, and recorded in their own log (SPEC service 6)', async () => {
    await forEachBatch(batchesOf('users'), async (batch) => {
      const logins = batch.map((entry): Login => [entry.tenant, userOf(entry)]);
      const values = openedOf(logins, SUBJECT);
      const opened = await rowsOf('kw_finish_logins', values);
      assert.deepEqual(
        opened.map((row) => [row['outcome'], row['workspace_id'], row['scopes']]),
        batch.map((entry) =>
          isLiving(entry)
            ? ['opened', entry.tenant.workspaceId, [`read:${entry.tenant.role}`]]
            : ['refused', null, []],
        ),
      );
      await session.query('RESET ROLE');
      const places = batch.flatMap((entry, index) =>
        isLiving(entry) ? [`${entry.tenant.tenantId} ${index}`] : [],
      );
      for (const [table, prefix] of [
        ['sessions', 'session:new '],
        ['audit_entries', 'aud_new_'],
        ['events', 'evt_new_'],
      ] as const) {
        const rows = await session.query<{ place: string }>(
          `SELECT tenant_id || ' ' || replace(id, $1, '') AS place FROM ${table}
            WHERE starts_with(id, $1)`,
          [prefix],
        );
        assert.deepEqual(rows.map(({ place }) => place).toSorted(), places.toSorted(), table);
      }
    });
  });

  test("The permissions in a mixed batch are those in the user's own tenant, and inactive subjects are named (SPEC service 6)", async () => {
    const batches = batchesOf('users', 'agents').map((rows) => rows.flatMap(permissionQueriesOf));
    await forEachBatch(batches, async (batch) => {
      const permissions = await rowsOf('kw_effective_permissions', [
        tenantsOf(batch),
        idsOf(batch),
        batch.map(({ isHolding }) => isHolding),
        batch.map(({ workspaceId }) => workspaceId),
      ]);
      assert.deepEqual(
        permissions.map(({ is_active, scopes, place }) => [is_active, scopes, place]),
        batch.map(effectivePermissionsOf),
      );
    });
  });
});

/** The outcome of a refresh, and the content of its token. */
function refreshOf({ tenant, state }: MixedRow): [outcome: string, scopes: string[]] {
  const outcome = tenant.isActive ? outcomeOf(state) : 'ended';
  const isTraded = outcome === 'rotated' || outcome === 'repeated';
  return [outcome, isTraded ? [`read:${tenant.role}`] : []];
}

/** The same where the token stays the same: the current one alone is good. */
function fixedOf(entry: MixedRow): [outcome: string, scopes: string[], hasMetadata: boolean] {
  const [outcome, scopes] = refreshOf(entry);
  if (outcome === 'rotated') return ['current', scopes, true];
  return [outcome === 'repeated' ? 'other' : outcome, [], false];
}
