// The first five minutes: the link that a first start prints, in a browser, on the embedded database.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../conformance/browser.ts';
import { welcomed } from '../e2e/welcome.ts';
import { Authenticator } from '../harness/authenticator.ts';
import { type ServerProcess, startServerProcess } from '../harness/process.ts';
import { temporaryDirectory } from '../harness/temporary.ts';
import { newViewer } from '../pages/showing.ts';

const browser = await launchBrowser();

describe(
  'the link of a first start, in a browser',
  { skip: browser ? false : 'Chromium is not installed.' },
  () => {
    let service: ServerProcess;

    before(async () => {
      const KEYWRIGHT_DATA_DIR = await temporaryDirectory('first-login');
      service = await welcomed(await startServerProcess({ env: { KEYWRIGHT_DATA_DIR } }));
    });
    after(async () => {
      await browser?.close();
      await service.kill9();
    });

    test('The link of a first start logs in to the console, which offers a passkey for later logins', async () => {
      const [, link = ''] = /^ {2}One-time link +(\S+)/m.exec(service.stdout) ?? [];
      const { origin } = new URL(link);
      const { page, complaints } = await newViewer(browser as Browser, origin);
      const authenticator = await Authenticator.addTo(page);
      await page.goto(link);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('You’re signed in as admin@keywright.localhost').waitFor();
      await page.getByRole('button', { name: 'Create passkey' }).click();
      const codes = page.getByRole('alertdialog', { name: 'Recovery codes' });
      assert.match(await codes.locator('.secret').innerText(), /^(\S+\n){9}\S+$/);
      await codes.getByLabel('I’ve saved it').check();
      await codes.getByRole('button', { name: 'Close' }).click();
      await page.waitForURL((url) => url.search === '');
      assert.equal((await authenticator.passkeys()).length, 1);
      assert.deepEqual(complaints(), []);

      await page.context().clearCookies();
      await page.goto(`${origin}/console`);
      await page.getByRole('button', { name: /passkey/i }).click();
      await page.getByRole('heading', { level: 1, name: /Overview|Good / }).waitFor();
    });
  },
);
