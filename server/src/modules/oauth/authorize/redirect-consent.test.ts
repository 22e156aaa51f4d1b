// A consent covers the origins that its user has approved: changing the redirect URIs of a client yields no code without
// a prompt.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DEVICE_GRANT } from '@keywright/contract/records/client-grants';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import {
  CALLBACK,
  newClient,
  requestOf,
  type UserBrowser,
} from '@keywright/tests/harness/code-login';
import { createUserWith } from '@keywright/tests/harness/delegation';
import { startDevice, DeviceBrowser } from '@keywright/tests/harness/device';
import { browserOf, issuerOf } from '@keywright/tests/harness/document-host';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { manage, register } from '@keywright/tests/harness/registration';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { type Seen, Visitor } from '@keywright/tests/harness/visitor';

const SILENT = 'https://app.example.com/silent';
const ELSEWHERE = 'https://elsewhere.example/callback';
const NEW_ADDRESS = /id="new-address"[^]*?<b><bdi>elsewhere\.example<\/bdi><\/b>/;

let keywright: Keywright;
let tenant: TestTenant;
let token: string;

before(async () => {
  keywright = await startKeywright({ nodes: 2 });
  tenant = await keywright.tenant('redirect-consent', {
    config: { oauth_registration: 'open', login_attempts_limit: 10_000 },
  });
  ({ token } = await createUserWith(tenant, ['write:clients']));
});
after(() => keywright.close());

/** Changes the client as a user who can change clients, and nothing else. */
async function change({ id }: { readonly id: string }, body: object): Promise<void> {
  const answer = await tenant.request('PATCH', `/clients/${id}`, { token, body });
  expectStatus(200, answer);
}

type Client = { readonly id: string };

const at = (client: Client, uri: string, more: Readonly<Record<string, string>> = {}) =>
  requestOf(client, { redirect_uri: uri, ...more });

/** The response to `prompt=none` (`code` or the error), after checking its address. */
async function silently(browser: Visitor, client: Client, uri: string): Promise<string> {
  const seen = await browser.authorize(at(client, uri, { prompt: 'none' }));
  const { redirectsTo } = seen;
  assert.ok(redirectsTo, `${seen.status} ${seen.title}`);
  assert.equal(redirectsTo.origin + redirectsTo.pathname, uri);
  return redirectsTo.searchParams.has('code')
    ? 'code'
    : String(redirectsTo.searchParams.get('error'));
}

/** A user who has approved a client that has a single redirect URI. */
async function allowed(client: Client, uri = CALLBACK): Promise<UserBrowser> {
  const browser = browserOf(tenant, await tenant.createUser());
  const { redirectsTo } = await browser.goThrough(at(client, uri));
  assert.ok(redirectsTo?.searchParams.has('code'));
  return browser;
}

function assertConsentPage({ actions, text }: Seen): void {
  assert.ok(actions.includes('allow'), actions.join());
  assert.match(text, NEW_ADDRESS);
}

describe('a client whose redirect URIs an administrator changes', () => {
  let client: CreatedOAuthClient;
  let browser: UserBrowser;

  before(async () => {
    client = await newClient(tenant);
    browser = await allowed(client);
    assert.equal(await silently(browser, client, CALLBACK), 'code');
    await change(client, { redirect_uris: [CALLBACK, SILENT, ELSEWHERE] });
  });

  test('A client gets no code at a new address until its user allows it on the consent page', async () => {
    assert.equal(await silently(browser, client, ELSEWHERE), 'consent_required');
    assertConsentPage(await browser.authorize(at(client, ELSEWHERE)));
    assert.equal(await silently(browser, client, ELSEWHERE), 'consent_required');
    assert.equal(await silently(browser, client, CALLBACK), 'code');
  });

  test('A client gets codes silently at an address that its user has allowed before', async () => {
    assert.equal(await silently(browser, client, CALLBACK), 'code');
    // Browser apps renew their tokens in a frame at another path.
    assert.equal(await silently(browser, client, SILENT), 'code');
  });

  test('A client gets no code at a new address because of a new consent for the old one', async () => {
    await browser.authorize(at(client, CALLBACK, { prompt: 'consent' }));
    const seen = await browser.press('allow');
    assert.ok(seen.redirectsTo?.searchParams.has('code'));
    assert.equal(await silently(browser, client, ELSEWHERE), 'consent_required');
  });

  test('A client gets codes silently at each address once its user has allowed both', async () => {
    const user = await allowed(client);
    assertConsentPage(await user.authorize(at(client, ELSEWHERE)));
    const seen = await user.press('allow');
    assert.equal(seen.redirectsTo?.host, 'elsewhere.example');
    for (const uri of [ELSEWHERE, CALLBACK]) {
      assert.equal(await silently(user, client, uri), 'code', uri);
    }
  });

  test('A client gets codes silently when an address is only removed', async () => {
    const leaner = await newClient(tenant, { redirect_uris: [CALLBACK, ELSEWHERE] });
    const user = await allowed(leaner);
    await change(leaner, { redirect_uris: [CALLBACK] });
    assert.equal(await silently(user, leaner, CALLBACK), 'code');
  });
});

describe('a consent', () => {
  test('A consent covers none of its previous addresses after it is withdrawn', async () => {
    const client = await newClient(tenant, { redirect_uris: [CALLBACK, ELSEWHERE] });
    const user = await tenant.createUser();
    const browser = browserOf(tenant, user);
    for (const uri of [CALLBACK, ELSEWHERE]) await browser.goThrough(at(client, uri));
    const options = { token: user.token };
    const path = '/me/consents';
    const { items } = expectStatus(
      200,
      await tenant.request<{ items: { id: string }[] }>('GET', path, options),
    );
    expectStatus(200, await tenant.request('DELETE', `${path}/${items[0]?.id}`, options));
    await browser.goThrough(at(client, CALLBACK));
    assert.equal(await silently(browser, client, ELSEWHERE), 'consent_required');
  });

  test('A consent to a device covers no address', async () => {
    const grants = { grant_types: ['authorization_code', DEVICE_GRANT] };
    const client = await newClient(tenant, grants);
    const user = await tenant.createUser();
    const device = new DeviceBrowser(tenant, issuerOf(tenant), user);
    await device.decide((await startDevice(tenant, client, { scope: 'openid' })).userCode, 'allow');
    const browser = browserOf(tenant, user);
    const seen = await browser.authorize(at(client, CALLBACK));
    assert.ok(seen.actions.includes('login'));
    const { identifier, password: secret } = user;
    const { actions } = await browser.press('login', { identifier, secret });
    assert.ok(actions.includes('allow'), actions.join());
  });

  test('A consent to a first-party client covers no address after the client stops being first-party', async () => {
    const client = await newClient(tenant, { first_party: true });
    const browser = await allowed(client);
    const options = { token: await tenant.adminToken(), body: { first_party: false } };
    expectStatus(200, await tenant.request('PATCH', `/clients/${client.id}`, options));
    assert.equal(await silently(browser, client, CALLBACK), 'consent_required');
  });

  test('A consent covers only the address that its page named, even if the URIs change before it is given', async () => {
    const client = await newClient(tenant);
    const browser = browserOf(tenant, await tenant.createUser());
    await browser.goThrough(requestOf(await newClient(tenant)));
    const page = await browser.authorize(at(client, CALLBACK));
    assert.ok(page.actions.includes('allow'));
    await change(client, { redirect_uris: [CALLBACK, ELSEWHERE] });
    await browser.press('allow');
    assert.equal(await silently(browser, client, CALLBACK), 'code');
    assert.equal(await silently(browser, client, ELSEWHERE), 'consent_required');
    assertConsentPage(await browser.authorize(at(client, ELSEWHERE)));
    await change(client, { redirect_uris: [CALLBACK] });
    const refused = await browser.press('allow');
    assert.deepEqual([refused.status, refused.redirectsTo], [400, undefined]);
    await change(client, { redirect_uris: [CALLBACK, ELSEWHERE] });
    assert.equal(await silently(browser, client, ELSEWHERE), 'consent_required');
  });

  test('A consent covers both addresses when both are allowed at the same time', async () => {
    const client = await newClient(tenant, { redirect_uris: [CALLBACK, ELSEWHERE] });
    const user = await tenant.createUser();
    const others = await newClient(tenant);
    const browsers = [browserOf(tenant, user), browserOf(tenant, user)] as const;
    for (const [index, browser] of browsers.entries()) {
      await browser.goThrough(requestOf(others));
      const page = await browser.authorize(at(client, index === 0 ? CALLBACK : ELSEWHERE));
      assert.ok(page.actions.includes('allow'));
    }
    await Promise.all(browsers.map((browser) => browser.press('allow')));
    for (const uri of [CALLBACK, ELSEWHERE]) {
      assert.equal(await silently(browsers[0], client, uri), 'code', uri);
    }
  });
});

describe('a client that registered itself', () => {
  async function registered() {
    const metadata = { client_name: 'Prize', token_endpoint_auth_method: 'none' };
    const { client_id: id, registration_access_token: registrationToken } = expectStatus(
      201,
      await register(tenant, metadata),
    );
    const move = async (uri: string) => {
      const body = { client_id: id, ...metadata, redirect_uris: [uri] };
      expectStatus(200, await manage(tenant, 'PUT', id, registrationToken, body));
    };
    return { id, move };
  }

  test('A client that registered itself gets no code and no error automatically at an address that it has added (RFC 7592)', async () => {
    const client = await registered();
    const browser = await allowed(client);
    await client.move(ELSEWHERE);
    const silent = await browser.authorize(at(client, ELSEWHERE, { prompt: 'none' }));
    assert.equal(silent.redirectsTo, undefined);
    assert.match(silent.text, /id="unverified"[^]*<b><bdi>elsewhere\.example/);
    const wrong = await browser.authorize(at(client, ELSEWHERE, { scope: 'nothing' }));
    assert.equal(wrong.redirectsTo, undefined);
    assertConsentPage(await browser.authorize(at(client, ELSEWHERE)));
    assert.equal((await browser.press('deny')).redirectsTo, undefined);
    await browser.goThrough(at(client, ELSEWHERE));
    assert.equal(await silently(browser, client, ELSEWHERE), 'code');
    await client.move(CALLBACK);
    assert.equal(await silently(browser, client, CALLBACK), 'code');
  });
});

test('All nodes know which addresses a user has allowed', async () => {
  const other: Pick<TestTenant, 'request'> = {
    request: (method, path, options) => tenant.request(method, path, { ...options, node: 1 }),
  };
  const client = await newClient(tenant, { redirect_uris: [CALLBACK, ELSEWHERE] });
  const browser = await allowed(client);
  const there = new Visitor(other, issuerOf(tenant));
  for (const [name, value] of browser.cookies) there.keep(name, value);
  assert.equal(await silently(there, client, CALLBACK), 'code');
  assert.equal(await silently(there, client, ELSEWHERE), 'consent_required');
  assertConsentPage(await browser.authorize(at(client, ELSEWHERE)));
  await browser.press('allow');
  assert.equal(await silently(there, client, ELSEWHERE), 'code');
});

test('A consent covers at most 20 origins: one more leaves only the latest', async () => {
  const addresses = Array.from({ length: 20 }, (_, n) => `https://app-${n}.example.com/callback`);
  const [first = ''] = addresses;
  const client = await newClient(tenant, { redirect_uris: addresses });
  const browser = await allowed(client, first);
  for (const address of addresses) await browser.goThrough(at(client, address));
  assert.equal(await silently(browser, client, first), 'code');
  await change(client, { redirect_uris: [first, ELSEWHERE] });
  await browser.goThrough(at(client, ELSEWHERE));
  assert.equal(await silently(browser, client, ELSEWHERE), 'code');
  assert.equal(await silently(browser, client, first), 'consent_required');
});
