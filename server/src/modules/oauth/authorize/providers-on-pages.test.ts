// Logins at identity providers, on the pages of the service, by a browser without scripts.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { IdentityProviderRecord } from '@keywright/contract/records/identity-provider';
import { registerClient } from '@keywright/tests/harness/application';
import { newIdentifier } from '@keywright/tests/harness/credentials';
import { type DnsServer, startDnsServer } from '@keywright/tests/harness/dns-server';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import {
  addProvider,
  type FakeProvider,
  type Person,
  startFakeProvider,
} from '@keywright/tests/harness/upstream';
import { newPkce, type Seen, Visitor } from '@keywright/tests/harness/visitor';

const CALLBACK = 'https://app.example.com/callback';

let dns: DnsServer;
/** TXT records in the DNS. */
let texts: readonly string[] = [];
let keywright: Keywright;
let tenant: TestTenant;
let provider: FakeProvider;
let record: IdentityProviderRecord;
let clientId: string;

before(async () => {
  provider = await startFakeProvider();
  dns = await startDnsServer(({ type }) => (type === 'TXT' ? texts : []));
  keywright = await startKeywright({
    env: { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' },
    outside: { dnsServers: [dns.address] },
  });
  tenant = await keywright.tenant('providers', { config: { allow_registration: true } });
  record = await addProvider(tenant, provider, { name: 'Corporate <b>' });
  clientId = await registerClient(tenant, { first_party: true, redirect_uris: [CALLBACK] });
});
after(async () => {
  await keywright.close();
  await provider.close();
  await dns.close();
});

async function startLogin(more: Readonly<Record<string, string>> = {}): Promise<Visitor> {
  const browser = new Visitor(tenant, `https://id.example.com/t/${tenant.id}`);
  await browser.authorize({
    client_id: clientId,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid',
    code_challenge: newPkce().challenge,
    code_challenge_method: 'S256',
    ...more,
  });
  return browser;
}

/** Continues from a page to the provider. */
async function openProvider(browser: Visitor): Promise<URL> {
  const { redirectsTo } = await browser.press('provider', { provider: record.id });
  assert.equal(redirectsTo?.origin, provider.issuer);
  return redirectsTo;
}

/** Returns from the provider to the service. */
function returnOf(browser: Visitor, back: URL): Promise<Seen> {
  return browser.open(`${back.pathname}${back.search}`);
}

async function logInAs(browser: Visitor, person: Person): Promise<Seen> {
  return returnOf(browser, provider.authorize((await openProvider(browser)).href, person));
}

function assertIn({ redirectsTo, title, text }: Seen): void {
  assert.ok(redirectsTo?.searchParams.has('code'), `${title}: ${text}`);
}

function newPerson(): Person {
  return { sub: newIdentifier(), email: newIdentifier(), email_verified: true };
}

describe('a login at an identity provider', () => {
  test('A login at a provider starts with its button, and returns to the application’s request, at the first login and at later ones', async () => {
    const person = newPerson();
    const browser = await startLogin({ state: 'kept' });
    const seen = await logInAs(browser, person);
    assertIn(seen);
    assert.equal(seen.redirectsTo?.searchParams.get('state'), 'kept');
    assertIn(await logInAs(await startLogin(), person));
  });

  test('A login at a provider is a new one if the application requires that', async () => {
    for (const more of [{ prompt: 'login' }, { max_age: '60' }]) {
      const { searchParams } = await openProvider(await startLogin(more));
      assert.equal(searchParams.get('prompt'), 'login');
    }
    assert.equal((await openProvider(await startLogin())).searchParams.get('prompt'), null);
  });

  test('A login that the user declined at the provider returns to the page, which says so', async () => {
    const browser = await startLogin();
    const providerUrl = await openProvider(browser);
    const back = new URL(providerUrl.searchParams.get('redirect_uri') ?? '');
    back.searchParams.set('state', providerUrl.searchParams.get('state') ?? '');
    back.searchParams.set('error', 'access_denied');
    const seen = await returnOf(browser, back);
    assert.deepEqual([seen.status, seen.title], [401, 'Sign in']);
    assert.ok(seen.text.includes('You canceled the sign-in at the provider.'));
    assertIn(await logInAs(browser, newPerson()));
  });

  test('A login at a provider is invalid in another browser, and its return works once', async () => {
    const [browser, other] = [await startLogin(), await startLogin()];
    const person = newPerson();
    const back = provider.authorize((await openProvider(browser)).href, person);
    const stolen = await returnOf(other, back);
    assert.equal(stolen.status, 400);
    assert.ok(stolen.text.includes('FORM_TOO_OLD'));
    assert.equal((await returnOf(browser, back)).status, 401, 'the state is used up');
    assertIn(await logInAs(await startLogin(), person));
  });

  test('A provider can also return by a form, whose cookies follow with the GET', async () => {
    const browser = await startLogin();
    const back = provider.authorize((await openProvider(browser)).href, newPerson());
    const answer = await tenant.request('POST', back.pathname, {
      headers: {},
      rawBody: back.searchParams.toString(),
      contentType: 'application/x-www-form-urlencoded',
    });
    assert.equal(answer.status, 303);
    assertIn(await browser.open(String(answer.headers.location)));
  });

  test('An identity with the address of a user is linked after they have proven the account', async () => {
    const { identifier, password: secret } = await tenant.createUser();
    await keywright.database.query(
      'UPDATE user_identifiers SET verified = true WHERE tenant_id = $1 AND identifier = $2',
      [tenant.id, identifier],
    );
    const person = { ...newPerson(), email: identifier };
    const browser = await startLogin();
    const page = await logInAs(browser, person);
    assert.equal(page.title, 'You already have an account');
    assert.ok(!page.actions.includes('provider'));
    assertIn(await browser.press('password', { secret }));
    assertIn(await logInAs(await startLogin(), person));
  });

  test('An identity that is refused says so, without revealing who has an account', async () => {
    const browser = await startLogin();
    const seen = await logInAs(browser, { sub: newIdentifier() });
    assert.deepEqual([seen.status, seen.title], [401, 'Sign in']);
    assert.ok(seen.text.includes('You can’t sign in here with that account.'));
  });

  test('A login at a provider continues with the second factor that the application requires', async () => {
    const browser = await startLogin({ acr_values: 'aal2' });
    assert.equal((await logInAs(browser, newPerson())).title, 'Protect your account');
  });
});

describe('an address in a domain that a provider captured', () => {
  const DOMAIN = 'corp.example';

  before(async () => {
    const path = `/identity-providers/${record.id}/domains`;
    const token = await tenant.adminToken();
    const added = await tenant.request('POST', path, { token, body: { domain: DOMAIN } });
    texts = [String(expectStatus(201, added)['txt_value'])];
    expectStatus(200, await tenant.request('POST', `${path}/${DOMAIN}/verify`, { token }));
  });

  test('A captured address is requested before a password, and leads only to that provider, whether or not a user has it', async () => {
    const email = `${randomUUID()}@${DOMAIN}`;
    const browser = await startLogin();
    const { actions, title } = await browser.press('login', { identifier: email });
    assert.deepEqual([title, actions], ['Sign in', ['provider', 'restart']]);
    const other = await logInAs(browser, newPerson());
    assert.deepEqual([other.status, other.actions], [401, ['provider', 'restart']]);
    assertIn(await logInAs(browser, { sub: email, email }));
  });

  test('A captured address never accepts a password, whatever a form contains', async () => {
    const browser = await startLogin();
    const identifier = `${randomUUID()}@${DOMAIN}`;
    const seen = await browser.press('login', { identifier, secret: 'a password of the company' });
    assert.deepEqual([seen.status, seen.actions], [200, ['provider', 'restart']]);
  });

  test('A captured domain does not affect other addresses, whose password is requested on the next page', async () => {
    const { identifier, password: secret } = await tenant.createUser();
    const browser = await startLogin();
    assert.ok(!browser.seen.text.includes('type="password"'));
    await browser.press('login', { identifier });
    const failed = await browser.press('password', { secret: 'a guess' });
    assert.equal(failed.status, 401);
    assert.ok(failed.text.includes(identifier));
    assertIn(await browser.press('password', { secret }));
  });
});
