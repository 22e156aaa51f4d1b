// A user with an address in a captured domain signs in through the provider that captured it. Sessions that were
// opened in another way do not continue.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { StartedFlow, OfferedFlow } from '@keywright/contract/records/login-flow';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import type { IdentityProviderRecord } from '@keywright/contract/records/identity-provider';
import { newIdentifier } from '@keywright/tests/harness/credentials';
import { type DnsServer, startDnsServer } from '@keywright/tests/harness/dns-server';
import { errorOf, Fapi2Party } from '@keywright/tests/harness/fapi2-party';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { registerApplication } from '@keywright/tests/harness/login-pages';
import { claimsOf, sessionOf } from '@keywright/tests/harness/token';
import { postToken, oauthError } from '@keywright/tests/harness/token-endpoint';
import { enrollTotp, totpOf } from '@keywright/tests/harness/totp';
import {
  addProvider,
  startUpstreamFlow,
  type FakeProvider,
  flowStep,
  type Person,
  proveUpstream,
  startFakeProvider,
  UPSTREAM_CONFIG,
} from '@keywright/tests/harness/upstream';
import { newPkce, Visitor } from '@keywright/tests/harness/visitor';

const DOMAIN = 'corp.example';
const PERIOD = 30;
const CALLBACK = 'https://app.example.com/callback';

let dns: DnsServer;
/** TXT records in the DNS. */
let texts: readonly string[] = [];
let keywright: Keywright;
let tenants = 0;

/** The provider that captures the domain, and another provider of the same tenant. */
let corporate: FakeProvider;
let elsewhere: FakeProvider;

before(async () => {
  dns = await startDnsServer(({ type }) => (type === 'TXT' ? texts : []));
  keywright = await startKeywright({
    clock: 'fake',
    env: { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' },
    outside: { dnsServers: [dns.address] },
  });
  [corporate, elsewhere] = [await startFakeProvider(), await startFakeProvider()];
  for (const provider of [corporate, elsewhere])
    provider.now = () => keywright.clock.now().getTime();
});
after(async () => {
  await keywright.close();
  await Promise.all([corporate.close(), elsewhere.close(), dns.close()]);
});
beforeEach(() => keywright.database.query('DELETE FROM login_attempts'));

interface At {
  readonly provider: FakeProvider;
  readonly record: IdentityProviderRecord;
}

interface Corporation {
  readonly tenant: TestTenant;
  readonly captor: At;
  readonly other: At;
}

async function newCorporation(): Promise<Corporation> {
  tenants += 1;
  const tenant = await keywright.tenant(`corporation-${tenants}`, { config: UPSTREAM_CONFIG });
  const at = async (provider: FakeProvider, fields: object) => ({
    provider,
    record: await addProvider(tenant, provider, { domains: [DOMAIN], ...fields }),
  });
  const captor = await at(corporate, { link: 'auto' });
  return { tenant, captor, other: await at(elsewhere, { name: 'Other', link: 'auto' }) };
}

/** Captures the domain: from now on, its users sign in only at its captor. */
async function capture({ tenant, captor: { record } }: Corporation): Promise<void> {
  const path = `/identity-providers/${record.id}/domains`;
  const token = await tenant.adminToken();
  const added = await tenant.request('POST', path, { token, body: { domain: DOMAIN } });
  texts = [String(expectStatus(201, added)['txt_value'])];
  expectStatus(200, await tenant.request('POST', `${path}/${DOMAIN}/verify`, { token }));
}

/** A user of the domain whose address is verified. */
async function newEmployee({ tenant }: Corporation): Promise<TestUser> {
  const user = await tenant.createUser({
    identifier: newIdentifier().replace(/@.*/, `@${DOMAIN}`),
  });
  const body = { identifiers: [{ identifier: user.identifier, verified: true }] };
  const options = { token: await tenant.adminToken(), body };
  expectStatus(200, await tenant.request('PATCH', `/users/${user.user.id}`, options));
  const { access_token, refresh_token } = await tenant.login(user.identifier, user.password);
  return { ...user, token: access_token, refreshToken: refresh_token };
}

function personOf({ identifier: email }: TestUser): Person {
  return { sub: `subject of ${email}`, email, email_verified: true };
}

async function signIn({ tenant }: Corporation, at: At, user: TestUser) {
  const flow = await startUpstreamFlow(tenant, { identifier: user.identifier });
  return { flow, answer: await proveUpstream(tenant, flow, at, personOf(user)) };
}

function refresh({ tenant }: Corporation, refresh_token: string | undefined) {
  const options = { body: { refresh_token } };
  type Renewed = TokenAnswer & ErrorBody & { readonly flow: OfferedFlow };
  return tenant.request<Renewed>('POST', '/auth/refresh', options);
}

describe('a proof through another provider from before the capture of the domain', () => {
  test('A proof through another provider opens no session even with a second factor, while a proof through the captor does', async () => {
    const corporation = await newCorporation();
    const { tenant, captor, other } = corporation;
    const user = await newEmployee(corporation);
    const { secret } = await enrollTotp(tenant, user.token, keywright.clock);
    keywright.clock.advance(2 * PERIOD);
    const { flow, answer } = await signIn(corporation, other, user);
    assert.equal(expectStatus(200, answer).flow.needs[0]?.step, 'totp');
    await capture(corporation);
    const code = totpOf(secret, keywright.clock.now());
    const half = await flowStep(tenant, flow, 'totp', { code });
    assert.equal(half.body.access_token, undefined);
    assert.equal(expectStatus(400, half).code, 'STEP_NOT_NEEDED');
    const proven = await signIn(corporation, captor, user);
    assert.equal(expectStatus(200, proven.answer).flow.needs[0]?.step, 'totp');
    const whole = expectStatus(200, await flowStep(tenant, proven.flow, 'totp', { code }));
    assert.deepEqual(claimsOf(whole.access_token ?? '').amr, ['fed', 'otp', 'mfa']);
  });

  test('An identity of another provider is not linked, even after a proof of the account', async () => {
    const corporation = await newCorporation();
    const { tenant, captor, other } = corporation;
    const user = await newEmployee(corporation);
    const path = `/identity-providers/${other.record.id}`;
    const options = { token: await tenant.adminToken(), body: { link: 'ask' } };
    expectStatus(200, await tenant.request('PATCH', path, options));
    const { flow, answer } = await signIn(corporation, other, user);
    assert.equal(expectStatus(200, answer).flow.purpose, 'linking');
    await capture(corporation);
    const proven = await flowStep(tenant, flow, 'password', { secret: user.password });
    assert.equal(proven.body.access_token, undefined);
    const linked = await keywright.database.query(
      `SELECT provider FROM user_credentials WHERE tenant_id = $1 AND user_id = $2 AND type = 'oauth'`,
      [tenant.id, user.user.id],
    );
    assert.deepEqual(linked, []);
    const { body } = (await signIn(corporation, captor, user)).answer;
    assert.equal(body.user?.id, user.user.id);
  });
});

describe('a step-up of a user whose first address is not in the captured domain', () => {
  test('A step-up of a user whose first address is not in the captured domain starts at the captor of their other address', async () => {
    const corporation = await newCorporation();
    const { tenant, captor } = corporation;
    const user = await newEmployee(corporation);
    const token = await tenant.adminToken();
    const change = async (path: string, body: object) =>
      expectStatus(200, await tenant.request('PATCH', path, { token, body }));
    const identifiers = [newIdentifier(), user.identifier].map((identifier) => ({
      identifier,
      verified: true,
    }));
    await change(`/users/${user.user.id}`, { identifiers });
    await capture(corporation);
    const { access_token, refresh_token } = expectStatus(
      200,
      (await signIn(corporation, captor, user)).answer,
    );
    const atCaptor = [{ step: 'oauth', provider: captor.record.id }];
    const options = { token: access_token ?? '', body: {} };
    const answer = await tenant.request<StartedFlow>('POST', '/me/step-up', options);
    assert.deepEqual(expectStatus(201, answer).flow.needs, atCaptor);
    await change(`/tenants/${tenant.id}`, { config: { require_mfa: true } });
    const refused = await refresh(corporation, refresh_token);
    assert.deepEqual(expectStatus(401, refused).flow.needs, atCaptor);
  });
});

describe('a session from before the capture of the domain', () => {
  test('A session from before the capture is refreshed if its user signed in at the captor, and needs a step-up there otherwise', async () => {
    const corporation = await newCorporation();
    const { tenant, captor, other } = corporation;
    const [atCaptor, atOther, byPassword] = [
      await newEmployee(corporation),
      await newEmployee(corporation),
      await newEmployee(corporation),
    ];
    const outsider = await tenant.createUser();
    const right = expectStatus(200, (await signIn(corporation, captor, atCaptor)).answer);
    const wrong = expectStatus(200, (await signIn(corporation, other, atOther)).answer);
    await capture(corporation);
    expectStatus(200, await refresh(corporation, outsider.refreshToken));
    const again = expectStatus(200, await refresh(corporation, right.refresh_token));
    expectStatus(200, await refresh(corporation, again.refresh_token));
    for (const [user, token] of [
      [atOther, wrong.refresh_token],
      [byPassword, byPassword.refreshToken],
    ] as const) {
      const { code, flow } = expectStatus(401, await refresh(corporation, token));
      assert.equal(code, 'STEP_UP_REQUIRED');
      assert.deepEqual(flow.needs, [{ step: 'oauth', provider: captor.record.id }]);
      const stepped = await proveUpstream(tenant, flow, captor, personOf(user));
      const { access_token: access = '', refresh_token } = expectStatus(200, stepped);
      const claims = claimsOf(access);
      assert.deepEqual([claims.sub, claims.amr], [user.user.id, ['fed']]);
      assert.equal(
        claims['sid'],
        sessionOf(user === atOther ? (wrong.access_token ?? '') : user.token),
      );
      expectStatus(200, await refresh(corporation, refresh_token));
    }
  });

  test('A session of a browser or an application from before the capture continues only if its user signed in at the captor', async () => {
    const corporation = await newCorporation();
    const { tenant, captor, other } = corporation;
    const fields = { redirect_uris: [CALLBACK], first_party: true };
    const client = await registerApplication(tenant, fields);
    const [right, wrong] = [
      await inBrowser(corporation, captor, client.id),
      await inBrowser(corporation, other, client.id),
    ];
    const credentials = { client_id: client.id, client_secret: client.client_secret ?? '' };
    const redeemed = async ({ seen, verifier }: typeof right) =>
      expectStatus(
        200,
        await postToken(tenant, {
          grant_type: 'authorization_code',
          code: seen.redirectsTo?.searchParams.get('code') ?? '',
          redirect_uri: CALLBACK,
          code_verifier: verifier,
          ...credentials,
        }),
      ).refresh_token ?? '';
    const tokens = { right: await redeemed(right), wrong: await redeemed(wrong) };
    await capture(corporation);
    const silent = async ({ browser }: typeof right) =>
      (await browser.authorize({ ...requestOf(client.id, newPkce().challenge), prompt: 'none' }))
        .redirectsTo?.searchParams;
    assert.ok((await silent(right))?.has('code'));
    assert.equal((await silent(wrong))?.get('error'), 'login_required');
    const renew = (refresh_token: string) =>
      postToken(tenant, { grant_type: 'refresh_token', refresh_token, ...credentials });
    expectStatus(200, await renew(tokens.right));
    assert.equal(oauthError(await renew(tokens.wrong)), '400 invalid_grant GRANT_INVALID');
  });

  test('A session with a fixed refresh token from before the capture is not refreshed', async () => {
    const corporation = await newCorporation();
    const { tenant } = corporation;
    const scopes = ['openid', 'offline_access'];
    const fixed = { refresh_token_policy: 'fixed', dpop_bound_access_tokens: true };
    const signing = { token_endpoint_auth_method: 'private_key_jwt' };
    const party = await Fapi2Party.register(
      { keywright, tenant },
      { ...signing, scopes, ...fixed },
    );
    const refreshTokens = [];
    for (const user of [await newEmployee(corporation), await tenant.createUser()]) {
      const tokens = await party.tokens(party.browser(user), { scope: scopes.join(' ') });
      refreshTokens.push(tokens.refresh_token ?? '');
    }
    const [employee = '', outsider = ''] = refreshTokens;
    expectStatus(200, await party.refresh(employee));
    await capture(corporation);
    assert.equal(errorOf(await party.refresh(employee)), '400 invalid_grant');
    expectStatus(200, await party.refresh(outsider));
  });

  const requestOf = (clientId: string, challenge: string) => ({
    client_id: clientId,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid offline_access',
    prompt: 'consent',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  });

  /** Signs a new employee in on the pages of the service. */
  async function inBrowser(corporation: Corporation, { provider, record }: At, clientId: string) {
    const { tenant } = corporation;
    const user = await newEmployee(corporation);
    const browser = new Visitor(tenant, `https://id.example.com/t/${tenant.id}`);
    const { challenge, verifier } = newPkce();
    await browser.authorize(requestOf(clientId, challenge));
    const { redirectsTo } = await browser.press('provider', { provider: record.id });
    const back = provider.authorize(redirectsTo?.href ?? '', personOf(user));
    const page = await browser.open(`${back.pathname}${back.search}`);
    const seen = page.actions.includes('allow') ? await browser.press('allow') : page;
    return { browser, seen, verifier };
  }
});
