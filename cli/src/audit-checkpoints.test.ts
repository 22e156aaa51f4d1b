// Which checkpoints `audit verify` accepts.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { AuditEntry } from '@keywright/contract/records/audit-entry';
import { hashOf } from '@keywright/server/modules/events/journal/audit-integrity';
import { AuditedService } from '@keywright/tests/harness/audited-service';
import { expectStatus } from '@keywright/tests/harness/http';
import { entriesOf } from '@keywright/tests/harness/journal';
import { temporaryDirectory } from '@keywright/tests/harness/temporary';
import type { TestTenant } from '@keywright/tests/harness/tenant';

let audited: AuditedService;
let directory: string;
let tenant: TestTenant;

before(async () => {
  audited = await AuditedService.start();
  directory = await temporaryDirectory('audit');
});

after(() => audited.close());

/** A tenant whose chain is sealed in two batches. */
beforeEach(async () => {
  tenant = await audited.newTenant();
  for (const name of ['Attic', 'Cellar']) {
    await audited.makeRoom(name);
    await audited.seal();
  }
});

/** The checkpoint with a different signature of the same length. */
function resigned(token: string): string {
  const at = token.lastIndexOf('.') + 1;
  return `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
}

/** An access token of the tenant with the claims of a checkpoint. */
async function tokenThatSays(claims: object): Promise<string> {
  const as = { token: await tenant.adminToken(), body: { config: { custom_claims: claims } } };
  expectStatus(200, await tenant.request('PATCH', `/tenants/${tenant.id}`, as));
  return (await tenant.createUser()).token;
}

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
  const options = {
    token: await tenant.adminToken(),
    headers: { accept: 'application/x-ndjson' },
  };
  const { text } = await tenant.request('GET', '/audit', options);
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
  test('The audit verify command finds a changed signature of a checkpoint of a known key in the database', async () => {
    const [head] = await audited.change(
      `SELECT max(position)::integer AS position FROM audit_checkpoints WHERE tenant_id = $tenant`,
    );
    const position = Number(head?.['position']);
    // Changes the signature only once: if it starts with A, a second change would restore the first character.
    const changed = resigned(await audited.newestCheckpoint());
    await audited.change(
      `UPDATE audit_checkpoints SET token = '${changed}'
        WHERE tenant_id = $tenant AND position = ${position}`,
    );
    const found = await audited.findingsInDatabase();
    assert.deepEqual(found, [
      ['checkpoint', position],
      ['unsigned', position],
    ]);
    const file = await fileWith(changed);
    const against = await audited.findings(`--tenant=${tenant.id}`, `--checkpoints=${file}`);
    assert.ok(against.some(([problem, at]) => problem === 'checkpoint' && at === null));
  });

  test('The audit verify command finds the last checkpointed entry changed in the database, with its hash recomputed', async () => {
    const [entry] = await entriesOf(tenant, { limit: '1' });
    assert.ok(entry && typeof entry.position === 'number');
    const hash = hashOf({ ...entry, address: '192.0.2.66' }).toString('hex');
    await audited.change(
      `UPDATE audit_entries SET address = '192.0.2.66' WHERE tenant_id = $tenant AND id = '${entry.id}'`,
    );
    await audited.change(
      `UPDATE audit_chain SET hash = decode('${hash}', 'hex')
        WHERE tenant_id = $tenant AND entry_id = '${entry.id}'`,
    );
    assert.deepEqual(await audited.findingsInDatabase(), [
      ['forged', entry.position],
      ['changed', entry.position],
      ['unsigned', entry.position],
    ]);
  });

  test('No access token in the database is accepted as a checkpoint by audit verify, whatever claims it has', async () => {
    const [entry] = await entriesOf(tenant, { limit: '1' });
    const { position, hash } = entry ?? {};
    const token = await tokenThatSays({ position, hash });
    await audited.seal();
    const file = await fileWith(token);
    const against = await audited.findings(`--tenant=${tenant.id}`, `--checkpoints=${file}`);
    assert.deepEqual(against, [['checkpoint', null]]);
    await audited.change(
      `UPDATE audit_checkpoints SET token = '${token}' WHERE tenant_id = $tenant AND position = ${position}`,
    );
    assert.deepEqual(await audited.findingsInDatabase(), [['checkpoint', position]]);
  });
});

describe('audit verify, of an export', () => {
  test('The audit verify command finds a changed checkpoint signature, and the last entry changed with its hash, in an export', async () => {
    const { keySet, lines } = await exportLog();
    const last = lines.length - 1;
    const { checkpoint } = JSON.parse(lines[last] ?? '') as { checkpoint: string };
    const broken = lines.with(last, JSON.stringify({ checkpoint: resigned(checkpoint) }));
    const unproved = [
      ['checkpoint', last],
      ['unsigned', last],
    ];
    assert.deepEqual(await inFile({ keySet, lines: broken }), unproved);
    const rehashed = edited(lines[last - 1], (entry) => {
      const changed = { ...entry, address: '192.0.2.66' };
      return { ...changed, hash: hashOf(changed).toString('base64url') };
    });
    const forged = { keySet, lines: lines.with(last - 1, rehashed) };
    assert.deepEqual(await inFile(forged), [
      ['changed', last],
      ['unsigned', last],
    ]);
    const file = await fileWith(checkpoint);
    const against = await inFile(forged, `--checkpoints=${file}`);
    assert.deepEqual(against[0], ['changed', last]);
  });

  test('No access token in an export is accepted as a checkpoint by audit verify, whatever claims it has', async () => {
    const { keySet, lines } = await exportLog();
    const last = lines.length - 1;
    const { position, hash } = JSON.parse(lines[last - 1] ?? '') as AuditEntry;
    const token = await tokenThatSays({ position, hash });
    const signed = lines.with(last, JSON.stringify({ checkpoint: token }));
    assert.deepEqual(await inFile({ keySet, lines: signed }), [
      ['checkpoint', last],
      ['unsigned', last],
    ]);
    const file = await fileWith(token);
    assert.deepEqual(await inFile({ keySet, lines }, `--checkpoints=${file}`), [
      ['checkpoint', null],
    ]);
  });
});
