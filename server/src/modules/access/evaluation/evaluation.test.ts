import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { Decision } from '@keywright/contract/records/decision';
import {
  requestDecisions,
  decide as decideAt,
  evaluationOf,
  type Question,
  type Verdict,
} from '@keywright/tests/harness/evaluation';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';

const NODES = [0, 1];
const UNKNOWN_USER = 'user:01jdq3xaaaaaaaaaaaaaaaaaaa';
const NOTHING = 'service:01jdq3xaaaaaaaaaaaaaaaaaaa';
const ALLOWED = { allowed: true, missing: [] };

let keywright: Keywright;
let tenant: TestTenant;
let foreign: TestTenant;
/** Reads articles, writes notes and is in ws_north. */
let editor: TestUser;
let member: TestUser;

before(async () => {
  keywright = await startKeywright({ nodes: NODES.length });
  tenant = await keywright.tenant('asked', { config: { login_attempts_limit: 10_000 } });
  foreign = await keywright.tenant('foreign');
  for (const at of [tenant, foreign]) {
    for (const name of ['north', 'south', 'closed']) {
      expectStatus(201, await administer(at, 'POST', '/workspaces', { name }));
    }
  }
  expectStatus(201, await administer(foreign, 'POST', '/workspaces', { name: 'theirs' }));
  expectStatus(
    200,
    await administer(tenant, 'PATCH', '/workspaces/ws_closed', { is_active: false }),
  );
  const scopes = ['read:*', 'write:notes'];
  expectStatus(201, await administer(tenant, 'POST', '/roles', { name: 'editor', scopes }));
  editor = await tenant.createUser({ roles: ['editor'] });
  member = await tenant.createUser();
  const path = `/users/${editor.user.id}`;
  const body = { workspaces: ['ws_north', 'ws_closed'] };
  expectStatus(200, await administer(tenant, 'PATCH', path, body));
});

after(() => keywright.close());

async function administer(at: TestTenant, method: string, path: string, body?: object) {
  return at.request(method, path, { token: await at.adminToken(), ...(body && { body }) });
}

const requestDecision = (question: Question, token = member.token) =>
  requestDecisions(tenant, question, { token });

function decide(question: Question, token = member.token, node = 0): Promise<Verdict> {
  return decideAt(tenant, question, { token, node });
}

/** Sends one evaluation, or several. */
function evaluate<Body = Decision>(
  body: object,
  path = '/access/v1/evaluation',
  token = member.token,
): Promise<Answer<Body & ErrorBody>> {
  return tenant.request('POST', path, { token, body });
}

function lacking(...missing: string[]): Verdict {
  return { allowed: false, missing };
}

describe('a caller with a token', () => {
  test('A caller with a token learns whether it has a scope, and which of several it lacks', async () => {
    const { token } = editor;
    assert.deepEqual(await decide({ token, scope: 'read:articles' }), ALLOWED);
    assert.deepEqual(await decide({ token, scope: 'write:notes read:notes' }), ALLOWED);
    const scope = 'write:notes write:articles read:articles delete:notes write:articles';
    assert.deepEqual(await decide({ token, scope }), lacking('write:articles', 'delete:notes'));
    assert.deepEqual(await decide({ token, scope: '*:notes' }), lacking('*:notes'));
    assert.deepEqual(await decide({ token, scope: 'read:*' }), ALLOWED);
  });

  test('A caller may evaluate their own token', async () => {
    const { token } = member;
    assert.deepEqual(await decide({ token, scope: 'read:x' }, token), lacking('read:x'));
  });

  test('A caller with a token learns only that an invalid token has no scope, never why', async () => {
    const ended = await tenant.login(editor.identifier, editor.password);
    expectStatus(200, await tenant.request('POST', '/auth/logout', { token: ended.access_token }));
    const tokens = [
      'garbage',
      'e30.e30.e30',
      'svc_sk_garbage',
      ended.access_token,
      editor.refreshToken,
      `${editor.token.slice(0, -4)}----`,
      await foreign.adminToken(),
    ];
    for (const token of tokens) {
      assert.deepEqual(await decide({ token, scope: 'read:articles' }), lacking('read:articles'));
    }
  });

  test('A caller with a token learns of a revocation, and of a changed role, immediately and on every node', async () => {
    const { token, user } = await tenant.createUser({ roles: ['editor'] });
    for (const node of NODES) {
      assert.deepEqual(await decide({ token, scope: 'read:x' }, member.token, node), ALLOWED);
    }
    expectStatus(200, await administer(tenant, 'PATCH', `/users/${user.id}`, { roles: [] }));
    for (const node of NODES) {
      const decision = await decide({ token, scope: 'read:x' }, member.token, node);
      assert.deepEqual(decision, lacking('read:x'));
    }
  });
});

describe('a subject', () => {
  let clerk: TestUser;

  before(async () => {
    for (const [name, scope] of [
      ['clerk', 'read:users'],
      ['mechanic', 'read:agents'],
    ]) {
      expectStatus(201, await administer(tenant, 'POST', '/roles', { name, scopes: [scope] }));
    }
    clerk = await tenant.createUser({ roles: ['clerk', 'mechanic'] });
  });

  test('A subject can be evaluated by callers with read:users', async () => {
    const subject = editor.user.id;
    assert.deepEqual(await decide({ subject, scope: 'read:articles' }, clerk.token), ALLOWED);
    const scope = 'write:notes write:articles';
    assert.deepEqual(await decide({ subject, scope }, clerk.token), lacking('write:articles'));
  });

  test('A subject cannot be evaluated by anyone else, except by itself', async () => {
    const subject = editor.user.id;
    const refused = expectStatus(
      403,
      await requestDecision({ subject, scope: 'read:x' }, member.token),
    );
    assert.equal(refused.code, 'SCOPE_REQUIRED');
    assert.match(refused.detail, /read:users/);
    assert.deepEqual(await decide({ subject: member.user.id, scope: 'read:x' }), lacking('read:x'));
    const evaluations = [UNKNOWN_USER, NOTHING, member.user.id].map((subjectId) =>
      evaluationOf({ subject: subjectId, scope: 'read:x' }),
    );
    const several = expectStatus(403, await evaluate({ evaluations }, '/access/v1/evaluations'));
    assert.equal(several.detail, 'The token lacks: read:users, read:agents.');
  });

  test('A subject that is unknown, of another tenant, or not active lacks everything', async () => {
    const inactive = await tenant.createUser({ roles: ['editor'] });
    const off = { is_active: false };
    expectStatus(200, await administer(tenant, 'PATCH', `/users/${inactive.user.id}`, off));
    const theirs = await foreign.createUser({ roles: ['admin'] });
    for (const subject of [
      UNKNOWN_USER,
      NOTHING,
      inactive.user.id,
      theirs.user.id,
      'alice@example.com',
    ]) {
      assert.deepEqual(
        await decide({ subject, scope: 'read:articles' }, clerk.token),
        lacking('read:articles'),
      );
    }
  });
});

describe('a workspace', () => {
  const scope = 'read:articles write:articles';

  test('A workspace grants members their scopes, and others nothing', async () => {
    const { token } = editor;
    const inside = lacking('write:articles');
    const outside = lacking('read:articles', 'write:articles');
    for (const [workspace_id, expected] of [
      ['ws_north', inside],
      ['ws_default', inside],
      ['ws_south', outside],
      ['ws_closed', outside],
    ] as const) {
      assert.deepEqual(await decide({ token, scope, workspace_id }), expected, workspace_id);
      const bySubject = { subject: editor.user.id, scope, workspace_id };
      assert.deepEqual(await decide(bySubject, await tenant.adminToken()), expected, workspace_id);
    }
    const garbage = { token: 'garbage', scope, workspace_id: 'ws_north' };
    assert.deepEqual(await decide(garbage), outside);
  });

  test('A workspace is open to holders of all scopes, members or not, unless it is inactive', async () => {
    const token = await tenant.adminToken();
    assert.deepEqual(await decide({ token, scope, workspace_id: 'ws_south' }), ALLOWED);
    const closed = await decide({ token, scope, workspace_id: 'ws_closed' });
    assert.deepEqual(closed, lacking('read:articles', 'write:articles'));
    const body = { tenant_id: tenant.id, reason: 'a look around' };
    const options = { token: await keywright.adminToken(), body };
    const answer = await keywright.home.request<{ access_token: string }>(
      'POST',
      '/auth/impersonate',
      options,
    );
    const impersonator = expectStatus(200, answer).access_token;
    assert.deepEqual(
      await decide({ token: impersonator, scope, workspace_id: 'ws_south' }),
      ALLOWED,
    );
  });

  test('A workspace of another tenant is reported as unknown, for every caller and subject (SPEC authentication 7b)', async () => {
    const random = { token: editor.token, scope, workspace_id: 'ws_unknown' };
    const unknown = await requestDecision(random);
    for (const { decision, context } of expectStatus(200, unknown).evaluations) {
      assert.equal(decision, false);
      assert.deepEqual(
        context?.reasons.map(({ code }) => code),
        ['workspace_unknown'],
      );
    }
    for (const token of [editor.token, 'garbage', await foreign.adminToken()]) {
      const theirs = await requestDecision({ token, scope, workspace_id: 'ws_theirs' });
      assert.deepEqual([theirs.status, theirs.text], [200, unknown.text]);
    }
  });
});
