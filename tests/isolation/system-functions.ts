import assert from 'node:assert/strict';
import { type Check, NOW, RECORDED, type Tested } from './function-check.ts';

const NEW = Buffer.from('new');
const WHOSE = `(SELECT string_agg(tenant_id, ' ' ORDER BY tenant_id) FROM audit_entries WHERE id = 'aud_new')`;

/** The database functions that work across tenants. */
export const SYSTEM_FUNCTIONS: Readonly<Record<string, Check>> = {
  kw_create_tenant: async (tested) => {
    const { local, foreign, value, asOwner, entered } = tested;
    const create = (tenantId: string, domain: string, masterKeyId = 'k') => {
      const values = [RECORDED, ...newTenant(tenantId, domain, masterKeyId)];
      return value(`kw_create_tenant(${placesOf(values)})`, ...values);
    };
    const refused = (tenantId: string, domain: string, outcome: string) =>
      assert.rejects(
        entered(() => create(tenantId, domain)),
        { code: 'KW001', message: outcome },
      );
    // Without an installation, and under another master key, nothing is written.
    assert.equal(await create('org_new', 'new.example.com'), '');
    await asOwner(`INSERT INTO installation (master_key_id) VALUES ('k')`);
    assert.equal(await create('org_new', 'new.example.com', 'another'), 'k');
    assert.equal(await value('(SELECT count(*)::integer FROM tenants)'), 2);
    await refused(foreign.tenantId, 'new.example.com', 'slug_taken');
    await refused('org_newest', local.domain, 'domain_taken');
    const created = async () => assert.equal(await create('org_new', 'new.example.com'), null);
    await expectRecorded(tested, created, 'org_default org_new');
  },

  kw_record_system_work: (tested) =>
    expectRecorded(tested, () => tested.value('kw_record_system_work($1)', RECORDED)),

  kw_tenants_to_seal: async ({ local, foreign, value, rows, deleteTenant }) => {
    const found = async () => {
      await value("set_config('role', 'keywright_system', true)");
      return (await rows('kw_tenants_to_seal()')).map((row) => row['kw_tenants_to_seal']);
    };
    assert.deepEqual(new Set(await found()), new Set([local.tenantId, foreign.tenantId]));
    await deleteTenant();
    assert.deepEqual(await found(), [foreign.tenantId]);
  },

  kw_prove_writable: async ({ value, asOwner }) => {
    const prove = () => value(`kw_prove_writable('a process', 'a host', '1.0.0')`);
    await prove();
    await prove();
    await asOwner(`DELETE FROM nodes WHERE id = 'a process'`);
  },

  kw_prove_session: async ({ value }) =>
    assert.deepEqual(await value('kw_prove_session($1)', NOW), NOW),

  kw_find_locked_tables: async ({ rows }) => {
    const [row] = await rows('kw_find_locked_tables()');
    assert.deepEqual(row, { locked: [], is_waiting: false });
  },

  kw_find_pending_work: async ({ rows }) => {
    const found = (await rows('kw_find_pending_work()')).map((row) => row['kw_find_pending_work']);
    assert.ok(found.includes('audit_unsealed'));
    // The result contains names of tables, and no data of a tenant.
    assert.deepEqual(
      found.filter((name) => !/^[a-z]+_[a-z]+$|^messages$/.test(String(name))),
      [],
    );
  },

  kw_find_unsealed: async ({ local, foreign, value, rows, entered }) => {
    const both = [local.tenantId, foreign.tenantId].toSorted();
    const found = async () =>
      (await rows('kw_find_unsealed($1, 9)', both)).map((row) => row['tenant_id']);
    // A caller that entered a tenant finds no other tenants.
    await entered(async () => assert.deepEqual(await found(), [local.tenantId]));
    await value("set_config('role', 'keywright_system', true)");
    assert.deepEqual(await found(), both);
  },

  kw_list_tenants: (tested) =>
    expectRecorded(tested, async () => {
      const page = [false, '-infinity', '', 0, 9];
      const call = 'kw_list_tenants($1, $2, $3, $4, $5, $6, 9)';
      const [row] = await tested.rows(call, RECORDED, ...page);
      const ids = ((row?.['tenants'] ?? []) as unknown[][]).map(([id]) => id);
      const there = [tested.local.tenantId, tested.foreign.tenantId, 'org_default'];
      assert.deepEqual(new Set(ids), new Set(there));
      assert.equal(row?.['counted'], there.length);
    }),
};

/** The arguments of the function that creates a tenant. */
function newTenant(tenantId: string, domain: string, masterKeyId = 'k'): unknown[] {
  const keys = [NEW, masterKeyId, `key_${tenantId}`, 'x', NEW];
  const roles = JSON.stringify([{ name: 'admin', description: '', scopes: ['*:*'] }]);
  const settings = JSON.stringify({ config: {}, branding: {}, messaging: {} });
  return [tenantId, tenantId, settings, ...keys, roles, [domain], NOW, RECORDED];
}

function placesOf(values: readonly unknown[]): string {
  return values.map((_, index) => `$${index + 1}`).join(', ');
}

/**
 * Asserts that work across tenants is recorded in the log of the default tenant. Afterward every tenant is visible.
 * @param whose the other tenants whose logs also get entries; default none
 */
async function expectRecorded(
  { local, foreign, value, changed }: Tested,
  work: () => Promise<unknown>,
  whose = 'org_default',
): Promise<void> {
  await changed(
    `INSERT INTO tenants (tenant_id, name, created_at) VALUES ('org_default', 'Home', now())`,
  );
  await work();
  assert.equal(await value('current_user::text'), 'keywright_system');
  assert.equal(await value(WHOSE), whose);
  const seen = '(SELECT count(*)::integer FROM users WHERE tenant_id = ANY ($1))';
  assert.equal(await value(seen, [local.tenantId, foreign.tenantId]), 2);
}
