// The examples of applications whose users log in, each in Chromium.

import assert from 'node:assert/strict';
import { after, before, describe, test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../conformance/browser.ts';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { fillInLogin, newVisitor, registerApplication } from '../harness/login-pages.ts';
import { freePort, startProgram } from '../harness/program.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { until } from '../harness/until.ts';
import { paste } from './shell.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const browser = await launchBrowser();
let keywright: Keywright;
let tenant: TestTenant;
let user: TestUser;

before(async () => {
  keywright = await startKeywright({
    env: { KEYWRIGHT_BASE_URL: undefined, KEYWRIGHT_EGRESS_ALLOW: 'localhost' },
  });
  // The examples use an access token until it has a minute left: they refresh it at each use here.
  tenant = await keywright.tenant('examples', { config: { session_timeout: 60 } });
  user = await tenant.createUser();
});
after(async () => {
  await browser?.close();
  await keywright.close();
});

interface Example {
  readonly file: string;
  /** Where users return to. */
  readonly path: string;
  /** The path of its back-channel logout endpoint. */
  readonly logoutPath?: string;
  readonly fields?: object;
}

/** Registers and starts an example. @returns its URL and client ID */
async function startExample(t: TestContext, { file, path, logoutPath, fields = {} }: Example) {
  const origin = `http://localhost:${await freePort()}`;
  const client = await registerApplication(tenant, {
    redirect_uris: [`${origin}${path}`],
    post_logout_redirect_uris: [`${origin}/`],
    ...(logoutPath !== undefined && { backchannel_logout_uri: `${origin}${logoutPath}` }),
    ...fields,
  });
  const program = await startProgram(process.execPath, [file], {
    cwd: ROOT,
    url: origin,
    env: {
      ISSUER: `${keywright.nodes[0]?.baseUrl}/t/${tenant.id}`,
      ORIGIN: origin,
      CLIENT_ID: client.id,
      CLIENT_SECRET: client.client_secret ?? '',
    },
  });
  t.after(() => program.close());
  return { origin, clientId: client.id, program };
}

/** The number of session refreshes by an application. */
async function refreshesOf(clientId: string): Promise<number> {
  const [row] = await keywright.database.query(
    'SELECT sum(generation)::int AS times FROM sessions WHERE tenant_id = $1 AND client_id = $2',
    [tenant.id, clientId],
  );
  return Number(row?.['times']);
}

/** Ends the user's sessions, but leaves the browser's cookies. */
async function endSessions(): Promise<void> {
  const token = await tenant.adminToken();
  const path = `/sessions?user_id=${encodeURIComponent(user.user.id)}`;
  expectStatus(200, await tenant.request('DELETE', path, { token }));
}

test('A login example without its settings exits with their names', async () => {
  for (const [file, message] of [
    ['express-login/server.mjs', /^Set CLIENT_ID and CLIENT_SECRET first: .+\n$/],
    ['native-login/login.mjs', /^Set CLIENT_ID first: .+\n$/],
    ['spa-login/serve.mjs', /^Set CLIENT_ID first: .+\n$/],
  ] as const) {
    const { code, stdout, stderr } = await paste(`exec node examples/${file}`, {}, ROOT);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, message);
  }
});

describe('the example', { skip: !browser }, () => {
  const chromium = browser as Browser;

  test('The example on Express logs a user in and out, refreshes, and notices when the login was ended elsewhere', async (t) => {
    const { origin, clientId, program } = await startExample(t, {
      file: 'examples/express-login/server.mjs',
      path: '/callback',
      logoutPath: '/backchannel-logout',
    });
    const untilNotified = (times: number) =>
      until('the site is notified', () => program.output.split(' ended\n').length > times);
    const { page, complaints } = await newVisitor(chromium, { hasScripts: false });
    await page.goto(origin);
    await page.click('#login');
    await fillInLogin(page, user);
    await page.click('#consent-allow');
    await page.waitForURL(`${origin}/`);
    assert.equal(await page.textContent('h1'), `Hello ${user.identifier}`);
    assert.equal(await page.textContent('#sub'), user.user.id);
    const times = await refreshesOf(clientId);
    await page.reload();
    assert.equal(await page.textContent('#sub'), user.user.id);
    assert.equal(await refreshesOf(clientId), times + 1);
    await page.click('#logout');
    assert.equal(await page.textContent('h1'), 'Welcome');
    await untilNotified(1);
    await page.click('#login');
    await fillInLogin(page, user);
    await page.waitForURL(`${origin}/`);
    await endSessions();
    await untilNotified(2);
    await page.reload();
    assert.equal(await page.textContent('h1'), 'Welcome');
    assert.deepEqual(complaints, []);
  });

  test('The example without a server logs a user in and out, refreshes, recognizes them after a reload, and notices the end', async (t) => {
    const fields = { kind: 'spa', first_party: true };
    const file = 'examples/spa-login/serve.mjs';
    const { origin, clientId } = await startExample(t, { file, path: '/', fields });
    const { page, complaints } = await newVisitor(chromium, { hasScripts: true });
    await page.goto(origin);
    await page.click('#login');
    await fillInLogin(page, user);
    const hello = `Hello ${user.identifier}`;
    await page.getByText(hello).waitFor();
    await page.click('#call');
    await page.getByText(user.user.id).waitFor();
    assert.equal(await refreshesOf(clientId), 1);
    await page.reload();
    await page.getByText(hello).waitFor();
    await page.click('#logout');
    await page.getByText('Welcome').waitFor();
    await page.click('#login');
    await fillInLogin(page, user);
    await page.getByText(hello).waitFor();
    assert.deepEqual(complaints, []);
    await endSessions();
    await page.click('#call');
    await page.getByText('Welcome').waitFor();
  });
});
