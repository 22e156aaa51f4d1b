import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { AuditAction } from '@keywright/contract/audit';
import type { ExplainedChange, Explanation } from '@keywright/contract/records/explanation';
import { newPassword } from '@keywright/tests/harness/credentials';
import { createUserWith } from '@keywright/tests/harness/delegation';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { claimsOf, sessionOf } from '@keywright/tests/harness/token';

let keywright: Keywright;
let tenant: TestTenant;
/** Who makes the changes. */
let chief: TestUser;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  tenant = await keywright.tenant('changed', { config: { login_attempts_limit: 10_000 } });
  chief = await tenant.createUser({ roles: ['admin'] });
});

after(() => keywright.close());

/** Makes a change as the chief, one second after the previous change. */
async function change(method: string, path: string, body?: object): Promise<Answer<object>> {
  keywright.clock.advance(1);
  const options = { token: chief.token, ...(body && { body }) };
  const answer = await tenant.request<object>(method, path, options);
  assert.ok(answer.status < 300, answer.text);
  return answer;
}

async function explain(body: object): Promise<Explanation> {
  const options = { token: await tenant.adminToken(), body };
  return expectStatus(200, await tenant.request<Explanation>('POST', '/explain', options));
}

interface ExpectedChange {
  readonly action: AuditAction;
  readonly target: ExplainedChange['target'];
}

/** Requires that the chief made the change just now. */
function assertMadeByChief(
  explained: ExplainedChange | undefined,
  { action, target }: ExpectedChange,
): void {
  assert.ok(explained);
  const { details: _, ...rest } = explained;
  assert.deepEqual(rest, {
    action,
    at: keywright.clock.now().toISOString(),
    by: { kind: 'user', sub: chief.user.id, on_behalf_of: null },
    target,
  });
}

const ofUser = ({ user }: TestUser) => ({ kind: 'user', name: user.id }) as const;

describe('a scope that a user had is explained with the change that removed it', () => {
  test('A scope is explained with the change that removed the role', async () => {
    const user = await createUserWith(tenant, ['write:*']);
    await change('PATCH', `/users/${user.user.id}`, { roles: ['member'] });
    await change('PATCH', `/users/${user.user.id}`, { metadata: { seen: true } });
    keywright.clock.advance(-1);
    const { removals, missing } = await explain({
      subject: user.user.id,
      scope: 'write:notes read:notes',
    });
    assert.deepEqual(missing, ['write:notes', 'read:notes']);
    assert.deepEqual(
      removals.map((removal) => removal.scope),
      ['write:notes'],
    );
    assertMadeByChief(removals[0]?.change, { action: 'user.updated', target: ofUser(user) });
    assert.deepEqual(removals[0]?.change.details.roles_removed, [user.role]);
    keywright.clock.advance(1);
  });

  test('A scope is explained with the change that removed it from the role, for all who have the role', async () => {
    const user = await createUserWith(tenant, ['write:notes', 'read:notes']);
    await change('PATCH', `/roles/${user.role}`, { scopes: ['read:notes'] });
    const login = await tenant.login(user.identifier, user.password);
    for (const whom of [{ subject: user.user.id }, { token: login.access_token }]) {
      const { removals, grants } = await explain({ ...whom, scope: 'write:notes read:notes' });
      assert.equal(removals.length, 1);
      const target = { kind: 'role', name: user.role } as const;
      assertMadeByChief(removals[0]?.change, { action: 'role.updated', target });
      assert.deepEqual(
        grants.map((grant) => grant.scope),
        ['read:notes'],
      );
    }
  });

  test('A scope is explained with the deletion of the role', async () => {
    const user = await createUserWith(tenant, ['write:notes']);
    await change('DELETE', `/roles/${user.role}?force=true`);
    const { removals } = await explain({ subject: user.user.id, scope: 'write:notes' });
    assertMadeByChief(removals[0]?.change, { action: 'user.updated', target: ofUser(user) });
    assert.deepEqual(removals[0]?.change.details.roles_removed, [user.role]);
  });

  test('A scope is explained without a change when it was restored, or never granted', async () => {
    const user = await createUserWith(tenant, ['write:notes']);
    const path = `/users/${user.user.id}`;
    await change('PATCH', path, { roles: [] });
    await change('PATCH', path, { roles: [user.role] });
    const explanation = await explain({ subject: user.user.id, scope: 'write:notes delete:notes' });
    assert.deepEqual([explanation.missing, explanation.removals], [['delete:notes'], []]);
  });

  test('A scope is explained with the change that an impersonating system administrator made', async () => {
    const user = await createUserWith(tenant, ['write:notes']);
    const root = await keywright.createUser({ roles: ['system_admin'] });
    const body = { tenant_id: tenant.id, reason: 'they asked us to' };
    const options = { token: root.token, body };
    const answer = await keywright.home.request('POST', '/auth/impersonate', options);
    const token = String(expectStatus(200, answer)['access_token']);
    const path = `/users/${user.user.id}`;
    expectStatus(200, await tenant.request('PATCH', path, { token, body: { roles: [] } }));
    const { removals } = await explain({ subject: user.user.id, scope: 'write:notes' });
    const { by } = removals[0]?.change ?? {};
    assert.deepEqual(by, { kind: 'impersonator', sub: root.user.id, on_behalf_of: null });
  });
});

describe('a scope that an agent had', () => {
  test('A scope that an agent had is explained with the change that removed it', async () => {
    const { agent, key } = await tenant.createAgent({ scopes: ['write:*', 'read:notes'] });
    await change('PATCH', `/agents/${agent.id}`, { scopes: ['read:notes'] });
    for (const whom of [{ subject: agent.id }, { token: key }]) {
      const { removals } = await explain({ ...whom, scope: 'write:notes read:notes' });
      assert.equal(removals.length, 1);
      const target = { kind: 'agent', name: agent.id } as const;
      assertMadeByChief(removals[0]?.change, { action: 'agent.updated', target });
      assert.deepEqual(removals[0]?.change.details.scopes_removed, ['write:*']);
    }
  });
});

describe('an obstacle is explained with the change that caused it', () => {
  const scope = 'read:notes';

  async function changesIn(body: object): Promise<Record<string, ExplainedChange | undefined>> {
    const { reasons } = await explain({ ...body, scope });
    return Object.fromEntries(reasons.map((reason) => [reason.code, reason.change]));
  }

  test('An explanation names the change that deactivated a user', async () => {
    const user = await createUserWith(tenant, [scope]);
    await change('PATCH', `/users/${user.user.id}`, { is_active: false });
    const expected = { action: 'user.updated', target: ofUser(user) } as const;
    const { user_inactive: inactive, session_ended: ended } = await changesIn({
      token: user.token,
    });
    assertMadeByChief(inactive, expected);
    assertMadeByChief(ended, expected);
  });

  test('An explanation names the disabling of a user for everything that ended with it', async () => {
    const user = await createUserWith(tenant, [scope]);
    const robot = await tenant.createAgent({ owner_id: user.user.id, scopes: [scope] });
    await change('POST', `/users/${user.user.id}/disable`, { reason: 'left us' });
    const expected = { action: 'user.disabled', target: ofUser(user) } as const;
    const ofToken = await changesIn({ token: user.token });
    assertMadeByChief(ofToken['user_inactive'], expected);
    assertMadeByChief(ofToken['session_ended'], expected);
    const ofKey = await changesIn({ token: robot.key });
    assertMadeByChief(ofKey['api_key_revoked'], expected);
    assertMadeByChief(ofKey['agent_inactive'], expected);
    assert.equal(ofKey['agent_inactive']?.details.reason, 'left us');
  });

  test('An explanation names the change that ended an agent or a key', async () => {
    const { agent, key, record } = await tenant.createAgent({ scopes: [scope] });
    await change('PATCH', `/agents/${agent.id}`, { is_active: false });
    assertMadeByChief((await changesIn({ token: key }))['agent_inactive'], {
      action: 'agent.updated',
      target: { kind: 'agent', name: agent.id },
    });
    await change('DELETE', `/apikeys/${record.id}`);
    assertMadeByChief((await changesIn({ token: key }))['api_key_revoked'], {
      action: 'apikey.revoked',
      target: { kind: 'api_key', name: record.id },
    });
  });

  test('An explanation names the report of a key by an anonymous caller', async () => {
    const { key } = await tenant.createAgent({ scopes: [scope] });
    expectStatus(200, await tenant.request('POST', '/apikeys/report', { body: { key } }));
    const reported = (await changesIn({ token: key }))['api_key_revoked'];
    assert.equal(reported?.action, 'apikey.reported');
    assert.deepEqual(reported.by, { kind: 'anonymous', sub: null, on_behalf_of: null });
  });

  test('An explanation names the change that ended a session, however it ended', async () => {
    const user = await createUserWith(tenant, [scope]);
    const logIn = async () => (await tenant.login(user.identifier, user.password)).access_token;
    const all = `/sessions?user_id=${user.user.id}`;
    const ENDS: readonly (readonly [method: string, path: string, body?: object])[] = [
      ['DELETE', all],
      ['PATCH', `/users/${user.user.id}`, { password: newPassword() }],
    ];
    const token = await logIn();
    await change('DELETE', `/sessions/${sessionOf(token)}`);
    assertMadeByChief((await changesIn({ token }))['session_ended'], {
      action: 'session.revoked',
      target: { kind: 'session', name: sessionOf(token) },
    });
    for (const [method, path, body] of ENDS) {
      const next = await logIn();
      await change(method, path, body);
      const { session_ended: ended } = await changesIn({ token: next });
      const action = body ? 'user.updated' : 'session.revoked';
      assertMadeByChief(ended, { action, target: ofUser(user) });
    }
  });

  test('An explanation names the logout that ended a session', async () => {
    const { user, token } = await createUserWith(tenant, [scope]);
    expectStatus(200, await tenant.request('POST', '/auth/logout', { token }));
    const ended = (await changesIn({ token }))['session_ended'];
    assert.equal(ended?.action, 'auth.logout');
    assert.equal(ended.by.sub, user.id);
    assert.equal(claimsOf(token).sub, user.id);
  });
});
