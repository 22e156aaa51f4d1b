import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { TenantId } from '@keywright/contract/ids';
import type { AuditDetails } from '@keywright/contract/records/audit-entry';
import { createDatabase, type TestDatabase } from '@keywright/tests/harness/database';
import type { Database } from '../../../platform/db/database.ts';
import { openPostgres } from '../../../platform/db/postgres.ts';
import { type AuditKey, auditKeyOf } from '../../../tenancy/audit-keys.ts';
import { Gate } from '../../../tenancy/gate.ts';
import { type Actor, serializeChanges } from './audit-record.ts';
import { findEntries, presentEntry, insertRecord } from './audit-store.ts';
import { isAuthentic } from './audit-integrity.ts';

const TENANT = 'org_acme' as TenantId;
const NOW = new Date('2026-02-03T04:05:06.007Z');

/** Details that databases, JSON and text encodings could return in a different form. */
const DETAILS: readonly Record<string, unknown>[] = [
  {},
  { text: 'naïve 日本語 😀 \u2028 "\\/ \\u0000 \t' },
  { zero: 0, negative: -0, one: 1.0, tenth: 0.1, third: 1 / 3, large: 1e21, larger: 1.5e300 },
  { small: 1e-7, smaller: 5e-324, precise: 2 ** 53 + 2, none: Number.NaN },
  { nul: 'a\0b', half: 'a\ud800b', other: '\udfff', pair: '\ud83d\ude00' },
  { at: NOW, gone: undefined, list: [undefined, null, { b: 1, a: [2, 1] }], empty: [], '': {} },
  { b: 1, a: 2, 10: 3, 9: 4, é: 5, '\u{10000}': 6, '\uffff': 7, __proto__x: 8, toJSON: 'text' },
];

let database: TestDatabase;
let service: Database;

before(async () => {
  database = await createDatabase();
  service = openPostgres(database.url, () => {});
  await database.query('INSERT INTO tenants (tenant_id, name, created_at) VALUES ($1, $1, now())', [
    TENANT,
  ]);
});

after(async () => {
  await service.close();
  await database.drop();
});

test('An audit entry with any content is authentic when read back, and only under its own key', async () => {
  const tenant = new Gate(service).into(TENANT);
  const key = auditKeyOf(randomBytes(32));
  const by = { kind: 'system', name: 'tests\0' } as const;
  const changes = DETAILS.map((details) => ({
    action: 'user.updated' as const,
    target: { kind: 'user' as const, id: null },
    details: details as AuditDetails,
  }));
  const entries = await tenant.transaction(async (tx) => {
    await insertRecord(tx, serializeChanges(key, TENANT, by, changes, NOW));
    const page = { after: undefined, offset: 0, limit: 99, descending: true };
    return (await findEntries(tx, page as never, {})).map((row) => presentEntry(row, undefined));
  });
  assert.equal(entries.length, DETAILS.length);
  const judged = (other: AuditKey) => entries.map((entry) => isAuthentic(other, entry));
  assert.deepEqual(
    judged(key),
    DETAILS.map(() => true),
  );
  assert.deepEqual(
    judged(auditKeyOf(randomBytes(32))),
    DETAILS.map(() => false),
  );
});

test('Every field of an audit entry except its place in the chain is authenticated', async () => {
  const tenant = new Gate(service).into(TENANT);
  const key = auditKeyOf(randomBytes(32));
  const from = { address: '192.0.2.1', requestId: 'r' };
  const by = { kind: 'agent', subject: 'service:a', keyId: 'key_a', from } as Actor;
  const target = { kind: 'user', id: 'user:a' } as const;
  const change = { action: 'user.updated', target, details: { reason: 'a' } } as const;
  const [entry] = await tenant.transaction(async (tx) => {
    await insertRecord(tx, serializeChanges(key, TENANT, by, [change], NOW));
    const filter = { target: target.id };
    const page = { after: undefined, offset: 0, limit: 1, descending: true };
    const rows = await findEntries(tx, page as never, filter);
    return rows.map((row) => presentEntry(row, undefined));
  });
  assert.ok(entry && isAuthentic(key, entry));
  const { position: _, previous_hash: __, hash: ___, actor, target: on, ...plain } = entry;
  const changed = <Part extends object>(part: Part, name: string): Part =>
    Object.assign(structuredClone(part), { [name]: 'other' });
  const others = [
    ...Object.keys(plain).map((name) => changed(entry, name)),
    ...Object.keys(actor).map((name) =>
      Object.assign(structuredClone(entry), { actor: changed(actor, name) }),
    ),
    ...Object.keys(on).map((name) =>
      Object.assign(structuredClone(entry), { target: changed(on, name) }),
    ),
  ];
  for (const other of others) assert.equal(isAuthentic(key, other), false);
  assert.ok(isAuthentic(key, { ...entry, position: 7, previous_hash: 'a', hash: 'b' }));
});
