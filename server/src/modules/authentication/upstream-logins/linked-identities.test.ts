import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { IdentityProviderRecord } from '@keywright/contract/records/identity-provider';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { enrollTotp } from '@keywright/tests/harness/totp';
import {
  startUpstreamFlow,
  comeBack,
  type FakeProvider,
  flowStep,
  handoffOf,
  proveUpstream,
  RETURN_URL,
} from '@keywright/tests/harness/upstream';
import { startUpstreamLogin, type UpstreamLogin } from '@keywright/tests/harness/upstream-login';

let upstream: UpstreamLogin;
let keywright: Keywright;
let tenant: TestTenant;
let provider: FakeProvider;
let record: IdentityProviderRecord;

before(async () => {
  upstream = await startUpstreamLogin({ slug: 'identities', clock: 'fake' });
  ({ keywright, tenant, provider, record } = upstream);
});
after(() => upstream.close());
beforeEach(() => keywright.database.query('DELETE FROM login_attempts'));

const newPerson = (email?: string) => upstream.newPerson(email);

async function handoffFor(token: string, person = newPerson()): Promise<string> {
  const body = { provider: record.id, return_url: RETURN_URL };
  const answer = await tenant.request('POST', '/me/identities', { token, body });
  const at = String(expectStatus(200, answer)['authorize_url']);
  return handoffOf(await comeBack(tenant, provider.authorize(at, person)));
}

const finish = (token: string, handoff: string) =>
  tenant.request('POST', '/me/identities/finish', { token, body: { handoff } });
const remove = (token: string, id = record.id) =>
  tenant.request('DELETE', `/me/identities/${id}`, { token });

async function login(person: ReturnType<typeof newPerson>) {
  return (await upstream.logIn(person, { register: false })).answer;
}

describe('an identity of the calling user', () => {
  test('An identity is linked, logs in, and is unlinked', async () => {
    const { user, token } = await tenant.createUser();
    const person = newPerson();
    assert.equal((await login(person)).body.code, 'INVALID_CREDENTIALS');
    const linked = expectStatus(200, await finish(token, await handoffFor(token, person)));
    const shown = { provider_id: record.id, tenant_id: tenant.id, type: 'oidc', is_active: true };
    assert.deepEqual(linked, { ...shown, name: 'Corporate' });
    const list = expectStatus(200, await tenant.request('GET', '/me/identities', { token }));
    assert.deepEqual(list['items'], [linked]);
    assert.equal(expectStatus(200, await login(person)).user?.id, user.id);
    const removed = expectStatus(200, await remove(token));
    assert.deepEqual(removed, { id: record.id, deleted: true });
    assert.equal((await remove(token)).status, 404);
    assert.equal((await login(person)).body.code, 'INVALID_CREDENTIALS');
    const events = await keywright.database.query<{ type: string }>(
      `SELECT type FROM events WHERE tenant_id = $1 AND type LIKE 'identity.%' AND data->>'user_id' = $2 ORDER BY id`,
      [tenant.id, user.id],
    );
    assert.deepEqual(
      events.map(({ type }) => type),
      ['identity.linked', 'identity.unlinked'],
    );
  });

  test('An identity is linked only by the user who started the login, once, within its time', async () => {
    const [first, two] = [await tenant.createUser(), await tenant.createUser()];
    const handoff = await handoffFor(first.token);
    assert.equal((await finish(two.token, handoff)).body['code'], 'PROVIDER_REFUSED');
    const flow = await startUpstreamFlow(tenant);
    const stolen = await flowStep(tenant, flow, 'oauth/finish', { handoff });
    assert.equal(stolen.body.code, 'PROVIDER_REFUSED');
    expectStatus(200, await finish(first.token, handoff));
    assert.equal((await finish(first.token, handoff)).body['code'], 'PROVIDER_REFUSED');
    const late = await handoffFor(two.token);
    keywright.clock.advance(60);
    assert.equal((await finish(two.token, late)).body['code'], 'PROVIDER_REFUSED');
  });

  test('An identity belongs to one user, who has one identity at each provider', async () => {
    const [first, two] = [await tenant.createUser(), await tenant.createUser()];
    const person = newPerson();
    expectStatus(200, await finish(first.token, await handoffFor(first.token, person)));
    const taken = await finish(two.token, await handoffFor(two.token, person));
    assert.equal(taken.body['code'], 'IDENTITY_TAKEN');
    const second = await finish(first.token, await handoffFor(first.token));
    assert.equal(second.body['code'], 'IDENTITY_TAKEN');
    expectStatus(200, await finish(first.token, await handoffFor(first.token, person)));
  });

  test('An identity that is the only login method cannot be unlinked', async () => {
    const flow = await startUpstreamFlow(tenant);
    const answer = await proveUpstream(tenant, flow, { provider, record }, newPerson());
    const { access_token: token = '' } = expectStatus(200, answer);
    assert.equal((await remove(token)).body['code'], 'LAST_LOGIN_METHOD');
    const identities = expectStatus(200, await tenant.request('GET', '/me/identities', { token }));
    assert.equal((identities['items'] as unknown[]).length, 1);
  });

  test('A change of identities requires a recent login, with the second factor if the user has one', async () => {
    const { token } = await tenant.createUser();
    const handoff = await handoffFor(token);
    await enrollTotp(tenant, token, keywright.clock);
    const body = { provider: record.id, return_url: RETURN_URL };
    const answers = () =>
      Promise.all([
        tenant.request('POST', '/me/identities', { token, body }),
        finish(token, handoff),
        remove(token),
      ]);
    const [, linked, unlinked] = await answers();
    for (const answer of [linked, unlinked]) assert.equal(answer.body['code'], 'STEP_UP_REQUIRED');
    keywright.clock.advance(301);
    for (const { body: refused } of await answers()) {
      assert.equal(refused['code'], 'STEP_UP_REQUIRED');
    }
  });
});
