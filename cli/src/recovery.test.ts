import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { expectStatus } from '@keywright/tests/harness/http';
import { Installation } from '@keywright/tests/harness/installation';
import { totpOf } from '@keywright/tests/harness/totp';

let installation: Installation;

before(async () => {
  installation = await Installation.start();
});

after(() => installation.close());

describe('admin recover', () => {
  test('The admin recover command replaces the factors and the secret of an administrator while the service runs', async () => {
    const identifier = newIdentifier();
    const create = ['admin', 'create', `--identifier=${identifier}`, '--json'];
    const made = await installation.run(create);
    const lost = made.answer.result['secret'] ?? '';
    const { access_token: token } = expectStatus(200, await installation.logIn(identifier, lost));
    const { http } = installation.server;
    const request = (path: string, body: object) =>
      http.request<{ id: string; secret: string }>('POST', path, {
        token,
        host: 'localhost',
        body,
      });
    const { id, secret: key } = expectStatus(201, await request('/me/factors/totp', {}));
    const code = totpOf(key, new Date());
    expectStatus(200, await request(`/me/factors/totp/${id}/confirm`, { code }));
    assert.equal((await installation.logIn(identifier, lost)).status, 401);

    const recover = ['admin', 'recover', `--identifier=${identifier}`];
    const { code: exit, stdout, stderr } = await installation.run(recover);
    assert.equal(exit, 0, stderr);
    assert.match(stdout, /^Removed 2 factors, and ended 1 sessions\.$/m);
    const secret = /^Password: ([A-Za-z0-9]{24}) {3}\(shown only once: save it\)$/m.exec(
      stdout,
    )?.[1];
    assert.equal((await installation.logIn(identifier, lost)).status, 401);
    expectStatus(200, await installation.logIn(identifier, secret ?? ''));
    const me = await http.request('GET', '/me', { token, host: 'localhost' });
    assert.equal(me.status, 401, 'earlier sessions have ended');
    const entries = await installation.database.query<{ action: string; actor_id: string }>(
      'SELECT action, actor_id FROM audit_entries WHERE actor_id = $1',
      ['command line'],
    );
    for (const action of ['factor.removed', 'user.updated', 'system.work']) {
      assert.ok(
        entries.some((entry) => entry.action === action),
        action,
      );
    }
  });

  test('The admin recover command lets administrators in without mail where identifiers must be verified', async () => {
    const { server, database } = installation;
    const make = async () => {
      const identifier = newIdentifier();
      const run = await installation.run([
        'admin',
        'create',
        `--identifier=${identifier}`,
        '--json',
      ]);
      return { identifier, secret: run.answer.result['secret'] ?? '' };
    };
    const setVerified = (identifier: string, verified: boolean) =>
      database.query('UPDATE user_identifiers SET verified = $2 WHERE identifier = $1', [
        identifier,
        verified,
      ]);
    const first = await make();
    await setVerified(first.identifier, true);
    const login = await installation.logIn(first.identifier, first.secret);
    const { access_token: token } = expectStatus(200, login);
    const email = { smtp_host: 'mail.example.com', smtp_port: 587, from_address: 'a@example.com' };
    const demand = (require_verified_identifier: boolean, group: object | null) =>
      server.http.request('PATCH', '/tenants/org_default', {
        token,
        host: 'localhost',
        body: { config: { require_verified_identifier }, messaging: { email: group } },
      });
    expectStatus(200, await demand(true, email));
    const { identifier, secret } = await make();
    expectStatus(200, await installation.logIn(identifier, secret));
    await setVerified(identifier, false);
    assert.equal((await installation.logIn(identifier, secret)).status, 401);
    const recover = ['admin', 'recover', `--identifier=${identifier}`, '--json'];
    const { answer } = await installation.run(recover);
    expectStatus(200, await installation.logIn(identifier, answer.result['secret'] ?? ''));
    expectStatus(200, await demand(false, null));
  });

  test('The admin recover command rejects an identifier that belongs to no system administrator', async () => {
    const identifier = newIdentifier();
    const { http } = installation.server;
    const body = { identifier, secret: newPassword(), register: true };
    expectStatus(200, await http.request('POST', '/auth/login', { host: 'localhost', body }));
    for (const candidate of [identifier, newIdentifier()]) {
      const { code, answer } = await installation.run([
        'admin',
        'recover',
        `--identifier=${candidate}`,
        '--json',
      ]);
      assert.deepEqual([code, answer.code], [1, 'NOT_FOUND']);
    }
  });
});

test('The administrators have verified identifiers after admin create, tenant create and admin recover', async () => {
  const [created, owner, recovered] = [newIdentifier(), newIdentifier(), newIdentifier()];
  const run = async (...args: string[]) => {
    const { code, stderr } = await installation.run([...args, '--json']);
    assert.equal(code, 0, stderr);
  };
  await run('admin', 'create', `--identifier=${created}`);
  await run('tenant', 'create', '--name=Owned', `--admin-identifier=${owner}`);
  await run('admin', 'create', `--identifier=${recovered}`);
  await installation.database.query(
    'UPDATE user_identifiers SET verified = false WHERE identifier = $1',
    [recovered],
  );
  await run('admin', 'recover', `--identifier=${recovered}`);
  for (const [how, identifier] of Object.entries({ created, owner, recovered })) {
    const rows = await installation.database.query<{ verified: boolean }>(
      'SELECT verified FROM user_identifiers WHERE identifier = $1',
      [identifier],
    );
    assert.deepEqual(rows, [{ verified: true }], how);
  }
});
