import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { WorkspaceId } from '@keywright/contract/ids';
import type { Explanation, ReasonCode } from '@keywright/contract/records/explanation';
import { decide, type Question } from '@keywright/tests/harness/evaluation';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { sessionOf } from '@keywright/tests/harness/token';

const UNKNOWN_USER = 'user:01jdq3xaaaaaaaaaaaaaaaaaaa';
const NOTHING = 'service:01jdq3xaaaaaaaaaaaaaaaaaaa';
const HOUR = 3600;
const DAY = 24 * HOUR;

let keywright: Keywright;
let tenant: TestTenant;
let foreign: TestTenant;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  tenant = await keywright.tenant('explained', { config: { login_attempts_limit: 10_000 } });
  foreign = await keywright.tenant('foreign');
  for (const [name, scopes] of [
    ['reader', ['read:*']],
    ['editor', ['write:articles', 'read:articles']],
  ] as const) {
    expectStatus(201, await administer('POST', '/roles', { name, scopes }));
  }
  for (const name of ['north', 'south', 'closed']) {
    expectStatus(201, await administer('POST', '/workspaces', { name }));
  }
  expectStatus(200, await administer('PATCH', '/workspaces/ws_closed', { is_active: false }));
});

after(() => keywright.close());

async function administer<Body = object>(method: string, path: string, body?: object) {
  const token = await tenant.adminToken();
  return tenant.request<Body>(method, path, { token, ...(body && { body }) });
}

async function requestExplanation(
  body: object,
  token?: string,
): Promise<Answer<Explanation & ErrorBody>> {
  const options = { token: token ?? (await tenant.adminToken()), body };
  return tenant.request('POST', '/explain', options);
}

/** The explanation for an administrator; an evaluation must decide the same. */
async function explain(body: Question): Promise<Explanation> {
  const explanation = expectStatus(200, await requestExplanation(body));
  const { allowed, missing } = explanation;
  const decision = await decide(tenant, body, { token: await tenant.adminToken() });
  assert.deepEqual(decision, { allowed, missing });
  return explanation;
}

const codesOf = ({ reasons }: Explanation): ReasonCode[] => reasons.map((reason) => reason.code);

describe('the grant of a scope', () => {
  test('The grant of a scope to a user is each role that covers it', async () => {
    const { user, token } = await tenant.createUser({ roles: ['reader', 'editor', 'member'] });
    for (const whom of [{ subject: user.id }, { token }]) {
      const explanation = await explain({
        ...whom,
        scope: 'read:articles write:articles write:notes',
      });
      assert.deepEqual(explanation.grants, [
        { kind: 'role', name: 'editor', scope: 'read:articles', covered_by: 'read:articles' },
        { kind: 'role', name: 'editor', scope: 'write:articles', covered_by: 'write:articles' },
        { kind: 'role', name: 'reader', scope: 'read:articles', covered_by: 'read:*' },
      ]);
      assert.deepEqual(explanation.missing, ['write:notes']);
      assert.deepEqual([explanation.removals, explanation.reasons], [[], []]);
    }
  });

  test('The grant of a scope to an agent is its own list, and to a key with fewer scopes both lists', async () => {
    const { agent, key } = await tenant.createAgent({ scopes: ['read:*', 'write:notes'] });
    const narrow = await tenant.createApiKey(agent.id, { scopes: ['read:articles'] });
    const scope = 'read:articles write:notes';
    const ofAgent = [
      { kind: 'agent', name: agent.id, scope: 'read:articles', covered_by: 'read:*' },
      { kind: 'agent', name: agent.id, scope: 'write:notes', covered_by: 'write:notes' },
    ];
    for (const whom of [{ subject: agent.id }, { token: key }]) {
      assert.deepEqual((await explain({ ...whom, scope })).grants, ofAgent);
    }
    const explanation = await explain({ token: narrow.key, scope });
    const name = narrow.record.id;
    const ofKey = { kind: 'api_key', name, scope: 'read:articles', covered_by: 'read:articles' };
    assert.deepEqual(explanation.grants, [...ofAgent, ofKey]);
    assert.deepEqual(explanation.missing, ['write:notes']);
    assert.deepEqual(
      explanation.reasons.map((reason) => [reason.code, reason.name, reason.scopes]),
      [['api_key_scope_limited', name, ['write:notes']]],
    );
  });

  test('The grant of a scope to an impersonating system administrator is the impersonation', async () => {
    const root = await keywright.createUser({ roles: ['system_admin'] });
    const body = { tenant_id: tenant.id, reason: 'a look around' };
    const answer = await keywright.home.request('POST', '/auth/impersonate', {
      token: root.token,
      body,
    });
    const token = String(expectStatus(200, answer)['access_token']);
    const explanation = await explain({ token, scope: 'write:notes' });
    const name = root.user.id;
    assert.deepEqual(explanation.grants, [
      { kind: 'impersonation', name, scope: 'write:notes', covered_by: '*:*' },
    ]);
    expectStatus(200, await keywright.home.request('POST', '/auth/logout', { token: root.token }));
    assert.deepEqual(codesOf(await explain({ token, scope: 'write:notes' })), [
      'impersonation_ended',
    ]);
  });
});

describe('the obstacle', () => {
  const scope = 'read:articles';
  let reader: TestUser;

  before(async () => {
    reader = await tenant.createUser({ roles: ['reader'] });
  });

  async function reasonsOf(body: object): Promise<Explanation['reasons']> {
    const explanation = await explain({ ...body, scope });
    assert.equal(explanation.allowed, false);
    return explanation.reasons;
  }

  test('The obstacle for an invalid token is as specific as possible', async () => {
    const [header, payload, signature = ''] = reader.token.split('.');
    const damaged = `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    for (const [token, code] of [
      ['garbage', 'token_malformed'],
      ['svc_sk_garbage', 'token_malformed'],
      [reader.refreshToken, 'token_type_mismatch'],
      [await foreign.adminToken(), 'token_tenant_mismatch'],
      [damaged, 'signature_invalid'],
    ] as const) {
      const explanation = await explain({ token, scope });
      assert.deepEqual([codesOf(explanation), explanation.grants], [[code], []]);
    }
  });

  test('The obstacle for an unknown or foreign subject is that it does not exist', async () => {
    const theirs = await foreign.createUser({ roles: ['admin'] });
    for (const [subject, code] of [
      [UNKNOWN_USER, 'user_unknown'],
      [theirs.user.id, 'user_unknown'],
      [NOTHING, 'agent_unknown'],
    ] as const) {
      assert.deepEqual(codesOf(await explain({ subject, scope })), [code]);
    }
    const { key } = await foreign.createAgent({ scopes: ['*:*'] });
    assert.deepEqual(codesOf(await explain({ token: key, scope })), ['api_key_unknown']);
  });

  test('The obstacle is an expired token, even if its subject still has the scope', async () => {
    const { token } = await tenant.createUser({ roles: ['reader'] });
    keywright.clock.advance(HOUR + 11);
    const explanation = await explain({ token, scope });
    assert.deepEqual(codesOf(explanation), ['token_expired']);
    assert.equal(explanation.grants[0]?.name, 'reader');
  });

  test('The obstacle is a token with outdated permissions', async () => {
    const { user, token } = await tenant.createUser();
    const path = `/users/${user.id}`;
    expectStatus(200, await administer('PATCH', path, { roles: ['reader'] }));
    const [outdated] = await reasonsOf({ token });
    assert.equal(outdated?.code, 'token_outdated');
  });

  test('The obstacle is an ended session, and who ended it', async () => {
    const { user, token } = await tenant.createUser({ roles: ['reader'] });
    const sessionId = sessionOf(token);
    expectStatus(200, await administer('DELETE', `/sessions/${sessionId}`));
    const [ended] = await reasonsOf({ token });
    assert.deepEqual(
      [ended?.code, ended?.name, ended?.reason],
      ['session_ended', sessionId, 'revoked'],
    );
    assert.equal((await explain({ subject: user.id, scope })).allowed, true);
  });

  test('The obstacle is an inactive user', async () => {
    const { user, token } = await tenant.createUser({ roles: ['reader'] });
    expectStatus(200, await administer('PATCH', `/users/${user.id}`, { is_active: false }));
    assert.deepEqual(
      (await reasonsOf({ subject: user.id })).map((reason) => [reason.code, reason.name]),
      [['user_inactive', user.id]],
    );
    const codes = (await reasonsOf({ token })).map((reason) => reason.code);
    assert.deepEqual(codes, ['user_inactive', 'session_ended']);
  });

  test('The obstacle is a revoked or expired key, or an inactive agent', async () => {
    const { agent, key, record } = await tenant.createAgent({ scopes: ['read:*'] });
    const other = await tenant.createApiKey(agent.id, { expires_in_days: 1 });
    expectStatus(200, await administer('DELETE', `/apikeys/${record.id}`));
    const [revoked] = await reasonsOf({ token: key });
    assert.deepEqual(
      [revoked?.code, revoked?.name, revoked?.reason],
      ['api_key_revoked', record.id, 'revoked'],
    );
    assert.equal(revoked?.at, keywright.clock.now().toISOString());
    keywright.clock.advance(DAY);
    const [expired] = await reasonsOf({ token: other.key });
    assert.deepEqual(
      [expired?.code, expired?.name, expired?.at],
      ['api_key_expired', other.record.id, other.record.expires_at],
    );
    expectStatus(200, await administer('PATCH', `/agents/${agent.id}`, { is_active: false }));
    const codes = (await reasonsOf({ token: other.key })).map((reason) => reason.code);
    assert.deepEqual(codes, ['api_key_expired', 'agent_inactive']);
    const [inactive] = await reasonsOf({ subject: agent.id });
    assert.deepEqual([inactive?.code, inactive?.name], ['agent_inactive', agent.id]);
  });

  test('The obstacle is a workspace that the subject does not belong to, or that is inactive', async () => {
    const { user } = reader;
    const robot = await tenant.createAgent({
      scopes: ['read:*'],
      workspace_id: 'ws_north' as WorkspaceId,
    });
    for (const [whom, workspace_id, expected] of [
      [{ subject: user.id }, 'ws_south', ['workspace_membership_missing', user.id]],
      [{ subject: user.id }, 'ws_closed', ['workspace_inactive', 'ws_closed']],
      [{ subject: robot.agent.id }, 'ws_default', ['workspace_membership_missing', robot.agent.id]],
      [{ token: robot.key }, 'ws_south', ['workspace_membership_missing', robot.agent.id]],
    ] as const) {
      const [found] = await reasonsOf({ ...whom, workspace_id });
      assert.deepEqual([found?.code, found?.name], expected);
    }
    const inside = { token: robot.key, workspace_id: 'ws_north', scope };
    assert.deepEqual((await explain(inside)).reasons, []);
  });
});

describe('an explanation', () => {
  const scope = 'read:articles';

  test('An explanation requires the scopes to read what it mentions', async () => {
    const audit = ['read:audit', 'write:notes'];
    expectStatus(201, await administer('POST', '/roles', { name: 'auditor', scopes: audit }));
    const people = ['read:users', 'read:roles'];
    expectStatus(201, await administer('POST', '/roles', { name: 'people', scopes: people }));
    const auditor = await tenant.createUser({ roles: ['auditor'] });
    const both = await tenant.createUser({ roles: ['auditor', 'people'] });
    const { agent, key } = await tenant.createAgent();
    for (const [body, token, missing] of [
      [{ subject: UNKNOWN_USER }, auditor.token, 'read:users, read:roles'],
      [{ token: both.token }, auditor.token, 'read:users, read:roles, read:sessions'],
      [{ token: both.token }, both.token, 'read:sessions'],
      [{ subject: agent.id }, both.token, 'read:agents, read:apikeys'],
      [{ token: key }, both.token, 'read:agents, read:apikeys'],
    ] as const) {
      const refused = expectStatus(403, await requestExplanation({ ...body, scope }, token));
      assert.equal(refused.code, 'SCOPE_REQUIRED');
      assert.equal(refused.detail, `The token lacks: ${missing}.`);
    }
    expectStatus(200, await requestExplanation({ subject: both.user.id, scope }, both.token));
    expectStatus(200, await requestExplanation({ token: 'garbage', scope }, auditor.token));
  });

  test('An explanation is denied to agents, and to callers without the right to read the audit log', async () => {
    const { key } = await tenant.createAgent({ scopes: ['*:*'] });
    const refused = expectStatus(
      403,
      await requestExplanation({ subject: UNKNOWN_USER, scope }, key),
    );
    assert.equal(refused.code, 'ADMINISTRATOR_REQUIRED');
    const { token } = await tenant.createUser({ roles: ['reader'] });
    expectStatus(200, await requestExplanation({ token, scope }, token));
    const member = await tenant.createUser();
    assert.equal(
      expectStatus(403, await requestExplanation({ token, scope }, member.token)).code,
      'SCOPE_REQUIRED',
    );
  });

  test('An explanation requires a well-formed subject, and an existing workspace (SPEC authentication 7b)', async () => {
    for (const body of [
      { scope },
      { subject: UNKNOWN_USER },
      { checks: [{ token: 'x', scope }] },
    ]) {
      assert.equal(expectStatus(400, await requestExplanation(body)).code, 'VALIDATION_FAILED');
    }
    const theirs = { subject: UNKNOWN_USER, scope, workspace_id: 'ws_unknown' };
    assert.equal(expectStatus(404, await requestExplanation(theirs)).code, 'NOT_FOUND');
  });
});
