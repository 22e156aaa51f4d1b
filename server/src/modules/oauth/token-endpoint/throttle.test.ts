import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newAgentId } from '@keywright/server/platform/crypto/ids';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { pooled } from '@keywright/tests/harness/parallel';
import type { TestAgent, TestTenant } from '@keywright/tests/harness/tenant';
import { postToken, oauthError } from '@keywright/tests/harness/token-endpoint';

const OF_CLIENT = 20;
const OF_ADDRESS = 600;
/** The limit of a /24, as a multiple of the limit of an address. */
const WIDE = 16;
const HOME = '2001:db8::1';
const INVALID = '401 invalid_client CLIENT_INVALID';
const THROTTLED = '429 temporarily_unavailable TOO_MANY_ATTEMPTS';

let keywright: Keywright;
let tenant: TestTenant;
let robot: TestAgent;
let other: TestAgent;

before(async () => {
  const env = { KEYWRIGHT_TRUSTED_PROXIES: '127.0.0.1' };
  keywright = await startKeywright({ nodes: 2, clock: 'fake', env });
  tenant = await keywright.tenant('forge');
  robot = await tenant.createAgent({ scopes: ['read:users'] });
  other = await tenant.createAgent();
});

after(() => keywright.close());

interface Try {
  readonly at?: TestTenant;
  readonly clientId?: string;
  readonly key?: string;
  readonly from?: string;
  readonly node?: number;
}

async function requestToken({
  at = tenant,
  clientId = robot.agent.id,
  key = 'x',
  from = HOME,
  node,
}: Try) {
  const client = { client_id: clientId, client_secret: key };
  const options = { headers: { 'x-forwarded-for': from }, ...(node === undefined ? {} : { node }) };
  return postToken(at, { grant_type: 'client_credentials', ...client }, options);
}

describe('a caller that fails repeatedly', () => {
  test('A caller that fails repeatedly as one client is rejected as that client, on every node, and locks out no one else', async () => {
    for (let failure = 0; failure < OF_CLIENT; failure += 1) {
      const answer = await requestToken({ from: `2001:db8::${failure}`, node: failure % 2 });
      assert.equal(oauthError(answer), INVALID);
    }
    // Correct credentials are accepted until the limit of failures is reached.
    expectStatus(200, await requestToken({ key: robot.key }));
    for (const node of [0, 1]) {
      const answer = await requestToken({ node });
      assert.equal(oauthError(answer), THROTTLED);
      assert.equal(answer.headers['retry-after'], '60');
      assert.equal(answer.headers['ratelimit'], '"client";r=0;t=60');
      assert.equal(oauthError(await requestToken({ key: robot.key, node })), THROTTLED);
      expectStatus(200, await requestToken({ clientId: other.agent.id, key: other.key, node }));
    }
    expectStatus(200, await requestToken({ key: robot.key, from: '2001:db8:0:1::1' }));
    const elsewhere = await keywright.tenant('forge-2');
    assert.equal(oauthError(await requestToken({ at: elsewhere })), INVALID);
    keywright.clock.advance(61);
    expectStatus(200, await requestToken({ key: robot.key }));
    assert.equal(oauthError(await requestToken({})), INVALID);
  });

  test('A caller that keeps failing under different client IDs is rejected for all clients', async () => {
    const from = '192.0.2.7';
    const ids = Array.from({ length: OF_ADDRESS }, () => newAgentId(new Date()));
    const answers = await pooled(16, ids, (clientId) => requestToken({ clientId, from }));
    assert.deepEqual([...new Set(answers.map(oauthError))], [INVALID]);
    assert.equal(oauthError(await requestToken({ from })), THROTTLED);
    assert.equal(oauthError(await requestToken({ key: robot.key, from })), THROTTLED);
    expectStatus(200, await requestToken({ key: robot.key, from: '192.0.2.8' }));
  });

  test('A caller that fails from many addresses of a network is rejected in all of it, but no correct secret is refused there', async () => {
    keywright.clock.advance(61);
    const addresses = Array.from({ length: WIDE * OF_CLIENT }, (_, index) => index);
    const answers = await pooled(16, addresses, (index) =>
      requestToken({ from: `198.51.100.${index % 200}`, node: 0 }),
    );
    assert.deepEqual([...new Set(answers.map(oauthError))], [INVALID]);
    assert.equal(oauthError(await requestToken({ from: '198.51.100.201', node: 0 })), THROTTLED);
    for (const node of [0, 1]) {
      expectStatus(200, await requestToken({ key: robot.key, from: '198.51.100.201', node }));
    }
  });

  test('A caller that fails repeatedly with assertions of an agent is counted for the agent that they name', async () => {
    const claims = { iss: other.agent.id, sub: other.agent.id };
    const header = Buffer.from(JSON.stringify({ alg: 'EdDSA' })).toString('base64url');
    const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
    const parameters = {
      grant_type: 'client_credentials',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: `${header}.${payload}.AAAA`,
    };
    const headers = { 'x-forwarded-for': '192.0.2.9' };
    for (let failure = 0; failure < OF_CLIENT; failure += 1) {
      assert.equal(oauthError(await postToken(tenant, parameters, { headers })), INVALID);
    }
    assert.equal(oauthError(await postToken(tenant, parameters, { headers })), THROTTLED);
    expectStatus(200, await requestToken({ key: robot.key, from: '192.0.2.9' }));
  });

  test('A caller that fails repeatedly leaves only a handful of audit log entries, whatever client it names', async () => {
    const spared = await keywright.tenant('forge-3');
    const ids = Array.from({ length: OF_ADDRESS + 100 }, () => newAgentId(new Date()));
    const answers = await pooled(16, ids, (clientId) =>
      requestToken({ at: spared, clientId, from: '2001:db8:7::1', node: 0 }),
    );
    const throttled = answers.filter((answer) => oauthError(answer) === THROTTLED).length;
    assert.ok(throttled >= 100);
    await keywright.nodes[0]?.notes.flush();
    const [row] = await keywright.database.query<{ entries: number; failures: number }>(
      `SELECT count(*)::integer AS entries, sum(count)::integer AS failures FROM audit_entries
        WHERE tenant_id = $1 AND action = 'auth.token_refused'`,
      [spared.id],
    );
    assert.ok((row?.entries ?? 0) <= 32, `${row?.entries}`);
    assert.equal(row?.failures, ids.length);
  });
});
