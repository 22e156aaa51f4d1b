import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { WorkspaceId } from '@keywright/contract/ids';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import type { Database } from '../../../platform/db/database.ts';
import { openPostgres } from '../../../platform/db/postgres.ts';
import { Gate } from '../../../tenancy/gate.ts';
import { DecisionService } from './decision-service.ts';

let keywright: Keywright;
let database: Database;
let decisions: DecisionService;
let tenants: TestTenant[];
let statements = 0;

before(async () => {
  keywright = await startKeywright();
  tenants = [await keywright.tenant('one'), await keywright.tenant('other')];
  database = openPostgres(keywright.database.url, () => {});
  const counting: Database = Object.create(database, {
    run: {
      value: (...statement: Parameters<Database['run']>) => {
        statements += 1;
        return database.run(...statement);
      },
    },
  });
  decisions = new DecisionService(new Gate(counting), {
    findActive: () => Promise.resolve(undefined),
  });
});

after(async () => {
  await database.close();
  await keywright.close();
});

test('A hundred simultaneous lookups of subjects and workspaces of two tenants take one statement', async () => {
  const users = await Promise.all(
    tenants.map(async (tenant) => ({ tenant, user: (await tenant.createUser()).user })),
  );
  const queries = Array.from({ length: 100 }, (_, index) => {
    const { tenant } = users[index % 2] as (typeof users)[number];
    const { user } = users[Math.floor(index / 2) % 2] as (typeof users)[number];
    const workspaceId = (index % 3 === 0 ? 'ws_default' : 'ws_nowhere') as WorkspaceId;
    return {
      tenantId: tenant.id,
      subject: user.id,
      workspaceId,
      holdings: true,
      isOfTenant: user.tenant_id === tenant.id,
    };
  });
  const found = await Promise.all(queries.map(decisions.findPermissions));
  assert.equal(statements, 1);
  for (const [index, { isOfTenant, workspaceId }] of queries.entries()) {
    const place = workspaceId === 'ws_default' ? 'inside' : 'unknown';
    assert.deepEqual(found[index], { is_active: isOfTenant, scopes: [], place });
  }
});
