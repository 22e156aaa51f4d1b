// RFC 8252 §8.6: any program on the device can send requests in the name of a public client.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newClient, requestOf, UserBrowser } from '@keywright/tests/harness/code-login';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';

const ISSUER = 'https://id.example.com';
const LOOPBACK = 'http://127.0.0.1/callback';
const SCHEME = 'com.example.notes:/callback';
const CLAIMED = 'https://notes.example.com/callback';

let keywright: Keywright;
let tenant: TestTenant;
let user: TestUser;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  tenant = await keywright.tenant('native-apps');
  user = await tenant.createUser();
});
after(() => keywright.close());

/** A browser whose user logged in for another application. */
async function loggedIn(): Promise<UserBrowser> {
  const browser = new UserBrowser(tenant, `${ISSUER}/t/${tenant.id}`, user);
  await browser.goThrough(requestOf(await newClient(tenant)));
  return browser;
}

function nativeClient(fields: object = {}) {
  const redirect_uris = [LOOPBACK, SCHEME, CLAIMED];
  const native = { kind: 'native', name: 'Notes', redirect_uris, first_party: true, ...fields };
  return newClient(tenant, native);
}

describe('a request in the name of a native public client', () => {
  for (const redirect_uri of ['http://127.0.0.1:49152/callback', SCHEME]) {
    test(`A native client gets a code at ${redirect_uri} only after the user confirms the request`, async () => {
      const client = await nativeClient();
      const browser = await loggedIn();
      for (const more of [{}, { dpop_jkt: 'A'.repeat(43) }]) {
        const request = requestOf(client, { redirect_uri, state: 'kept', ...more });
        const seen = await browser.authorize(request);
        assert.equal(seen.redirectsTo, undefined, 'no code is issued silently');
        const { host, protocol } = new URL(redirect_uri);
        for (const shown of ['Notes', user.identifier, host || protocol.slice(0, -1)]) {
          assert.ok(seen.text.includes(shown), shown);
        }
        assert.deepEqual(seen.actions, ['select', 'deny', 'another']);
        assert.equal(seen.headers['x-frame-options'], 'DENY');
        const none = await browser.authorize({ ...request, prompt: 'none' });
        assert.equal(none.redirectsTo?.searchParams.get('error'), 'interaction_required');
        browser.goBackTo(seen);
        const { redirectsTo } = await browser.press('select');
        assert.ok(redirectsTo?.searchParams.has('code'), String(redirectsTo));
        assert.equal(redirectsTo?.searchParams.get('state'), 'kept');
      }
    });
  }

  test('A request of a native client returns access_denied when the user cancels', async () => {
    const browser = await loggedIn();
    await browser.authorize(requestOf(await nativeClient(), { redirect_uri: LOOPBACK }));
    const { redirectsTo } = await browser.press('deny');
    assert.equal(redirectsTo?.searchParams.get('error'), 'access_denied');
  });

  test('The confirmation page lets the user choose another account, whose login confirms the request', async () => {
    const browser = await loggedIn();
    await browser.authorize(requestOf(await nativeClient(), { redirect_uri: LOOPBACK }));
    const seen = await browser.press('another');
    assert.ok(seen.actions.includes('login'));
    const { identifier, password: secret } = await tenant.createUser();
    const { redirectsTo } = await browser.press('login', { identifier, secret });
    assert.ok(redirectsTo?.searchParams.has('code'));
  });

  test('A login for a request confirms it, and the next request must be confirmed again', async () => {
    const client = await nativeClient();
    const browser = new UserBrowser(tenant, `${ISSUER}/t/${tenant.id}`, user);
    const request = requestOf(client, { redirect_uri: LOOPBACK });
    await browser.authorize(request);
    const { identifier, password: secret } = user;
    const { redirectsTo } = await browser.press('login', { identifier, secret });
    assert.ok(redirectsTo?.searchParams.has('code'));
    assert.equal((await browser.authorize(request)).redirectsTo, undefined);
  });

  test('A consent for a request confirms it, but a remembered consent does not', async () => {
    const client = await nativeClient({ first_party: false });
    const browser = await loggedIn();
    const request = requestOf(client, { redirect_uri: LOOPBACK });
    assert.ok((await browser.goThrough(request)).redirectsTo?.searchParams.has('code'));
    const again = await browser.authorize(request);
    assert.deepEqual(again.actions, ['select', 'deny', 'another']);
    const none = await browser.authorize({ ...request, prompt: 'none' });
    assert.equal(none.redirectsTo?.searchParams.get('error'), 'interaction_required');
  });

  test('The confirmation page names the scheme of the app that gets the code, and never as if it were a host', async () => {
    const shown = {
      'com.evil.app://bank.example.com/callback': 'com.evil.app://',
      'bank.example.com:/callback': 'bank.example.com://',
    };
    for (const [uri, scheme] of Object.entries(shown)) {
      for (const first_party of [true, false]) {
        const client = await nativeClient({ first_party, redirect_uris: [uri] });
        const request = requestOf(client, { redirect_uri: uri });
        const { text } = await (await loggedIn()).authorize(request);
        const named = [...text.matchAll(/<bdi>([^<]*(?:evil|bank)[^<]*)<\/bdi>/g)];
        assert.deepEqual([...new Set(named.map(([, name]) => name))], [scheme]);
      }
    }
  });

  test('A request cannot be confirmed by another site, or in another browser', async () => {
    const browser = await loggedIn();
    const request = requestOf(await nativeClient(), { redirect_uri: LOOPBACK });
    const { hidden, postsTo } = await browser.authorize(request);
    const other = await loggedIn();
    const elsewhere = await other.post(postsTo, { ...hidden, action: 'select' });
    assert.equal(elsewhere.redirectsTo, undefined);
    const { token: _, ...forged } = hidden;
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
    const answer = await tenant.request('POST', postsTo, {
      host: new URL(ISSUER).host,
      headers: { cookie, origin: 'https://evil.example.com', 'sec-fetch-site': 'cross-site' },
      rawBody: new URLSearchParams({ ...forged, action: 'select' }).toString(),
      contentType: 'application/x-www-form-urlencoded',
    });
    assert.ok(answer.status >= 400, String(answer.status));
  });
});

test('A claimed https address needs no confirmation, and neither does a client that authenticates', async () => {
  const browser = await loggedIn();
  const claimed = requestOf(await nativeClient(), { redirect_uri: CLAIMED, prompt: 'none' });
  assert.ok((await browser.authorize(claimed)).redirectsTo?.searchParams.has('code'));
  const fields = { redirect_uris: [LOOPBACK], first_party: true };
  const web = requestOf(await newClient(tenant, fields), {
    redirect_uri: LOOPBACK,
    prompt: 'none',
  });
  assert.ok((await browser.authorize(web)).redirectsTo?.searchParams.has('code'));
});
