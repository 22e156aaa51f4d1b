// However many nodes write and seal an audit log concurrently, it is one chain with every entry.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { TenantId } from '@keywright/contract/ids';
import { runVerify, whileUnsealed } from '../harness/audit-log.ts';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { parallel } from '../harness/parallel.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { until } from '../harness/until.ts';

const NODES = 3;
const WRITERS = 6;
const CHANGES = 25;
const MASTER_KEY = randomBytes(32).toString('base64');

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright({
    nodes: NODES,
    env: { KEYWRIGHT_MASTER_KEY: MASTER_KEY },
  });
  tenant = await keywright.tenant('sealed-in-a-race');
});

after(() => keywright.close());

async function count(table: string): Promise<number> {
  const [row] = await keywright.database.query<{ n: number }>(
    `SELECT count(*)::integer AS n FROM ${table} WHERE tenant_id = $1`,
    [tenant.id],
  );
  return row?.n ?? -1;
}

test('Three nodes write and seal audit entries without waiting for each other or for the writers', async () => {
  const token = await tenant.adminToken();
  const over = new AbortController();
  const sealing = keywright.nodes.flatMap((node) => [
    (async () => {
      while (!over.signal.aborted) await node.sealing.sweep();
    })(),
    (async () => {
      while (!over.signal.aborted) await node.sealing.seal(tenant.id);
    })(),
  ]);
  await parallel(WRITERS, async (writer) => {
    for (let change = 0; change < CHANGES; change += 1) {
      const body = { name: `Room ${writer}-${change}` };
      const options = { token, body, node: writer % NODES };
      expectStatus(201, await tenant.request('POST', '/workspaces', options));
    }
  });
  over.abort();
  await Promise.all(sealing);
  await keywright.nodes[0]?.sealing.seal(tenant.id);
  assert.equal(await count('audit_unsealed'), 0);
  assert.equal(await count('audit_chain'), await count('audit_entries'));
  assert.ok((await count('audit_chain')) > WRITERS * CHANGES);
  assert.ok((await count('audit_checkpoints')) > 1);
  const { code, stdout } = await verify();
  assert.equal(code, 0, stdout);
});

function verify() {
  return runVerify(keywright.database, MASTER_KEY, `--tenant=${tenant.id}`);
}

test('An audit entry that was changed before it was sealed is left out of the chain, and is found', async () => {
  const forge = (actor: string) =>
    keywright.database.query(
      `UPDATE audit_entries SET actor_id = $2 WHERE tenant_id = $1 AND target_id = 'ws_attic'`,
      [tenant.id, actor],
    );
  await whileUnsealed(keywright.database, tenant.id, async () => {
    const options = { token: await tenant.adminToken(), body: { name: 'Attic' } };
    expectStatus(201, await tenant.request('POST', '/workspaces', options));
    await forge('user:another');
  });
  await keywright.nodes[0]?.sealing.seal(tenant.id);
  const { code, stdout } = await verify();
  assert.deepEqual([code, /^ {2}forged /m.test(stdout)], [3, true], stdout);
  assert.equal(await count('audit_chain'), (await count('audit_entries')) - 1);
  assert.equal(await count('audit_unsealed'), 0);
});

interface Sealed {
  readonly tenant_id: string;
  /** Entries that are in no chain. */
  readonly left: number;
  /** This tenant's entries in its chain, and the chain's last position: equal unless some are missing or foreign. */
  readonly sealed: number;
  readonly last: number;
}

function sealedOf(tenants: readonly TestTenant[]): Promise<Sealed[]> {
  return keywright.database.query(
    `SELECT t.tenant_id,
            (SELECT count(*)::integer FROM audit_unsealed u WHERE u.tenant_id = t.tenant_id) AS left,
            (SELECT count(*)::integer FROM audit_chain c JOIN audit_entries e
                 ON e.tenant_id = c.tenant_id AND e.id = c.entry_id
               WHERE c.tenant_id = t.tenant_id) AS sealed,
            (SELECT max(c.position)::integer FROM audit_chain c WHERE c.tenant_id = t.tenant_id) AS last
       FROM tenants t WHERE t.tenant_id = ANY ($1)`,
    [tenants.map(({ id }) => id)],
  );
}

test('An unsealable audit entry of one tenant delays no other tenant', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `together-${index}`);
  const tenants = await Promise.all(names.map((name) => keywright.tenant(name)));
  const [lame] = tenants;
  await lame?.createUser();
  await keywright.nodes[0]?.sealing.seal(lame?.id as TenantId);
  // Entries that are already in the chain cannot be sealed again.
  await keywright.database.query(
    'INSERT INTO audit_unsealed SELECT tenant_id, entry_id FROM audit_chain WHERE tenant_id = $1',
    [lame?.id],
  );
  const earlier = await sealedOf(tenants);
  await Promise.all(tenants.map((testTenant) => testTenant.createUser()));
  // A tenant that another node is sealing is left to that node.
  await until('all others are sealed', async () => {
    await keywright.nodes[0]?.sealing.sweep();
    const now = await sealedOf(tenants);
    return now.filter(({ left }) => left > 0).length === 1;
  });
  for (const { tenant_id: id, sealed, last, left } of await sealedOf(tenants)) {
    assert.equal(last, sealed, id);
    assert.equal(left > 0, id === lame?.id, id);
    const sealedEarlier = earlier.find((row) => row.tenant_id === id)?.sealed ?? -1;
    assert.equal(sealed > sealedEarlier, id !== lame?.id, id);
  }
});
