// The database queries of a tenant's first request, on a node that has not loaded the tenant.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { type Statements, watchStatements } from '@keywright/tests/harness/statements';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';

const KEY_SET = '/.well-known/jwks.json';
/** Receives no requests before those of the tests. */
const ELSEWHERE = 1;
/** More connections than a node has for single-round-trip statements. */
const CONNECTIONS = 12;

let keywright: Keywright;
let statements: Statements;
let tenants = 0;

before(async () => {
  keywright = await startKeywright({ nodes: 2 });
  await connect();
  statements = watchStatements({ untilAnswered: true });
});

after(async () => {
  statements.stop();
  await keywright.close();
});

/** Opens the node's connections, which it otherwise opens on first use, so that they are not counted. */
async function connect(): Promise<void> {
  const { home } = keywright;
  let { token, refreshToken } = await home.createUser();
  for (let turn = 0; turn < CONNECTIONS; turn += 1) {
    expectStatus(200, await home.request('GET', '/me', { node: ELSEWHERE, token }));
    const options = { node: ELSEWHERE, body: { refresh_token: refreshToken } };
    const answer = await home.request<TokenAnswer>('POST', '/auth/refresh', options);
    ({ access_token: token, refresh_token: refreshToken } = expectStatus(200, answer));
  }
}

/** A tenant that only the first node has loaded, and a user of it. */
async function newcomer(): Promise<[TestTenant, TestUser]> {
  tenants += 1;
  const tenant = await keywright.tenant(`loaded-${tenants}`);
  return [tenant, await tenant.createUser()];
}

/** The statements of a request, and the number of times it waits for them. */
interface Cost {
  readonly sent: readonly string[];
  readonly waits: number;
}

const ME: Cost = { sent: ['kw_live_grants', 'kw_find_users'], waits: 1 };

/** The same for a request that must load its tenant first. */
function afterLoading({ sent, waits }: Cost): Cost {
  return { sent: ['kw_load_tenant_and_providers', ...sent], waits: waits + 1 };
}

async function sentBy(request: () => Promise<{ readonly status: number }>): Promise<Cost> {
  const { sent, roundTrips } = statements;
  const countBefore = sent.length;
  assert.equal((await request()).status, 200);
  return { sent: sent.slice(countBefore), waits: statements.roundTrips - roundTrips };
}

describe('a node that loads a tenant', () => {
  const node = ELSEWHERE;

  test('A node that loads a tenant queries tenant and keys once, and for a key set those of other algorithms (SPEC service 6)', async () => {
    const usual: Readonly<Record<string, Cost>> = {
      '/me': ME,
      [KEY_SET]: { sent: [], waits: 0 },
      '/auth/refresh': { sent: ['kw_refresh_sessions'], waits: 1 },
    };
    for (const [path, then] of Object.entries(usual)) {
      const [tenant, { token, refreshToken }] = await newcomer();
      const request = () =>
        path === '/auth/refresh'
          ? tenant.request('POST', path, { node, body: { refresh_token: refreshToken } })
          : tenant.request('GET', path, { node, token });
      const first = path === KEY_SET ? { sent: ['kw_application_keys'], waits: 1 } : then;
      assert.deepEqual(await sentBy(request), afterLoading(first), path);
      // A refresh occasionally reserves status list bits in the database. Everything else is cached.
      if (path !== '/auth/refresh') assert.deepEqual(await sentBy(request), then, path);
    }
  });

  test('A node that loads a tenant by domain queries the tenant and its keys once', async () => {
    const [{ domains }, { token }] = await newcomer();
    const [host = ''] = domains;
    const request = () => keywright.request('GET', '/me', { node, host, token });
    assert.deepEqual(await sentBy(request), afterLoading(ME));
    assert.deepEqual(await sentBy(request), ME);
  });

  test('A node queries a tenant once more if something of the tenant changed', async () => {
    const [tenant, { token }] = await newcomer();
    const request = () => tenant.request('GET', '/me', { node, token });
    await request();
    const options = { token: await keywright.adminToken(), body: { name: 'Changed' } };
    expectStatus(
      200,
      await keywright.request('PATCH', `/tenants/${tenant.id}`, {
        ...options,
        tenant: 'org_default',
      }),
    );
    let cost = ME;
    await until(
      'the node was notified',
      async () => (cost = await sentBy(request)).sent.length > 2,
    );
    assert.deepEqual(cost, afterLoading(ME));
  });

  test('A node finds a tenant without a usable key, and reports only its keys as missing', async () => {
    const [tenant] = await newcomer();
    await keywright.database.query('DELETE FROM signing_keys WHERE tenant_id = $1', [tenant.id]);
    const answer = await tenant.request<{ keys: object[] }>('GET', KEY_SET, { node });
    assert.deepEqual(expectStatus(200, answer).keys, []);
  });
});
