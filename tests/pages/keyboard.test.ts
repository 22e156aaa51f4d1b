// A login with a second factor, a consent and the account in Chromium, by a user who has no mouse.

import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../conformance/browser.ts';
import { registerClient } from '../harness/application.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { enrollTotp, totpOf } from '../harness/totp.ts';
import { newPkce } from '../harness/visitor.ts';
import { FOCUS_FAULT } from './in-page.ts';

const CLOCK = { now: () => new Date() };
/** More than any of these pages has. */
const MOST_STOPS = 20;
/** More than any section of the account has. */
const MOST_STOPS_OF_ACCOUNT = 80;

const browser = await launchBrowser();

describe('with a keyboard only', { skip: browser ? false : 'Chromium is not installed.' }, () => {
  let keywright: Keywright;
  let tenant: TestTenant;
  let app: Server;
  let origin: string;

  before(async () => {
    keywright = await startKeywright({ env: { KEYWRIGHT_BASE_URL: undefined } });
    tenant = await keywright.tenant('keyboards');
    app = createServer((_request, response) =>
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>App</title>'),
    );
    await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
  });
  after(async () => {
    await browser?.close();
    app.close();
    await keywright.close();
  });

  /** Returns the focused element, whose focus must be visible. */
  async function focused(page: Page): Promise<string> {
    assert.equal(await page.evaluate(FOCUS_FAULT), '');
    return page.evaluate<string>(FOCUSED);
  }

  /** Presses Tab until the element is reached. @returns what was passed */
  async function tabTo(page: Page, id: string): Promise<string[]> {
    const passed: string[] = [];
    while (passed.length < MOST_STOPS) {
      await page.keyboard.press('Tab');
      const reached = await focused(page);
      if (reached === id) return passed;
      passed.push(reached);
    }
    throw new Error(`${id} was not reached: ${passed.join(', ')}`);
  }

  async function submitByEnter(page: Page): Promise<void> {
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
  }

  for (const javaScriptEnabled of [false, true]) {
    test(`A user with only a keyboard logs in with two factors, consents, and logs out, ${javaScriptEnabled ? 'with' : 'without'} script`, async () => {
      const user = await tenant.createUser();
      const { secret } = await enrollTotp(tenant, user.token, CLOCK);
      const redirect_uri = `${origin}/callback`;
      const fields = { name: 'Invoices', kind: 'native', redirect_uris: [redirect_uri] };
      const client_id = await registerClient(tenant, fields);
      const context = await (browser as Browser).newContext({ javaScriptEnabled });
      const page = await context.newPage();
      const base = `${keywright.nodes[0]?.baseUrl ?? ''}/t/${tenant.id}`;
      const query = new URLSearchParams({
        client_id,
        redirect_uri,
        response_type: 'code',
        scope: 'openid email',
        code_challenge: newPkce().challenge,
        code_challenge_method: 'S256',
      });
      await page.goto(`${base}/oauth/authorize?${query.toString()}`);

      await page.waitForSelector('#identifier:focus');
      assert.equal(await focused(page), 'identifier', 'the first field has the focus');
      await page.keyboard.type(user.identifier);
      assert.deepEqual(await tabTo(page, 'secret'), []);
      await page.keyboard.type('a guess');
      await submitByEnter(page);
      assert.ok(await page.getByRole('alert').isVisible());
      assert.equal(await focused(page), 'secret', 'what has to be typed again');
      await page.keyboard.type(user.password);
      await submitByEnter(page);

      assert.equal(await page.title(), 'Verify it’s you');
      assert.equal(await focused(page), 'code');
      // The code of the enrollment is used.
      await page.keyboard.type(totpOf(secret, new Date(CLOCK.now().getTime() + 30_000)));
      await submitByEnter(page);

      assert.equal(await page.title(), 'Invoices wants access to your account');
      assert.deepEqual(await tabTo(page, 'consent-allow'), [], 'the decision comes first');
      assert.deepEqual(await tabTo(page, 'consent-deny'), []);
      await page.keyboard.press('Shift+Tab');
      assert.equal(await focused(page), 'consent-allow');
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => url.origin === origin);
      assert.ok(new URL(page.url()).searchParams.has('code'));

      await page.goto(`${base}/oauth/logout`);
      assert.deepEqual(await tabTo(page, 'logout-confirm'), []);
      await submitByEnter(page);
      assert.equal(await page.title(), 'You’re signed out');
      await context.close();
    });
  }

  /** Presses the button or the link of that text. */
  async function pressByKeyboard(page: Page, name: string): Promise<void> {
    for (let stops = 0; stops < MOST_STOPS_OF_ACCOUNT; stops += 1) {
      await page.keyboard.press('Tab');
      await focused(page);
      if ((await page.evaluate('document.activeElement.textContent.trim()')) !== name) continue;
      return submitByEnter(page);
    }
    return assert.fail(`Tab does not reach ${name}.`);
  }

  test('A user with only a keyboard ends other sessions, saves a name and logs out on the account page', async () => {
    const user = await tenant.createUser();
    const context = await (browser as Browser).newContext();
    const page = await context.newPage();
    await page.goto(`${keywright.nodes[0]?.baseUrl ?? ''}/t/${tenant.id}/account`);
    // A browser focuses the first field when it renders the page, which can be after the load event.
    await page.waitForSelector('#identifier:focus');
    await page.keyboard.type(user.identifier);
    await page.keyboard.press('Tab');
    await page.keyboard.type(user.password);
    await submitByEnter(page);
    await page.waitForURL(/\/account/);
    await pressByKeyboard(page, 'Devices');
    await pressByKeyboard(page, 'Sign out all other devices');
    await page.waitForURL(/done=sessions_ended/);
    assert.equal((await tenant.request('GET', '/me', { token: user.token })).status, 401);
    await pressByKeyboard(page, 'Account');
    await pressByKeyboard(page, 'Profile');
    await tabTo(page, 'name');
    await page.keyboard.type('Ada');
    await pressByKeyboard(page, 'Save');
    await page.waitForURL(/done=profile_saved/);
    assert.equal(await page.inputValue('#name'), 'Ada');
    await pressByKeyboard(page, 'Sign out');
    await page.waitForSelector('#login-submit');
    await context.close();
  });
});

const FOCUSED = `document.activeElement?.id || document.activeElement?.localName || ''`;
