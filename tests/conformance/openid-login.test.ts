// Applications with the library `openid-client`, and their users in a real browser.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import * as oauth from 'openid-client';
import type { Browser, Page } from 'playwright-core';
import { Authenticator } from '../harness/authenticator.ts';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { creationOptions, TestPasskey } from '../harness/passkey.ts';
import { type Receiver, startReceiver } from '../harness/receiver.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { launchBrowser } from './browser.ts';

const browser = await launchBrowser();

let keywright: Keywright;
let tenant: TestTenant;
let user: TestUser;
let application: Receiver;
let callback: string;

before(async () => {
  application = await startReceiver((_request, response) =>
    response
      .setHeader('content-type', 'text/html')
      .end('<!doctype html><title>Application</title>'),
  );
  callback = `http://127.0.0.1:${application.port}/callback`;
  keywright = await startKeywright({ env: { KEYWRIGHT_BASE_URL: undefined } });
  tenant = await keywright.tenant('logins');
  user = await tenant.createUser();
});
after(async () => {
  await browser?.close();
  await application.close();
  await keywright.close();
});

async function register(body: object): Promise<CreatedOAuthClient> {
  const token = await tenant.adminToken();
  const fields = {
    name: 'Invoices',
    kind: 'web',
    redirect_uris: [callback],
    grant_types: ['authorization_code', 'refresh_token'],
    scopes: ['openid', 'email', 'offline_access'],
    ...body,
  };
  const answer = await tenant.request<CreatedOAuthClient>('POST', '/clients', {
    token,
    body: fields,
  });
  return expectStatus(201, answer);
}

const issuer = () => `${keywright.nodes[0]?.baseUrl}/t/${tenant.id}`;

/** The library's configuration of the tenant, from discovery. */
async function discover({ id, client_secret, ...client }: CreatedOAuthClient) {
  const metadata = { id_token_signed_response_alg: client.id_token_signed_response_alg };
  const authentication = client_secret ? oauth.ClientSecretBasic(client_secret) : oauth.None();
  const options: oauth.DiscoveryRequestOptions = { algorithm: 'oidc' };
  options.execute = [oauth.allowInsecureRequests];
  return oauth.discovery(new URL(issuer()), id, metadata, authentication, options);
}

/** Starts a user's login with the library. */
async function startLogin(
  config: oauth.Configuration,
  more: Readonly<Record<string, string>> = {},
) {
  const [verifier, state, nonce] = [
    oauth.randomPKCECodeVerifier(),
    oauth.randomState(),
    oauth.randomNonce(),
  ];
  const url = oauth.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    scope: 'openid email offline_access',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...more,
  });
  const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce };
  return { url, finish: (at: URL) => oauth.authorizationCodeGrant(config, at, checks) };
}

interface OpenedPage {
  readonly page: Page;
  /** Errors reported by the browser. */
  readonly complaints: string[];
}

async function open(runningBrowser: Browser, hasScripts: boolean): Promise<OpenedPage> {
  const context = await runningBrowser.newContext({ javaScriptEnabled: hasScripts });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return { page, complaints };
}

async function logIn(page: Page, url: URL): Promise<void> {
  await page.goto(url.href);
  await page.fill('#identifier', user.identifier);
  await page.fill('#secret', user.password);
  await page.click('#login-submit');
}

async function returned(page: Page): Promise<URL> {
  await page.waitForURL((url) => url.href.startsWith(callback));
  return new URL(page.url());
}

/** The passkey in the format of a browser's virtual authenticator. */
function ownedBy({ id, key, userHandle, counter: signCount }: TestPasskey) {
  return {
    credentialId: id.toString('base64'),
    isResidentCredential: true,
    rpId: 'localhost',
    privateKey: key.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
    userHandle: Buffer.from(userHandle, 'base64url').toString('base64'),
    signCount,
  };
}

describe(
  'a login in Chromium, by an application that uses openid-client (SPEC service 11)',
  { skip: !browser },
  () => {
    const runningBrowser = browser as Browser;
    for (const alg of ['RS256', 'ES256', 'EdDSA'] as const) {
      for (const hasScripts of [true, false]) {
        const how = hasScripts ? 'with' : 'without';
        test(`A login ${how} scripts ends with an ID token of ${alg} that the library verifies`, async () => {
          const client = await register({ id_token_signed_response_alg: alg });
          const config = await discover(client);
          const { page, complaints } = await open(runningBrowser, hasScripts);
          const { url, finish } = await startLogin(config);
          await logIn(page, url);
          await page.click('#consent-allow');
          const tokens = await finish(await returned(page));
          const claims = tokens.claims();
          assert.deepEqual(
            [claims?.sub, claims?.['email'], claims?.['acr'], claims?.['amr']],
            [user.user.id, user.identifier, 'aal1', ['pwd']],
          );
          const userinfo = await oauth.fetchUserInfo(config, tokens.access_token, user.user.id);
          assert.equal(userinfo.email, user.identifier);
          const next = await oauth.refreshTokenGrant(config, tokens.refresh_token ?? '');
          assert.equal(next.claims()?.sub, user.user.id);
          assert.deepEqual(complaints, []);
          await page.context().close();
        });
      }
    }

    test('A single login serves all applications of a browser, and prompt=none asks the user for nothing', async () => {
      const [first, second] = [
        await register({ first_party: true }),
        await register({ first_party: true }),
      ];
      const { page } = await open(runningBrowser, true);
      const login = await startLogin(await discover(first));
      await logIn(page, login.url);
      const { id_token: hint = '' } = await login.finish(await returned(page));
      const silent = await startLogin(await discover(second), { prompt: 'none' });
      await page.goto(silent.url.href);
      assert.equal((await silent.finish(await returned(page))).claims()?.sub, user.user.id);
      const hinted = await startLogin(await discover(first), {
        prompt: 'none',
        id_token_hint: hint,
      });
      await page.goto(hinted.url.href);
      await hinted.finish(await returned(page));
      const fresh = await open(runningBrowser, true);
      const loggedOut = await startLogin(await discover(second), { prompt: 'none' });
      await fresh.page.goto(loggedOut.url.href);
      const refused = await returned(fresh.page);
      assert.equal(refused.searchParams.get('error'), 'login_required');
    });

    test('A login is repeated with prompt=login and with max_age, and auth_time shows it', async () => {
      const config = await discover(await register({ first_party: true }));
      const { page } = await open(runningBrowser, true);
      const first = await startLogin(config);
      await logIn(page, first.url);
      const earlier = (await first.finish(await returned(page))).claims()?.auth_time ?? 0;
      for (const more of [{ prompt: 'login' }, { max_age: '0' }]) {
        const again = await startLogin(config, more);
        await logIn(page, again.url);
        const tokens = await again.finish(await returned(page));
        assert.ok((tokens.claims()?.auth_time ?? 0) >= earlier);
      }
    });

    test('A login accepts a passkey, which identifies the user', async () => {
      const [passkey, owner] = [new TestPasskey(), await tenant.createUser()];
      const { origin } = new URL(issuer());
      const options = await creationOptions(tenant, owner.token);
      const credential = passkey.create(options, { origin });
      const request = { token: owner.token, body: { credential } };
      expectStatus(201, await tenant.request('POST', '/me/factors/passkeys', request));
      const config = await discover(await register({ first_party: true }));
      const { page, complaints } = await open(runningBrowser, true);
      const authenticator = await Authenticator.addTo(page);
      await authenticator.replaceBy([ownedBy(passkey)]);
      const { url, finish } = await startLogin(config);
      await page.goto(url.href);
      await page.click('#passkey');
      const claims = (await finish(await returned(page))).claims();
      assert.deepEqual([claims?.sub, claims?.['acr']], [owner.user.id, 'phr']);
      assert.deepEqual(complaints, []);
    });

    test('The login page offers a passkey where the address is typed, once this browser has used one', async () => {
      const [passkey, owner] = [new TestPasskey(), await tenant.createUser()];
      const options = await creationOptions(tenant, owner.token);
      const { origin } = new URL(issuer());
      const request = {
        token: owner.token,
        body: { credential: passkey.create(options, { origin }) },
      };
      expectStatus(201, await tenant.request('POST', '/me/factors/passkeys', request));
      const config = await discover(await register({ first_party: true }));
      const { page, complaints } = await open(runningBrowser, true);
      const authenticator = await Authenticator.addTo(page);
      await authenticator.replaceBy([ownedBy(passkey)]);
      const first = await startLogin(config);
      await page.goto(first.url.href);
      await page.click('#passkey');
      await first.finish(await returned(page));
      const second = await startLogin(config, { prompt: 'login' });
      await page.goto(second.url.href);
      const claims = (await second.finish(await returned(page))).claims();
      assert.deepEqual([claims?.sub, claims?.['acr']], [owner.user.id, 'phr']);
      assert.deepEqual(complaints, []);
      await page.context().close();
    });

    test('A login enrolls a passkey when the application requests one', async () => {
      const config = await discover(await register({ first_party: true }));
      const newcomer = await tenant.createUser();
      const { page, complaints } = await open(runningBrowser, true);
      await Authenticator.addTo(page);
      const { url, finish } = await startLogin(config, { acr_values: 'phr' });
      await page.goto(url.href);
      await page.fill('#identifier', newcomer.identifier);
      await page.fill('#secret', newcomer.password);
      await page.click('#login-submit');
      await page.click('#enroll_passkey');
      await page.click('#codes-continue');
      const claims = (await finish(await returned(page))).claims();
      assert.deepEqual([claims?.sub, claims?.['acr']], [newcomer.user.id, 'phr']);
      assert.deepEqual(complaints, []);
      await page.context().close();
    });

    test('A login can return its response by a form', async () => {
      const config = await discover(await register({ first_party: true }));
      const { page, complaints } = await open(runningBrowser, true);
      const { url } = await startLogin(config, { response_mode: 'form_post' });
      const posted = page.waitForRequest((request) => request.url() === callback);
      await logIn(page, url);
      const request = await posted;
      assert.equal(request.method(), 'POST');
      const fields = new URLSearchParams(request.postData() ?? '');
      assert.deepEqual([...fields.keys()].toSorted(), ['code', 'iss', 'state']);
      assert.deepEqual(complaints, []);
    });
  },
);
