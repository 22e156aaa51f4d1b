// The whole life of an account in Chromium, with script and without: each part has tests of its own.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { AccountExport } from '@keywright/contract/records/account-export';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../conformance/browser.ts';
import { Authenticator } from '../harness/authenticator.ts';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { type MailSink, startMailSink } from '../harness/mail-sink.ts';
import { mailedTo, mailThrough } from '../harness/mailed.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { totpOf } from '../harness/totp.ts';

const STEP_UP_SECONDS = 300;

const browser = await launchBrowser();

describe('an account', { skip: browser ? false : 'Chromium is not installed.' }, () => {
  let keywright: Keywright;
  let tenant: TestTenant;
  let sink: MailSink;

  before(async () => {
    sink = await startMailSink();
    keywright = await startKeywright({
      clock: 'fake',
      env: { ...mailThrough(sink), KEYWRIGHT_BASE_URL: undefined },
    });
    const config = {
      allow_registration: true,
      allow_account_deletion: true,
      notify_new_device: false,
      login_attempts_limit: 10_000,
    };
    tenant = await keywright.tenant('journeys', { config });
  });
  after(async () => {
    await browser?.close();
    await keywright.close();
    await sink.close();
  });

  const at = (section: string) =>
    `${keywright.nodes[0]?.baseUrl ?? ''}/t/${tenant.id}/account?section=${section}`;
  const press = (page: Page, action: string) =>
    page.locator(`button[value="${action}"]`).first().click();
  const untilLoaded = (page: Page) => page.getByRole('navigation', { name: 'Sections' }).waitFor();

  /** Enters the code of the newest email to an address. @param skip the number of earlier emails */
  async function typeCode(page: Page, address: string, skip: number): Promise<void> {
    await page.fill('#code', (await mailedTo(sink, address, skip)).code);
    await press(page, 'code');
  }

  async function idOf(address: string): Promise<string> {
    const rows = await keywright.database.query<{ user_id: string }>(
      'SELECT user_id FROM user_identifiers WHERE tenant_id = $1 AND identifier = $2',
      [tenant.id, address],
    );
    return rows[0]?.user_id ?? '';
  }

  interface Added {
    readonly codes: readonly string[];
    /** The key of the authenticator app; empty with script. */
    readonly key: string;
  }

  async function addFactor(page: Page, script: boolean): Promise<Added> {
    let key = '';
    await page.goto(at('security'));
    if (script) {
      await press(page, 'add_passkey');
    } else {
      await press(page, 'add_totp');
      key = (await page.locator('#totp-key').innerText()).replaceAll(' ', '');
      await page.fill('#code', totpOf(key, keywright.clock.now()));
      await press(page, 'confirm_totp');
    }
    await page.locator('#codes-continue').waitFor();
    const codes = await page.locator('.codes code').allInnerTexts();
    await page.click('#codes-continue');
    await untilLoaded(page);
    return { codes, key };
  }

  /** Logs in again, as changes of login methods require after a while. @param prove enters the credential */
  async function confirm(page: Page, prove: () => Promise<void>): Promise<void> {
    keywright.clock.advance(STEP_UP_SECONDS + 1);
    await page.goto(at('security'));
    assert.equal(await page.locator('button[value="remove_factor"]').count(), 0);
    await press(page, 'confirm');
    await page.getByRole('heading', { name: 'Confirm it’s you' }).waitFor();
    await prove();
    await page.locator('button[value="remove_factor"]').waitFor();
  }

  for (const script of [true, false]) {
    test(`An account is created, protected, recovered, exported and deleted ${script ? 'with' : 'without'} script`, async () => {
      const context = await (browser as Browser).newContext({ javaScriptEnabled: script });
      const page = await context.newPage();
      const authenticator = await Authenticator.addTo(page);
      const address = newIdentifier();
      let mails = 0;

      await page.goto(at('overview'));
      await press(page, 'begin_registration');
      await page.fill('#identifier', address);
      await press(page, 'send_registration');
      await typeCode(page, address, mails++);
      await untilLoaded(page);
      const { codes, key } = await addFactor(page, script);

      if (!script) {
        await confirm(page, async () => {
          await press(page, 'begin_code');
          await press(page, 'send_code');
          await typeCode(page, address, mails++);
          await page.fill('#code', totpOf(key, keywright.clock.now()));
          await press(page, 'totp');
        });
      }
      await press(page, 'logout');
      if (script) {
        // Nothing is typed.
        await page.click('#passkey');
        await untilLoaded(page);
        // Otherwise the page would offer the passkey before the address is entered.
        await page.evaluate('localStorage.clear()');
        await confirm(page, () => page.click('#passkey'));
        await authenticator.replaceBy([]);
        await press(page, 'logout');
      }
      // Another message to one address.
      keywright.clock.advance(31);
      await page.goto(at('sessions'));
      await press(page, 'begin_recovery');
      await page.fill('#identifier', address);
      await press(page, 'send_recovery');
      await typeCode(page, address, mails++);
      await page.locator('details:has(#recovery) > summary').click();
      await page.fill('#recovery', codes[0] ?? '');
      await press(page, 'recovery_code');
      // One comes in its place.
      await page.click('#codes-continue');
      await page.fill('#secret', newPassword());
      await press(page, 'new_password');
      await untilLoaded(page);
      assert.equal(await page.locator('.items li').count(), 1, 'the only session');

      const { agent } = await tenant.createAgent({ scopes: ['read:users'] });
      const change = { token: await tenant.adminToken(), body: { roles: ['member', 'admin'] } };
      expectStatus(200, await tenant.request('PATCH', `/users/${await idOf(address)}`, change));
      await page.goto(`${at('agents')}&agent=${agent.id}&scope=read:users`);
      await press(page, 'allow_agent');
      await page.goto(at('agents'));
      await press(page, 'end_agent');
      await page.getByText('No agents can act for you').waitFor();

      await page.goto(at('data'));
      await press(page, 'request_copy');
      for (
        let tries = 0;
        tries < 100 && !(await page.locator('button[value="show_copy"]').count());
      ) {
        tries += 1;
        await page.goto(at('data'));
      }
      await press(page, 'show_copy');
      const [saved] = await Promise.all([page.waitForEvent('download'), page.click('#copy')]);
      const chunks: Buffer[] = [];
      for await (const chunk of await saved.createReadStream()) chunks.push(chunk as Buffer);
      const copy = JSON.parse(Buffer.concat(chunks).toString()) as AccountExport;
      assert.equal(copy.user.identifiers[0]?.identifier, address);

      await page.goto(at('data'));
      await page.fill('#identifier', address);
      await press(page, 'delete_account');
      await page.getByRole('heading', { name: 'Your account was deleted' }).waitFor();
      assert.equal(await idOf(address), '');
      await context.close();
    });
  }
});
