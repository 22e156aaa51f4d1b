// However many nodes write and seal one audit log at once, it is one chain with every entry in it.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { runCommand } from '../harness/command-line.ts';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { parallel } from '../harness/parallel.ts';
import type { TestTenant } from '../harness/tenant.ts';

const NODES = 3;
const WRITERS = 6;
const CHANGES = 25;

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright({ nodes: NODES });
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

test('three nodes write, and seal without waiting for each other or for the writers', async () => {
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
  const env = {
    KEYWRIGHT_DATABASE_URL: keywright.database.url,
    KEYWRIGHT_MASTER_KEY: randomBytes(32).toString('base64'),
  };
  const { code, stdout } = await runCommand(['audit', 'verify', `--tenant=${tenant.id}`], { env });
  assert.equal(code, 0, stdout);
});
