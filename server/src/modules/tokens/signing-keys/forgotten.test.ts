// More tenants than a node caches: their keys are evicted and reloaded repeatedly.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { parallel } from '@keywright/tests/harness/parallel';
import { seededRandom } from '@keywright/tests/harness/random';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';
import { systemClock } from '../../../platform/clock.ts';
import { parseToken, signToken, signatureIsValid } from '../../../platform/crypto/jws.ts';
import type { Database } from '../../../platform/db/database.ts';
import { openPostgres } from '../../../platform/db/postgres.ts';
import { type Changes, watchChanges } from '../../../tenancy/changes.ts';
import { MasterKeys } from '../../../tenancy/data-keys.ts';
import { Gate } from '../../../tenancy/gate.ts';
import { KeyRing } from './key-ring.ts';

const REMEMBERED = 4;
const TENANTS = 10;

let keywright: Keywright;
let tenants: TestTenant[];
let database: Database;
let changes: Changes;
let keys: KeyRing;

before(async () => {
  const masterKey = randomBytes(32);
  const env = { KEYWRIGHT_MASTER_KEY: masterKey.toString('base64') };
  keywright = await startKeywright({ env });
  tenants = await parallel(TENANTS, (index) => keywright.tenant(`many-${index}`));
  database = openPostgres(keywright.database.url, () => {});
  changes = await watchChanges(database, REMEMBERED);
  const gate = new Gate(database);
  keys = new KeyRing(gate, new MasterKeys([masterKey]), changes, systemClock);
});

after(async () => {
  await changes.stop();
  await database.close();
  await keywright.close();
});

function tenantAt(index: number): TestTenant {
  const tenant = tenants[index % TENANTS];
  assert.ok(tenant);
  return tenant;
}

/** Signs for a tenant. @returns the ID of the key, after checking that the signature is valid only for this tenant */
async function sign({ id }: TestTenant, other: TestTenant): Promise<string> {
  const key = await keys.signer(id);
  const token = parseToken(signToken(key, 'at+jwt', { tenant_id: id }));
  const published = await keys.verifier(id, key.kid);
  assert.ok(token && published && signatureIsValid(token, published));
  assert.equal(await keys.verifier(other.id, key.kid), undefined);
  assert.ok((await keys.published(id)).some(({ kid }) => kid === key.kid));
  return key.kid;
}

describe('of more tenants than are cached', () => {
  test('Every one of more tenants than are cached signs with its own key, in any order and concurrently', async () => {
    const random = seededRandom();
    const kidsByTenant = new Map<string, string>();
    for (let round = 0; round < 20; round += 1) {
      const order = random.shuffled([...tenants]);
      const kids = await parallel(TENANTS, (index) => {
        const [tenant, other] = [order[index], order[(index + 1) % TENANTS]];
        assert.ok(tenant && other);
        return sign(tenant, other);
      });
      for (const [index, { id }] of order.entries()) {
        assert.equal(kids[index], kidsByTenant.get(id) ?? kids[index], `seed ${random.seed}`);
        kidsByTenant.set(id, kids[index] ?? '');
      }
    }
    assert.equal(new Set(kidsByTenant.values()).size, TENANTS);
  });

  test('An evicted signing key is decrypted again, and one in use is not', async () => {
    const [busy, idle] = [tenantAt(0), tenantAt(1)];
    const ofIdle = await keys.signer(idle.id);
    const ofBusy = await keys.signer(busy.id);
    for (let index = 2; index < TENANTS; index += 1) {
      await keys.signer(tenantAt(index).id);
      assert.equal(await keys.signer(busy.id), ofBusy);
    }
    assert.equal(ofBusy.privateKey.isWiped, false);
    assert.equal(ofIdle.privateKey.isWiped, true);
    const again = await keys.signer(idle.id);
    assert.notEqual(again, ofIdle);
    const [retained, opened] = [ofIdle, again].map((key) => signToken(key, 'at+jwt', {}));
    assert.equal(retained, opened, 'its current users may still sign');
    assert.deepEqual(again, ofIdle);
  });

  test('No signing key is in memory once the service is closed', async () => {
    const signers = await Promise.all(tenants.map(({ id }) => keys.signer(id)));
    keys.close();
    assert.ok(signers.every(({ privateKey }) => privateKey.isWiped));
  });

  test('A rotation affects evicted and cached signing keys', async () => {
    const [idle, busy] = [tenantAt(0), tenantAt(TENANTS - 1)];
    for (const { id } of tenants) await keys.signer(id);
    for (const tenant of [idle, busy]) {
      const token = await tenant.adminToken();
      const rotated = await tenant.request('POST', '/keys/rotate?immediately=true', { token });
      const { id: kid } = expectStatus(201, rotated);
      await until('the new key signs', async () => (await sign(tenant, tenantAt(5))) === kid);
    }
  });
});
