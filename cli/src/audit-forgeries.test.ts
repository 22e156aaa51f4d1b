// Entries forged in or removed from the audit log by an attacker with write access, but no key.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { AuditEntry } from '@keywright/contract/records/audit-entry';
import { hashOf } from '@keywright/server/modules/events/journal/audit-integrity';
import { problemsOf, verdictOn, whileUnsealed } from '@keywright/tests/harness/audit-log';
import { AuditedService } from '@keywright/tests/harness/audited-service';
import { runCommand } from '@keywright/tests/harness/command-line';
import { expectStatus } from '@keywright/tests/harness/http';
import { entriesOf } from '@keywright/tests/harness/journal';
import type { TestTenant } from '@keywright/tests/harness/tenant';

let audited: AuditedService;
let tenant: TestTenant;

before(async () => {
  audited = await AuditedService.start();
});

after(() => audited.close());

beforeEach(async () => {
  tenant = await audited.newTenant();
  await audited.makeRoom('Attic');
  await audited.seal();
});

/** Inserts an entry as the service would, except for these columns. */
async function invent(id: string, columns: object = {}, from: string = tenant.id): Promise<void> {
  const changed = JSON.stringify({ id, tenant_id: tenant.id, ...columns });
  await audited.change(
    `INSERT INTO audit_entries SELECT (jsonb_populate_record(NULL::audit_entries, to_jsonb(e) || '${changed}')).*
       FROM audit_entries e WHERE tenant_id = '${from}' AND target_id = 'ws_attic' ORDER BY id LIMIT 1`,
  );
  await audited.change(`INSERT INTO audit_unsealed VALUES ($tenant, '${id}')`);
}

const verdict = () => verdictOn(audited.keywright.database, audited.masterKey, tenant);
const problems = async () => problemsOf(await verdict());

describe('an entry forged in the database', () => {
  test('An audit entry forged in the database is not sealed or exported, and is reported', async () => {
    const forged = ['forged aud_invented', 'forged aud_random'];
    await whileUnsealed(audited.keywright.database, tenant.id, async () => {
      await invent('aud_invented', { actor_id: 'user:another' });
      const mac = `\\x${randomBytes(32).toString('hex')}`;
      await invent('aud_random', { mac });
      const { findings, waiting } = await verdict();
      const found = findings.map(({ problem, entry_id: id }) => `${problem} ${id}`);
      assert.deepEqual(found.toSorted(), forged, 'while they wait');
      assert.ok(waiting >= 2);
    });
    await audited.makeRoom('Cellar');
    const text = await audited.exported();
    assert.ok(text.includes('ws_cellar') && !text.includes('aud_invented'));
    const { findings } = await verdict();
    const found = findings.map(({ problem, entry_id: id }) => `${problem} ${id}`);
    assert.deepEqual(found.toSorted(), forged);
    const left = await audited.change('SELECT FROM audit_unsealed WHERE tenant_id = $tenant');
    assert.equal(left.length, 0, 'nothing waits behind it');
  });

  test('A forged audit entry is reported if it was hashed and linked by hand', async () => {
    const [last] = await entriesOf(tenant, { target: 'ws_attic' });
    assert.ok(last && last.position !== null);
    const place = { position: last.position + 1, previous_hash: last.hash };
    const forged = { ...last, ...place, id: 'aud_chained', address: '192.0.2.66' } as AuditEntry;
    await invent('aud_chained', { address: '192.0.2.66' });
    await audited.change(`DELETE FROM audit_unsealed WHERE tenant_id = $tenant`);
    await audited.change(
      `INSERT INTO audit_chain VALUES ($tenant, ${place.position}, 'aud_chained',
         decode('${Buffer.from(last.hash ?? '', 'base64url').toString('hex')}', 'hex'),
         decode('${hashOf(forged).toString('hex')}', 'hex'))`,
    );
    assert.deepEqual(await problems(), [
      ['forged', place.position],
      ['unsigned', place.position],
    ]);
    // The service continues the chain, and its next signature covers the forgery. Only the MAC reveals it.
    await audited.makeRoom('Cellar');
    await audited.seal();
    assert.deepEqual(await problems(), [['forged', place.position]]);
  });

  test('A forged audit entry is reported if it was copied from another tenant', async () => {
    const other = await audited.keywright.tenant('forged-elsewhere');
    const options = { token: await other.adminToken(), body: { name: 'Attic' } };
    expectStatus(201, await other.request('POST', '/workspaces', options));
    const [entry] = await entriesOf(other, { target: 'ws_attic' });
    await invent(entry?.id ?? '', {}, other.id);
    await audited.seal();
    assert.deepEqual(await problems(), [['forged', null]]);
  });

  test('A forged audit entry is reported if its MAC was removed', async () => {
    await audited.change('ALTER TABLE audit_entries DROP CONSTRAINT audit_entries_carry_a_mac');
    await invent('aud_bare', { mac: null });
    await audited.seal();
    assert.deepEqual(await problems(), [['forged', null]]);
    const [position] = await audited.change(
      `UPDATE audit_entries e SET mac = NULL FROM audit_chain c
        WHERE e.tenant_id = $tenant AND target_id = 'ws_attic' AND e.id <> 'aud_bare'
          AND c.tenant_id = e.tenant_id AND c.entry_id = e.id RETURNING c.position::integer AS position`,
    );
    const at = position?.['position'];
    assert.deepEqual((await problems()).slice(0, 2), [
      ['forged', at],
      ['changed', at],
    ]);
  });
});

test('A genuine audit entry that was removed remains genuine when it is inserted again', async () => {
  await whileUnsealed(audited.keywright.database, tenant.id, async () => {
    await audited.change(
      `INSERT INTO audit_unsealed SELECT tenant_id, entry_id FROM audit_chain
      WHERE tenant_id = $tenant ORDER BY position DESC LIMIT 1`,
    );
    await audited.change(
      `DELETE FROM audit_chain c USING audit_unsealed u WHERE c.tenant_id = $tenant
        AND u.tenant_id = c.tenant_id AND c.entry_id = u.id`,
    );
    await audited.change(
      `DELETE FROM audit_checkpoints k WHERE tenant_id = $tenant AND NOT EXISTS (
       SELECT FROM audit_chain c WHERE c.tenant_id = k.tenant_id AND c.position >= k.position)`,
    );
  });
  await audited.seal();
  assert.deepEqual(await problems(), []);
});

test('A login into a workspace that was not requested is recorded with that workspace', async () => {
  const { id } = (await entriesOf(tenant, { target: 'ws_attic' }))[0]?.target ?? {};
  const user = await tenant.createUser();
  const asAdmin = { token: await tenant.adminToken(), body: { workspaces: [id] } };
  expectStatus(200, await tenant.request('PATCH', `/users/${user.user.id}`, asAdmin));
  for (let login = 0; login < 2; login += 1) {
    await tenant.login(user.identifier, user.password);
    const [entry] = await entriesOf(tenant, { action: 'auth.login', actor: user.user.id });
    assert.equal(entry?.details['workspace_id'], id);
  }
  await audited.seal();
  assert.deepEqual(await problems(), []);
});

describe('without the right master key', () => {
  test('The audit chain is still verified without the right master key, with a note that MACs were not', async () => {
    const other = randomBytes(32).toString('base64');
    const found = await verdictOn(audited.keywright.database, other, tenant);
    assert.deepEqual([problemsOf(found), found.macs_checked], [[['key', null]], false]);
  });

  test('MACs are valid after the master key was rotated', async () => {
    const newKey = randomBytes(32).toString('base64');
    const env = {
      KEYWRIGHT_DATABASE_URL: audited.keywright.database.url,
      KEYWRIGHT_MASTER_KEY: newKey,
      KEYWRIGHT_MASTER_KEY_PREVIOUS: audited.masterKey,
    };
    // The node of this test has the old key only.
    const rotate = ['master-key', 'rotate', '--ignore-nodes'];
    assert.equal((await runCommand(rotate, { env })).code, 0);
    await audited.seal();
    const found = await verdictOn(audited.keywright.database, newKey, tenant);
    assert.deepEqual([problemsOf(found), found.macs_checked], [[], true]);
  });
});
