// Email scanners open links, run the scripts of pages, and press their buttons.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { invite } from '../harness/invitations.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { type MailSink, startMailSink } from '../harness/mail-sink.ts';
import { mailedTo, mailThrough } from '../harness/mailed.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { launchBrowser } from './browser.ts';
import { type LinkPage, serveLinkPage } from './link-page.ts';

const browser = await launchBrowser();
describe('a scanner of mails', { skip: browser ? false : 'Chromium is not installed.' }, () => {
  let sink: MailSink;
  let keywright: Keywright;
  let tenant: TestTenant;
  let site: LinkPage;

  before(async () => {
    sink = await startMailSink();
    keywright = await startKeywright({ env: mailThrough(sink) });
    site = await serveLinkPage(() => ({ url: keywright.url, tenantId: tenant.id }));
    tenant = await keywright.tenant('scanned', {
      config: { magic_link_url: `${site.origin}/login`, allowed_origins: [site.origin] },
    });
  });

  after(async () => {
    await browser?.close();
    site.close();
    await keywright.close();
    await sink.close();
  });

  /** Opens a browser that shares nothing with another one. */
  async function open(scripts = true): Promise<{ context: BrowserContext; page: Page }> {
    const context = await (browser as Browser).newContext({ javaScriptEnabled: scripts });
    return { context, page: await context.newPage() };
  }

  /** Waits until the page has shown more than this many results since it was opened. */
  async function shown(page: Page, count: number): Promise<string> {
    await page.waitForFunction(`Number(document.getElementById('main').dataset.shown) > ${count}`);
    return page.locator('main p').innerText();
  }

  /** A user who requests an email in their browser, and the links in its text and its HTML. */
  async function requestMail() {
    const user = await open();
    const identifier = newIdentifier();
    await user.page.goto(`${site.origin}/login`);
    await user.page.locator('input').fill(identifier);
    await user.page.getByRole('button').click();
    assert.equal(await shown(user.page, 1), 'A mail was sent.');
    const { mail, code } = await mailedTo(sink, identifier);
    const { text = '', html = '' } = mail.parsed;
    const links = [...new Set(`${text} ${html}`.match(/https?:\/\/[^\s"<>]+/g))];
    return { user, links, code };
  }

  async function press(page: Page): Promise<void> {
    const labels = await page.getByRole('button').allInnerTexts();
    for (const label of labels) {
      const button = page.getByRole('button', { name: label, exact: true });
      if (!(await button.isVisible())) continue;
      for (const input of await page.locator('input').all()) await input.fill('00000000');
      const count = Number(await page.locator('main').getAttribute('data-shown'));
      await button.click();
      await shown(page, count);
    }
  }

  /** Opens a link, and presses each button once, with a wrong code. */
  async function scan(link: string, scripts: boolean): Promise<string[]> {
    const { context, page } = await open(scripts);
    const answers: Promise<string>[] = [];
    page.on('response', (response) => answers.push(response.text().catch(() => '')));
    await page.goto(link);
    if (scripts) {
      await shown(page, 0);
      // Each wrong code is one of the five that invalidate the message.
      await press(page);
    }
    const storageState = await context.storageState();
    await context.close();
    return [...(await Promise.all(answers)), JSON.stringify(storageState)];
  }

  const sessions = async () =>
    (await keywright.database.query('SELECT FROM sessions WHERE tenant_id = $1', [tenant.id]))
      .length;

  test('A mail scanner that opens each link, runs scripts and presses every button once gets nothing and uses nothing up', async () => {
    const { user, links } = await requestMail();
    assert.ok(links.length > 0);
    const count = await sessions();
    for (const link of links) {
      for (const method of ['HEAD', 'GET'])
        assert.equal((await fetch(link, { method })).status, 200);
      for (const scripts of [false, true]) {
        for (const seen of await scan(link, scripts)) {
          assert.doesNotMatch(seen, /access_token":|refresh_token":|device_token":/);
        }
      }
    }
    assert.ok(site.requests.includes('HEAD'));
    assert.equal(await sessions(), count);

    await user.page.goto(links[0] ?? '');
    await user.page.reload();
    assert.equal(await shown(user.page, 0), 'Continue?');
    await user.page.getByRole('button').click();
    assert.match(await shown(user.page, 1), /^Welcome, user:/);
    assert.equal(await sessions(), count + 1);
  });

  test('A mail scanner accepts no invitation, and the invited user can still accept it', async () => {
    const { invitation, token } = await invite({ keywright, sink }, tenant);
    const link = `${site.origin}/login#token=${token}`;
    const mail = sink.mails.find(({ to }) => to.includes(invitation.identifier));
    assert.ok(mail?.parsed.text?.includes(link));
    const count = await sessions();
    for (const method of ['HEAD', 'GET']) await fetch(link, { method });
    for (const scripts of [false, true]) {
      for (const seen of await scan(link, scripts)) {
        assert.doesNotMatch(seen, /access_token":|refresh_token":|device_token":/);
      }
    }
    assert.equal(await sessions(), count);
    const { page } = await open();
    await page.goto(link);
    assert.equal(await shown(page, 0), `You are invited as ${invitation.identifier}`);
    await page.locator('input').first().fill(newPassword());
    await page.getByRole('button', { name: 'Set password' }).click();
    assert.match(await shown(page, 1), /^Welcome, user:/);
    assert.equal(await sessions(), count + 1);
  });

  test('A scanned mail still lets a user enter the code in another browser, and see where the login was requested', async () => {
    const { links, code } = await requestMail();
    const [link = ''] = links;
    for (const method of ['HEAD', 'GET']) await fetch(link, { method });
    await (await open(false)).page.goto(link);
    const { page } = await open();
    await page.goto(link);
    assert.match(await shown(page, 0), /^Asked for at 20\S+ in Mozilla\/5\.0 .*Chrome/);
    await page.locator('input').fill(code);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    assert.match(await shown(page, 1), /^Welcome, user:/);
    // The same link a second time.
    const second = await open();
    await second.page.goto(link);
    assert.equal(await shown(second.page, 0), 'This link is no longer valid.');
  });
});
