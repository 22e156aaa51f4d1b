import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { StartedFlow } from '@keywright/contract/records/login-flow';
import type { IdentityProviderRecord } from '@keywright/contract/records/identity-provider';
import type { UserRecord } from '@keywright/contract/records/user';
import { newIdentifier } from '@keywright/tests/harness/credentials';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { claimsOf, sessionOf } from '@keywright/tests/harness/token';
import { enrollTotp, totpOf } from '@keywright/tests/harness/totp';
import {
  addProvider,
  startUpstreamFlow,
  comeBack,
  type FakeProvider,
  flowStep,
  goToProvider,
  handoffOf,
  proveUpstream,
  RETURN_URL,
  UPSTREAM_CONFIG,
} from '@keywright/tests/harness/upstream';
import { startUpstreamLogin, type UpstreamLogin } from '@keywright/tests/harness/upstream-login';

let upstream: UpstreamLogin;
let keywright: Keywright;
let tenant: TestTenant;
let provider: FakeProvider;
let record: IdentityProviderRecord;

before(async () => {
  upstream = await startUpstreamLogin({
    slug: 'upstream',
    clock: 'fake',
    fields: { domains: ['corp.example'] },
  });
  ({ keywright, tenant, provider, record } = upstream);
});
after(() => upstream.close());

const newPerson = (email?: string) => upstream.newPerson(email);

const corporate = () => newIdentifier().replace(/@.*/, '@corp.example');

async function login(person: ReturnType<typeof newPerson>, body = {}) {
  await keywright.database.query('DELETE FROM login_attempts');
  return (await upstream.logIn(person, body)).answer;
}

describe('a login at a provider', () => {
  test('A login at a provider registers a user, and logs the same user in the next time', async () => {
    const person = newPerson();
    const first = expectStatus(200, await login(person));
    const { acr, amr } = claimsOf(first.access_token ?? '');
    assert.deepEqual([acr, amr], ['aal1', ['fed']]);
    assert.deepEqual(first.user?.identifiers, [
      { type: 'email', identifier: person.email, verified: false },
    ]);
    const renamed = { ...person, email: newIdentifier() };
    const second = expectStatus(200, await login(renamed, { register: false }));
    assert.equal(second.user?.id, first.user?.id);
    assert.deepEqual(second.user?.identifiers, first.user?.identifiers);
  });

  test('A login at a provider gives a user without a name and a picture those of the provider, once', async () => {
    const picture = 'https://cdn.example.com/ada.png';
    const claims = { name: ' Ada \u202ELovelace', picture };
    const person = { ...newPerson(), ...claims };
    const first = expectStatus(200, await login(person));
    const at = `/users/${first.user?.id}`;
    const read = async () => {
      const token = await tenant.adminToken();
      const answer = await tenant.request<UserRecord>('GET', at, { token });
      const { name, picture: shown } = expectStatus(200, answer);
      return [name, shown];
    };
    assert.deepEqual(await read(), ['Ada Lovelace', picture]);
    const body = { name: 'Ada King', picture: null };
    const change = { token: await tenant.adminToken(), body };
    expectStatus(200, await tenant.request('PATCH', at, change));
    expectStatus(200, await login(person));
    assert.deepEqual(await read(), ['Ada King', null]);
  });

  test('A login at a provider ignores a picture that could reach into a private network', async () => {
    for (const picture of [
      'http://cdn.example.com/a.png',
      'https://10.0.0.1/a',
      'javascript:0',
      7,
    ]) {
      const person = { ...newPerson(), given_name: 'Ada', family_name: 'King', picture };
      const { user } = expectStatus(200, await login(person));
      const options = { token: await tenant.adminToken() };
      const answer = await tenant.request<UserRecord>('GET', `/users/${user?.id}`, options);
      const { name, picture: shown } = expectStatus(200, answer);
      assert.deepEqual([name, shown], ['Ada King', null]);
    }
  });

  test('A login at a provider verifies an address of a domain of the provider', async () => {
    const { user } = expectStatus(200, await login(newPerson(corporate())));
    assert.equal(user?.identifiers[0]?.verified, true);
  });

  test('A login at a provider uses PKCE, and returns to the URL of the flow', async () => {
    const flow = await startUpstreamFlow(tenant);
    assert.deepEqual(flow.needs, [{ step: 'passkey' }, { step: 'oauth' }]);
    const at = new URL(await goToProvider(tenant, flow, record));
    assert.equal(at.origin + at.pathname, `${provider.issuer}/authorize`);
    const {
      state,
      nonce,
      code_challenge: challenge,
      ...rest
    } = Object.fromEntries(at.searchParams);
    for (const text of [state, nonce, challenge]) assert.match(text ?? '', /^[\w-]{43}$/);
    assert.deepEqual(rest, {
      response_type: 'code',
      client_id: 'keywright',
      scope: 'openid profile email',
      code_challenge_method: 'S256',
      redirect_uri: record.callback_url,
    });
    const back = await comeBack(tenant, provider.authorize(at.href, newPerson()));
    const handoff = handoffOf(back);
    back.searchParams.delete('handoff');
    assert.equal(back.href, RETURN_URL);
    const finished = await flowStep(tenant, flow, 'oauth/finish', { handoff });
    assert.equal(expectStatus(200, finished).flow.status, 'complete');
  });

  test('A login at a provider accepts only known users, unless the flow registers', async () => {
    const answer = await login(newPerson(), { register: false });
    assert.equal(answer.body.code, 'INVALID_CREDENTIALS');
    const closed = await keywright.tenant('closed', { config: UPSTREAM_CONFIG });
    const closedRecord = await addProvider(closed, provider);
    const options = {
      token: await keywright.adminToken(),
      body: { config: { allow_registration: false } },
    };
    expectStatus(200, await keywright.home.request('PATCH', `/tenants/${closed.id}`, options));
    const flow = await startUpstreamFlow(closed);
    const refused = await proveUpstream(
      closed,
      flow,
      { provider, record: closedRecord },
      newPerson(),
    );
    assert.equal(refused.body.code, 'INVALID_CREDENTIALS');
  });

  test('A login at a provider in a flow with an identifier must be by that user', async () => {
    const [mine, theirs] = [newPerson(), newPerson()];
    for (const person of [mine, theirs]) expectStatus(200, await login(person));
    expectStatus(200, await login(mine, { identifier: mine.email }));
    for (const identifier of [theirs.email, newIdentifier()]) {
      const answer = await login(mine, { identifier });
      assert.equal(answer.body.code, 'INVALID_CREDENTIALS');
      assert.equal((await login(newPerson(), { identifier })).body.code, 'INVALID_CREDENTIALS');
    }
  });

  test('A login at a provider requires the second factor if the user has one', async () => {
    const person = newPerson();
    const { access_token: token = '' } = expectStatus(200, await login(person));
    const { secret } = await enrollTotp(tenant, token, keywright.clock);
    keywright.clock.advance(60);
    const flow = await startUpstreamFlow(tenant);
    const first = await proveUpstream(tenant, flow, { provider, record }, person);
    const { needs } = expectStatus(200, first).flow;
    assert.deepEqual(needs, [{ step: 'totp' }, { step: 'recovery_code' }]);
    assert.equal(first.body.access_token, undefined);
    const code = totpOf(secret, keywright.clock.now());
    const { access_token } = expectStatus(200, await flowStep(tenant, flow, 'totp', { code }));
    assert.deepEqual(claimsOf(access_token ?? '').amr, ['fed', 'otp', 'mfa']);
  });

  test('A login at a provider counts as two factors if the provider reports two and the tenant trusts it', async () => {
    const trusting = await keywright.tenant('trusting', { config: UPSTREAM_CONFIG });
    const trustedRecord = await addProvider(trusting, provider, { trust_mfa: true });
    const loginAs = async (claims: object) => {
      const flow = await startUpstreamFlow(trusting);
      const person = { ...newPerson(), ...claims };
      const answer = await proveUpstream(
        trusting,
        flow,
        { provider, record: trustedRecord },
        person,
      );
      const { acr, amr } = claimsOf(expectStatus(200, answer).access_token ?? '');
      return [acr, amr];
    };
    for (const claims of [{ amr: ['pwd', 'mfa'] }, { acr: 'https://refeds.org/profile/mfa' }]) {
      assert.deepEqual(await loginAs(claims), ['aal2', ['fed', 'mfa']]);
    }
    for (const claims of [{}, { amr: 'mfa' }, { amr: ['otp', 'MFA'] }, { acr: 'aal1' }]) {
      assert.deepEqual(await loginAs(claims), ['aal1', ['fed']]);
    }
    const { access_token } = expectStatus(200, await login({ ...newPerson(), amr: ['mfa'] }));
    assert.equal(claimsOf(access_token ?? '').acr, 'aal1', 'of a provider that is not trusted');
  });

  test('A login at a provider by an inactive user is refused', async () => {
    const person = newPerson();
    const { user } = expectStatus(200, await login(person));
    const options = { token: await tenant.adminToken(), body: { reason: 'gone' } };
    expectStatus(200, await tenant.request('POST', `/users/${user?.id}/disable`, options));
    assert.equal((await login(person)).body.code, 'INVALID_CREDENTIALS');
  });

  test('A provider is offered by its name, unless oauth is off or the provider is inactive', async () => {
    const offeringTenant = await keywright.tenant('offers', { config: UPSTREAM_CONFIG });
    const shown = async () => {
      const { methods, providers } = expectStatus(
        200,
        await offeringTenant.request('GET', '/auth/methods'),
      );
      return [methods, providers];
    };
    assert.deepEqual(await shown(), [['password', 'passkey'], []]);
    const { id } = await addProvider(offeringTenant, provider, { name: 'Door' });
    const offered = [{ id, tenant_id: offeringTenant.id, type: 'oidc', name: 'Door' }];
    assert.deepEqual(await shown(), [['password', 'oauth', 'passkey'], offered]);
    const token = await offeringTenant.adminToken();
    const change = (fields: object) =>
      offeringTenant.request('PATCH', `/identity-providers/${id}`, { token, body: fields });
    expectStatus(200, await change({ is_active: false }));
    assert.deepEqual(await shown(), [['password', 'passkey'], []]);
    const flow = await startUpstreamFlow(offeringTenant);
    const body = { provider: id, return_url: RETURN_URL };
    assert.equal(
      (await flowStep(offeringTenant, flow, 'oauth', body)).body.code,
      'STEP_NOT_NEEDED',
    );
    expectStatus(200, await change({ is_active: true, skip_test: true }));
    expectStatus(
      200,
      await offeringTenant.request('DELETE', `/identity-providers/${id}`, { token }),
    );
    assert.deepEqual(await shown(), [['password', 'passkey'], []]);
  });

  test('A session continues only with a login at the provider that is as recent as the step-up', async () => {
    const person = newPerson();
    const { access_token: token = '', user } = expectStatus(200, await login(person));
    const stepUp = async (claims: object) => {
      const options = { token, body: {} };
      const answer = await tenant.request<StartedFlow>('POST', '/me/step-up', options);
      const { flow, flow_token } = expectStatus(201, answer);
      const started = { ...flow, flow_token };
      const at = await goToProvider(tenant, started, record);
      assert.equal(new URL(at).searchParams.get('prompt'), 'login');
      const back = await comeBack(tenant, provider.authorize(at, { ...person, ...claims }));
      return { started, back };
    };
    const now = Math.floor(keywright.clock.now().getTime() / 1000);
    const old = await stepUp({ auth_time: now - 3600 });
    assert.equal(old.back.searchParams.get('error'), 'provider_refused');
    const { started, back } = await stepUp({ auth_time: now });
    const body = { handoff: handoffOf(back) };
    const answer = expectStatus(200, await flowStep(tenant, started, 'oauth/finish', body));
    assert.equal(answer.user?.id, user?.id);
    assert.equal(sessionOf(answer.access_token ?? ''), sessionOf(token));
  });
});

test('return_urls: a login returns only to these, exactly as written', async () => {
  const flow = await startUpstreamFlow(tenant);
  for (const address of [
    'https://evil.example.com',
    `${RETURN_URL}&more=1`,
    RETURN_URL.replace('app.', 'app.evil.'),
    RETURN_URL.replace('https://', 'https://app.example.com@evil.example/'),
    RETURN_URL.replace('/login', '\\@evil.example/login'),
    `//evil.example/${RETURN_URL}`,
    RETURN_URL.toUpperCase(),
  ]) {
    const answer = await flowStep(tenant, flow, 'oauth', {
      provider: record.id,
      return_url: address,
    });
    assert.equal(answer.body.code, 'RETURN_URL_UNKNOWN');
  }
});

test('The setting oauth as the only login method requires an active provider, which cannot be removed (SPEC service 4)', async () => {
  const oauthTenant = await keywright.tenant('oauth-alone', { config: UPSTREAM_CONFIG });
  const patch = async () => {
    const options = {
      token: await keywright.adminToken(),
      body: { config: { allowed_login_methods: ['oauth'] } },
    };
    return keywright.home.request('PATCH', `/tenants/${oauthTenant.id}`, options);
  };
  const token = await oauthTenant.adminToken();
  assert.equal((await patch()).body['code'], 'METHOD_NOT_READY');
  const { id } = await addProvider(oauthTenant, provider, { is_active: false });
  assert.equal((await patch()).body['code'], 'METHOD_NOT_READY');
  const path = `/identity-providers/${id}`;
  const change = (body: object) => oauthTenant.request('PATCH', path, { token, body });
  expectStatus(200, await change({ is_active: true, skip_test: true }));
  expectStatus(200, await patch());
  assert.equal((await change({ is_active: false })).body['code'], 'LAST_LOGIN_METHOD');
  const last = await oauthTenant.request('DELETE', path, { token });
  assert.equal(last.body['code'], 'LAST_LOGIN_METHOD');
  const flow = await startUpstreamFlow(oauthTenant);
  assert.deepEqual(flow.needs, [{ step: 'oauth' }]);
  const answer = await proveUpstream(
    oauthTenant,
    flow,
    { provider, record: { ...record, id } },
    newPerson(),
  );
  expectStatus(200, answer);
});
