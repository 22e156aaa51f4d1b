// Attacks on browser logins that do not target one form: requests, cookies of neighboring hosts, sessions.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { registerClient } from '../harness/application.ts';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { register } from '../harness/registration.ts';
import { watchStatements } from '../harness/statements.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { newPkce, type Seen, Visitor } from '../harness/visitor.ts';

const CALLBACK = 'https://app.example.com/callback';

let keywright: Keywright;
let tenant: TestTenant;
let neighbor: TestTenant;
let user: TestUser;
let clients: ReadonlyMap<TestTenant, string>;

before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('attacked');
  neighbor = await keywright.tenant('neighbor');
  user = await tenant.createUser();
  const registered = async (of: TestTenant): Promise<[TestTenant, string]> => [
    of,
    await registerClient(of, { first_party: true, redirect_uris: [CALLBACK] }),
  ];
  clients = new Map([await registered(tenant), await registered(neighbor)]);
});
after(() => keywright.close());

const newBrowser = (of = tenant) => new Visitor(of, `https://id.example.com/t/${of.id}`);

function authorize(
  browser: Visitor,
  more: Readonly<Record<string, string>> = {},
  of = tenant,
): Promise<Seen> {
  return browser.authorize({
    client_id: clients.get(of) ?? '',
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid',
    state: 'a-state',
    code_challenge: newPkce().challenge,
    code_challenge_method: 'S256',
    ...more,
  });
}

async function loggedIn(): Promise<Visitor> {
  const browser = newBrowser();
  await authorize(browser);
  const { identifier, password: secret } = user;
  const { redirectsTo } = await browser.press('login', { identifier, secret });
  assert.ok(redirectsTo?.searchParams.has('code'));
  return browser;
}

/** The cookie of the session. */
function sessionIn({ cookies }: Visitor): { readonly name: string; readonly value: string } {
  const name = [...cookies.keys()].find((key) => key.startsWith('__Host-kw_')) ?? '';
  return { name, value: cookies.get(name) ?? '' };
}

describe('an authorization request', () => {
  test('An authorization request that the provider does not support is refused to the registered address, and to no other one', async () => {
    for (const [name, value] of Object.entries({
      request: 'eyJhbGciOiJub25lIn0.e30.',
      request_uri: 'https://evil.example/request',
      registration: '{}',
    })) {
      const { status, redirectsTo } = await authorize(newBrowser(), { [name]: value });
      assert.deepEqual([status, redirectsTo?.origin], [303, 'https://app.example.com'], name);
      assert.equal(redirectsTo?.searchParams.get('error'), `${name}_not_supported`);
      assert.equal(redirectsTo?.searchParams.get('state'), 'a-state');
      const away = { [name]: value, redirect_uri: 'https://evil.example/callback' };
      const refused = await authorize(newBrowser(), away);
      assert.deepEqual([refused.status, refused.redirectsTo], [400, undefined], name);
      assert.ok(!refused.text.includes('evil.example'), name);
    }
  });

  test('An authorization request returns nothing in a fragment', async () => {
    for (const mode of ['fragment', 'web_message', 'fragment.jwt']) {
      const { redirectsTo } = await authorize(newBrowser(), { response_mode: mode });
      assert.equal(redirectsTo?.searchParams.get('error'), 'invalid_request', mode);
      assert.equal(redirectsTo?.hash, '');
    }
    for (const mode of ['jwt', 'query.jwt']) {
      const { redirectsTo } = await authorize(newBrowser(), {
        response_mode: mode,
        prompt: 'none',
      });
      assert.ok(redirectsTo?.searchParams.has('response') === true, mode);
      assert.equal(redirectsTo?.hash, '');
    }
  });

  test('An authorization request can contain unknown parameters and preferences that are not met', async () => {
    const { title } = await authorize(newBrowser(), {
      foo: 'bar',
      display: 'popup',
      ui_locales: 'xx tlh',
      claims_locales: 'fr',
    });
    assert.equal(title, 'Sign in');
  });

  test('An authorization request redirects only to an address that the application has registered, character by character', async () => {
    for (const redirect_uri of [
      'https://APP.example.com/callback',
      'https://app.example.com/callback/',
      'https://app.example.com/callback?x=1',
      'https://app.example.com/%63allback',
      'https://app.example.com/a/../callback',
      'https://app.example.com\\@evil.example/callback',
      'https://app.example.com@evil.example/callback',
      'https://app.example.com.evil.example/callback',
      'https://app.example.com/callback#fragment',
      'https://app.example.com/callback\t',
      '//app.example.com/callback',
      'javascript:alert(1)',
      '',
    ]) {
      const { status, redirectsTo } = await authorize(newBrowser(), { redirect_uri });
      assert.deepEqual([status, redirectsTo], [400, undefined], redirect_uri);
    }
  });
});

describe('the name of an application', () => {
  test('The name of an application is isolated wherever a page shows it, so it cannot reverse the text around it', async () => {
    const name = 'Acme\u202E?tnuocca';
    const metadata = {
      client_name: name,
      redirect_uris: [CALLBACK],
      policy_uri: 'https://app.example.com/privacy',
    };
    const { client_id } = expectStatus(
      201,
      await register(tenant, metadata, { token: await tenant.adminToken() }),
    );
    const browser = newBrowser();
    await authorize(browser, { client_id });
    const { identifier, password: secret } = user;
    const { text } = await browser.press('login', { identifier, secret });
    assert.ok(text.includes('id="unverified"'), text);
    const [, body = ''] = text.split('<body');
    const said = body.split(name).length - 1;
    assert.ok(said > 0);
    assert.equal(body.split(`<bdi>${name}</bdi>`).length - 1, said);
  });
});

describe('a session in a browser', () => {
  test('A browser session is replaced by each login, and a cookie that was set before the login is worthless', async () => {
    const browser = await loggedIn();
    const former = newBrowser();
    const { name, value } = sessionIn(browser);
    for (const [key, cookie] of browser.cookies) former.keep(key, cookie);
    await authorize(browser, { prompt: 'login' });
    await browser.press('login', { identifier: user.identifier, secret: user.password });
    assert.notEqual(sessionIn(browser).value, value);
    assert.equal(sessionIn(browser).name, name);
    const { redirectsTo } = await authorize(former, { prompt: 'none' });
    assert.equal(redirectsTo?.searchParams.get('error'), 'login_required');
  });

  test('A browser session is as unknown to another tenant of the same host as one that never was: same bytes, same statements', async () => {
    const browser = await loggedIn();
    const { name, value } = sessionIn(browser);
    const stranger = await (async () => {
      const visitor = newBrowser(neighbor);
      await authorize(visitor, {}, neighbor);
      return visitor;
    })();
    assert.ok(![...stranger.cookies.keys()].includes(name), 'neighbors have names of their own');
    const [flowName = ''] = [...stranger.cookies.keys()];
    const theirs = flowName.replace('kwp_', 'kw_');
    const [id = '', secret = ''] = value.split('.');
    const faces = new Set<string>();
    for (const cookie of [value, `${id.slice(0, -1)}0.${secret}`, `${id}.${'A'.repeat(43)}`]) {
      const other = newBrowser(neighbor);
      other.keep(theirs, cookie);
      const statements = watchStatements();
      const seen = await authorize(other, { prompt: 'none' }, neighbor);
      statements.stop();
      faces.add(JSON.stringify([seen.status, String(seen.redirectsTo), statements.sent]));
    }
    assert.equal(faces.size, 1, [...faces].join('\n'));
  });

  test('A browser session is not accepted when its cookie is sent twice', async () => {
    const browser = await loggedIn();
    const { name, value } = sessionIn(browser);
    browser.keep(name, `${value}; ${name}=${value}`);
    const { redirectsTo } = await authorize(browser, { prompt: 'none' });
    assert.equal(redirectsTo?.searchParams.get('error'), 'login_required');
  });
});

describe('a login on the page', () => {
  test('A login for an unknown user fails with the same HTML as for a wrong secret: same bytes, except tokens and what was typed', async () => {
    const faces = new Set<string>();
    const unknown = user.identifier.replace(/^./, (first) => (first === 'a' ? 'b' : 'a'));
    const inactive = await tenant.createUser();
    await tenant.request('PATCH', `/users/${inactive.user.id}`, {
      token: await tenant.adminToken(),
      body: { is_active: false },
    });
    for (const identifier of [user.identifier, unknown, inactive.identifier]) {
      const browser = newBrowser();
      await authorize(browser);
      const seen = await browser.press('login', { identifier, secret: 'a wrong guess' });
      const { status, text, hidden } = seen;
      const { form_token: token = '', request = '' } = hidden;
      const [, ...sizes] = [identifier, token, request].map((field) => field.length);
      const face = text
        .replaceAll(identifier, 'identifier')
        .replaceAll(request, 'request')
        .replaceAll(/(name="form_token" value=")[^"]+/g, '$1');
      faces.add(JSON.stringify([status, face, sizes]));
    }
    assert.equal(faces.size, 1, [...faces].join('\n'));
  });
});
