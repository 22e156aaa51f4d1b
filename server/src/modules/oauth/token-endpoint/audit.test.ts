import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { GRANT_TYPE, TOKEN_TYPE } from '@keywright/contract/routes/token';
import { createUserWith, delegate, exchange } from '@keywright/tests/harness/delegation';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { startOutsideIssuer } from '@keywright/tests/harness/outside-issuer';
import { newStatementKey } from '@keywright/tests/harness/statement-key';
import type { TestAgent, TestTenant } from '@keywright/tests/harness/tenant';
import { postToken } from '@keywright/tests/harness/token-endpoint';
import { until } from '@keywright/tests/harness/until';

interface Entry {
  readonly actor_kind: string;
  readonly actor_id: string | null;
  readonly credential: string | null;
  readonly target_id: string | null;
  readonly outcome: string;
  readonly count: number;
  readonly details: Readonly<Record<string, unknown>>;
}

let keywright: Keywright;
let tenant: TestTenant;
let robot: TestAgent;

before(async () => {
  keywright = await startKeywright({ env: { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' } });
  tenant = await keywright.tenant('ledger');
  robot = await tenant.createAgent({ scopes: ['*:*'] });
});

after(() => keywright.close());

/** Waits for the entries of this action about this agent or user that count this many requests. */
function entries(action: string, targetId: string, times = 1): Promise<readonly Entry[]> {
  return until(`${times} times ${action}`, async () => {
    const rows = await keywright.database.query<Entry>(
      `SELECT * FROM audit_entries WHERE tenant_id = $1 AND action = $2 AND target_id = $3
        ORDER BY created_at, id`,
      [tenant.id, action, targetId],
    );
    return rows.reduce((sum, { count }) => sum + count, 0) >= times && rows;
  });
}

function requestToken(parameters: Readonly<Record<string, string>>) {
  return postToken(tenant, { client_id: robot.agent.id, ...parameters });
}

const byKey = () => ({ grant_type: 'client_credentials', client_secret: robot.key });

test('The audit log records tokens issued to agents, and the grant used', async () => {
  expectStatus(200, await requestToken(byKey()));
  const [entry] = await entries('auth.token_issued', robot.agent.id);
  assert.ok(entry);
  const { actor_kind: kind, actor_id: id, credential, outcome, details } = entry;
  assert.deepEqual([kind, id, credential], ['agent', robot.agent.id, robot.record.id]);
  assert.deepEqual([outcome, details], ['success', { by: 'secret' }]);
});

test('The audit log records which workload authenticated, and its issuer', async () => {
  const key = await newStatementKey();
  const issuer = await startOutsideIssuer([key]);
  const trusts = [{ issuer: issuer.url, audience: 'us', subject: 'job 7' }];
  const { agent } = await tenant.createAgent();
  const options = { token: await tenant.adminToken(), body: { trusts } };
  expectStatus(200, await tenant.request('PATCH', `/agents/${agent.id}`, options));
  const exp = Math.floor(Date.now() / 1000) + 60;
  const assertion = await key.sign({ iss: issuer.url, aud: 'us', sub: 'job 7', exp });
  const parameters = { grant_type: GRANT_TYPE.jwtBearer, client_id: agent.id, assertion };
  expectStatus(200, await postToken(tenant, parameters));
  const [entry] = await entries('auth.token_issued', agent.id);
  assert.deepEqual(entry?.details, { by: 'trust', issuer: issuer.url, subject: 'job 7' });
  expectStatus(400, await postToken(tenant, { ...parameters, assertion: `${assertion}A` }));
  const [refused] = await entries('auth.token_refused', agent.id);
  assert.deepEqual([refused?.actor_kind, refused?.outcome], ['anonymous', 'failure']);
  assert.deepEqual(refused?.details, { reason: 'signature' });
  await issuer.close();
});

test('The audit log records the reason of a rejection, which the response omits, and never a secret', async () => {
  const secret = 'svc_sk_not-a-valid-key';
  for (let time = 0; time < 3; time += 1) {
    expectStatus(401, await requestToken({ ...byKey(), client_secret: secret }));
  }
  const found = await entries('auth.token_refused', robot.agent.id, 3);
  assert.deepEqual(found[0]?.details['reason'], 'key');
  assert.ok(!JSON.stringify(found).includes(secret));
});

test('The audit log records each exchange with its user, delegation and scopes', async () => {
  const user = await createUserWith(tenant, ['read:*']);
  expectStatus(400, await exchange(tenant, robot, user.token));
  const [denied] = await entries('auth.token_exchanged', robot.agent.id);
  assert.deepEqual(
    [denied?.actor_id, denied?.outcome, denied?.details],
    [robot.agent.id, 'denied', { code: 'DELEGATION_REQUIRED' }],
  );
  const { id } = await delegate(tenant, user, robot, ['read:*']);
  const byId = { subject_token_type: TOKEN_TYPE.delegation, scope: 'read:users' };
  expectStatus(200, await exchange(tenant, robot, id, byId));
  const [entry] = await entries('auth.token_exchanged', user.user.id);
  assert.deepEqual(
    [entry?.actor_id, entry?.credential, entry?.outcome],
    [robot.agent.id, robot.record.id, 'success'],
  );
  const expected = { delegation_id: id, scopes: ['read:users'], by: 'secret' };
  assert.deepEqual(entry?.details, expected);
});

test('The audit log records delegations, including replaced ones', async () => {
  const user = await createUserWith(tenant, ['read:*']);
  const first = await delegate(tenant, user, robot, ['read:users']);
  const next = await delegate(tenant, user, robot, ['read:*']);
  for (const { id, scopes } of [first, next]) {
    const [created] = await entries('delegation.created', id);
    assert.deepEqual([created?.actor_id, created?.details['scopes_added']], [user.user.id, scopes]);
  }
  const [revoked] = await entries('delegation.revoked', first.id);
  assert.equal(revoked?.details['agent_id'], robot.agent.id);
});
