import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchBrowser } from '../conformance/browser.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { notesModule } from './notes-module.ts';
import { draftSent, enterForm, notes } from './notes-routes.ts';

const COLLECT_VIOLATIONS = `
  globalThis.violations = [];
  addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective));
`;

const browser = await launchBrowser();

describe('pages in a browser', { skip: browser ? false : 'Chromium is not installed.' }, () => {
  let keywright: Keywright;
  let site: Server;
  let at: (path: string) => string;

  before(async () => {
    // At its real address: an http origin of this machine.
    keywright = await startKeywright({
      modules: [notesModule],
      env: { KEYWRIGHT_BASE_URL: undefined },
    });
    const { id } = await keywright.tenant('pages');
    const base = keywright.nodes[0]?.baseUrl ?? '';
    at = (path) => base + path.replace(':tenant_id', id);
    site = createServer((request, response) => {
      response.setHeader('content-type', 'text/html');
      const [target, field] = request.url === '/draft' ? [draftSent, 'note'] : [enterForm, 'name'];
      response.end(
        `<form method="post" action="${at(target.path)}"><input name="${field}" value="Eve"><button>Go</button></form>`,
      );
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  });

  after(async () => {
    await browser?.close();
    site.close();
    await keywright.close();
  });

  async function open(scripts: boolean): Promise<{ context: BrowserContext; page: Page }> {
    const context = await (browser as Browser).newContext({ javaScriptEnabled: scripts });
    return { context, page: await context.newPage() };
  }

  for (const scripts of [false, true]) {
    test(`The forms and cookies of a page work ${scripts ? 'with' : 'without'} script, without violating the policy of their page`, async () => {
      const { context, page } = await open(scripts);
      const complaints: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      if (scripts) await page.addInitScript(COLLECT_VIOLATIONS);
      await page.goto(at(enterForm.path));
      await page.getByLabel('Name').fill('wrong');
      await page.getByRole('button').click();
      assert.equal(await page.getByRole('alert').innerText(), 'Not wrong.');
      await page.getByLabel('Name').fill('Ada');
      await page.getByRole('button').click();
      assert.equal(page.url(), at(notes.path));
      await page.getByLabel('Note').fill('<b>milk</b>');
      await page.getByRole('button').click();
      assert.equal(await page.getByRole('listitem').last().innerText(), '<b>milk</b>');
      assert.equal(await page.title(), scripts ? 'Notes, enhanced' : 'Notes');
      if (scripts) assert.deepEqual(await page.evaluate('violations'), []);
      // The status identifies the rejection.
      const untold = complaints.filter((text) => !text.includes('401'));
      assert.deepEqual(untold, []);
      const cookies = await context.cookies(at(notes.path));
      assert.deepEqual(
        cookies.map(({ httpOnly, sameSite, path }) => ({ httpOnly, sameSite, path })),
        cookies.map(() => ({ httpOnly: true, sameSite: 'Lax', path: '/' })),
      );
      assert.equal(cookies.length, 2);
      await context.close();
    });
  }

  test('A form of another origin is rejected in a browser', async () => {
    const { context, page } = await open(true);
    await page.goto(at(enterForm.path));
    const { port } = site.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.getByRole('button').click();
    await page.waitForURL(at(enterForm.path));
    assert.match(await page.locator('footer').innerText(), /^403 ORIGIN_REFUSED/);
    await context.close();
  });

  test('A form of another site that is redirected to GET has the session there', async () => {
    const { context, page } = await open(false);
    await page.goto(at(enterForm.path));
    await page.getByLabel('Name').fill('Ada');
    await page.getByRole('button').click();
    const subject = await page.locator('#subject').innerText();
    const { port } = site.address() as AddressInfo;
    await page.goto(`http://localhost:${port}/draft`);
    await page.getByRole('button').click();
    await page.waitForURL(`${at(draftSent.path)}?note=Eve`);
    assert.equal(await page.locator('p').innerText(), `${subject}: Eve`);
    await context.close();
  });

  test('A page keeps its opener if its route says so, and otherwise loses it', async () => {
    const { context, page } = await open(true);
    const { port } = site.address() as AddressInfo;
    for (const [path, hasOpener] of [
      [enterForm.path, false],
      [`${draftSent.path}?note=x`, true],
    ] as const) {
      await page.goto(at(enterForm.path));
      await page.getByLabel('Name').fill('Ada');
      await page.getByRole('button').click();
      await page.goto(`http://localhost:${port}/`);
      const opened = context.waitForEvent('page');
      await page.evaluate(`void window.open(${JSON.stringify(at(path))})`);
      const popup = await opened;
      await popup.waitForLoadState();
      assert.equal(await popup.evaluate('window.opener !== null'), hasOpener, path);
      await popup.close();
    }
    await context.close();
  });

  test('A script injected into a page does not run', async () => {
    const { context, page } = await open(true);
    await page.addInitScript(COLLECT_VIOLATIONS);
    await page.goto(at(enterForm.path));
    await page.evaluate(
      `(() => { const one = document.createElement('script'); try { one.textContent = 'document.title = "taken"'; document.body.append(one); } catch {} })()`,
    );
    assert.equal(await page.title(), 'Enter, enhanced');
    await context.close();
  });
});
