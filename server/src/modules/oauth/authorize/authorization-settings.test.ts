import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { registerClient } from '@keywright/tests/harness/application';
import { browserUseIsWritten } from '@keywright/tests/harness/code-login';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { newPkce, Visitor } from '@keywright/tests/harness/visitor';

const CALLBACK = 'https://app.example.com/callback';

let keywright: Keywright;
let tenants = 0;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
});
after(() => keywright.close());

function tenantWith(config: object): Promise<TestTenant> {
  return keywright.tenant(`pages-${(tenants += 1)}`, { config });
}

function visitor(tenant: TestTenant): Visitor {
  return new Visitor(tenant, `https://id.example.com/t/${tenant.id}`);
}

async function requestOf(tenant: TestTenant, more: object = {}) {
  const client = { first_party: true, redirect_uris: [CALLBACK], ...more };
  return {
    client_id: await registerClient(tenant, client),
    redirect_uri: CALLBACK,
    response_type: 'code',
    code_challenge: newPkce().challenge,
    code_challenge_method: 'S256',
  };
}

/** Logs in. @returns whether the browser is still logged in after each of these waits, in seconds */
async function staysLoggedIn(tenant: TestTenant, waits: readonly number[]): Promise<boolean[]> {
  const [browser, request] = [visitor(tenant), await requestOf(tenant)];
  const { identifier, password: secret } = await tenant.createUser();
  await browser.authorize(request);
  assert.ok((await browser.press('login', { identifier, secret })).redirectsTo);
  const found: boolean[] = [];
  for (const seconds of waits) {
    keywright.clock.advance(seconds);
    const { redirectsTo } = await browser.authorize({ ...request, prompt: 'none' });
    const isLoggedIn = redirectsTo?.searchParams.has('code') ?? false;
    if (isLoggedIn) await browserUseIsWritten(keywright);
    found.push(isLoggedIn);
  }
  return found;
}

test('browser_session_idle_ttl: a browser that was not used for this time is logged out', async () => {
  const tenant = await tenantWith({ browser_session_idle_ttl: 600 });
  assert.deepEqual(await staysLoggedIn(tenant, [590, 590, 600]), [true, true, false]);
});

test('browser_session_ttl: a browser is logged out after this time, however often it is used', async () => {
  const tenant = await tenantWith({ browser_session_idle_ttl: 600, browser_session_ttl: 1000 });
  assert.deepEqual(await staysLoggedIn(tenant, [590, 400, 10]), [true, true, false]);
});

test('oauth_require_pkce: a confidential client must use PKCE, even with a nonce or an exemption', async () => {
  const outcomes: (string | undefined)[] = [];
  for (const oauth_require_pkce of [false, true]) {
    const tenant = await tenantWith({ oauth_require_pkce });
    for (const require_pkce of [null, false]) {
      const registered = await requestOf(tenant, { require_pkce });
      const { code_challenge: _, code_challenge_method: __, ...request } = registered;
      const openId = { ...request, scope: 'openid', nonce: 'n-1' };
      const { redirectsTo, title } = await visitor(tenant).authorize(openId);
      outcomes.push(redirectsTo?.searchParams.get('error') ?? title);
    }
  }
  assert.deepEqual(outcomes, ['Sign in', 'Sign in', 'invalid_request', 'invalid_request']);
});

test('oauth_consent: users are asked for their consent at the first login of an application, or at each login', async () => {
  const titles: string[] = [];
  for (const policy of ['once', 'always']) {
    const tenant = await tenantWith({ oauth_consent: policy });
    const [browser, request] = [
      visitor(tenant),
      await requestOf(tenant, { first_party: false, name: 'Invoices' }),
    ];
    const { identifier, password: secret } = await tenant.createUser();
    await browser.authorize(request);
    titles.push((await browser.press('login', { identifier, secret })).title);
    assert.ok((await browser.press('allow')).redirectsTo?.searchParams.has('code'));
    const { redirectsTo, title } = await browser.authorize(request);
    titles.push(redirectsTo?.searchParams.has('code') ? 'a code' : title);
  }
  const page = 'Invoices wants access to your account';
  assert.deepEqual(titles, [page, 'a code', page, page]);
});
