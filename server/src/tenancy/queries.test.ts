// Row-level security would hide a missing condition, so these tests read the SQL.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DEFAULT_TENANT } from '@keywright/contract/ids';
import { createDatabase, type TestDatabase } from '@keywright/tests/harness/database';
import type { Compilable } from 'kysely';
import type { Database } from '../platform/db/database.ts';
import { openPostgres } from '../platform/db/postgres.ts';
import { deleteFrom, from, Gate, type TenantTx, update } from './gate.ts';

let stored: TestDatabase;
let database: Database;

before(async () => {
  stored = await createDatabase();
  database = openPostgres(stored.url, () => undefined);
});

after(async () => {
  await database.close();
  await stored.drop();
});

/** The SQL of a statement, and its parameters. */
async function compiled(build: (tx: TenantTx) => Compilable) {
  const gate = new Gate(database);
  const { sql, parameters } = await gate
    .into(DEFAULT_TENANT)
    .transaction((tx) => Promise.resolve(build(tx).compile()));
  return { sql, parameters };
}

describe('each statement of a store names the tenant (SPEC service 6)', () => {
  test('A query has the tenant in its condition', async () => {
    assert.deepEqual(await compiled((tx) => from(tx, 'users').select('id')), {
      sql: 'select "id" from "users" where "users"."tenant_id" = $1',
      parameters: [DEFAULT_TENANT],
    });
  });

  test('A query of an aliased table names the tenant of the alias', async () => {
    const query = (tx: TenantTx) =>
      from(tx, 'users as u')
        .innerJoin('user_roles as r', (join) =>
          join.onRef('r.tenant_id', '=', 'u.tenant_id').onRef('r.user_id', '=', 'u.id'),
        )
        .select('r.role');
    const { sql, parameters } = await compiled(query);
    assert.match(sql, / where "u"\."tenant_id" = \$1$/);
    assert.deepEqual(parameters, [DEFAULT_TENANT]);
  });

  test('An update has the tenant in its condition', async () => {
    assert.deepEqual(await compiled((tx) => update(tx, 'users').set({ is_active: false })), {
      sql: 'update "users" set "is_active" = $1 where "users"."tenant_id" = $2',
      parameters: [false, DEFAULT_TENANT],
    });
  });

  test('A deletion has the tenant in its condition', async () => {
    assert.deepEqual(
      await compiled((tx) => deleteFrom(tx, 'users').where('is_active', '=', false)),
      {
        sql: 'delete from "users" where "users"."tenant_id" = $1 and "is_active" = $2',
        parameters: [DEFAULT_TENANT, false],
      },
    );
  });
});
