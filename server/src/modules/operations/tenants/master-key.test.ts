// Tenants that are created in one statement while the master key is being rotated.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { fail } from '@keywright/contract/errors';
import type { TenantId } from '@keywright/contract/ids';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { until } from '@keywright/tests/harness/until';
import pg from 'pg';
import type { Database } from '../../../platform/db/database.ts';
import { openPostgres } from '../../../platform/db/postgres.ts';
import { openLog } from '../../../platform/log.ts';
import { UncachedAuditKeys } from '../../../tenancy/audit-keys.ts';
import { MasterKeys } from '../../../tenancy/data-keys.ts';
import { SystemData } from '../../../tenancy/gate.ts';
import { rotateMasterKey } from '../installation/master-key-rotation.ts';
import { describeSystemWork } from '../../events/journal/audit-record.ts';
import { writeTenant } from './create-tenant.ts';

const BY = { kind: 'system', name: 'tests' } as const;

let keywright: Keywright;
let database: Database;
let system: SystemData;
/** The new and the old master key, as nodes have them during a rotation. */
let masterKeys: MasterKeys;

before(async () => {
  const [newKey, oldKey] = [randomBytes(32), randomBytes(32)];
  const env = {
    KEYWRIGHT_MASTER_KEY: oldKey.toString('base64'),
    KEYWRIGHT_MASTER_KEY_PREVIOUS: newKey.toString('base64'),
  };
  keywright = await startKeywright({ env });
  database = openPostgres(keywright.database.url, () => {});
  system = new SystemData(
    database,
    openLog('silent'),
    describeSystemWork,
    new UncachedAuditKeys(database, () => masterKeys),
  );
  masterKeys = new MasterKeys([newKey, oldKey]);
});

after(async () => {
  await database.close();
  await keywright.close();
});

async function create(name: string): Promise<TenantId> {
  const tenant = { name, domains: [`${name}.example.com`] };
  const alone = { system, by: BY, reason: 'create tenant other' } as const;
  return (await writeTenant(alone, BY, masterKeys, tenant, new Date(), fail)).id;
}

/** The ID of the master key that wraps the tenant's data key, after unwrapping it successfully. */
async function wrappedBy(tenantId: TenantId): Promise<string | undefined> {
  const [row] = await keywright.database.query<{ wrapped_key: Buffer; master_key_id: string }>(
    'SELECT * FROM tenant_data_keys WHERE tenant_id = $1',
    [tenantId],
  );
  assert.ok(row);
  assert.equal(masterKeys.unwrap(tenantId, row).length, 32);
  return row.master_key_id;
}

function untilWaiting(number: number): Promise<unknown> {
  return until(`${number} wait for a lock`, async () => {
    const waiting = await keywright.database.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return waiting.length === number;
  });
}

describe('the data key of a new tenant', () => {
  test('The data key of a new tenant is wrapped by the master key in use, whichever the environment names first', async () => {
    assert.equal(await wrappedBy(await create('before')), masterKeys.ids[1]);
  });

  test('The data key of a new tenant is included in a rotation that starts before the tenant is committed', async () => {
    // A transaction that is about to claim the domain blocks the creation halfway.
    const holder = new pg.Client(keywright.database.superuserUrl);
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query(`INSERT INTO tenant_domains VALUES ('org_default', 'amid.example.com')`);
    const creation = create('amid');
    await untilWaiting(1);
    const rotation = rotateMasterKey(system, masterKeys, BY);
    await untilWaiting(2);
    await holder.end();
    const id = await creation;
    // The default tenant, the one of the test before, and this one.
    assert.equal((await rotation).rewrapped, 3);
    assert.equal(await wrappedBy(id), masterKeys.ids[0]);
  });

  test('The data key of a new tenant is wrapped by the new master key after a rotation', async () => {
    assert.equal(await wrappedBy(await create('after')), masterKeys.ids[0]);
  });
});
