// Layer 2, in the functions of the hot paths: called for one tenant with the ids of another.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { note } from '../../server/sql/events/kw_note.ts';
import { dumpTenant, type TenantDump } from './dump.ts';
import { type Check, NOW, RECORDED, type Tested } from './function-check.ts';
import { KEY_FUNCTIONS } from './key-functions.ts';
import { SIGN_IN_FUNCTIONS } from './sign-in-functions.ts';
import { LOGOUT_FUNCTIONS } from './logout-functions.ts';
import { SIGNAL_FUNCTIONS } from './signal-functions.ts';
import { MESSAGE_FUNCTIONS } from './message-functions.ts';
import { type Seeded, seedTenant } from './seed.ts';
import { requireDeclaredTypes } from './declared-rows.ts';
import { STATUS_FUNCTIONS } from './status-functions.ts';
import { SYSTEM_FUNCTIONS } from './system-functions.ts';
import { TENANT_FUNCTIONS } from './tenant-functions.ts';
import { USER_FUNCTIONS } from './user-functions.ts';
import { WEBHOOK_FUNCTIONS } from './webhook-functions.ts';
import { inTransaction, isForbidden, openPostgres, type ClosableSession } from './session.ts';

const LATER = new Date('2026-01-20T00:00:00Z');
const NEXT = Buffer.from('next');
const NEW = Buffer.from('new');
/** The records that a token can depend on. */
const GRANTS = ['sessionId', 'apiKeyId', 'delegationId', 'agentId', 'tenantId'] as const;

/** What nodes cache. */
const CACHED_TABLES =
  'client_brandings logos oauth_clients oauth_resources signing_keys tenant_domains tenant_texts tenants';

/** One check for each function of the service, rolled back afterward. */
const FUNCTIONS: Readonly<Record<string, Check>> = {
  kw_isolate: async ({ entered, value }) => {
    assert.ok(await isForbidden(() => entered(() => value(`kw_isolate('users')`))));
  },

  kw_enter: async ({ local, value }) => {
    await value('kw_enter($1)', local.tenantId);
    assert.equal(await value('current_user::text'), 'keywright_tenant');
    assert.equal(await value('(SELECT string_agg(id, $1) FROM users)', ','), local.userId);
  },

  kw_resolve_tenant: async ({ local, foreign, rows, value, deleteTenant }) => {
    const byDomain = await rows('kw_resolve_tenant(NULL, $1)', foreign.domain);
    assert.deepEqual(
      byDomain.map((row) => row['tenant_id']),
      [foreign.tenantId],
    );
    assert.deepEqual(await rows('kw_resolve_tenant($1, NULL)', 'org_nobody'), []);
    // A given id is decisive.
    assert.deepEqual(await rows('kw_resolve_tenant($1, $2)', 'org_nobody', foreign.domain), []);
    assert.equal(await value('current_user::text'), 'keywright_resolver');
    // A tenant that is being deleted cannot be found under any of its names.
    await deleteTenant();
    assert.deepEqual(await rows('kw_resolve_tenant($1, NULL)', local.tenantId), []);
    assert.deepEqual(await rows('kw_resolve_tenant(NULL, $1)', local.domain), []);
  },

  kw_live_grants: async ({ local, foreign, value, deleteTenant }) => {
    const tenants = [local.tenantId, foreign.tenantId, local.tenantId, foreign.tenantId];
    for (const kind of GRANTS) {
      const grants = [foreign[kind], foreign[kind], local[kind], local[kind]];
      const live = (versions: readonly number[]) =>
        value('kw_live_grants($1, $2, $3, $4)', tenants, grants, versions, NOW);
      assert.equal(await live([0, 0, 0, 0]), '0110', kind);
      // Access of a version other than the grant's is outdated.
      assert.equal(await live([0, 1, 0, 0]), '0010', kind);
    }
    const nothing = [[local.tenantId, local.tenantId], ['nothing', ''], [0, 0], NOW];
    assert.equal(await value('kw_live_grants($1, $2, $3, $4)', ...nothing), '00');
    await deleteTenant();
    const both = [
      [local.tenantId, foreign.tenantId],
      [local.sessionId, foreign.sessionId],
      [0, 0],
      NOW,
    ];
    assert.equal(await value('kw_live_grants($1, $2, $3, $4)', ...both), '01');
    // No credential of a deleted tenant is valid, even in a batch without others.
    const gone = GRANTS.map((kind) => local[kind]);
    const alone = [gone.map(() => local.tenantId), gone, gone.map(() => 0), NOW];
    assert.equal(await value('kw_live_grants($1, $2, $3, $4)', ...alone), '00000');
  },

  kw_effective_permissions: async ({ local, foreign, rows }) => {
    const tenants = [local.tenantId, local.tenantId, foreign.tenantId, foreign.tenantId];
    for (const kind of ['userId', 'agentId'] as const) {
      const subjects = [local[kind], foreign[kind], foreign[kind], local[kind]];
      const places = [local, foreign, foreign, foreign].map((tenant) => tenant.workspaceId);
      const all = [true, true, true, true];
      const found = await rows(
        'kw_effective_permissions($1, $2, $3, $4)',
        tenants,
        subjects,
        all,
        places,
      );
      assert.deepEqual(
        found.map((row) => Object.values(row)),
        [
          [true, [`read:${local.role}`], 'inside'],
          [false, [], 'unknown'],
          [true, [`read:${foreign.role}`], 'inside'],
          [false, [], 'outside'],
        ],
        kind,
      );
    }
    const nowhere = [[local.tenantId], [local.userId], [true], [null]];
    const [row] = await rows('kw_effective_permissions($1, $2, $3, $4)', ...nowhere);
    assert.equal(row?.['place'], null);
  },

  kw_find_users: async ({ local, foreign, value }) => {
    const tenants = [local.tenantId, local.tenantId, foreign.tenantId, foreign.tenantId];
    const users = [local.userId, foreign.userId, local.userId, foreign.userId];
    const found = await value('kw_find_users($1, $2)', tenants, users);
    const parts = (found as (Record<string, unknown> | null)[]).map(
      (user) => user && [user['id'], user['roles'], user['workspaces']],
    );
    const partsOf = ({ userId, role, workspaceId }: Seeded) => [userId, [role], [workspaceId]];
    assert.deepEqual(parts, [partsOf(local), null, null, partsOf(foreign)]);
  },

  kw_signing_keys: async ({ local, foreign, rows }) => {
    for (const { tenantId } of [local, foreign]) {
      const keys = await rows('kw_signing_keys($1)', tenantId);
      assert.deepEqual(
        keys.map((key) => key['tenant_id']),
        [tenantId],
      );
    }
    assert.deepEqual(await rows('kw_signing_keys($1)', 'org_nobody'), []);
  },

  ...TENANT_FUNCTIONS,

  kw_data_key: async ({ local, foreign, value }) => {
    for (const { tenantId, subject } of [local, foreign]) {
      assert.deepEqual(await value('(kw_data_key($1)).wrapped_key', tenantId), subject);
    }
    assert.equal(await value('current_user::text'), 'keywright_tenant');
  },

  kw_permissions_of: async ({ local, foreign, entered, rows }) => {
    const permissions = (tenantId: string, userId: string) =>
      entered(() => rows('kw_permissions_of($1, $2)', tenantId, userId));
    const found = { roles: [local.role], scopes: [`read:${local.role}`] };
    assert.deepEqual(await permissions(local.tenantId, local.userId), [found]);
    for (const tenantId of [local.tenantId, foreign.tenantId]) {
      assert.deepEqual(await permissions(tenantId, foreign.userId), [{ roles: [], scopes: [] }]);
    }
  },

  // Reads no table.
  kw_is_usable: async ({ value }) => {
    const soon = new Date(NOW.getTime() + 1);
    const usable = (revokedAt: Date | null, expiresAt: Date) =>
      value('kw_is_usable($1, $2, $3)', revokedAt, expiresAt, NOW);
    assert.equal(await usable(null, soon), true);
    assert.equal(await usable(null, NOW), false);
    assert.equal(await usable(soon, soon), false);
  },

  kw_count_attempt: async ({ local, foreign, entered, value }) => {
    const attempt = (tenantId: string) =>
      entered(() => value('kw_count_attempt($1, $2, 5, 60, $3)', tenantId, foreign.subject, NOW));
    assert.equal(await attempt(local.tenantId), null);
    assert.ok(await isForbidden(() => attempt(foreign.tenantId)));
    // The window starts with the first attempt, however late the others are.
    const waits = await entered(async () => {
      const found: unknown[] = [];
      for (const seconds of [0, 59, 59.5, 60, 60]) {
        const at = new Date(NOW.getTime() + seconds * 1000);
        found.push(await value('kw_count_attempt($1, $2, 2, 60, $3)', local.tenantId, NEXT, at));
      }
      return found;
    });
    assert.deepEqual(waits, [null, null, 1, null, null]);
  },

  kw_give_back_attempt: async ({ local, foreign, value }) => {
    await value('kw_enter($1)', local.tenantId);
    await value('kw_give_back_attempt($1, $2, $3)', foreign.tenantId, foreign.subject, NOW);
  },

  ...SIGN_IN_FUNCTIONS,

  kw_login_workspace: async ({ local, foreign, entered, value }) => {
    const land = (tenantId: string, userId: string, requested: string) =>
      entered(() => value('kw_login_workspace($1, $2, $3)', tenantId, userId, requested));
    assert.equal(await land(local.tenantId, local.userId, local.workspaceId), local.workspaceId);
    assert.equal(await land(local.tenantId, local.userId, foreign.workspaceId), null);
    assert.equal(await land(local.tenantId, foreign.userId, foreign.workspaceId), null);
    assert.equal(await land(foreign.tenantId, foreign.userId, foreign.workspaceId), null);
  },

  kw_refresh_sessions: async ({ local, foreign, rows }) => {
    const rotate = async (pairs: readonly (readonly [where: Seeded, whose: Seeded])[]) => {
      const ofEach = <T>(constant: T) => pairs.map(() => constant);
      const rotated = await rows(
        'kw_refresh_sessions($1, $2, $3, $4, $5, $6, $7, $8, $9, NULL, $10)',
        pairs.map(([where]) => where.tenantId),
        pairs.map(([, whose]) => whose.sessionId),
        pairs.map(([, whose]) => (whose === local ? local.refreshHash : NEW)),
        ofEach(NEXT),
        ofEach('kid'),
        ofEach(NOW),
        ofEach(LATER),
        ofEach(30),
        ofEach(null),
        ofEach(true),
      );
      return rotated.map((row) => [
        row['outcome'],
        row['user_id'],
        row['scopes'],
        row['metadata'] !== null,
      ]);
    };
    const scopes = [`read:${local.role}`];
    const none = ['ended', null, [], false];
    // Each is looked up in the tenant of its request, whatever else is in the batch.
    const all = [
      [local, foreign],
      [local, local],
      [foreign, local],
      [foreign, foreign],
      [local, local],
    ] as const;
    assert.deepEqual(await rotate(all), [
      none,
      ['rotated', local.userId, scopes, true],
      none,
      ['other', foreign.userId, [], false],
      ['repeated', local.userId, scopes, true],
    ]);
  },

  kw_admit_attempt: async ({ local, foreign, value }) => {
    const call = 'kw_admit_attempt($1, $2, 5, 60, $3)';
    assert.equal(await value(call, local.tenantId, foreign.subject, NOW), null);
    assert.equal(await value('(SELECT count(*)::integer FROM login_attempts)'), 2);
  },

  kw_announce_change: async ({ local, entered, rows, value }) => {
    await assert.rejects(
      entered(() => value('kw_announce_change()')),
      { code: '0A000' },
    );
    const tables = await rows(
      `(SELECT DISTINCT tgrelid::regclass::text AS name FROM pg_trigger
         WHERE tgfoid = 'kw_announce_change'::regproc ORDER BY 1) AS t`,
    );
    const names = tables.map((row) => row['name']);
    assert.equal(names.join(' '), CACHED_TABLES);
    // The function needs only its caller's rights.
    await value('kw_enter($1)', local.tenantId);
    assert.deepEqual(
      await changed("UPDATE signing_keys SET public_key = 'y' WHERE algorithm = 'EdDSA'"),
      [local.tenantId],
    );
    assert.deepEqual(await changed('UPDATE tenants SET name = name'), [local.tenantId]);
  },

  kw_emit: async ({ local, foreign, entered, value, rows }) => {
    const events = (id: string) =>
      JSON.stringify([
        { id, type: 'user.deleted', subject: id, data: { user_id: id }, created_at: NOW },
      ]);
    await value('kw_enter($1)', local.tenantId);
    await value('kw_emit($1, $2)', local.tenantId, events('evt_new'));
    const found = await rows(`(SELECT subject FROM events WHERE id = 'evt_new') AS t`);
    assert.deepEqual(
      found.map((row) => row['subject']),
      ['evt_new'],
    );
    const elsewhere = () => value('kw_emit($1, $2)', foreign.tenantId, events('evt_other'));
    assert.ok(await isForbidden(() => entered(elsewhere)));
  },

  kw_record: async ({ local, foreign, entered, value }) => {
    const record = (tenantId: string) => value(`kw_record($1, $2, '[]')`, tenantId, RECORDED);
    await value('kw_enter($1)', local.tenantId);
    await record(local.tenantId);
    assert.equal(await value(`(SELECT count FROM audit_entries WHERE id = 'aud_new')`), 3);
    assert.ok(await isForbidden(() => entered(() => record(foreign.tenantId))));
  },

  ...KEY_FUNCTIONS,
  ...USER_FUNCTIONS,
  ...WEBHOOK_FUNCTIONS,
  ...MESSAGE_FUNCTIONS,

  ...STATUS_FUNCTIONS,
  ...LOGOUT_FUNCTIONS,
  ...SIGNAL_FUNCTIONS,
  ...SYSTEM_FUNCTIONS,

  kw_note: async ({ local, foreign, value, batch, deleteTenant }) => {
    const noteIn = (...tenants: readonly string[]) =>
      batch(note, ...tenants.map((tenant) => ({ tenant, entries: RECORDED })));
    const count = `(SELECT count(*)::integer FROM audit_entries WHERE id = 'aud_new')`;
    await noteIn(local.tenantId);
    assert.equal(await value(count), 1);
    await value('kw_enter($1)', foreign.tenantId);
    assert.equal(await value(count), 0);
    // Rows for a deleted tenant are dropped: here, the same id a second time would be rejected.
    await deleteTenant();
    await noteIn(local.tenantId, 'org_nobody');
  },

  kw_give_back: async ({ local, foreign, value }) => {
    await value('kw_give_back($1, $2, $3)', local.tenantId, foreign.subject, NOW);
  },
};

let session: ClosableSession;
let local: Seeded;
let foreign: Seeded;
let past: TenantDump;

before(async () => {
  session = await openPostgres();
  local = await seedTenant(session, 'own');
  foreign = await seedTenant(session, 'foreign');
  past = await dumpTenant(session, foreign.tenantId);
});

after(() => session.close());

const rows: Tested['rows'] = async (call, ...values) => {
  const found = await session.query(`SELECT * FROM ${call}`, values);
  requireDeclaredTypes(call, found);
  return found;
};

const value: Tested['value'] = async (call, ...values) => {
  const found = await session.query<{ answer: unknown }>(`SELECT ${call} AS answer`, values);
  requireDeclaredTypes(call, found);
  return found[0]?.answer;
};

const batch: Tested['batch'] = async (call, ...items) => {
  const found = await session.query(call.text, call.values(items as readonly never[]));
  requireDeclaredTypes(`${call.name}()`, found);
  return found.toSorted((row, other) => Number(row['place']) - Number(other['place']));
};

/** The tenants whose rows a statement changed. */
async function changed(sql: string): Promise<string[]> {
  const found = await session.query<{ one: string }>(`${sql} RETURNING tenant_id AS one`);
  return found.map((row) => row.one);
}

/** Runs the check, and looks at the other tenant's rows before all of it is rolled back. */
async function assertForeignRowsUnchanged(work: () => Promise<void>): Promise<void> {
  await inTransaction(session, 'RESET ROLE', async () => {
    await work();
    await session.query('RESET ROLE');
    assert.deepEqual(await dumpTenant(session, foreign.tenantId), past);
  });
}

test('Each function of the service in the database has an isolation check', async () => {
  const functions = await session.query<{ name: string }>(
    // Those of extensions are PostgreSQL's.
    `SELECT proname::text AS name FROM pg_proc p
      WHERE pronamespace = 'public'::regnamespace AND NOT EXISTS (
        SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = p.oid AND deptype = 'e')
      ORDER BY 1`,
  );
  const names = functions.map((routine) => routine.name);
  const hint = 'add a check to FUNCTIONS in tests/isolation/database-functions.test.ts';
  assert.deepEqual(names, Object.keys(FUNCTIONS).toSorted(), hint);
});

for (const [name, check] of Object.entries(FUNCTIONS)) {
  test(`${name} returns and changes nothing of another tenant (SPEC service 6)`, () =>
    assertForeignRowsUnchanged(async () => {
      const entered: Tested['entered'] = async (work) => {
        await session.query('SAVEPOINT entered');
        try {
          await session.query(`SELECT kw_enter('${local.tenantId}')`);
          return await work();
        } finally {
          await session.query('ROLLBACK TO SAVEPOINT entered');
        }
      };
      const asOwner = (sql: string) => session.query(`RESET ROLE; ${sql}`);
      const deleteTenant = () =>
        asOwner(`UPDATE tenants SET deleted_at = now() WHERE tenant_id = '${local.tenantId}'`);
      await check({ local, foreign, value, rows, batch, changed, asOwner, entered, deleteTenant });
    }));
}
