import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fail } from '@keywright/contract/errors';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { writeTenant } from '@keywright/server/modules/operations/tenants/create-tenant';
import { openPostgres } from '@keywright/server/platform/db/postgres';
import { openLog } from '@keywright/server/platform/log';
import { UncachedAuditKeys } from '@keywright/server/tenancy/audit-keys';
import { describeSystemWork } from '@keywright/server/modules/events/journal/audit-record';
import { SystemData } from '@keywright/server/tenancy/gate';
import { runCommand, runProgram, startProgram } from '@keywright/tests/harness/command-line';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { createDatabase } from '@keywright/tests/harness/database';
import { expectStatus } from '@keywright/tests/harness/http';
import { parallel } from '@keywright/tests/harness/parallel';
import {
  type ServerProcess,
  spawnServerProcess,
  startServerProcess,
} from '@keywright/tests/harness/process';
import { until } from '@keywright/tests/harness/until';
import pg from 'pg';
import { Installation, keysOf, newKey } from '@keywright/tests/harness/rotating-installation';

const ROTATE = ['master-key', 'rotate'];

interface Rotation {
  readonly from: string;
  readonly to: string;
  readonly rewrapped: number;
}

let installation: Installation;

before(async () => {
  installation = new Installation(await createDatabase());
  await installation.createAdmin();
});

after(() => installation.database.drop());

async function inNewInstallation(work: (fresh: Installation) => Promise<void>): Promise<void> {
  const fresh = new Installation(await createDatabase());
  await fresh.createAdmin();
  await work(fresh);
  await fresh.database.drop();
}

describe('before anything is changed', () => {
  test('A rotation of the master key is rejected without the key in use', async () => {
    const rows = await installation.rows();
    const env = installation.env(installation.newKey);
    const { code, stderr } = await runCommand(ROTATE, { env });
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^keywright: The master key [0-9a-f]{16} is in use, but is not set as KEYWRIGHT_MASTER_KEY or /,
    );
    assert.equal(await installation.installedId(), keysOf(installation.oldKey).ids[0]);
    assert.deepEqual(await installation.rows(), rows);
  });

  test('A rotation of the master key is rejected if a third master key wraps a data key', async () => {
    await inNewInstallation(async (fresh) => {
      const third = newKey();
      await fresh.addDataKeys(1, third);
      const { code, answer } = await runCommand([...ROTATE, '--json'], { env: fresh.both });
      assert.deepEqual([code, answer.code], [1, 'MASTER_KEY_MISSING']);
      assert.match(answer.message, new RegExp(keysOf(third).ids[0] ?? ''));
      assert.equal(await fresh.installedId(), keysOf(fresh.oldKey).ids[0]);
    });
  });

  test('A rotation of the master key reports nothing to do if the key is already in use', async () => {
    const { code, stdout } = await runCommand(ROTATE, {
      env: installation.env(installation.oldKey),
    });
    assert.equal(code, 0);
    assert.match(stdout, /^Nothing to do: KEYWRIGHT_MASTER_KEY \(\w+\) wraps every data key/);
  });
});

test('A tenant whose creation commits after the start of the rotation is included', async () => {
  await inNewInstallation(async (fresh) => {
    // The server ends transactions that are idle for longer; on a busy machine, a command takes a while to start.
    const database = openPostgres(fresh.database.url, () => {}, { statementTimeoutMs: 600_000 });
    const system = new SystemData(
      database,
      openLog('silent'),
      describeSystemWork,
      new UncachedAuditKeys(database, () => keysOf(fresh.newKey, fresh.oldKey)),
    );
    const written = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const creation = system.maintain('create a tenant slowly', async (tx) => {
      const masterKeys = keysOf(fresh.newKey, fresh.oldKey);
      await writeTenant(
        tx,
        { kind: 'system', name: 'tests' },
        masterKeys,
        { name: 'Slow' },
        new Date(),
        fail,
      );
      written.resolve();
      await released.promise;
    });
    await written.promise;
    const { outcome } = startProgram<Rotation>([...ROTATE, '--json'], { env: fresh.both });
    await until('the rotation waits', async () => {
      const waiting = await fresh.database.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return waiting.length > 0;
    });
    released.resolve();
    await creation;
    const { code, answer } = await outcome;
    assert.equal(code, 0);
    assert.equal(answer.result.rewrapped, 2);
    await fresh.requireAllUnderNewKey(new Map());
    await database.close();
  });
});

test('A master key rotation ended by SIGKILL loses nothing, and running it again completes it', async () => {
  await inNewInstallation(async (fresh) => {
    const dataKeys = await fresh.addDataKeys(1000);
    // A lock on the row of a tenant in the middle stops the rotation there.
    const holder = new pg.Client(fresh.database.superuserUrl);
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM tenant_data_keys WHERE tenant_id = $1 FOR UPDATE', [
      [...dataKeys.keys()][550],
    ]);
    const { child, outcome } = startProgram(ROTATE, { env: fresh.both, leadsGroup: true });
    await until('it is halfway', async () => (await fresh.countUnder(fresh.newKey)) >= 500);
    process.kill(-(child.pid ?? 0), 'SIGKILL');
    assert.equal((await outcome).code, null);
    await holder.end();
    const done = await fresh.countUnder(fresh.newKey);
    assert.ok(done >= 500 && done <= 550, `${done} of 1001`);

    const doctor = await runCommand(['doctor'], { env: fresh.both });
    assert.equal(doctor.code, 3);
    assert.match(
      doctor.stdout,
      /^FINDING +master key +a rotation was interrupted: \d+ data keys of 1001 /m,
    );

    await requireBothKeysNeeded(fresh);

    const again = await runCommand<Rotation>([...ROTATE, '--json'], { env: fresh.both });
    assert.equal(again.code, 0);
    const { from, to, rewrapped } = again.answer.result;
    assert.deepEqual([from, to, rewrapped], [to, keysOf(fresh.newKey).ids[0], 1001 - done]);
    await fresh.requireAllUnderNewKey(dataKeys);
  });
});

/**
 * Requires that nothing starts with only the new key, that the message names the setting, and that both keys suffice.
 */
async function requireBothKeysNeeded(fresh: Installation): Promise<void> {
  const alone = fresh.env(fresh.newKey);
  const says = new RegExp(
    `The last rotation of the master key was interrupted: \\d+ data keys are still under the previous master key, ` +
      `${keysOf(fresh.oldKey).ids[0]}\\. Set KEYWRIGHT_MASTER_KEY_PREVIOUS to that key, .*"keywright master-key rotate"`,
  );
  const server = spawnServerProcess({ env: alone });
  const create = ['tenant', 'create', '--name=Acme', '--json'];
  const { code, answer } = await runCommand(create, { env: alone });
  assert.deepEqual([code, answer.code], [1, 'ROTATION_UNFINISHED']);
  assert.match(answer.message, says);
  assert.equal((await server.exit()).code, 1);
  assert.match(server.stderr, says);
  assert.doesNotMatch(server.stderr, /^ +at /m, 'no stack');

  const both = await startServerProcess({ env: fresh.both });
  const body = fresh.admin;
  expectStatus(200, await both.http.request('POST', '/auth/login', { body }));
  await both.kill9();
}

test('A killed node remains listed until its lease ends, and --ignore-nodes allows a rotation in that time', async () => {
  await inNewInstallation(async (fresh) => {
    await fresh.database.query(`
      INSERT INTO nodes (id, host, version, processes, started_at, seen_at, expires_at)
      SELECT 'lost', 'lost', '1', 1, now(), now(), now() + interval '11 minutes'`);
    const refused = await runCommand(ROTATE, { env: fresh.both });
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /is not on every node: lost \(node lost, last seen /);
    const { code, stderr } = await runCommand([...ROTATE, '--ignore-nodes'], { env: fresh.both });
    assert.equal(code, 0, stderr);
    await fresh.requireAllUnderNewKey(new Map());
  });
});

test('A damaged data key is reported by the rotation, and all others are wrapped again', async () => {
  await inNewInstallation(async (fresh) => {
    const dataKeys = await fresh.addDataKeys(120);
    const [damaged = ''] = dataKeys.keys();
    await fresh.database.query(
      `UPDATE tenant_data_keys SET wrapped_key = set_byte(wrapped_key, 20, get_byte(wrapped_key, 20) # 1)
        WHERE tenant_id = $1`,
      [damaged],
    );
    const { code, stderr } = await runCommand(ROTATE, { env: fresh.both });
    assert.equal(code, 1);
    assert.match(stderr, new RegExp(`do not open under any: ${damaged}\\.`));
    assert.equal(await fresh.countUnder(fresh.newKey), 120);
    assert.equal(await fresh.countUnder(fresh.oldKey), 1);
  });
});

describe('while two nodes run', () => {
  const TENANTS_BEFORE = 30;
  const nodes: ServerProcess[] = [];
  let oldNode: ServerProcess;
  const users: { readonly tenant: string; readonly identifier: string; readonly secret: string }[] =
    [];
  let token: string;

  before(async () => {
    oldNode = await startNode(installation.env(installation.oldKey));
    token = (await logInAt(oldNode, 'org_default', installation.admin)).access_token;
    await parallel(TENANTS_BEFORE, (index) => createTenantAt(oldNode, `before-${index}`));
    for (let node = 0; node < 2; node += 1) {
      nodes.push(await startNode(installation.both));
    }
  });

  after(() => Promise.all([oldNode, ...nodes].map((node) => node.kill9())));

  /** All nodes share a base URL: it is the issuer of their tokens. */
  function startNode(env: Record<string, string>): Promise<ServerProcess> {
    return startServerProcess({ env: { ...env, KEYWRIGHT_BASE_URL: 'https://id.example.com' } });
  }

  async function logInAt(
    node: ServerProcess,
    tenant: string,
    credentials: { readonly identifier: string; readonly secret: string },
    register = false,
  ): Promise<TokenAnswer> {
    const body = { identifier: credentials.identifier, secret: credentials.secret, register };
    return expectStatus(
      200,
      await node.http.request<TokenAnswer>('POST', '/auth/login', { tenant, body }),
    );
  }

  async function createTenantAt(node: ServerProcess, slug: string): Promise<void> {
    const body = { name: slug, slug };
    expectStatus(
      201,
      await node.http.request('POST', '/tenants', { token, tenant: 'org_default', body }),
    );
    const user = { tenant: `org_${slug}`, identifier: newIdentifier(), secret: newPassword() };
    await logInAt(node, user.tenant, user, true);
    users.push(user);
  }

  test('A rotation fails while a third node has only the old key, and nothing is changed', async () => {
    await until('all are listed', async () => {
      const listed = await installation.database.query('SELECT FROM nodes');
      return listed.length === nodes.length + 1;
    });
    const rows = await installation.rows();
    const { code, answer } = await runCommand([...ROTATE, '--json'], { env: installation.both });
    assert.deepEqual([code, answer.code], [1, 'NODES_WITHOUT_KEY']);
    const [newId = ''] = keysOf(installation.newKey).ids;
    // The two nodes with both keys are not named.
    const named = `^The master key ${newId} is not on every node: \\S+ \\(node [^,]+, last seen [^,]+\\)\\. Restart `;
    assert.match(answer.message, new RegExp(named));
    assert.match(answer.message, /remains listed for up to eleven minutes.* --ignore-nodes/);
    assert.equal(await installation.installedId(), keysOf(installation.oldKey).ids[0]);
    assert.deepEqual(await installation.rows(), rows);
    await oldNode.interrupt();
  });

  test('No request fails while two nodes rotate the master key, and then only the new key unwraps data keys', async () => {
    const dataKeys = await installation.addDataKeys(2000);
    const end = new AbortController();
    let requestsDuring = 0;
    const work = nodes.map(async (node, index) => {
      for (let turn = 0; !end.signal.aborted; turn += 1) {
        await createTenantAt(node, `during-${index}-${turn}`);
        const old = users[(turn * 7 + index) % TENANTS_BEFORE];
        assert.ok(old);
        await logInAt(node, old.tenant, old);
        requestsDuring += 3;
      }
    });
    const load = Promise.all(work);
    /** Waits until two more tenants exist, or the load has failed. */
    const untilMoreTenants = (what: string, were: number) =>
      Promise.race([load, until(what, () => users.length > were + 2)]);
    await untilMoreTenants('both nodes are at work', TENANTS_BEFORE);
    requestsDuring = 0;
    const { code, stdout, stderr } = await runProgram(ROTATE, { env: installation.both });
    const during = requestsDuring;
    await untilMoreTenants('the nodes continue afterwards', users.length);
    end.abort();
    await load;

    assert.equal(code, 0, stderr);
    const rewrapped = Number(/; rewrapped (\d+) data keys/.exec(stdout)?.[1]);
    assert.ok(rewrapped >= 2000 + TENANTS_BEFORE, stdout);
    assert.ok(during > 0, 'requests were served while it ran');
    await installation.requireAllUnderNewKey(dataKeys);

    await Promise.all(nodes.map((node) => node.interrupt()));
    const alone = await startNode(installation.env(installation.newKey));
    for (const user of users) await logInAt(alone, user.tenant, user);
    await alone.interrupt();
    await requireOldKeyRefused();
  });

  async function requireOldKeyRefused(): Promise<void> {
    const server = spawnServerProcess({ env: installation.env(installation.oldKey) });
    assert.equal((await server.exit()).code, 1);
    assert.match(server.stderr, /^KEYWRIGHT_MASTER_KEY is not the master key of this database\./);
  }
});
