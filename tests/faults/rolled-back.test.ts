// A change, its audit entry and its events are in one transaction: if one of them cannot be committed, none is.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Route } from '@keywright/contract/route';
import { ROUTES } from '@keywright/contract/routes';
import { LATER, stateOf } from '../conformance/database-state.ts';
import { changesSomething, TELLING_BODIES } from '../conformance/recorded-routes.ts';
import { sendFreshExample, entitled, nameOf } from '../isolation/route-requests.ts';
import { startWorld, type World } from '../isolation/world.ts';

/** Entries written without a change: attempts, and issued tokens. */
const BY_ITSELF = ['auth.token', 'auth.token_by_issuer', 'auth.impersonate'];
const CHANGING = ROUTES.filter((route) => changesSomething(route) && !BY_ITSELF.includes(route.id));
/** Here they find no delivery to retry, and no wrong password to forget. */
const CHANGE_NOTHING = ['webhooks.replay', 'users.unlock'];

/** Tables written when a code is marked as used, before any effect, so that it is accepted once whatever follows. */
const USED_BEFORE: Readonly<Record<string, readonly string[]>> = {
  'flows.code': ['challenges'],
  // A flow whose secret no client has.
  'users.recover': ['login_flows'],
  'identifiers.verify': ['challenges'],
  'flows.totp': ['user_factors'],
  'flows.passkey': ['user_factors', 'login_flows'],
  'flows.finish_oauth': ['upstream_logins', 'login_flows'],
  'flows.recovery_code': ['user_factors'],
};

/** What a change leaves behind. */
const JOURNAL = ['audit_entries', 'events'];
const LEFT = [...JOURNAL, 'webhook_deliveries'];
/** Tables written even if the request fails, ahead of requests, or by sealing and for earlier logins meanwhile. */
const APART = [...LATER, 'login_attempts', 'status_ranges'];

let world: World;
let tables: readonly string[];

before(async () => {
  world = await startWorld();
  // The delivery of earlier messages is not a change by the request.
  for (const { messages } of world.keywright.nodes) await messages.queue.stop();
  const { database } = world.keywright;
  const found = await database.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns c
       JOIN information_schema.tables t USING (table_schema, table_name)
      WHERE table_schema = 'public' AND column_name = 'tenant_id' AND table_type = 'BASE TABLE'`,
  );
  tables = found.map((row) => row.name).filter((name) => !APART.includes(name));
  const state = await stateOf(database);
  for (const name of [...LEFT, ...tables]) assert.ok(name in state, name);
  await database.query('CREATE TABLE failing_tables (name text)');
  await database.query(
    `CREATE FUNCTION fail_at_commit() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
     BEGIN
       IF EXISTS (SELECT FROM failing_tables WHERE name = TG_TABLE_NAME) THEN
         RAISE EXCEPTION 'this commit fails' USING ERRCODE = 'check_violation';
       END IF;
       RETURN NULL;
     END $$`,
  );
  for (const table of tables) {
    await database.query(
      `CREATE CONSTRAINT TRIGGER fails_at_commit AFTER INSERT OR UPDATE OR DELETE ON ${table}
         DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fail_at_commit()`,
    );
  }
});

after(() => world.close());

/** Sends a request while commits to these tables fail. @returns its changes */
async function requestWhileFailing(
  route: Route,
  failing: readonly string[],
  watched: readonly string[],
) {
  const { database, nodes } = world.keywright;
  const options = await entitled(world, route);
  const body = await TELLING_BODIES[route.id]?.(world.local, world);
  let past: Awaited<ReturnType<typeof stateOf>> = {};
  const failingWorld = {
    ...world,
    // Fails commits only after everything that the request needs exists.
    request: async (...request: Parameters<World['request']>) => {
      await nodes[0]?.notes.flush();
      // A stopped queue releases the messages that its node queues.
      await nodes[0]?.messages.queue.stop();
      past = await stateOf(database);
      await database.query('INSERT INTO failing_tables SELECT unnest($1::text[])', [failing]);
      return world.request(...request);
    },
  };
  try {
    const answer = await sendFreshExample(failingWorld, route, {
      ...options,
      ...(body && { body }),
    });
    assert.equal(answer.status, 500, answer.text);
    await nodes[0]?.notes.flush();
    const now = await stateOf(database);
    return watched.filter((name) => past[name] !== now[name]);
  } finally {
    await database.query('DELETE FROM failing_tables');
  }
}

for (const route of CHANGING) {
  describe(nameOf(route), () => {
    if (!CHANGE_NOTHING.includes(route.id)) {
      test('A request leaves neither an audit entry nor an event when its change cannot be committed', async () => {
        const failing = tables.filter((name) => !JOURNAL.includes(name));
        assert.deepEqual(await requestWhileFailing(route, failing, LEFT), []);
      });
    }

    test('A request changes nothing when its audit entry cannot be committed', async () => {
      const used = USED_BEFORE[route.id] ?? [];
      const watched = tables.filter((name) => !used.includes(name));
      assert.deepEqual(await requestWhileFailing(route, ['audit_entries'], watched), []);
    });
  });
}
