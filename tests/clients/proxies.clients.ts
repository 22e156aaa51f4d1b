// Proxies that admit logged-in users, and tell the site behind them who the user is.

import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import { fillInLogin } from '../harness/login-pages.ts';
import { startProgram } from '../harness/program.ts';
import { type Receiver, startReceiver } from '../harness/receiver.ts';
import { until } from '../harness/until.ts';
import { APACHE, apacheConfiguration } from './apache.ts';
import {
  waitForLoginPage,
  configured,
  endSessions,
  logInAt,
  mustLogIn,
  register,
  type Scene,
  setLifetime,
  setScene,
} from './scene.ts';
import { needTool, run, unlessMissing } from './tools.ts';

let scene: Scene;
/** The site behind the proxies: it shows the headers that it got. */
let site: Receiver;

before(async () => {
  site = await startReceiver((request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(request.headers));
  });
  scene = await setScene();
});
after(async () => {
  await scene.close();
  await site.close();
});

const upstream = () => `http://127.0.0.1:${site.port}/`;

/** The headers that the site shows. */
function headersOn(text: string | null): Readonly<Record<string, string>> {
  return JSON.parse(text ?? '') as Record<string, string>;
}

async function startOAuth2Proxy(t: TestContext) {
  const registered = await register(scene, { callback: '/oauth2/callback' });
  const file = 'oauth2-proxy.cfg';
  const options = { folder: 'oauth2-proxy', file, upstream: upstream() };
  const cwd = await configured(scene, registered, options);
  const env = { GOTOOLCHAIN: 'local', GOFLAGS: '-mod=readonly -buildvcs=false' };
  const name = 'github.com/oauth2-proxy/oauth2-proxy/v7';
  await run('go', ['build', '-o', 'oauth2-proxy', name], { cwd, env });
  // Without TLS, and with an immediate refresh.
  await appendFile(join(cwd, file), 'cookie_secure = false\npass_access_token = true\n');
  const refreshing = ['--config', file, '--cookie-refresh', '1s'];
  const { origin } = registered;
  const url = `${origin}/ping`;
  const program = await startProgram(join(cwd, 'oauth2-proxy'), refreshing, { cwd, url });
  t.after(() => program.close());
  return registered;
}

async function startApache(t: TestContext) {
  const paths = { callback: '/oidc', backchannel: '/oidc?logout=backchannel' };
  const registered = await register(scene, paths);
  const options = { folder: 'mod-auth-openidc', file: 'site.conf', upstream: upstream() };
  const cwd = await configured(scene, registered, options);
  await apacheConfiguration(cwd, new URL(registered.origin).port);
  const args = ['-d', cwd, '-f', 'httpd.conf', '-D', 'FOREGROUND'];
  const program = await startProgram(APACHE, args, { cwd, url: registered.origin });
  t.after(() => program.close());
  return registered;
}

describe('behind a proxy', () => {
  test('oauth2-proxy logs users in and out, refreshes, and notices when a login has ended', async (t) => {
    await unlessMissing(t, async () => {
      await needTool('go', [1, 26]);
      const { origin, client } = await startOAuth2Proxy(t);
      const page = await logInAt(scene, `${origin}/reports`);
      const first = headersOn(await page.textContent('body'));
      assert.equal(first['x-forwarded-email'], scene.user.identifier);
      assert.equal(first['x-forwarded-user'], scene.user.user.id);
      await until('the access token is another one', async () => {
        await page.reload();
        const now = headersOn(await page.textContent('body'));
        assert.equal(now['x-forwarded-email'], scene.user.identifier);
        return now['x-forwarded-access-token'] !== first['x-forwarded-access-token'];
      });
      // The proxy sends no ID token, so the service asks for confirmation.
      const back = { client_id: client.id, post_logout_redirect_uri: `${origin}/` };
      const logout = `${scene.issuer}/oauth/logout?${String(new URLSearchParams(back))}`;
      await page.goto(`${origin}/oauth2/sign_out?rd=${encodeURIComponent(logout)}`);
      await page.click('#logout-confirm');
      await mustLogIn(page);
      await fillInLogin(page, scene.user);
      await page.waitForURL(`${origin}/`);
      await endSessions(scene);
      await waitForLoginPage(scene, page, `${origin}/`);
    });
  });

  test('mod_auth_openidc logs users in and out, refreshes, and notices when a login has ended', async (t) => {
    await unlessMissing(t, async () => {
      await needTool('mod_auth_openidc');
      const { origin } = await startApache(t);
      const page = await logInAt(scene, `${origin}/reports`);
      const first = headersOn(await page.textContent('body'));
      assert.equal(first['oidc_claim_email'], scene.user.identifier);
      assert.equal(first['oidc_claim_name'], 'Ada Lovelace');
      await page.reload();
      const now = headersOn(await page.textContent('body'));
      assert.notEqual(now['oidc_access_token'], first['oidc_access_token']);
      await page.goto(`${origin}/oidc?logout=${encodeURIComponent(`${origin}/`)}`);
      await mustLogIn(page);
      await fillInLogin(page, scene.user);
      await page.waitForURL(`${origin}/`);
      await endSessions(scene);
      await waitForLoginPage(scene, page, `${origin}/`);
    });
  });

  test('The proxy module mod_auth_openidc is notified when a login has ended', async (t) => {
    await unlessMissing(t, async () => {
      await needTool('mod_auth_openidc');
      await setLifetime(scene, 3600);
      const { origin } = await startApache(t);
      const page = await logInAt(scene, `${origin}/`);
      await endSessions(scene);
      await waitForLoginPage(scene, page, `${origin}/`);
    });
  });
});
