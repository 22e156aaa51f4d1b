import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { TenantId } from '@keywright/contract/ids';
import { createDatabase, type TestDatabase } from '@keywright/tests/harness/database';
import { takeSecretKey } from '../platform/crypto/sealed.ts';
import type { Database } from '../platform/db/database.ts';
import { openPostgres } from '../platform/db/postgres.ts';
import { DataKeyGone, openAuditKey } from './audit-keys.ts';
import { DataKeys, MasterKeys, newDataKey } from './data-keys.ts';
import { Gate } from './gate.ts';

const TENANT = 'org_acme' as TenantId;

let database: TestDatabase;
let service: Database;
let dataKeys: DataKeys;

const dataKey = newDataKey();
const masterKeys = new MasterKeys([randomBytes(32)]);
const wrapped = masterKeys.wrap(TENANT, dataKey, masterKeys.ids[0] ?? '');

before(async () => {
  database = await createDatabase();
  service = openPostgres(database.url, () => {});
  dataKeys = new DataKeys(new Gate(service), masterKeys);
  await database.query('INSERT INTO tenants (tenant_id, name, created_at) VALUES ($1, $1, now())', [
    TENANT,
  ]);
  await database.query('INSERT INTO tenant_data_keys VALUES ($1, $2, $3, now())', [
    TENANT,
    wrapped.wrapped_key,
    wrapped.master_key_id,
  ]);
});

after(async () => {
  await service.close();
  await database.drop();
});

function isWiped(key: Buffer | undefined): boolean {
  return key?.length === 32 && key.every((byte) => byte === 0);
}

describe('a data key', () => {
  test('A data key is wiped when the work that uses it ends, even if the work fails', async () => {
    const seen: Buffer[] = [];
    const copy = await dataKeys.use(TENANT, async (key) => {
      seen.push(key);
      await Promise.resolve();
      return Buffer.from(key);
    });
    assert.deepEqual(copy, dataKey);
    const failing = dataKeys.use(TENANT, (key) => {
      seen.push(key);
      throw new Error('as the work would');
    });
    await assert.rejects(failing, /as the work would/);
    assert.deepEqual(seen.map(isWiped), [true, true]);
  });

  test('A data key that does not exist is an error', async () => {
    const pending = dataKeys.use('org_other' as TenantId, () => assert.fail('There is none.'));
    await assert.rejects(pending, DataKeyGone);
  });

  test('A data key is wiped when the audit key is derived from it', () => {
    let opened: Buffer | undefined;
    const watched: Pick<typeof masterKeys, 'unwrap'> = {
      unwrap: (...args) => (opened = masterKeys.unwrap(...args)),
    };
    openAuditKey(watched, TENANT, wrapped);
    assert.ok(isWiped(opened));
  });
});

test('The bytes that a key is built from are wiped, and the key still signs', () => {
  const bytes = randomBytes(32);
  const copy = Buffer.from(bytes);
  const mac = (key: Buffer | ReturnType<typeof takeSecretKey>) =>
    createHmac('sha256', key).update('a text').digest('hex');
  assert.equal(mac(takeSecretKey(bytes)), mac(copy));
  assert.ok(isWiped(bytes));
});
