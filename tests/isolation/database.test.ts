// Layer 2: the guarantees of the database itself, whatever the service queries.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Seeded, seedTenant } from './seed.ts';
import { asTenant, ENGINES, inTransaction, isForbidden, type ClosableSession } from './session.ts';

const SERVICE_ROLES = ['keywright_resolver', 'keywright_system', 'keywright_tenant'];

/** Every table without tenant_id, and the reason. */
const TABLES_WITHOUT_TENANT: Readonly<Record<string, string>> = {
  former_tenants: 'ids of tenants that are gone',
  installation: 'one row: which master key wraps the data keys',
  nodes: 'which nodes run',
  deliveries_checked: 'one row: up to which transaction no delivery is missing',
  migration_checksums: 'which migrations were applied, and what they were',
  schema_versions: 'which versions of the service have migrated',
  function_checksums: 'which functions were applied, and what they were',
};

/**
 * Unique indexes that don't start with tenant_id, because their values are unique in the whole installation: a domain,
 * and a MAC under a key of the tenant.
 */
const INSTALLATION_WIDE_INDEXES = ['device_grants_by_user_code', 'tenant_domains_domain_key'];

/** The columns of its own row that a tenant can change. The others are reserved for system administrators. */
const CHANGEABLE_COLUMNS = [
  'branding',
  'config',
  'foreign_hashes',
  'identity_providers',
  'messaging',
  'name',
];

/** Tables whose rows no tenant can change, not even its own. */
const UNCHANGEABLE = [
  'audit_chain',
  'audit_checkpoints',
  'audit_entries',
  'events',
  'tenant_domains',
];

const READ_WRITE = ['DELETE', 'INSERT', 'SELECT', 'UPDATE'];
const CURRENT_TENANT = "(tenant_id = current_setting('keywright.tenant_id'::text, true))";

for (const engine of ENGINES) {
  describe(`on ${engine.name}`, () => {
    let session: ClosableSession;
    let local: Seeded;
    let foreign: Seeded;
    let tables: readonly string[];

    before(async () => {
      session = await engine.open();
      local = await seedTenant(session, 'own');
      foreign = await seedTenant(session, 'foreign');
      tables = await list(
        `SELECT table_name AS one FROM information_schema.columns
          WHERE table_schema = 'public' AND column_name = 'tenant_id' ORDER BY 1`,
      );
    });

    after(() => session.close());

    async function list(sql: string, values: readonly unknown[] = []): Promise<string[]> {
      const rows = await session.query<{ one: string }>(sql, values);
      return rows.map((row) => row.one);
    }

    async function count(sql: string): Promise<number> {
      const [row] = await session.query<{ n: number }>(`SELECT count(*)::integer AS n FROM ${sql}`);
      return row?.n ?? -1;
    }

    test('Each table has a tenant_id, except those that need none', async () => {
      const without = await list(
        `SELECT relname::text AS one FROM pg_class c
          WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'f')
            AND NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = 'tenant_id')`,
      );
      assert.deepEqual(without.toSorted(), Object.keys(TABLES_WITHOUT_TENANT).toSorted());
    });

    test('No view and no SECURITY DEFINER function bypasses row-level security', async () => {
      const views = await list(
        `SELECT relname::text AS one FROM pg_class
          WHERE relnamespace = 'public'::regnamespace AND relkind IN ('v', 'm', 'f')`,
      );
      const definers = await list(
        `SELECT proname::text AS one FROM pg_proc
          WHERE pronamespace = 'public'::regnamespace AND prosecdef`,
      );
      assert.deepEqual([...views, ...definers], []);
    });

    test('Each table with a tenant_id has row-level security, enabled and forced (SPEC service 6)', async () => {
      const guarded = await list(
        `SELECT relname::text AS one FROM pg_class WHERE relnamespace = 'public'::regnamespace
            AND relrowsecurity AND relforcerowsecurity ORDER BY 1`,
      );
      assert.deepEqual(guarded, tables);
      assert.ok(tables.length > 10);
    });

    test('Each table with a tenant_id has exactly the policies of the three roles (SPEC service 6)', async () => {
      const found = await session.query(
        `SELECT tablename::text AS table, policyname::text AS name, permissive, roles::text, cmd,
                qual AS using, with_check FROM pg_policies ORDER BY 1, 2`,
      );
      const common = { permissive: 'PERMISSIVE', cmd: 'ALL' };
      const expected = tables.flatMap((table) => [
        {
          ...common,
          table,
          name: 'every_tenant',
          roles: '{keywright_system}',
          using: 'true',
          with_check: 'true',
        },
        ...(['tenants', 'tenant_domains'].includes(table)
          ? [
              {
                ...common,
                cmd: 'SELECT',
                table,
                name: 'resolving',
                roles: '{keywright_resolver}',
                using: 'true',
                with_check: null,
              },
            ]
          : []),
        {
          ...common,
          table,
          name: 'tenant_only',
          roles: '{keywright_tenant}',
          using: CURRENT_TENANT,
          with_check: CURRENT_TENANT,
        },
      ]);
      assert.deepEqual(found, expected);
    });

    test('Each role has the privileges it needs on each table, and never TRUNCATE, which no policy stops', async () => {
      const rows = await session.query<{ table: string; grantee: string; may: string[] }>(
        `SELECT c.relname::text AS table, coalesce(r.rolname::text, 'PUBLIC') AS grantee,
                array_agg(a.privilege_type::text ORDER BY a.privilege_type) AS may
           FROM pg_class c CROSS JOIN aclexplode(c.relacl) a LEFT JOIN pg_roles r ON r.oid = a.grantee
          WHERE c.relnamespace = 'public'::regnamespace AND a.grantee <> c.relowner
          GROUP BY 1, 2`,
      );
      const found = new Map(rows.map(({ table, grantee, may }) => [`${grantee} ${table}`, may]));
      const expected = new Map(
        tables.flatMap((table) => [
          [`keywright_system ${table}`, READ_WRITE],
          [`keywright_tenant ${table}`, READ_WRITE],
        ]),
      );
      expected.set('keywright_system installation', ['INSERT', 'SELECT', 'UPDATE']);
      expected.set('keywright_system nodes', READ_WRITE);
      expected.set('keywright_system migration_checksums', ['SELECT']);
      expected.set('keywright_system deliveries_checked', ['SELECT', 'UPDATE']);
      expected.set('keywright_system former_tenants', ['INSERT', 'SELECT']);
      expected.set('keywright_tenant tenants', ['SELECT']);
      expected.set('keywright_tenant tenant_domains', ['SELECT']);
      // Events are immutable, and are deleted with their tenant or when they expire.
      expected.set('keywright_tenant events', ['INSERT', 'SELECT']);
      for (const table of ['audit_entries', 'audit_chain', 'audit_checkpoints']) {
        expected.set(`keywright_tenant ${table}`, ['INSERT', 'SELECT']);
        expected.set(`keywright_system ${table}`, ['DELETE', 'INSERT', 'SELECT']);
      }
      expected.set('keywright_resolver tenants', ['SELECT']);
      expected.set('keywright_resolver tenant_domains', ['SELECT']);
      assert.deepEqual(found, expected);
    });

    test('A tenant can change the settings in its own row, and no other column of it (SPEC service 6)', async () => {
      const granted = await list(
        `SELECT concat_ws(' ', a.grantee::regrole, a.privilege_type, c.relname, f.attname) AS one
           FROM pg_attribute f JOIN pg_class c ON c.oid = f.attrelid CROSS JOIN aclexplode(f.attacl) a
          WHERE c.relnamespace = 'public'::regnamespace ORDER BY 1`,
      );
      assert.deepEqual(
        granted,
        CHANGEABLE_COLUMNS.map((column) => `keywright_tenant UPDATE tenants ${column}`),
      );
      const columns = await list(
        `SELECT column_name AS one FROM information_schema.columns
          WHERE table_schema = 'public' AND table_name = 'tenants'`,
      );
      assert.ok(columns.includes('is_active'));
      for (const column of columns) {
        const change = () =>
          asTenant(session, local.tenantId, () =>
            session.query(`UPDATE tenants SET ${column} = ${column}`),
          );
        assert.equal(await isForbidden(change), !CHANGEABLE_COLUMNS.includes(column), column);
      }
    });

    test('The roles of the service are not superusers, bypass nothing, and own nothing (SPEC service 6)', async () => {
      const roles = await session.query<Record<string, unknown>>(
        `SELECT rolname::text AS name, rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb
                OR rolreplication OR rolcanlogin AS is_mighty,
                (SELECT count(*)::integer FROM pg_class WHERE relowner = r.oid) AS owned,
                (SELECT count(*)::integer FROM pg_auth_members WHERE member = r.oid) AS memberships,
                has_schema_privilege(r.oid, 'public', 'CREATE') AS may_create
           FROM pg_roles r WHERE rolname LIKE 'keywright\\_%' ORDER BY 1`,
      );
      assert.deepEqual(
        roles,
        SERVICE_ROLES.map((name) => ({
          name,
          is_mighty: false,
          owned: 0,
          memberships: 0,
          may_create: false,
        })),
      );
    });

    test('Each primary key, and each unique index except those of the installation, starts with tenant_id', async () => {
      const indexes = await session.query<{
        name: string;
        table: string;
        is_primary: boolean;
        first: string;
      }>(
        `SELECT i.indexrelid::regclass::text AS name, i.indrelid::regclass::text AS table,
                i.indisprimary AS is_primary, a.attname::text AS first
           FROM pg_index i
           LEFT JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
          WHERE i.indisunique AND i.indrelid::regclass::text = ANY ($1)`,
        [[...tables]],
      );
      const elsewhere = indexes.filter((index) => index.first !== 'tenant_id');
      assert.deepEqual(elsewhere.map((index) => index.name).toSorted(), INSTALLATION_WIDE_INDEXES);
      const keyed = indexes.filter((index) => index.is_primary).map((index) => index.table);
      assert.deepEqual(keyed.toSorted(), tables);
    });

    test('Each foreign key includes the tenant_id, so that no row references another tenant (SPEC service 6)', async () => {
      const keys = await session.query<{ name: string; pairs: string[] }>(
        `SELECT c.conrelid::regclass || '.' || c.conname AS name,
                array_agg(f.attname || ' -> ' || t.attname) AS pairs
           FROM pg_constraint c
          CROSS JOIN LATERAL unnest(c.conkey, c.confkey) AS k(source, target)
           JOIN pg_attribute f ON f.attrelid = c.conrelid AND f.attnum = k.source
           JOIN pg_attribute t ON t.attrelid = c.confrelid AND t.attnum = k.target
          WHERE c.contype = 'f' GROUP BY 1`,
      );
      assert.ok(keys.length > 10);
      for (const { name, pairs } of keys) assert.ok(pairs.includes('tenant_id -> tenant_id'), name);
    });

    test('Each table with a tenant_id has rows to test with', async () => {
      for (const table of tables) {
        for (const { tenantId } of [local, foreign]) {
          const hint = `${table} has no row of ${tenantId}: add one to rowsOf in tests/isolation/seed.ts`;
          assert.notEqual(await count(`${table} WHERE tenant_id = '${tenantId}'`), 0, hint);
        }
      }
    });

    test('A tenant sees all of its rows and none of another (SPEC service 6)', async () => {
      for (const table of tables) {
        await asTenant(session, local.tenantId, async () => {
          const seen = await list(`SELECT DISTINCT tenant_id AS one FROM ${table}`);
          assert.deepEqual(seen, [local.tenantId], table);
          assert.equal(await count(`${table} WHERE tenant_id = '${foreign.tenantId}'`), 0, table);
        });
      }
    });

    /** The tenants whose rows a statement changed, run as the own tenant; undefined if forbidden. */
    async function touched(sql: string): Promise<string[]> {
      let tenants: string[] = [];
      const isRefused = await isForbidden(() =>
        asTenant(session, local.tenantId, async () => {
          tenants = await list(`${sql} RETURNING tenant_id AS one`);
        }),
      );
      return isRefused ? [] : tenants;
    }

    test('A tenant cannot change or delete rows of another (SPEC service 6)', async () => {
      for (const table of tables) {
        const column = table === 'tenants' ? 'name' : 'tenant_id';
        const change = `UPDATE ${table} SET ${column} = ${column}`;
        const all = await touched(change);
        assert.deepEqual(
          new Set(all),
          new Set(UNCHANGEABLE.includes(table) ? [] : [local.tenantId]),
          table,
        );
        const where = `WHERE tenant_id = '${foreign.tenantId}'`;
        assert.deepEqual(await touched(`${change} ${where}`), [], table);
        assert.deepEqual(await touched(`DELETE FROM ${table} ${where}`), [], table);
      }
    });

    test('A tenant cannot move a row to another, or insert one for it (SPEC service 6)', async () => {
      for (const table of tables) {
        const copy = (tenantId: string) =>
          `INSERT INTO ${table} SELECT (jsonb_populate_record(NULL::${table},
             to_jsonb(t) || '{"tenant_id": "${tenantId}"}')).* FROM ${table} t`;
        const asLocal = (sql: string) =>
          asTenant(session, local.tenantId, () => session.query(sql));
        const update = `UPDATE ${table} SET tenant_id = '${foreign.tenantId}'`;
        assert.ok(await isForbidden(() => asLocal(update)), `handed over: ${table}`);
        assert.ok(await isForbidden(() => asLocal(copy(foreign.tenantId))), `written: ${table}`);
        const over = `${copy(foreign.tenantId)} ON CONFLICT DO NOTHING`;
        assert.ok(await isForbidden(() => asLocal(over)), `probed: ${table}`);
        if (['tenants', 'tenant_domains'].includes(table)) continue;
        await asLocal(`${copy(local.tenantId)} ON CONFLICT DO NOTHING`);
      }
    });

    test('A foreign key matches no row of another tenant', async () => {
      const point = `UPDATE user_roles SET role = '${foreign.role}'`;
      const moved = asTenant(session, local.tenantId, () => session.query(point));
      await assert.rejects(moved, { code: '23503' });
    });

    test('No row can be read or written without a tenant (SPEC service 6)', async () => {
      for (const tenantId of [undefined, '', 'org_nobody']) {
        for (const table of tables) {
          const role = 'SET LOCAL ROLE keywright_tenant';
          const named = `SET LOCAL keywright.tenant_id = '${tenantId}'`;
          const setup = tenantId === undefined ? role : `${role}; ${named}`;
          await inTransaction(session, setup, async () => {
            assert.equal(await count(table), 0, `${table} as ${tenantId}`);
          });
          const row = `INSERT INTO isolation_check VALUES ('${local.tenantId}', '${table}')`;
          const write = () => inTransaction(session, setup, () => session.query(row));
          assert.ok(await isForbidden(write), `written as ${tenantId}`);
        }
      }
    });

    test('A tenant is bound for one transaction: nothing of it remains on the connection', async () => {
      await session.query('BEGIN');
      await session.query(`SELECT kw_enter('${local.tenantId}')`);
      assert.deepEqual(await list('SELECT current_user::text AS one'), ['keywright_tenant']);
      await session.query('COMMIT');
      const left = `SELECT coalesce(current_setting('keywright.tenant_id', true), '') AS one`;
      assert.deepEqual(await list(left), ['']);
      assert.deepEqual(await list('SELECT (current_user = session_user)::text AS one'), ['true']);
    });

    test('The resolver reads only tenants and domains (SPEC service 6)', async () => {
      const readable: string[] = [];
      for (const table of [...tables, ...Object.keys(TABLES_WITHOUT_TENANT)]) {
        const role = 'SET LOCAL ROLE keywright_resolver';
        const read = () => session.query(`SELECT FROM ${table}`);
        const write = () => session.query(`DELETE FROM ${table}`);
        if (!(await isForbidden(() => inTransaction(session, role, read)))) readable.push(table);
        assert.ok(await isForbidden(() => inTransaction(session, role, write)), table);
      }
      assert.deepEqual(readable, ['tenant_domains', 'tenants']);
    });
  });
}
