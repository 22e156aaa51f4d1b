// Changing the look and the texts of pages in the console: the preview, and that nothing else can be framed. Each
// journey ends by checking the API or the page.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { TenantRecord } from '@keywright/contract/records/tenant';
import type { TextRecord } from '@keywright/contract/records/text';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../conformance/browser.ts';
import { FONTS } from '@keywright/server/platform/http/pages/fonts';
import { registerClient } from '../harness/application.ts';
import { expectStatus } from '../harness/http.ts';
import type { Keywright } from '../harness/keywright.ts';
import { type MailSink, startMailSink } from '../harness/mail-sink.ts';
import { mailThrough } from '../harness/mailed.ts';
import { startReceiver } from '../harness/receiver.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { until } from '../harness/until.ts';
import { Desk } from './desk.ts';
import { intercept } from './interception.ts';
import { Traffic } from './traffic.ts';

/** The URL of a frame that the browser refused to load. */
const REFUSED = 'chrome-error://chromewebdata/';

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><rect width="80" height="40" fill="teal"/></svg>';

/** An image that the browser has drawn. */
interface Drawn {
  readonly naturalWidth: number;
}

const browser = await launchBrowser();

describe(
  'the look and the words of a tenant, in the console',
  { skip: browser ? false : 'Chromium is not installed.' },
  () => {
    let sink: MailSink;
    let keywright: Keywright;
    let tenant: TestTenant;
    let desk: Desk;
    let page: Page;

    const shown = () => page.frameLocator('.stage iframe');
    const previewOf = async (body: object): Promise<string> => {
      const token = await tenant.adminToken();
      const answer = await tenant.request('POST', '/branding/preview', { token, body });
      return String(expectStatus(200, answer)['url']);
    };

    before(async () => {
      sink = await startMailSink();
      desk = await Desk.open(browser as Browser, {
        slug: 'looks',
        overrides: { name: 'Looks' },
        env: mailThrough(sink),
      });
      ({ keywright, tenant, page } = desk);
    });
    after(async () => {
      await browser?.close();
      await keywright.close();
      await sink.close();
    });

    test('An administrator drops or chooses a logo, reads why a file is refused, and deletes the logo', async () => {
      await desk.open('/branding');
      const file = page.getByLabel('Logo', { exact: true });
      const choose = (name: string, body: string) =>
        file.setInputFiles({ name, mimeType: 'image/svg+xml', buffer: Buffer.from(body) });
      await choose('large.svg', LOGO.padEnd(256 * 1024 + 1));
      await page.getByText('Choose a file of 256 KiB or less.').waitFor();
      await choose('page.svg', '<!doctype html>');
      await page.getByText('Choose a PNG').waitFor();
      desk.complaints();
      const dataTransfer = await page.evaluateHandle(`(() => {
        const files = new DataTransfer();
        files.items.add(new File(['${LOGO}'], 'logo.svg', { type: 'image/svg+xml' }));
        return files;
      })()`);
      await page.locator('.drop').first().dispatchEvent('drop', { dataTransfer });
      await page.getByText('Image uploaded. Your pages show it now.').waitFor();
      assert.equal(await page.getByText('Choose a PNG').count(), 0);
      const digest = createHash('sha256').update(LOGO).digest('hex');
      const address = `/t/${tenant.id}/brand/${digest}`;
      const drawn = page.locator(`img[src="${address}"]`).first();
      await until('it is drawn', () =>
        drawn.evaluate((image) => (image as Drawn).naturalWidth === 80),
      );
      assert.equal((await keywright.request('GET', address)).text, LOGO);
      await shown().locator(`img[src$="${digest}"]`).first().waitFor();
      await desk.press('Delete');
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
      await until('it is deleted', async () => (await drawn.count()) === 0);
      assert.equal((await keywright.request('GET', address)).status, 404);
      assert.deepEqual(desk.complaints(), []);
    });

    test('An application gets its own color and logo, and the others look as before', async () => {
      const clientId = await registerClient(tenant, { name: 'Robot Shop' });
      const previews: string[] = [];
      page.on('request', (request) => {
        if (request.url().endsWith('/branding/preview')) previews.push(request.postData() ?? '');
      });
      await desk.open(`/clients/${clientId}`);
      await desk.press(page.getByRole('main').getByRole('link', { name: 'Branding' }));
      await page.getByText('Empty fields use the settings for all applications.').waitFor();
      assert.equal(await page.getByLabel('Applies to').inputValue(), clientId);
      await shown().getByText('Looks').first().waitFor();
      assert.equal(previews.length, 1, 'the branding of the tenant is not shown before');
      await page.getByLabel('Primary color', { exact: true }).first().fill('#aa0055');
      await page.locator('.plain-table').getByText('#aa0055').first().waitFor();
      await desk.press('Save');
      await page.getByText('Saved.', { exact: true }).waitFor();
      const token = await tenant.adminToken();
      const path = `/clients/${clientId}/branding`;
      const { settings } = expectStatus(200, await tenant.request('GET', path, { token }));
      assert.deepEqual(settings, { primary_color: '#aa0055' });
      const buffer = Buffer.from(LOGO);
      await page
        .getByLabel('Logo', { exact: true })
        .setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer });
      await page.getByText('Image uploaded. Your pages show it now.').waitFor();
      const { images } = expectStatus(200, await tenant.request('GET', path, { token }));
      assert.deepEqual(Object.keys(images as object), ['logo']);
      assert.deepEqual(desk.complaints(), []);
    });

    test('The choice of an application keeps its size while the names load, and never shows an ID', async () => {
      const name = 'The shop of robots, spare parts and everything that they need';
      const clientId = await registerClient(tenant, { name });
      const other = await desk.openFor(desk.person);
      let release: () => void = () => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      await intercept(other.page, async (request) => {
        if (request.path === '/clients') await released;
        await request.pass();
      });
      await other.page.goto(`${desk.origin}/console/t/${tenant.id}/branding?client=${clientId}`);
      const field = other.page.getByLabel('Applies to');
      await field.waitFor();
      const size = await field.boundingBox();
      assert.doesNotMatch(await field.innerText(), /client_/);
      release();
      await field.getByRole('option', { name, exact: true }).waitFor({ state: 'attached' });
      assert.equal(await field.inputValue(), clientId);
      assert.deepEqual(await field.boundingBox(), size);
      await other.page.close();
    });

    test('The preview shows pages with unsaved input, in a chosen language and color scheme', async () => {
      await desk.open('/branding');
      await shown().getByText('Looks').first().waitFor();
      await page.getByLabel('Primary color', { exact: true }).first().fill('#ffe14d');
      await page.getByRole('tab', { name: 'Company' }).click();
      await page.getByLabel('Company name').fill('Drafted Ltd');
      await shown().getByText('Drafted Ltd', { exact: true }).waitFor();
      await page.getByText('Adjusted for contrast').first().waitFor();
      await page.getByRole('combobox', { name: 'Page', exact: true }).selectOption('consent');
      await page.getByRole('combobox', { name: 'Language', exact: true }).selectOption('de');
      await shown().getByRole('button', { name: 'Erlauben', exact: true }).waitFor();
      await page.getByRole('combobox', { name: 'Theme', exact: true }).selectOption('dark');
      await until('it is dark', async () => (await schemeOf(page)) === 'dark');
      const read = () => tenant.request('GET', `/tenants/${tenant.id}`, { token });
      const token = await tenant.adminToken();
      assert.deepEqual(expectStatus(200, await read())['branding'], {});

      await desk.press('Save');
      await page.getByText('Saved.', { exact: true }).waitFor();
      const saved = expectStatus(200, await read())['branding'];
      assert.deepEqual(saved, { company_name: 'Drafted Ltd', primary_color: '#ffe14d' });
      assert.deepEqual(desk.complaints(), []);
    });

    test('The buttons and fields of a preview send nothing, and the browser logs nothing for it', async () => {
      await desk.open('/texts/login.title?locale=en');
      await shown().locator('button:visible').first().click();
      const field = shown().locator('input:not([type=hidden])').first();
      await field.fill('ada@example.com');
      await field.press('Enter');
      await page.getByRole('textbox', { name: 'Custom text' }).fill('Welcome');
      await shown().getByRole('heading', { name: 'Welcome' }).waitFor();
      assert.deepEqual(desk.complaints(), []);
    });

    test('The console frames no page in which a control could be pressed, and no other site can frame a preview', async () => {
      // A screen that frames nothing by itself.
      await desk.open('/audit');
      const preview = await previewOf({ page: 'login' });
      const real = `${desk.origin}/t/${tenant.id}/account`;
      const framed = await framesOf(page, [
        real,
        `${desk.origin}/console/`,
        preview,
        'data:text/html,x',
      ]);
      assert.deepEqual(framed, [REFUSED, REFUSED, preview, REFUSED]);
      desk.complaints();

      const evil = await startReceiver((_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>Win!');
      });
      const context = await (browser as Browser).newContext();
      const elsewhere = await context.newPage();
      await elsewhere.goto(`http://localhost:${evil.port}/`);
      assert.deepEqual(await framesOf(elsewhere, [real, preview]), [REFUSED, REFUSED]);
      await context.close();
      await evil.close();
    });

    test('A preview runs nothing, sends nothing, and identifies no user, in a frame or alone', async () => {
      const context = await (browser as Browser).newContext();
      const alone = await context.newPage();
      const sent: string[] = [];
      alone.on('request', (request) =>
        sent.push(`${request.method()} ${new URL(request.url()).pathname}`),
      );
      await alone.goto(await previewOf({ page: 'login' }));
      await alone.getByLabel('Password').fill('hunter2');
      await alone.locator('#login-submit').click();
      await alone.getByLabel('Password').press('Enter');
      await alone.goto(await previewOf({ page: 'logout' }));
      await alone.locator('#logout-confirm').click();
      const paths = new Set(sent);
      assert.deepEqual([...paths].toSorted(), [
        `GET /t/${tenant.id}/assets/fonts/${FONTS.geist.file}`,
        `GET /t/${tenant.id}/assets/look.css`,
        `GET /t/${tenant.id}/preview`,
      ]);
      assert.deepEqual(await context.cookies(), []);
      await context.close();
    });

    test('A text that an administrator rewords shows errors at its field, and is on the page until the default returns', async () => {
      const token = await tenant.adminToken();
      const read = async () => {
        const answer = await tenant.request<TextRecord>('GET', '/texts/en/login.title', { token });
        return expectStatus(200, answer).text;
      };
      await desk.open('/texts');
      await page.frameLocator('.shown iframe').getByRole('heading', { name: 'Sign in' }).waitFor();
      assert.ok((await page.getByRole('row').count()) <= 26, 'a page of the list');
      await page.getByLabel('Search text or key').fill('login.title');
      // Otherwise the list moves under the pointer.
      await page.waitForURL(({ searchParams }) => searchParams.get('words') === 'login.title');
      await page.locator('a[href*="/texts/login.title?"]').click();
      await page.getByRole('heading', { level: 1, name: 'Sign in', exact: true }).waitFor();
      const field = page.getByRole('textbox', { name: 'Custom text' });
      await field.fill('Welcome {unknown}');
      await desk.press('Save');
      await page.locator('textarea[aria-invalid=true]').waitFor();
      await page.getByRole('alert').getByText('{unknown} isn’t available here.').waitFor();
      assert.equal(await read(), null);
      desk.complaints();
      await field.fill('Welcome back');
      await shown().getByRole('heading', { name: 'Welcome back' }).waitFor();
      assert.equal(await read(), null);
      await desk.press('Save');
      await page.getByText('Saved.', { exact: true }).waitFor();
      assert.equal(await read(), 'Welcome back');

      await desk.press('All languages');
      await page.getByText('Iniciar sesión').first().waitFor();
      assert.equal(await page.locator('.languages > .card').count(), 6);
      await desk.press('Reset to default');
      await page.getByRole('alertdialog').getByRole('button', { name: 'Reset to default' }).click();
      await page.getByText('Reset to default.').waitFor();
      assert.equal(await read(), null);
    });

    test('The console shows the text message of a kind, and as how many messages it is billed', async () => {
      await desk.open('/messages/login?locale=en&part=sms');
      const body = { kind: 'login', locale: 'en' };
      const token = await tenant.adminToken();
      const answer = await tenant.request<{ sms: { text: string; segments: number } }>(
        'POST',
        '/messaging/preview',
        { token, body },
      );
      const { sms } = expectStatus(200, answer);
      const text = page.getByRole('region', { name: 'SMS' });
      assert.equal(await text.innerText(), sms.text);
      await page.getByText(`Billed as ${sms.segments} text message`).waitFor();
      await desk.open('/messages/invitation?locale=en&part=sms');
      await page.getByText('This message is sent by email only.').waitFor();
    });

    test('The SMS form shows the fields of the chosen provider, and removes those of the previous one', async () => {
      const token = await tenant.adminToken();
      const path = `/tenants/${tenant.id}`;
      const url = 'https://twilio.example.com/';
      const sms = { provider: 'twilio', account_sid: 'AC1', auth_token: 'hush', from: 'Acme', url };
      const patched = await tenant.request('PATCH', path, {
        token,
        body: { messaging: { sms } },
      });
      expectStatus(200, patched);
      await desk.open('/messages?tab=sms');
      const field = (name: string) => page.getByLabel(name, { exact: true });
      await field('Account').waitFor();
      assert.equal(await field('Signing secret').count(), 0);
      await field('Provider').selectOption('webhook');
      await field('Signing secret').fill('sixteen characters');
      assert.equal(await field('Account').count(), 0);
      assert.equal(await field('Endpoint URL').inputValue(), '');
      await field('Endpoint URL').fill('https://sms.example.com/send');
      await desk.press('Save');
      await page.getByText('Saved.', { exact: true }).waitFor();
      const record = await tenant.request<TenantRecord>('GET', path, { token });
      assert.deepEqual(expectStatus(200, record).messaging.sms, {
        provider: 'webhook',
        url: 'https://sms.example.com/send',
        secret: '********',
      });
    });

    test('An administrator rewrites a mail, previews it, sends one to themselves and finds it in the log', async () => {
      const named = { token: desk.person.token ?? '', body: { name: 'Olivia Reyes' } };
      expectStatus(200, await tenant.request('PATCH', '/me', named));
      await desk.open('/messages/login?locale=en');
      await page.getByLabel('Text', { exact: true }).fill('Your {{cod}}.');
      await page.getByText('{{cod}}').first().waitFor();
      await desk.press('Save');
      await page.locator('textarea[aria-invalid=true]').waitFor();
      await page.getByLabel('Subject').fill('A code from us');
      await page.getByLabel('Text', { exact: true }).fill('Take {{code}}, dear friend.');
      await shown().getByText('dear friend').waitFor();
      await desk.press('Save');
      await page.getByText('Saved.', { exact: true }).waitFor();
      assert.equal(await page.getByLabel('Email or phone').inputValue(), desk.person.identifier);
      await desk.press('Send test');
      const mail = await until('the mail', () =>
        sink.mails.find(({ to }) => to.includes(desk.person.identifier)),
      );
      assert.match(mail.parsed.text ?? '', /Take 12345678, dear friend\./);
      assert.equal(mail.parsed.subject, 'A code from us');
      await page.getByRole('link', { name: 'Log', exact: true }).click();
      const row = page.getByRole('row', { name: 'Sign-in' });
      await until('it was sent', async () => {
        await page.reload();
        await Traffic.of(page).settle();
        return (await row.getByText('Sent', { exact: true }).count()) > 0;
      });
    });
  },
);

/** The color scheme of the preview; undefined while its frame is replaced. */
async function schemeOf(page: Page): Promise<string | undefined> {
  const frame = page.frames().find((candidate) => candidate.url().includes('/preview'));
  const scheme = 'getComputedStyle(document.documentElement).colorScheme';
  return frame?.evaluate<string>(scheme).catch(() => undefined);
}

/** The content of frames with these URLs in a page. */
async function framesOf(page: Page, addresses: readonly string[]): Promise<string[]> {
  await page.evaluate(`(${FRAME})(${JSON.stringify(addresses)})`);
  const frames = page.mainFrame().childFrames().slice(-addresses.length);
  return frames.map((frame) => frame.url());
}

const FRAME = `(addresses) => Promise.all(addresses.map((address) => new Promise((resolve) => {
  const frame = document.createElement('iframe');
  frame.addEventListener('load', resolve, { once: true });
  frame.src = address;
  document.body.append(frame);
})))`;
