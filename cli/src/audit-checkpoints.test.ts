// What a checkpoint has to be, for `audit verify` to believe it.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { AuditEntry } from '@keywright/contract/records/audit-entry';
import { hashOf } from '@keywright/server/modules/journal/chain';
import { runVerify } from '@keywright/tests/harness/audit-log';
import { expectStatus } from '@keywright/tests/harness/http';
import { entriesOf } from '@keywright/tests/harness/journal';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { temporaryDirectory } from '@keywright/tests/harness/temporary';
import type { TestTenant } from '@keywright/tests/harness/tenant';

const MASTER_KEY = randomBytes(32).toString('base64');

let keywright: Keywright;
let directory: string;
let tenant: TestTenant;
let tenants = 0;

before(async () => {
  keywright = await startKeywright({ env: { KEYWRIGHT_MASTER_KEY: MASTER_KEY } });
  directory = await temporaryDirectory('audit');
});

after(() => keywright.close());

/** A tenant whose chain is sealed in two batches. */
beforeEach(async () => {
  tenants += 1;
  tenant = await keywright.tenant(`checked-${tenants}`);
  const token = await tenant.adminToken();
  for (const name of ['Attic', 'Cellar']) {
    expectStatus(201, await tenant.request('POST', '/workspaces', { token, body: { name } }));
    await seal();
  }
});

async function seal(): Promise<void> {
  await keywright.nodes[0]?.sealing.seal(tenant.id);
}

function verify(...args: readonly string[]) {
  return runVerify(keywright.database, MASTER_KEY, ...args);
}

async function findings(...args: readonly string[]): Promise<readonly (readonly unknown[])[]> {
  const { code, answer } = await verify(...args, '--json');
  const [log] = answer.result.logs;
  const found = log?.findings.map(({ problem, position }) => [problem, position]) ?? [];
  assert.equal(code, found.length === 0 ? 0 : 3);
  assert.equal(answer.result.is_intact, found.length === 0);
  return found;
}

const inDatabase = () => findings(`--tenant=${tenant.id}`);

function change(sql: string) {
  return keywright.database.query(sql.replaceAll('$tenant', `'${tenant.id}'`));
}

async function newestCheckpoint(): Promise<string> {
  const token = await tenant.adminToken();
  const path = '/audit/checkpoints?limit=1';
  const { body } = await tenant.request<{ items: { token: string }[] }>('GET', path, { token });
  return body.items[0]?.token ?? '';
}

/** The checkpoint with another signature, of the same length. */
function resigned(token: string): string {
  const at = token.lastIndexOf('.') + 1;
  return `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
}

/** An access token that the tenant signs and that says what a checkpoint would. */
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
  return findings(`--file=${file}`, `--key-set=${keySet}`, ...more);
}

function edited(line: string | undefined, edit: (entry: AuditEntry) => object): string {
  return JSON.stringify(edit(JSON.parse(line ?? '') as AuditEntry));
}

describe('audit verify, in the database', () => {
  test('finds a checkpoint of a known key whose signature was changed', async () => {
    const [head] = await change(
      `SELECT max(position)::integer AS position FROM audit_checkpoints WHERE tenant_id = $tenant`,
    );
    const position = Number(head?.['position']);
    await change(
      `UPDATE audit_checkpoints SET token = '${resigned(await newestCheckpoint())}'
        WHERE tenant_id = $tenant AND position = ${position}`,
    );
    const found = await inDatabase();
    assert.deepEqual(found, [
      ['checkpoint', position],
      ['unsigned', position],
    ]);
    const kept = await fileWith(resigned(await newestCheckpoint()));
    const against = await findings(`--tenant=${tenant.id}`, `--checkpoints=${kept}`);
    assert.ok(against.some(([problem, at]) => problem === 'checkpoint' && at === null));
  });

  test('finds the last checkpointed entry changed, with its hash recomputed', async () => {
    const [entry] = await entriesOf(tenant, { limit: '1' });
    assert.ok(entry && typeof entry.position === 'number');
    const hash = hashOf({ ...entry, address: '192.0.2.66' }).toString('hex');
    await change(
      `UPDATE audit_entries SET address = '192.0.2.66' WHERE tenant_id = $tenant AND id = '${entry.id}'`,
    );
    await change(
      `UPDATE audit_chain SET hash = decode('${hash}', 'hex')
        WHERE tenant_id = $tenant AND entry_id = '${entry.id}'`,
    );
    assert.deepEqual(await inDatabase(), [
      ['forged', entry.position],
      ['changed', entry.position],
      ['unsigned', entry.position],
    ]);
  });

  test('takes no access token for a checkpoint, whatever claims it has', async () => {
    const [entry] = await entriesOf(tenant, { limit: '1' });
    const { position, hash } = entry ?? {};
    const token = await tokenThatSays({ position, hash });
    await seal();
    const kept = await fileWith(token);
    const against = await findings(`--tenant=${tenant.id}`, `--checkpoints=${kept}`);
    assert.deepEqual(against, [['checkpoint', null]]);
    await change(
      `UPDATE audit_checkpoints SET token = '${token}' WHERE tenant_id = $tenant AND position = ${position}`,
    );
    assert.deepEqual(await inDatabase(), [['checkpoint', position]]);
  });
});

describe('audit verify, of an export', () => {
  test('finds a checkpoint whose signature was changed, and the last entry changed with its hash', async () => {
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
    const kept = await fileWith(checkpoint);
    const against = await inFile(forged, `--checkpoints=${kept}`);
    assert.deepEqual(against[0], ['changed', last]);
  });

  test('takes no access token for a checkpoint, whatever claims it has', async () => {
    const { keySet, lines } = await exportLog();
    const last = lines.length - 1;
    const { position, hash } = JSON.parse(lines[last - 1] ?? '') as AuditEntry;
    const token = await tokenThatSays({ position, hash });
    const signed = lines.with(last, JSON.stringify({ checkpoint: token }));
    assert.deepEqual(await inFile({ keySet, lines: signed }), [
      ['checkpoint', last],
      ['unsigned', last],
    ]);
    const kept = await fileWith(token);
    assert.deepEqual(await inFile({ keySet, lines }, `--checkpoints=${kept}`), [
      ['checkpoint', null],
    ]);
  });
});
