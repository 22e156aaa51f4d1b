// Logins that an application cannot show itself: they continue in a browser.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import type { IdentityProviderRecord } from '@keywright/contract/records/identity-provider';
import { type DnsServer, startDnsServer } from '@keywright/tests/harness/dns-server';
import { newDpopKey } from '@keywright/tests/harness/dpop';
import { expectStatus } from '@keywright/tests/harness/http';
import { APP_CALLBACK, InApp, newInAppClient, nextOf } from '@keywright/tests/harness/in-app';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { enrollTotp } from '@keywright/tests/harness/totp';
import {
  addProvider,
  type FakeProvider,
  startFakeProvider,
} from '@keywright/tests/harness/upstream';
import { type Seen, Visitor } from '@keywright/tests/harness/visitor';

const CLOCK = { now: () => new Date() };
const DOMAIN = 'corporate.example';
const RETURNS = { redirect_uri: APP_CALLBACK, state: 'kept' };

let dns: DnsServer;
/** The TXT records in the DNS. */
let texts: readonly string[] = [];
let provider: FakeProvider;
let keywright: Keywright;
let tenant: TestTenant;
let record: IdentityProviderRecord;
let user: TestUser;
let client: CreatedOAuthClient;

before(async () => {
  provider = await startFakeProvider();
  dns = await startDnsServer(({ type }) => (type === 'TXT' ? texts : []));
  keywright = await startKeywright({
    env: { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' },
    outside: { dnsServers: [dns.address] },
  });
  tenant = await keywright.tenant('in-app-web', { config: { allow_registration: true } });
  record = await addProvider(tenant, provider);
  user = await tenant.createUser();
  client = await newInAppClient(tenant);
});
after(async () => {
  await keywright.close();
  await provider.close();
  await dns.close();
});

/** A browser at the page of a request that continues in the browser. */
async function browserAt(uri = '', of = tenant, by = client): Promise<Visitor> {
  const browser = new Visitor(of, `https://id.example.com/t/${of.id}`);
  await browser.authorize({ client_id: by.id, request_uri: uri });
  return browser;
}

async function configure(of: TestTenant, config: object): Promise<void> {
  const options = { token: await keywright.adminToken(), body: { config } };
  expectStatus(200, await keywright.home.request('PATCH', `/tenants/${of.id}`, options));
}

describe('a login that needs a browser', () => {
  test('An address whose domain has a provider needs a browser, whether or not a user has it, and continues at the provider', async () => {
    const token = await tenant.adminToken();
    const path = `/identity-providers/${record.id}/domains`;
    const added = await tenant.request('POST', path, { token, body: { domain: DOMAIN } });
    texts = [String(expectStatus(201, added)['txt_value'])];
    expectStatus(200, await tenant.request('POST', `${path}/${DOMAIN}/verify`, { token }));
    const email = `${randomUUID()}@${DOMAIN}`;
    const seen = new Set<string>();
    for (const login_hint of [email, `${randomUUID()}@${DOMAIN}`]) {
      for (const more of [{}, { password: 'a password of the company' }]) {
        const { body } = await new InApp(tenant, client).start({ login_hint, ...RETURNS, ...more });
        const { request_uri: uri = '', ...rest } = body;
        seen.add(JSON.stringify({ ...rest, length: uri.length }));
      }
    }
    assert.equal(seen.size, 1, [...seen].join('\n'));
    const login = new InApp(tenant, client);
    const answer = await login.start({ login_hint: email, ...RETURNS });
    assert.equal(nextOf(answer), 'redirect_to_web');
    assert.equal(answer.body.expires_in, 60);
    const browser = await browserAt(answer.body.request_uri);
    await browser.press('login', { identifier: email });
    const { redirectsTo } = await browser.press('provider', { provider: record.id });
    const back = provider.authorize(redirectsTo?.href ?? '', { sub: email, email });
    const end: Seen = await browser.open(`${back.pathname}${back.search}`);
    assert.equal(end.redirectsTo?.searchParams.get('state'), 'kept');
    const code = end.redirectsTo?.searchParams.get('code') ?? '';
    expectStatus(200, await login.redeem(code, { redirect_uri: APP_CALLBACK }));
  });

  test('A login needs a browser if a provider is the only method', async () => {
    const only = await keywright.tenant('in-app-federated');
    await addProvider(only, provider);
    const by = await newInAppClient(only);
    await configure(only, { allowed_login_methods: ['oauth'] });
    for (const login_hint of ['ada@example.com', '']) {
      const answer = await new InApp(only, by).start({ login_hint, ...RETURNS });
      assert.equal(nextOf(answer), 'redirect_to_web');
    }
  });

  test('A registration needs a browser', async () => {
    const login = new InApp(tenant, client);
    const answer = await login.start({ prompt: 'create', login_hint: user.identifier, ...RETURNS });
    assert.equal(nextOf(answer), 'redirect_to_web');
    const { seen } = await browserAt(answer.body.request_uri);
    assert.match(seen.title, /account/i);
  });

  test('An application without a redirect URI starts another request', async () => {
    const answer = await new InApp(tenant, client).start({
      prompt: 'create',
      login_hint: user.identifier,
    });
    assert.equal(nextOf(answer), 'redirect_to_web');
    assert.deepEqual([answer.body.request_uri, answer.body.expires_in], [undefined, undefined]);
  });

  test('A login that must add a factor needs a browser, where the user proves everything again', async () => {
    const demanding = await keywright.tenant('in-app-factor');
    const by = await newInAppClient(demanding);
    const member = await demanding.createUser();
    await configure(demanding, { require_mfa: true, mfa_methods: ['totp'] });
    const login = new InApp(demanding, by);
    const key = await newDpopKey();
    // A request of this length is stored, where the test can read it.
    const at = { dpop_jkt: key.jkt, ...RETURNS, state: 'kept'.repeat(150) };
    await login.start({ login_hint: member.identifier, ...at });
    const { session } = login;
    const answer = await login.go({ password: member.password, device_token: 'none' });
    assert.equal(nextOf(answer), 'redirect_to_web');
    const typed = { login_hint: member.identifier, password: member.password };
    const again = new InApp(demanding, by);
    assert.equal(nextOf(await again.start({ ...typed, ...at })), 'redirect_to_web');
    const rows = await keywright.database.query(
      'SELECT parameters FROM pushed_requests WHERE tenant_id = $1',
      [demanding.id],
    );
    const named = rows.map((row) =>
      new URLSearchParams(String(row['parameters'])).keys().toArray(),
    );
    const names = [
      'client_id',
      'code_challenge',
      'code_challenge_method',
      'dpop_jkt',
      'login_hint',
      'redirect_uri',
      'response_type',
      'scope',
      'state',
    ];
    assert.deepEqual(
      named.map((keys) => keys.toSorted()),
      [names, names],
    );
    const browser = await browserAt(answer.body.request_uri, demanding, by);
    const { identifier, password: secret } = member;
    assert.equal(browser.seen.title, 'Sign in');
    assert.ok((await browser.press('login', { identifier, secret })).actions.includes('enroll'));
    const over = await login.send({ auth_session: session, password: member.password });
    assert.equal(over.body.error, 'invalid_session');
  });

  test('A login that needs a browser returns the next recovery code if one was used before', async () => {
    const member = await tenant.createUser();
    const { codes } = await enrollTotp(tenant, member.token, CLOCK);
    const login = new InApp(tenant, client);
    const parameters = { login_hint: member.identifier, password: member.password };
    await login.start({ ...parameters, acr_values: 'phr', ...RETURNS });
    const answer = await login.go({ recovery_code: codes[0] ?? '' });
    assert.equal(nextOf(answer), 'redirect_to_web');
    assert.match(answer.body.recovery_code ?? '', /^[0-9a-z-]{24,}$/i);
  });
});
