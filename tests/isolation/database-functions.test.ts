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
import { inTransaction, isForbidden, openPostgres, type OwnSession } from './session.ts';

const LATER = new Date('2026-01-20T00:00:00Z');
const NEXT = Buffer.from('next');
const NEW = Buffer.from('new');
/** The records that a token can depend on. */
const GRANTS = ['sessionId', 'apiKeyId', 'delegationId', 'agentId', 'tenantId'] as const;

/** What nodes cache. */
const CACHED_TABLES =
  'logos oauth_clients oauth_resources signing_keys tenant_domains tenant_texts tenants';

/** One check for each function of the service, rolled back afterwards. */
const FUNCTIONS: Readonly<Record<string, Check>> = {
  kw_isolate: async ({ entered, value }) => {
    assert.ok(await isForbidden(() => entered(() => value(`kw_isolate('users')`))));
  },

  kw_enter: async ({ own, value }) => {
    await value('kw_enter($1)', own.tenantId);
    assert.equal(await value('current_user::text'), 'keywright_tenant');
    assert.equal(await value('(SELECT string_agg(id, $1) FROM users)', ','), own.userId);
  },

  kw_resolve_tenant: async ({ own, foreign, rows, value, deleteOwn }) => {
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
    await deleteOwn();
    assert.deepEqual(await rows('kw_resolve_tenant($1, NULL)', own.tenantId), []);
    assert.deepEqual(await rows('kw_resolve_tenant(NULL, $1)', own.domain), []);
  },

  kw_live_grants: async ({ own, foreign, value, deleteOwn }) => {
    const tenants = [own.tenantId, foreign.tenantId, own.tenantId, foreign.tenantId];
    for (const kind of GRANTS) {
      const grants = [foreign[kind], foreign[kind], own[kind], own[kind]];
      const live = (versions: readonly number[]) =>
        value('kw_live_grants($1, $2, $3, $4)', tenants, grants, versions, NOW);
      assert.equal(await live([0, 0, 0, 0]), '0110', kind);
      // Access of a version other than the grant's is outdated.
      assert.equal(await live([0, 1, 0, 0]), '0010', kind);
    }
    const nothing = [[own.tenantId, own.tenantId], ['nothing', ''], [0, 0], NOW];
    assert.equal(await value('kw_live_grants($1, $2, $3, $4)', ...nothing), '00');
    await deleteOwn();
    const both = [
      [own.tenantId, foreign.tenantId],
      [own.sessionId, foreign.sessionId],
      [0, 0],
      NOW,
    ];
    assert.equal(await value('kw_live_grants($1, $2, $3, $4)', ...both), '01');
    // No credential of a deleted tenant is valid, even in a batch without others.
    const gone = GRANTS.map((kind) => own[kind]);
    const alone = [gone.map(() => own.tenantId), gone, gone.map(() => 0), NOW];
    assert.equal(await value('kw_live_grants($1, $2, $3, $4)', ...alone), '00000');
  },

  kw_effective_permissions: async ({ own, foreign, rows }) => {
    const tenants = [own.tenantId, own.tenantId, foreign.tenantId, foreign.tenantId];
    for (const kind of ['userId', 'agentId'] as const) {
      const subjects = [own[kind], foreign[kind], foreign[kind], own[kind]];
      const places = [own, foreign, foreign, foreign].map((one) => one.workspaceId);
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
          [true, [`read:${own.role}`], 'inside'],
          [false, [], 'unknown'],
          [true, [`read:${foreign.role}`], 'inside'],
          [false, [], 'outside'],
        ],
        kind,
      );
    }
    const nowhere = [[own.tenantId], [own.userId], [true], [null]];
    const [row] = await rows('kw_effective_permissions($1, $2, $3, $4)', ...nowhere);
    assert.equal(row?.['place'], null);
  },

  kw_find_users: async ({ own, foreign, value }) => {
    const tenants = [own.tenantId, own.tenantId, foreign.tenantId, foreign.tenantId];
    const users = [own.userId, foreign.userId, own.userId, foreign.userId];
    const found = await value('kw_find_users($1, $2)', tenants, users);
    const parts = (found as (Record<string, unknown> | null)[]).map(
      (user) => user && [user['id'], user['roles'], user['workspaces']],
    );
    const partsOf = ({ userId, role, workspaceId }: Seeded) => [userId, [role], [workspaceId]];
    assert.deepEqual(parts, [partsOf(own), null, null, partsOf(foreign)]);
  },

  kw_signing_keys: async ({ own, foreign, rows }) => {
    for (const { tenantId } of [own, foreign]) {
      const keys = await rows('kw_signing_keys($1)', tenantId);
      assert.deepEqual(
        keys.map((key) => key['tenant_id']),
        [tenantId],
      );
    }
    assert.deepEqual(await rows('kw_signing_keys($1)', 'org_nobody'), []);
  },

  ...TENANT_FUNCTIONS,

  kw_data_key: async ({ own, foreign, value }) => {
    for (const { tenantId, subject } of [own, foreign]) {
      assert.deepEqual(await value('(kw_data_key($1)).wrapped_key', tenantId), subject);
    }
    assert.equal(await value('current_user::text'), 'keywright_tenant');
  },

  kw_permissions_of: async ({ own, foreign, entered, rows }) => {
    const permissions = (tenantId: string, userId: string) =>
      entered(() => rows('kw_permissions_of($1, $2)', tenantId, userId));
    const found = { roles: [own.role], scopes: [`read:${own.role}`] };
    assert.deepEqual(await permissions(own.tenantId, own.userId), [found]);
    for (const tenantId of [own.tenantId, foreign.tenantId]) {
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

  kw_count_attempt: async ({ own, foreign, entered, value }) => {
    const attempt = (tenantId: string) =>
      entered(() => value('kw_count_attempt($1, $2, 5, 60, $3)', tenantId, foreign.subject, NOW));
    assert.equal(await attempt(own.tenantId), null);
    assert.ok(await isForbidden(() => attempt(foreign.tenantId)));
    // The window starts with the first attempt, however late the others are.
    const waits = await entered(async () => {
      const found: unknown[] = [];
      for (const seconds of [0, 59, 59.5, 60, 60]) {
        const at = new Date(NOW.getTime() + seconds * 1000);
        found.push(await value('kw_count_attempt($1, $2, 2, 60, $3)', own.tenantId, NEXT, at));
      }
      return found;
    });
    assert.deepEqual(waits, [null, null, 1, null, null]);
  },

  kw_give_back_attempt: async ({ own, foreign, value }) => {
    await value('kw_enter($1)', own.tenantId);
    await value('kw_give_back_attempt($1, $2, $3)', foreign.tenantId, foreign.subject, NOW);
  },

  ...SIGN_IN_FUNCTIONS,

  kw_login_workspace: async ({ own, foreign, entered, value }) => {
    const land = (tenantId: string, userId: string, asked: string) =>
      entered(() => value('kw_login_workspace($1, $2, $3)', tenantId, userId, asked));
    assert.equal(await land(own.tenantId, own.userId, own.workspaceId), own.workspaceId);
    assert.equal(await land(own.tenantId, own.userId, foreign.workspaceId), null);
    assert.equal(await land(own.tenantId, foreign.userId, foreign.workspaceId), null);
    assert.equal(await land(foreign.tenantId, foreign.userId, foreign.workspaceId), null);
  },

  kw_refresh_sessions: async ({ own, foreign, rows }) => {
    const rotate = async (asked: readonly (readonly [where: Seeded, whose: Seeded])[]) => {
      const ofEach = <T>(one: T) => asked.map(() => one);
      const rotated = await rows(
        'kw_refresh_sessions($1, $2, $3, $4, $5, $6, $7, $8, $9, NULL, $10)',
        asked.map(([where]) => where.tenantId),
        asked.map(([, whose]) => whose.sessionId),
        asked.map(([, whose]) => (whose === own ? own.refreshHash : NEW)),
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
    const scopes = [`read:${own.role}`];
    const none = ['ended', null, [], false];
    // Each is looked up in the tenant of its request, whatever else is in the batch.
    const asked = [
      [own, foreign],
      [own, own],
      [foreign, own],
      [foreign, foreign],
      [own, own],
    ] as const;
    assert.deepEqual(await rotate(asked), [
      none,
      ['rotated', own.userId, scopes, true],
      none,
      ['other', foreign.userId, [], false],
      ['repeated', own.userId, scopes, true],
    ]);
  },

  kw_admit_attempt: async ({ own, foreign, value }) => {
    const call = 'kw_admit_attempt($1, $2, 5, 60, $3)';
    assert.equal(await value(call, own.tenantId, foreign.subject, NOW), null);
    assert.equal(await value('(SELECT count(*)::integer FROM login_attempts)'), 2);
  },

  kw_announce_change: async ({ own, entered, rows, value }) => {
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
    await value('kw_enter($1)', own.tenantId);
    assert.deepEqual(
      await changed("UPDATE signing_keys SET public_key = 'y' WHERE algorithm = 'EdDSA'"),
      [own.tenantId],
    );
    assert.deepEqual(await changed('UPDATE tenants SET name = name'), [own.tenantId]);
  },

  kw_emit: async ({ own, foreign, entered, value, rows }) => {
    const events = (id: string) =>
      JSON.stringify([
        { id, type: 'user.deleted', subject: id, data: { user_id: id }, created_at: NOW },
      ]);
    await value('kw_enter($1)', own.tenantId);
    await value('kw_emit($1, $2)', own.tenantId, events('evt_new'));
    const found = await rows(`(SELECT subject FROM events WHERE id = 'evt_new') AS t`);
    assert.deepEqual(
      found.map((row) => row['subject']),
      ['evt_new'],
    );
    const elsewhere = () => value('kw_emit($1, $2)', foreign.tenantId, events('evt_other'));
    assert.ok(await isForbidden(() => entered(elsewhere)));
  },

  kw_record: async ({ own, foreign, entered, value }) => {
    const record = (tenantId: string) => value(`kw_record($1, $2, '[]')`, tenantId, RECORDED);
    await value('kw_enter($1)', own.tenantId);
    await record(own.tenantId);
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

  kw_note: async ({ own, foreign, value, batch, deleteOwn }) => {
    const noteIn = (...tenants: readonly string[]) =>
      batch(note, ...tenants.map((tenant) => ({ tenant, entries: RECORDED })));
    const count = `(SELECT count(*)::integer FROM audit_entries WHERE id = 'aud_new')`;
    await noteIn(own.tenantId);
    assert.equal(await value(count), 1);
    await value('kw_enter($1)', foreign.tenantId);
    assert.equal(await value(count), 0);
    // Rows for a deleted tenant are dropped: here, the same id a second time would be rejected.
    await deleteOwn();
    await noteIn(own.tenantId, 'org_nobody');
  },

  kw_give_back: async ({ own, foreign, value }) => {
    await value('kw_give_back($1, $2, $3)', own.tenantId, foreign.subject, NOW);
  },
};

let session: OwnSession;
let own: Seeded;
let foreign: Seeded;
let past: TenantDump;

before(async () => {
  session = await openPostgres();
  own = await seedTenant(session, 'own');
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
  return found.toSorted((one, other) => Number(one['place']) - Number(other['place']));
};

/** The tenants whose rows a statement changed. */
async function changed(sql: string): Promise<string[]> {
  const found = await session.query<{ one: string }>(`${sql} RETURNING tenant_id AS one`);
  return found.map((row) => row.one);
}

/** Runs the check, and looks at the other tenant's rows before all of it is rolled back. */
async function leavesForeignRows(work: () => Promise<void>): Promise<void> {
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
  const names = functions.map((one) => one.name);
  const told = 'add a check to FUNCTIONS in tests/isolation/database-functions.test.ts';
  assert.deepEqual(names, Object.keys(FUNCTIONS).toSorted(), told);
});

for (const [name, check] of Object.entries(FUNCTIONS)) {
  test(`${name} returns and changes nothing of another tenant (SPEC service 6)`, () =>
    leavesForeignRows(async () => {
      const entered: Tested['entered'] = async (work) => {
        await session.query('SAVEPOINT entered');
        try {
          await session.query(`SELECT kw_enter('${own.tenantId}')`);
          return await work();
        } finally {
          await session.query('ROLLBACK TO SAVEPOINT entered');
        }
      };
      const asOwner = (sql: string) => session.query(`RESET ROLE; ${sql}`);
      const deleteOwn = () =>
        asOwner(`UPDATE tenants SET deleted_at = now() WHERE tenant_id = '${own.tenantId}'`);
      await check({ own, foreign, value, rows, batch, changed, asOwner, entered, deleteOwn });
    }));
}
