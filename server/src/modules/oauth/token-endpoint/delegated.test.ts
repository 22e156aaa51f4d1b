import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import { GRANT_TYPE, TOKEN_TYPE } from '@keywright/contract/routes/token';
import {
  clientParameters,
  createUserWith,
  delegate as delegateAt,
  exchange as exchangeAt,
  type UserWithRole,
} from '@keywright/tests/harness/delegation';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestAgent, TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';
import {
  postToken,
  getToken,
  oauthError,
  type TokenParameters,
} from '@keywright/tests/harness/token-endpoint';
import { until } from '@keywright/tests/harness/until';
import pg from 'pg';

const DAY = 86_400;
const NO_DELEGATION = '400 invalid_request DELEGATION_REQUIRED';
const EXCHANGE_REFUSED = '400 invalid_request EXCHANGE_REFUSED';
const TOO_WIDE = '400 invalid_scope SCOPE_INVALID';

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright({ nodes: 2, clock: 'fake' });
  tenant = await keywright.tenant('studio');
});

after(() => keywright.close());

async function asAdmin<Body>(method: string, path: string, body?: object, at = tenant) {
  const token = await at.adminToken();
  const answer = await at.request<Body>(method, path, { token, ...(body && { body }) });
  return expectStatus(method === 'POST' ? 201 : 200, answer);
}

/** Requests a token to act for the subject of another token. */
function exchange(by: TestAgent, token: string, more: TokenParameters = {}, at = tenant) {
  return exchangeAt(at, by, token, more);
}

/** Requests a token to act for the user who granted the delegation. */
function actBy(by: TestAgent, id: string, more: TokenParameters = {}) {
  return exchange(by, id, { subject_token_type: TOKEN_TYPE.delegation, ...more });
}

function newUser(scopes: readonly string[]): Promise<UserWithRole> {
  return createUserWith(tenant, scopes);
}

function delegate(user: TestUser, to: TestAgent, scopes: readonly string[] = ['*:*'], more = {}) {
  return delegateAt(tenant, user, to, scopes, more);
}

async function assertAccepted(token: string): Promise<void> {
  for (const node of [0, 1]) {
    expectStatus(200, await tenant.request('GET', '/users', { token, node }));
  }
}

async function assertDead(token: string, what = 'what it hung on is gone'): Promise<void> {
  for (const node of [0, 1]) {
    const answer = await tenant.request<ErrorBody>('GET', '/users', { token, node });
    assert.equal(`${answer.status} ${answer.body.code}`, '401 TOKEN_INVALID', what);
  }
}

/** A user, an agent, and a delegation of everything between them. */
async function newPair(scopes: readonly string[] = ['read:*', 'write:notes']) {
  const [user, robot] = [await newUser(scopes), await tenant.createAgent({ scopes: ['*:*'] })];
  return { user, robot, delegation: await delegate(user, robot, scopes) };
}

describe('an agent that acts for a user', () => {
  test('An agent that acts for a user has a token that names the user, the actor and the delegation (RFC 8693 §4.1)', async () => {
    const { user, robot, delegation } = await newPair();
    const answer = expectStatus(200, await exchange(robot, user.token));
    const { access_token: token, ...rest } = answer;
    assert.deepEqual(rest, {
      token_type: 'Bearer',
      expires_in: 900,
      scope: 'read:* write:notes',
      issued_token_type: TOKEN_TYPE.accessToken,
    });
    const { jti: _, iat, exp, iss, aud, status, ...claims } = claimsOf(token);
    assert.equal(status?.status_list.uri, `${iss}/status/0`);
    assert.equal(exp - iat, 900);
    assert.equal(iss, aud);
    assert.deepEqual(claims, {
      token_type: 'access',
      sub: user.user.id,
      tenant_id: tenant.id,
      workspace_id: 'ws_default',
      roles: [],
      scopes: ['read:*', 'write:notes'],
      scope: 'read:* write:notes',
      client_id: robot.agent.id,
      ver: 0,
      act: {
        sub: robot.agent.id,
        delegation_id: delegation.id,
        key_id: robot.record.id,
        ver: 0,
      },
    });
    await assertAccepted(token);
  });

  test('An agent can act for a user who is offline, with the id of the delegation', async () => {
    const { user, robot, delegation } = await newPair();
    const logout = await tenant.request('POST', '/auth/logout', { token: user.token });
    expectStatus(200, logout);
    assert.equal(oauthError(await exchange(robot, user.token)), EXCHANGE_REFUSED);
    const { access_token: token } = expectStatus(200, await actBy(robot, delegation.id));
    assert.deepEqual(
      [claimsOf(token).sub, claimsOf(token).act?.sub],
      [user.user.id, robot.agent.id],
    );
    await assertAccepted(token);
  });

  test('An agent that acts for a user can present its access token instead of a key', async () => {
    const { user, robot } = await newPair();
    const fields = { grant_type: GRANT_TYPE.clientCredentials, ...clientParameters(robot) };
    const token = await getToken(tenant, { ...fields, scope: 'read:users' });
    const parameters = {
      grant_type: GRANT_TYPE.tokenExchange,
      subject_token: user.token,
      subject_token_type: TOKEN_TYPE.accessToken,
      actor_token: token,
      actor_token_type: TOKEN_TYPE.accessToken,
    };
    const answer = expectStatus(200, await postToken(tenant, parameters));
    assert.equal(answer.scope, 'read:users');
    assert.equal(claimsOf(answer.access_token).act?.key_id, robot.record.id);
    const other = await tenant.createAgent();
    const named = await postToken(tenant, { ...parameters, client_id: other.agent.id });
    assert.equal(oauthError(named), '401 invalid_client CLIENT_INVALID');
    for (const actor of [user.token, answer.access_token, 'x']) {
      const refused = await postToken(tenant, { ...parameters, actor_token: actor });
      assert.equal(oauthError(refused), '401 invalid_client CLIENT_INVALID');
    }
    const untyped = await postToken(tenant, { ...parameters, actor_token_type: TOKEN_TYPE.jwt });
    assert.equal(oauthError(untyped), '400 invalid_request VALIDATION_FAILED');
  });

  test("An agent that acts for a user reaches neither the user's own account nor administration (SPEC authentication 9b)", async () => {
    const user = await newUser(['*:*']);
    const robot = await tenant.createAgent({ scopes: ['*:*'] });
    await delegate(user, robot);
    const { access_token: token } = expectStatus(200, await exchange(robot, user.token));
    const body = { agent_id: robot.agent.id, scopes: ['*:*'] };
    for (const [method, path, sent, code] of [
      ['POST', '/me/delegations', body, 'USER_REQUIRED'],
      ['PATCH', '/me', { user_metadata: {} }, 'USER_REQUIRED'],
      ['POST', '/auth/logout', undefined, 'USER_REQUIRED'],
      ['POST', '/agents', { name: 'another' }, 'ADMINISTRATOR_REQUIRED'],
      ['POST', '/apikeys', { agent_id: robot.agent.id, name: 'x' }, 'ADMINISTRATOR_REQUIRED'],
      ['GET', '/tenants', undefined, 'SYSTEM_ADMINISTRATOR_REQUIRED'],
    ] as const) {
      const options = { token, ...(sent && { body: sent }) };
      const answer = await tenant.request<ErrorBody>(method, path, options);
      assert.equal(`${answer.status} ${answer.body.code}`, `403 ${code}`, `${method} ${path}`);
    }
  });
});

describe('the scopes of an agent that acts for a user', () => {
  test("The scopes of a delegated token are those common to the user, the delegation, the agent, its key and the user's token", async () => {
    const user = await newUser(['read:*', 'write:notes', 'delete:notes', 'write:plans']);
    const robot = await tenant.createAgent(
      { scopes: ['*:users', '*:notes', 'read:plans', 'write:plans'] },
      { scopes: ['*:users', '*:notes', 'read:plans'] },
    );
    await delegate(user, robot, ['read:*', 'write:notes', 'write:plans']);
    const scopeOf = async (more = {}) => (await exchange(robot, user.token, more)).body.scope;
    assert.equal(await scopeOf(), 'read:notes read:plans read:users write:notes');
    assert.equal(await scopeOf({ scope: 'read:users' }), 'read:users');
    const lacking = { user: 'write:users', delegation: 'delete:notes', key: 'write:plans' };
    for (const scope of [...Object.values(lacking), 'read:*', '*:notes', 'read:roles', '*:*']) {
      const answer = await exchange(robot, user.token, { scope });
      assert.equal(oauthError(answer), TOO_WIDE, scope);
    }
    const stranger = await tenant.createAgent({ scopes: ['write:roles'] });
    await delegate(user, stranger, ['read:users']);
    assert.equal(oauthError(await exchange(stranger, user.token)), TOO_WIDE);
  });

  test('The scopes of a delegated token are the current ones, not earlier ones', async () => {
    const { user, robot, delegation } = await newPair(['read:*', 'write:notes']);
    await asAdmin('PATCH', `/roles/${user.role}`, { scopes: ['read:users'] });
    const less = expectStatus(200, await actBy(robot, delegation.id));
    assert.equal(less.scope, 'read:users');
    await asAdmin('PATCH', `/agents/${robot.agent.id}`, { scopes: ['read:notes'] });
    assert.equal(oauthError(await actBy(robot, delegation.id)), TOO_WIDE);
    await asAdmin('PATCH', `/roles/${user.role}`, { scopes: ['*:*'] });
    assert.equal(expectStatus(200, await actBy(robot, delegation.id)).scope, 'read:notes');
  });

  /** Changes the agent after it has authenticated and before its scopes are determined. */
  async function actWhile(by: TestAgent, delegationId: string, change: string) {
    const holder = new pg.Client(keywright.database.superuserUrl);
    await holder.connect();
    try {
      await holder.query('BEGIN; LOCK TABLE delegations');
      const acting = actBy(by, delegationId);
      const waiting = `SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%delegations%'`;
      await until('it waits', async () => (await keywright.database.query(waiting)).length > 0);
      await holder.query(`UPDATE agents SET ${change} WHERE id = $1`, [by.agent.id]);
      await holder.query('COMMIT');
      return await acting;
    } finally {
      await holder.end();
    }
  }

  test('The scopes of an agent that acts for a user exclude those that it lost between authentication and the response', async () => {
    const { robot, delegation } = await newPair(['read:*', 'write:notes']);
    const less = await actWhile(robot, delegation.id, `scopes = '{read:notes}'`);
    assert.equal(expectStatus(200, less).scope, 'read:notes');
    const none = await actWhile(robot, delegation.id, 'is_active = false');
    assert.equal(oauthError(none), NO_DELEGATION);
  });

  test("The scopes of a delegated token apply to the tenant's audience and to access tokens only", async () => {
    const { user, robot } = await newPair();
    const target = { audience: 'https://api.example.com' };
    const elsewhere = await exchange(robot, user.token, target);
    assert.equal(oauthError(elsewhere), '400 invalid_target TARGET_INVALID');
    const type = { requested_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' };
    const refused = await exchange(robot, user.token, type);
    assert.equal(oauthError(refused), '400 invalid_request VALIDATION_FAILED');
    const jwt = { requested_token_type: TOKEN_TYPE.jwt };
    expectStatus(200, await exchange(robot, user.token, jwt));
  });
});

describe('a delegated token', () => {
  test('A delegated token lasts at most 15 minutes, and no longer than anything it depends on', async () => {
    const user = await newUser(['read:*']);
    const robot = await tenant.createAgent({ scopes: ['*:*'] }, { expires_in_days: 2 });
    const { id } = await delegate(user, robot, ['read:*'], { expires_in_days: 1 });
    const seconds = async (answer: ReturnType<typeof exchange>) =>
      expectStatus(200, await answer).expires_in;
    assert.equal(await seconds(exchange(robot, user.token)), 900);
    keywright.clock.advance(3600 - 100);
    assert.equal(await seconds(exchange(robot, user.token)), 100);
    assert.equal(await seconds(actBy(robot, id)), 900);
    // A token that is accepted only because of the clock tolerance cannot be exchanged.
    keywright.clock.advance(100);
    assert.equal(oauthError(await exchange(robot, user.token)), EXCHANGE_REFUSED);
    keywright.clock.advance(DAY - 3600 - 60);
    const last = expectStatus(200, await actBy(robot, id));
    assert.equal(last.expires_in, 60);
    await assertAccepted(last.access_token);
    keywright.clock.advance(60);
    await assertDead(last.access_token);
    assert.equal(oauthError(await actBy(robot, id)), NO_DELEGATION);
  });

  test("A delegated token outlives neither the key or token with which the agent authenticated nor the tenant's own tokens", async () => {
    const seconds = async (answer: ReturnType<typeof exchange>) =>
      expectStatus(200, await answer).expires_in;
    const user = await newUser(['read:*']);
    const robot = await tenant.createAgent({ scopes: ['*:*'] }, { expires_in_days: 1 });
    const { id } = await delegate(user, robot, ['read:*'], { expires_in_days: 2 });
    const fields = { grant_type: GRANT_TYPE.clientCredentials, ...clientParameters(robot) };
    const token = await getToken(tenant, fields);
    keywright.clock.advance(3600 - 50);
    const shown = {
      grant_type: GRANT_TYPE.tokenExchange,
      subject_token: id,
      subject_token_type: TOKEN_TYPE.delegation,
      actor_token: token,
      actor_token_type: TOKEN_TYPE.accessToken,
    };
    assert.equal(expectStatus(200, await postToken(tenant, shown)).expires_in, 50);
    keywright.clock.advance(DAY - 3600 + 50 - 100);
    assert.equal(await seconds(actBy(robot, id)), 100);
    const brief = await keywright.tenant('brief', { config: { session_timeout: 60 } });
    const [owner, agent] = [
      await createUserWith(brief, ['read:*']),
      await brief.createAgent({ scopes: ['*:*'] }),
    ];
    const delegation = await delegateAt(brief, owner, agent, ['read:*']);
    const more = { subject_token_type: TOKEN_TYPE.delegation };
    assert.equal(await seconds(exchange(agent, delegation.id, more, brief)), 60);
    assert.equal(await seconds(exchange(agent, owner.token, {}, brief)), 60);
  });

  type Pair = Awaited<ReturnType<typeof newPair>>;
  const ENDS: Readonly<Record<string, (pair: Pair) => Promise<unknown>>> = {
    'the user withdraws the delegation': ({ user, delegation }) =>
      tenant.request('DELETE', `/me/delegations/${delegation.id}`, { token: user.token }),
    'the user gives another one': ({ user, robot }) => delegate(user, robot, ['read:*']),
    'the user is made inactive': ({ user }) =>
      asAdmin('PATCH', `/users/${user.user.id}`, { is_active: false }),
    'the user is deleted': ({ user }) => asAdmin('DELETE', `/users/${user.user.id}`),
    'the user has other roles': ({ user }) =>
      asAdmin('PATCH', `/users/${user.user.id}`, { roles: ['member'] }),
    'a role of the user gives less': ({ user }) =>
      asAdmin('PATCH', `/roles/${user.role}`, { scopes: [] }),
    'the agent is made inactive': ({ robot }) =>
      asAdmin('PATCH', `/agents/${robot.agent.id}`, { is_active: false }),
    'the agent may do less': ({ robot }) =>
      asAdmin('PATCH', `/agents/${robot.agent.id}`, { scopes: ['read:users'] }),
    'the agent is deleted': ({ robot }) => asAdmin('DELETE', `/agents/${robot.agent.id}`),
    'the key of the agent is revoked': ({ robot }) =>
      asAdmin('DELETE', `/apikeys/${robot.record.id}`),
  };
  for (const [what, end] of Object.entries(ENDS)) {
    test(`A delegated token is rejected from the first request after ${what}`, async () => {
      const pair = await newPair();
      const { access_token: token } = expectStatus(
        200,
        await actBy(pair.robot, pair.delegation.id),
      );
      await assertAccepted(token);
      await end(pair);
      await assertDead(token, what);
    });
  }
});

describe('acting for a user is refused', () => {
  test('No agent acts for a user without an active delegation of that user to that agent in this tenant', async () => {
    const { user, robot, delegation } = await newPair();
    const other = await tenant.createAgent({ scopes: ['*:*'] });
    assert.equal(oauthError(await exchange(other, user.token)), NO_DELEGATION);
    assert.equal(oauthError(await actBy(other, delegation.id)), NO_DELEGATION);
    const stranger = await newUser(['read:*']);
    assert.equal(oauthError(await exchange(robot, stranger.token)), NO_DELEGATION);
    for (const id of ['dlg_00000000000000000000000000', 'x', user.user.id]) {
      assert.equal(oauthError(await actBy(robot, id)), NO_DELEGATION);
    }
    const { token } = user;
    await tenant.request('DELETE', `/me/delegations/${delegation.id}`, { token });
    assert.equal(oauthError(await exchange(robot, user.token)), NO_DELEGATION);
    assert.equal(oauthError(await actBy(robot, delegation.id)), NO_DELEGATION);
  });

  test('No agent acts for a user who is inactive', async () => {
    const { user, robot, delegation } = await newPair();
    const path = `/users/${user.user.id}`;
    await asAdmin('PATCH', path, { is_active: false });
    assert.equal(oauthError(await actBy(robot, delegation.id)), NO_DELEGATION);
    await asAdmin('PATCH', path, { is_active: true });
    expectStatus(200, await actBy(robot, delegation.id));
  });

  test('No agent acts for a user of another tenant', async () => {
    const { user, robot, delegation } = await newPair();
    const abroad = await keywright.tenant(`abroad`);
    const foreign = await abroad.createAgent({ scopes: ['*:*'] });
    const unknown = '401 invalid_client CLIENT_INVALID';
    assert.equal(oauthError(await exchange(foreign, user.token)), unknown);
    assert.equal(oauthError(await actBy(foreign, delegation.id)), unknown);
    assert.equal(oauthError(await exchange(robot, user.token, {}, abroad)), unknown);
    assert.equal(oauthError(await exchange(foreign, user.token, {}, abroad)), EXCHANGE_REFUSED);
    const foreigner = await abroad.createUser();
    assert.equal(oauthError(await exchange(robot, foreigner.token)), EXCHANGE_REFUSED);
  });

  test('No agent acts for a user with anything except an access token of the user', async () => {
    const { user, robot, delegation } = await newPair();
    const fields = { grant_type: GRANT_TYPE.clientCredentials, ...clientParameters(robot) };
    const body = { tenant_id: tenant.id, reason: 'a look around' };
    const impersonator = await keywright.home.request('POST', '/auth/impersonate', {
      token: await keywright.adminToken(),
      body,
    });
    const subjects = [
      await getToken(tenant, fields),
      robot.key,
      user.refreshToken,
      String(expectStatus(200, impersonator)['access_token']),
      delegation.id,
      'x',
    ];
    for (const subject of subjects) {
      assert.equal(oauthError(await exchange(robot, subject)), EXCHANGE_REFUSED, subject);
    }
    const invalid = '400 invalid_request VALIDATION_FAILED';
    for (const type of ['', 'urn:ietf:params:oauth:token-type:saml2', 'access_token']) {
      const answer = await exchange(robot, user.token, { subject_token_type: type });
      assert.equal(oauthError(answer), invalid);
    }
    assert.equal(oauthError(await exchange(robot, '')), invalid);
  });
});
