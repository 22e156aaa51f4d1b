import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { AuditEntry } from '@keywright/contract/records/audit-entry';
import { hashOf } from '@keywright/server/modules/events/journal/audit-integrity';
import { type LogVerdicts, whileUnsealed } from '@keywright/tests/harness/audit-log';
import { AuditedService } from '@keywright/tests/harness/audited-service';
import { runCommand } from '@keywright/tests/harness/command-line';
import { expectStatus } from '@keywright/tests/harness/http';
import { entriesOf } from '@keywright/tests/harness/journal';
import { temporaryDirectory } from '@keywright/tests/harness/temporary';
import type { TestTenant } from '@keywright/tests/harness/tenant';

/** Rooms created in each sealed batch: a checkpoint confirms the last entry of each batch, and no entry in between. */
const BATCHES = [1, 3, 3, 1];

let audited: AuditedService;
let directory: string;
let tenant: TestTenant;

before(async () => {
  audited = await AuditedService.start();
  directory = await temporaryDirectory('audit');
});

after(() => audited.close());

/** A tenant with a long enough chain, sealed in several batches that the service's own sealing does not split. */
beforeEach(async () => {
  tenant = await audited.newTenant();
  let room = 0;
  for (const size of BATCHES) {
    const end = room + size;
    await whileUnsealed(audited.keywright.database, tenant.id, async () => {
      for (; room < end; room += 1) await audited.makeRoom(`Room ${room}`);
    });
    await audited.seal();
  }
});

let files = 0;

async function fileWith(text: string): Promise<string> {
  files += 1;
  const path = join(directory, `file-${files}`);
  await writeFile(path, text);
  return path;
}

interface Export {
  readonly keySet: string;
  readonly lines: string[];
}

async function exportLog(): Promise<Export> {
  const text = await audited.exported();
  const keys = await tenant.request('GET', '/.well-known/jwks.json');
  return { keySet: await fileWith(keys.text), lines: text.trimEnd().split('\n') };
}

async function inFile({ keySet, lines }: Export, ...more: readonly string[]) {
  const file = await fileWith(`${lines.join('\n')}\n`);
  return audited.findings(`--file=${file}`, `--key-set=${keySet}`, ...more);
}

function edited(line: string | undefined, edit: (entry: AuditEntry) => object): string {
  return JSON.stringify(edit(JSON.parse(line ?? '') as AuditEntry));
}

describe('audit verify, in the database', () => {
  test('The audit verify command reports intact chains of every tenant, with the number of entries', async () => {
    assert.deepEqual(await audited.findingsInDatabase(), []);
    const { code, stdout } = await audited.verify();
    assert.equal(code, 0);
    assert.match(
      stdout,
      new RegExp(`^intact   ${tenant.id}: \\d+ entries, signed up to \\d+`, 'm'),
    );
    assert.match(stdout, /^intact {3}org_default: /m);
  });

  test('The audit verify command finds an entry that was changed in the database', async () => {
    await audited.change(
      `UPDATE audit_entries SET actor_id = 'user:another'
        WHERE tenant_id = $tenant AND target_id = 'ws_room-4'`,
    );
    assert.deepEqual(
      (await audited.findingsInDatabase()).map(([problem]) => problem),
      ['forged', 'changed'],
    );
    const { code, stdout } = await audited.verify(`--tenant=${tenant.id}`);
    assert.equal(code, 3);
    assert.match(
      stdout,
      /^BROKEN .*\n {2}forged .*\n {2}changed +\d+ +Its content does not match its hash/m,
    );
  });

  test('The audit verify command finds a changed entry with a recomputed hash by its successor', async () => {
    const [entry] = await entriesOf(tenant, { target: 'ws_room-4' });
    const { position } = entry ?? {};
    assert.ok(entry && typeof position === 'number');
    const hash = hashOf({ ...entry, address: '192.0.2.66' }).toString('hex');
    await audited.change(
      `UPDATE audit_entries SET address = '192.0.2.66' WHERE tenant_id = $tenant AND id = '${entry.id}'`,
    );
    await audited.change(
      `UPDATE audit_chain SET hash = decode('${hash}', 'hex')
        WHERE tenant_id = $tenant AND entry_id = '${entry.id}'`,
    );
    assert.deepEqual(await audited.findingsInDatabase(), [
      ['forged', position],
      ['changed', position + 1],
    ]);
  });

  test('The audit verify command finds an entry removed from the database, with and without its link', async () => {
    await audited.change(
      `DELETE FROM audit_entries e USING audit_chain c WHERE c.tenant_id = $tenant AND c.position = 4
          AND e.tenant_id = c.tenant_id AND e.id = c.entry_id`,
    );
    assert.deepEqual(await audited.findingsInDatabase(), [['removed', 4]]);
    await audited.change('DELETE FROM audit_chain WHERE tenant_id = $tenant AND position = 4');
    assert.deepEqual(await audited.findingsInDatabase(), [['removed', 4]]);
  });

  test('The audit verify command finds two entries that were swapped in the database', async () => {
    await audited.change(
      `UPDATE audit_chain SET position = -position + 11 + 100 WHERE tenant_id = $tenant AND position IN (5, 6)`,
    );
    await audited.change(
      'UPDATE audit_chain SET position = position - 100 WHERE tenant_id = $tenant AND position > 100',
    );
    const found = await audited.findingsInDatabase();
    assert.deepEqual(
      found
        .filter(([problem]) => problem === 'changed')
        .map(([, at]) => at)
        .slice(0, 2),
      [5, 5],
    );
    assert.ok(found.some(([, at]) => at === 6));
  });

  test('The audit verify command finds an entry that was never added to the chain', async () => {
    const token = await tenant.adminToken();
    const body = { name: 'Cellar' };
    await whileUnsealed(audited.keywright.database, tenant.id, async () => {
      expectStatus(201, await tenant.request('POST', '/workspaces', { token, body }));
      await audited.change('DELETE FROM audit_unsealed WHERE tenant_id = $tenant');
    });
    assert.deepEqual(await audited.findingsInDatabase(), [['unsealed', null]]);
  });

  test('The audit verify command finds an entry that was removed while it waited to be sealed', async () => {
    await audited.change(`INSERT INTO audit_unsealed VALUES ($tenant, 'aud_that-was-there')`);
    assert.deepEqual(await audited.findingsInDatabase(), [['removed', null]]);
  });

  test('A truncated end of the audit log is found by a remaining or a stored checkpoint, and not without one', async () => {
    const file = await fileWith(await audited.newestCheckpoint());
    const [head] = await audited.keywright.database.query<{ head: number }>(
      'SELECT max(position)::integer AS head FROM audit_chain WHERE tenant_id = $1',
      [tenant.id],
    );
    const end = head?.head ?? 0;
    const [batch] = await audited.keywright.database.query<{ start: number }>(
      `SELECT max(position)::integer AS start FROM audit_checkpoints
        WHERE tenant_id = $1 AND position < $2`,
      [tenant.id, end],
    );
    const start = batch?.start ?? 0;
    await audited.change(
      `WITH cut AS (DELETE FROM audit_chain WHERE tenant_id = $tenant AND position > ${start} RETURNING entry_id)
       DELETE FROM audit_entries e USING cut WHERE e.tenant_id = $tenant AND e.id = cut.entry_id`,
    );
    assert.deepEqual(await audited.findingsInDatabase(), [['cut', end]]);
    await audited.change(
      `DELETE FROM audit_checkpoints WHERE tenant_id = $tenant AND position > ${start}`,
    );
    assert.deepEqual(await audited.findingsInDatabase(), []);
    const against = await audited.findings(`--tenant=${tenant.id}`, `--checkpoints=${file}`);
    assert.deepEqual(against, [['cut', end]]);
  });

  test('A rewritten history of the audit log is found by a stored checkpoint', async () => {
    const file = await fileWith(await audited.newestCheckpoint());
    await audited.change('DELETE FROM audit_chain WHERE tenant_id = $tenant');
    await audited.change('DELETE FROM audit_checkpoints WHERE tenant_id = $tenant');
    await audited.change(
      `DELETE FROM audit_entries WHERE tenant_id = $tenant AND target_id = 'ws_room-2'`,
    );
    await audited.change(
      'INSERT INTO audit_unsealed SELECT tenant_id, id FROM audit_entries WHERE tenant_id = $tenant',
    );
    await audited.seal();
    assert.deepEqual(await audited.findingsInDatabase(), []);
    const against = await audited.findings(`--tenant=${tenant.id}`, `--checkpoints=${file}`);
    assert.deepEqual(
      against.map(([problem]) => problem),
      ['cut'],
    );
    // Once the log is long enough again, another entry has the position of the checkpoint.
    const token = await tenant.adminToken();
    for (const name of ['Annex', 'Loft']) {
      expectStatus(201, await tenant.request('POST', '/workspaces', { token, body: { name } }));
    }
    await audited.seal();
    assert.deepEqual(await audited.findingsInDatabase(), []);
    const later = await audited.findings(`--tenant=${tenant.id}`, `--checkpoints=${file}`);
    assert.deepEqual(
      later.map(([problem]) => problem),
      ['changed'],
    );
  });

  test('The signatures of retired keys are accepted by audit verify', async () => {
    const token = await tenant.adminToken();
    const path = '/keys/rotate?immediately=true';
    expectStatus(201, await tenant.request('POST', path, { token }));
    await audited.seal();
    assert.deepEqual(await audited.findingsInDatabase(), []);
  });
});

describe('audit verify, of an export', () => {
  test('The audit verify command reports an intact chain in an export', async () => {
    const log = await exportLog();
    assert.deepEqual(await inFile(log), []);
    const file = await fileWith(await audited.newestCheckpoint());
    assert.deepEqual(await inFile(log, `--checkpoints=${file}`, `--tenant=${tenant.id}`), []);
  });

  test('The audit verify command finds an entry of an export that was changed, removed, moved or repeated', async () => {
    const { keySet, lines } = await exportLog();
    const changed = edited(lines[4], (entry) => ({ ...entry, address: '192.0.2.66' }));
    assert.deepEqual(await inFile({ keySet, lines: lines.with(4, changed) }), [['changed', 5]]);
    assert.deepEqual(await inFile({ keySet, lines: lines.toSpliced(4, 1) }), [['removed', 5]]);
    assert.deepEqual(await inFile({ keySet, lines: lines.toSpliced(4, 2) }), [['removed', 5]]);
    const moved = lines.toSpliced(4, 1).toSpliced(6, 0, lines[4] ?? '');
    assert.deepEqual(await inFile({ keySet, lines: moved }), [['reordered', 5]]);
    const twice = lines.toSpliced(6, 0, lines[4] ?? '');
    assert.deepEqual(await inFile({ keySet, lines: twice }), [['reordered', 5]]);
    assert.deepEqual(await inFile({ keySet, lines: lines.with(4, '{}') }), [
      ['unreadable', null],
      ['removed', 5],
    ]);
  });

  test('The audit verify command finds a truncated end of an export', async () => {
    const { keySet, lines } = await exportLog();
    const last = lines.length - 1;
    const checkpoint = (JSON.parse(lines[last] ?? '') as { checkpoint: string }).checkpoint;
    assert.deepEqual(await inFile({ keySet, lines: lines.slice(0, -1) }), [['unsigned', last]]);
    assert.deepEqual(await inFile({ keySet, lines: lines.toSpliced(last - 1, 1) }), [
      ['cut', last],
      ['unsigned', last - 1],
    ]);
    const file = await fileWith(checkpoint);
    const cut = { keySet, lines: lines.slice(0, -2) };
    assert.deepEqual(await inFile(cut, `--checkpoints=${file}`), [
      ['cut', last],
      ['unsigned', last - 1],
    ]);
  });

  test('The audit verify command rejects a checkpoint in an export that is of another key or another tenant', async () => {
    const { lines } = await exportLog();
    const other = await audited.keywright.home.request('GET', '/.well-known/jwks.json');
    const keySet = await fileWith(other.text);
    const found = await inFile({ keySet, lines });
    assert.deepEqual(
      found.map(([problem]) => problem),
      ['checkpoint', 'unsigned'],
    );
    const log = await exportLog();
    const mine = await inFile(log, '--tenant=org_default');
    assert.ok(
      mine.every(
        ([problem]) => problem === 'foreign' || problem === 'checkpoint' || problem === 'unsigned',
      ),
    );
    assert.ok(mine.length >= lines.length);
  });

  test('The audit verify command says in one line what it cannot read, and needs no environment for an export', async () => {
    const { keySet, lines } = await exportLog();
    const file = await fileWith(lines.join('\n'));
    const alone = await runCommand<LogVerdicts>([
      'audit',
      'verify',
      `--file=${file}`,
      `--key-set=${keySet}`,
    ]);
    assert.equal(alone.code, 0, alone.stderr);
    const wrong: readonly (readonly [readonly string[], number, string])[] = [
      [[`--file=${file}`], 2, 'USAGE'],
      [[`--key-set=${keySet}`], 2, 'USAGE'],
      [[`--file=${file}`, `--key-set=${file}`], 1, 'KEY_SET_INVALID'],
      [[`--file=${join(directory, 'nothing')}`, `--key-set=${keySet}`], 1, 'FILE_UNREADABLE'],
      [['--tenant=org_nobody'], 1, 'NOT_FOUND'],
      [['--tenant=unknown'], 1, 'NOT_FOUND'],
      [[`--checkpoints=${file}`], 2, 'USAGE'],
    ];
    for (const [args, code, answered] of wrong) {
      const outcome = await audited.verify(...args, '--json');
      assert.deepEqual([outcome.code, outcome.answer.code], [code, answered], args.join(' '));
    }
  });
});
