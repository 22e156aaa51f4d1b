import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { parallel } from '@keywright/tests/harness/parallel';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';
import type { Database } from '../platform/db/database.ts';
import { openPostgres } from '../platform/db/postgres.ts';
import pg from 'pg';
import { type Changes, watchChanges } from './changes.ts';
import { TenantCache } from './directory.ts';

const NODES = [0, 1];

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright({ nodes: NODES.length });
  tenant = await keywright.tenant('changing', { config: { login_attempts_limit: 10_000 } });
});

after(() => keywright.close());

async function change(config: Partial<TenantConfig>, node = 0): Promise<void> {
  const token = await keywright.adminToken();
  const options = { node, token, body: { config } };
  expectStatus(200, await keywright.home.request('PATCH', `/tenants/${tenant.id}`, options));
}

let session: { readonly refresh_token: string } | undefined;

/** The lifetime of an access token issued by this node. */
async function lifeOn(node: number): Promise<number> {
  session ??= await tenant.login(newIdentifier(), newPassword(), { extra: { register: true } });
  const options = { node, body: { refresh_token: session.refresh_token } };
  const answer = await tenant.request<{ refresh_token: string; expires_in: number }>(
    'POST',
    '/auth/refresh',
    options,
  );
  session = expectStatus(200, answer);
  return answer.body.expires_in;
}

/** Changes a setting on the first node. @returns the time until it is in force on the node, in ms */
async function timeUntilInForce(seconds: number, node: number, deadlineMs: number) {
  await change({ session_timeout: seconds });
  const changedAt = performance.now();
  const isInForce = async () => (await lifeOn(node)) === seconds;
  await until(`node ${node} acts by the new setting`, isInForce, deadlineMs);
  return performance.now() - changedAt;
}

/** Connections that listen for changes; each node has one. */
function listeners(): Promise<{ pid: number }[]> {
  return keywright.database.query(
    `SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'keywright watch of keywright_changes'`,
  );
}

async function cutListeners(): Promise<number[]> {
  const pids = (await listeners()).map(({ pid }) => pid);
  await keywright.database.query('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS pid', [
    pids,
  ]);
  return pids;
}

describe('a change of a tenant', () => {
  test('A change of a tenant on one node takes effect on every node within a second', async (context) => {
    const times: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      for (const node of NODES) times.push(await timeUntilInForce(100 + times.length, node, 1000));
    }
    const sorted = times.toSorted((a, b) => a - b);
    const [median, worst] = [sorted[sorted.length / 2] ?? 0, sorted.at(-1) ?? 0];
    context.diagnostic(`in force after ${median.toFixed(1)} ms, at worst ${worst.toFixed(1)} ms`);
  });

  test('A change of a tenant takes effect within three seconds if listening connections are cut, and later within one again', async () => {
    for (let round = 0; round < 3; round += 1) {
      const cut = await cutListeners();
      assert.equal(cut.length, NODES.length, 'each node listens on its own connection');
      for (const node of NODES) {
        await timeUntilInForce(1000 + round * NODES.length + node, node, 3000);
      }
      await until('every node listens again', async () => {
        const now = await listeners();
        return now.length === NODES.length && now.every(({ pid }) => !cut.includes(pid));
      });
    }
    for (const node of NODES) await timeUntilInForce(2000 + node, node, 1000);
  });

  test('A change of a tenant that happened without listeners takes effect when the connection is back', async () => {
    for (const node of NODES) await lifeOn(node);
    // No node can listen again until the change is made.
    const cut = await cutListeners();
    await change({ session_timeout: 3000 });
    await until('every node listens again', async () => {
      const now = await listeners();
      return now.length === NODES.length && now.every(({ pid }) => !cut.includes(pid));
    });
    for (const node of NODES) {
      await until('it is in force', async () => (await lifeOn(node)) === 3000, 1000);
    }
  });
});

test('A tenant looked up before its creation is found immediately by the node that creates it, and by others within a second', async () => {
  const byId = (node: number) =>
    keywright.request('GET', '/.well-known/jwks.json', { node, tenant: 'org_awaited' });
  const byHost = (node: number) =>
    keywright.request('GET', '/.well-known/jwks.json', { node, host: 'awaited.example.com' });
  for (const node of NODES) {
    expectStatus(400, await byId(node));
    expectStatus(400, await byHost(node));
  }
  await keywright.tenant('awaited');
  expectStatus(200, await byId(0));
  expectStatus(200, await byHost(0));
  for (const look of [byId, byHost]) {
    await until('it is found', async () => (await look(1)).status === 200, 1000);
  }
});

describe('the cached data of a tenant', () => {
  let database: Database;
  let changes: Changes;

  before(async () => {
    database = openPostgres(keywright.database.url, () => {});
    changes = await watchChanges(database);
    await until('announcements are heard', async () => isNotified('org_heard'));
  });

  after(async () => {
    await changes.stop();
    await database.close();
  });

  /** Announces a change as the tables' triggers do. @returns whether it was received soon after */
  async function isNotified(tenantId: string): Promise<boolean> {
    const asOf = changes.now();
    await keywright.database.query(`SELECT pg_notify('keywright_changes', $1)`, [tenantId]);
    const notified = until('the change is heard', () => !changes.holdsSince(asOf, tenantId), 400);
    return notified.then(
      () => true,
      () => false,
    );
  }

  async function nameInDatabase(): Promise<string> {
    const [row] = await keywright.database.query<{ name: string }>(
      'SELECT name FROM tenants WHERE tenant_id = $1',
      [tenant.id],
    );
    return row?.name ?? '';
  }

  async function rename(name: string): Promise<void> {
    const asOf = changes.now();
    await keywright.database.query('UPDATE tenants SET name = $1 WHERE tenant_id = $2', [
      name,
      tenant.id,
    ]);
    await until('the change is heard', () => !changes.holdsSince(asOf, tenant.id));
  }

  function cached<Value extends object>(load: () => Promise<Value | undefined>) {
    const cache = new TenantCache(changes, { load, tenantOf: () => tenant.id });
    return (key: string) => cache.find(key);
  }

  test('The cached data of a tenant is loaded once for concurrent callers, until the tenant changes', async () => {
    let loads = 0;
    const find = cached(async () => {
      loads += 1;
      return { name: await nameInDatabase() };
    });
    await rename('first');
    const answers = await parallel(20, async () => find('key'));
    assert.ok(answers.every((answer) => answer?.name === 'first'));
    await find('key');
    assert.equal(loads, 1);
    await isNotified('org_somebody-else');
    assert.equal((await find('key'))?.name, 'first');
    assert.equal(loads, 1);
    await rename('second');
    assert.equal((await find('key'))?.name, 'second');
    assert.equal(loads, 2);
  });

  test('The cached data of a tenant is never older than a change that arrived during the load', async () => {
    await rename('before');
    let goOn: () => void = () => {};
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const find = cached(async () => {
      const name = await nameInDatabase();
      if (name === 'before') await gate;
      return { name };
    });
    const first = find('key');
    await until('it has read', async () => (await nameInDatabase()) === 'before');
    await rename('afterwards');
    goOn();
    await first;
    assert.equal((await find('key'))?.name, 'afterwards');
  });

  test('The cached data of a tenant is not taken from a load that started before the change', async () => {
    await rename('before');
    let goOn: () => void = () => {};
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let loads = 0;
    const find = cached(async () => {
      loads += 1;
      const isFirst = loads === 1;
      const name = await nameInDatabase();
      if (isFirst) await gate;
      return { name };
    });
    const first = find('key');
    await until('it has read', async () => (await nameInDatabase()) === 'before');
    await rename('afterwards');
    const second = find('key');
    goOn();
    await first;
    assert.equal((await second)?.name, 'afterwards');
    assert.equal((await find('key'))?.name, 'afterwards');
  });

  test('A negative result for a tenant is cached briefly, until anything changes', async () => {
    let loads = 0;
    const find = cached(async () => {
      loads += 1;
      return undefined;
    });
    for (const _ of [1, 2, 3]) assert.equal(await find('key'), undefined);
    assert.equal(loads, 1);
    changes.forget('org_somebody-else');
    assert.equal(await find('key'), undefined);
    assert.equal(loads, 2);
    await until('it is loaded again', async () => (await find('key'), loads > 2));
  });

  test('The cache of a tenant remains empty if nothing was found or the lookup failed', async () => {
    const found = [undefined, 'failure', { name: 'there' }];
    const find = cached(async () => {
      const next = found.shift();
      if (next === 'failure') throw new Error('the database is away');
      return typeof next === 'object' ? next : undefined;
    });
    assert.equal(await find('key'), undefined);
    changes.forget(tenant.id);
    await assert.rejects(async () => find('key'));
    assert.deepEqual(await find('key'), { name: 'there' });
    assert.deepEqual(await find('key'), { name: 'there' });
  });

  test('The cached data of a tenant is loaded again after more changes than are tracked individually', async () => {
    let loads = 0;
    const find = cached(async () => {
      loads += 1;
      return {};
    });
    await find('key');
    await find('key');
    assert.equal(loads, 1);
    const asOf = changes.now();
    await keywright.database.query(
      `SELECT pg_notify('keywright_changes', 'org_' || n) FROM generate_series(1, 50001) AS n`,
    );
    await until('all are heard', () => !changes.holdsSince(asOf, 'org_50001'));
    await find('key');
    assert.equal(loads, 2);
  });

  test('The cached data of a tenant is soon reloaded while notifications are unavailable', async () => {
    const url = new URL(keywright.database.superuserUrl);
    const name = url.pathname.slice(1);
    // Meanwhile no client can connect to the database itself.
    url.pathname = '/postgres';
    const elsewhere = new pg.Client(url.href);
    await elsewhere.connect();
    try {
      const earlier = changes.now();
      await elsewhere.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
      await elsewhere.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = $1 AND application_name = 'keywright watch of keywright_changes'`,
        [name],
      );
      await until('it is noticed', () => !changes.holdsSince(earlier, tenant.id));
      const asOf = changes.now();
      assert.ok(changes.holdsSince(asOf, tenant.id));
      await until('it is asked for again', () => !changes.holdsSince(asOf, tenant.id));
    } finally {
      await elsewhere.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
      await elsewhere.end();
    }
  });
});
