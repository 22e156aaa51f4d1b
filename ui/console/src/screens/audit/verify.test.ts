import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { test } from 'node:test';
import { canonicalJson } from '@keywright/contract/canonical-json';
import { exampleOf } from '@keywright/contract/example';
import { AuditEntry } from '@keywright/contract/records/audit-entry';
import { verifyEntries } from './verify.ts';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const KEYS = [{ ...publicKey.export({ format: 'jwk' }), kid: 'key' }];

/** A chain of entries, as the service seals it; the newest first, as it is shown. */
function chain(length: number): AuditEntry[] {
  const entries: AuditEntry[] = [];
  let previous: string | null = null;
  for (let position = 1; position <= length; position += 1) {
    const entry = {
      ...(exampleOf(AuditEntry) as AuditEntry),
      id: `aud_${String(position).padStart(26, '0')}` as AuditEntry['id'],
      position,
      previous_hash: previous,
    };
    const text = canonicalJson({ ...entry, hash: undefined });
    previous = createHash('sha256').update(text).digest('base64url');
    entries.unshift({ ...entry, hash: previous });
  }
  return entries;
}

function headOf(entry: AuditEntry | undefined, change: object = {}, kid = 'key') {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const { tenant_id, position, hash } = entry ?? {};
  const head = `${part({ alg: 'EdDSA', typ: 'audit-checkpoint+jwt', kid })}.${part({ tenant_id, position, hash, ...change })}`;
  const signature = sign(undefined, Buffer.from(head), privateKey).toString('base64url');
  return {
    tenant_id: tenant_id as AuditEntry['tenant_id'],
    position: position ?? 0,
    created_at: '2026-11-26T12:00:00Z',
    token: `${head}.${signature}`,
  };
}

test('The audit verification finds a page intact and reports how far a signature reaches', async () => {
  const entries = chain(4);
  const verdict = await verifyEntries(entries, [headOf(entries[0])], KEYS);
  assert.deepEqual(verdict, { checked: 4, broken: [], signedTo: 4 });
});

test('The audit verification finds an entry that was changed and one that does not follow', async () => {
  const entries = chain(4);
  const [, third] = entries;
  assert.ok(third);
  const changed = entries.with(1, { ...third, address: '192.0.2.66' });
  assert.deepEqual((await verifyEntries(changed, [], KEYS)).broken, [
    { id: third.id, position: 3, problem: 'changed' },
  ]);
  const other = { ...third, address: '192.0.2.66' };
  const hash = createHash('sha256').update(canonicalJson({ ...other, hash: undefined }));
  const rehashed = entries.with(1, { ...other, hash: hash.digest('base64url') });
  assert.deepEqual(
    (await verifyEntries(rehashed, [headOf(third)], KEYS)).broken.map(({ position, problem }) => [
      position,
      problem,
    ]),
    [
      [4, 'follows'],
      [3, 'signed'],
    ],
  );
});

test('The audit verification rejects a head of another key, of another tenant, or with changed content', async () => {
  const entries = chain(2);
  const [last] = entries;
  const good = headOf(last);
  const [header, , signature] = good.token.split('.');
  const forged = Buffer.from(JSON.stringify({ ...last, hash: 'x' })).toString('base64url');
  for (const checkpoint of [
    headOf(last, {}, 'unknown'),
    headOf(last, { tenant_id: 'org_other' }),
    { ...good, token: `${header}.${forged}.${signature}` },
    { ...good, token: 'nonsense' },
  ]) {
    const verdict = await verifyEntries(entries, [checkpoint], KEYS);
    assert.deepEqual(verdict, { checked: 2, broken: [], signedTo: undefined });
  }
});

test('The audit verification skips entries not sealed yet, and does not connect entries that a filter separates', async () => {
  const entries = chain(4);
  const [last] = entries;
  assert.ok(last);
  const waiting = { ...last, position: null, previous_hash: null, hash: null };
  const verdict = await verifyEntries([waiting, ...entries.toSpliced(1, 1)], [], KEYS);
  assert.deepEqual(verdict, { checked: 3, broken: [], signedTo: undefined });
});
