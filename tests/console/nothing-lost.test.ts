// Casual actions in the console that must not lose data: keys and buttons of the browser, multiple forms, and a
// service that is unavailable for a while.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../conformance/browser.ts';
import { expectStatus } from '../harness/http.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { until } from '../harness/until.ts';
import { Desk } from './desk.ts';
import { intercept } from './interception.ts';
import { Traffic } from './traffic.ts';

/** Longer than the console waits before it reports the delay. */
const LATER = { 'retry-after': '60' };
const BUSY = { error: 'Service Unavailable', detail: 'Try again.', code: 'OVERLOADED' };
const PAGE = 25;

const browser = await launchBrowser();

after(() => browser?.close());

describe(
  'an operator of the console loses nothing',
  { skip: browser ? false : 'Chromium is not installed.' },
  () => {
    let desk: Desk;
    let page: Page;
    let tenant: TestTenant;

    const create = async (path: string, body: object) =>
      String(expectStatus(201, await desk.request('POST', path, body))['id']);
    const part = (name: string) => page.getByRole('region', { name, exact: true });
    const goByPalette = async (typed: string) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill(typed);
      await page.keyboard.press('Enter');
      await page.getByRole('combobox').waitFor({ state: 'detached' });
    };

    before(async () => {
      desk = await Desk.open(browser as Browser, { slug: 'kept', env: {} });
      ({ page, tenant } = desk);
    });
    after(() => desk.close());

    test('A new secret remains on the page, despite Back and the palette, until the operator has stored it', async () => {
      const { agent } = await tenant.createAgent({ name: 'robot' });
      await desk.open(`/agents/${agent.id}`);
      await page.getByRole('link', { name: 'Create API key' }).click();
      await desk.type('Name', 'of a robot');
      await desk.press('Create API key');
      const secret = page.locator('.secret');
      const key = await secret.innerText();
      await page.evaluate('history.back()');
      await goByPalette('Roles');
      assert.equal(await secret.innerText(), key);
      await desk.toggle('I’ve saved it');
      await desk.press('Close');
      await desk.waitForPath(`/agents/${agent.id}`);
      await goByPalette('Roles');
      await desk.waitForPath('/roles');
    });

    test('The unsaved input of one form is kept when another form of the same record is saved', async () => {
      const { user } = await tenant.createUser();
      await desk.open(`/users/${user.id}`);
      await desk.press('Edit Details');
      const other = page.getByLabel('Name', { exact: false });
      await other.fill('typed, not saved');
      await desk.press('Edit Access');
      await part('Access').getByRole('combobox', { name: 'Roles' }).fill('adm');
      await page.getByRole('option', { name: /^admin/ }).click();
      await page.keyboard.press('Escape');
      await part('Access').getByRole('button', { name: 'Save' }).click();
      await part('Access').getByRole('button', { name: 'Edit Access' }).waitFor();
      await part('Access').getByText('admin', { exact: true }).waitFor();
      assert.equal(await other.inputValue(), 'typed, not saved');
    });

    test('The unsaved input of a form is kept when its record cannot be read again', async () => {
      const { user } = await tenant.createUser();
      const tab = await page.context().newPage();
      let isDown = false;
      await intercept(tab, (request) =>
        isDown && request.method === 'GET' ? request.answer(503, BUSY, LATER) : request.pass(),
      );
      await tab.goto(`${desk.origin}/console/t/${tenant.id}/users/${user.id}`);
      await tab.getByRole('button', { name: 'Edit Details' }).click();
      const other = tab.getByLabel('Name', { exact: false });
      await other.fill('typed, not saved');
      await tab.getByRole('button', { name: 'Edit Access' }).click();
      const access = tab.getByRole('region', { name: 'Access', exact: true });
      await access.getByRole('combobox', { name: 'Roles' }).fill('adm');
      await tab.getByRole('option', { name: /^admin/ }).click();
      await tab.keyboard.press('Escape');
      isDown = true;
      await access.getByRole('button', { name: 'Save' }).click();
      await tab.getByRole('alert').getByText('Try again.').first().waitFor();
      assert.equal(await other.inputValue(), 'typed, not saved');
      isDown = false;
      await tab.getByRole('button', { name: 'Try again' }).first().click();
      await access.getByText('admin', { exact: true }).waitFor();
      assert.equal(await other.inputValue(), 'typed, not saved');
      await tab.close();
    });

    test('The characters typed into the middle of a text search are kept', async () => {
      await desk.open('/texts?words=password');
      const search = page.getByLabel('Search text or key');
      await search.focus();
      await page.keyboard.press('Home');
      await page.keyboard.type('new ');
      assert.equal(await search.inputValue(), 'new password');
      await page.waitForURL('**/texts?words=new%20password');
      await page
        .getByRole('row', { name: /new password/i })
        .first()
        .waitFor();
    });

    test('The focus moves into the page when the row of a dialog is gone', async () => {
      const { user } = await tenant.createUser();
      await desk.open(`/users/${user.id}`);
      const row = page.getByRole('region', { name: 'Signed in on' });
      await row.getByRole('button', { name: 'Sign out' }).focus();
      await page.keyboard.press('Enter');
      await desk.dialog().getByRole('button', { name: 'Sign out' }).focus();
      await page.keyboard.press('Enter');
      await page.getByText('Not signed in on any device').waitFor();
      await until('the focus is in the page', () =>
        page.evaluate<boolean>(`document.querySelector('main').contains(document.activeElement)`),
      );
    });

    test('The dialog of an audit log entry closes when the operator opens everything around it', async () => {
      await desk.open('/audit');
      await page.getByRole('table').getByRole('button').first().click();
      await desk.dialog().getByRole('link', { name: 'Show surrounding entries' }).click();
      await page.waitForURL('**/audit?from=*');
      await desk.dialog().waitFor({ state: 'detached' });
    });

    test('The Enter key of an input method in the palette keeps the composed text and opens no page', async () => {
      await desk.open('/users');
      const session = await page.context().newCDPSession(page);
      const enter = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13 } as const;
      await page.keyboard.press('Control+k');
      const typed = page.getByRole('combobox', { name: /./ }).and(page.locator(':focus'));
      await typed.waitFor();
      const composition = { text: 'Role', selectionStart: 4, selectionEnd: 4 };
      await session.send('Input.imeSetComposition', composition);
      await session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...enter });
      await session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...enter });
      assert.equal(await typed.inputValue(), 'Role');
      await session.send('Input.insertText', { text: 'Roles' });
      assert.equal(await typed.inputValue(), 'Roles');
      await page.keyboard.press('Enter');
      await desk.waitForPath('/roles');
    });

    test('An import in progress is left only after the operator confirms it', async () => {
      const tab = await page.context().newPage();
      let isUnderWay = false;
      let release: (() => void) | undefined;
      const gate = new Promise<void>((resolve) => (release = resolve));
      await intercept(tab, async (request) => {
        if (request.path === '/users/import') {
          isUnderWay = true;
          await gate;
        }
        await request.pass();
      });
      const address = `${desk.origin}/console/t/${tenant.id}/users/import`;
      await tab.goto(address);
      const file = tab.getByLabel('File', { exact: true }).last();
      const buffer = Buffer.from('email,name\nunder-way@example.com,U\nsecond@example.com,S\n');
      await file.setInputFiles({ name: 'users.csv', mimeType: 'text/csv', buffer });
      await tab.getByRole('button', { name: 'Validate' }).click();
      await until('it is under way', () => isUnderWay);
      const question = tab.getByRole('alertdialog', { name: 'Leave this page?' });
      const openRoles = () => tab.getByRole('link', { name: 'Roles', exact: true }).click();

      await openRoles();
      await question.getByRole('button', { name: 'Keep importing' }).click();
      await question.waitFor({ state: 'detached' });
      assert.equal(tab.url(), address);
      await tab.getByRole('heading', { name: 'Validating…' }).waitFor();
      const dialogEvent = tab.waitForEvent('dialog');
      await tab.close({ runBeforeUnload: true });
      const browserDialog = await dialogEvent;
      assert.equal(browserDialog.type(), 'beforeunload');
      await browserDialog.dismiss();
      await openRoles();
      await question.getByRole('button', { name: 'Leave and stop', exact: true }).click();
      await tab.waitForURL('**/roles');
      release?.();
      // Once nothing is under way any more, the browser does not ask.
      await tab.close({ runBeforeUnload: true });
      await until('the window is closed', () => tab.isClosed());
    });

    test('The result of an import that ends while the operator is asked whether to leave is kept', async () => {
      const tab = await page.context().newPage();
      let release: (() => void) | undefined;
      const gate = new Promise<void>((resolve) => (release = resolve));
      await intercept(tab, async (request) => {
        if (request.path === '/users/import') await gate;
        await request.pass();
      });
      await tab.goto(`${desk.origin}/console/t/${tenant.id}/users/import`);
      const file = tab.getByLabel('File', { exact: true }).last();
      const buffer = Buffer.from('email,name\nended@example.com,E\nthird@example.com,T\n');
      await file.setInputFiles({ name: 'users.csv', mimeType: 'text/csv', buffer });
      await tab.getByRole('button', { name: 'Validate' }).click();
      await tab.getByRole('heading', { name: 'Validating…' }).waitFor();
      await tab.getByRole('link', { name: 'Roles', exact: true }).click();
      const question = tab.getByRole('alertdialog', { name: 'Leave this page?' });
      await question.waitFor();
      release?.();
      await tab.getByRole('heading', { name: 'Validated' }).waitFor();
      await question.waitFor({ state: 'detached' });
      await tab.getByRole('link', { name: 'Roles', exact: true }).click();
      await tab.waitForURL('**/roles');
      await tab.close();
    });

    test('The unsaved colors are kept when an uploaded logo replaces the address of a logo', async () => {
      const branding = { logo_url: 'https://example.com/logo.svg', company_name: 'Before' };
      expectStatus(200, await desk.request('PATCH', `/tenants/${tenant.id}`, { branding }));
      await desk.open('/branding');
      const color = page.locator('input[name=primary_color]').first();
      const address = page.locator('input[name=logo_url]');
      assert.equal(await address.inputValue(), branding.logo_url);
      await color.fill('#ffe14d');
      const file = page.locator('input[type=file][aria-label=Logo]');
      await file.setInputFiles({
        name: 'logo.svg',
        mimeType: 'image/svg+xml',
        buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="4"/>'),
      });
      await until('the address is gone', async () => (await address.inputValue()) === '');
      assert.equal(await color.inputValue(), '#ffe14d');
      await part('Look').getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.', { exact: true }).waitFor();
      const saved = expectStatus(200, await desk.request('GET', `/tenants/${tenant.id}`))[
        'branding'
      ];
      assert.deepEqual(saved, { company_name: 'Before', primary_color: '#ffe14d' });
    });

    test('The unsaved words of a message in one language are kept when the operator looks at another language', async () => {
      await desk.open('/messages/login?locale=en');
      const subject = page.getByLabel('Subject');
      const choose = (locale: string) =>
        page.getByRole('combobox', { name: 'Language', exact: true }).selectOption(locale);
      const shipped = await subject.inputValue();
      await subject.fill('Typed in English');
      await choose('de');
      await page.locator('input[lang=de]').waitFor();
      const other = await subject.inputValue();
      assert.ok(other !== 'Typed in English' && other !== shipped);
      await choose('en');
      await page.locator('input[lang=en]').waitFor();
      assert.equal(await subject.inputValue(), 'Typed in English');
      await desk.press('Save');
      await page.getByText('Saved.', { exact: true }).waitFor();
      const path = '/messaging/templates/login';
      assert.equal((await desk.request('GET', `${path}/en`)).body['subject'], 'Typed in English');
      assert.equal((await desk.request('GET', `${path}/de`)).body['is_shipped'], true);
    });

    test('The operator can go back through a list whose last page is now empty', async () => {
      for (let n = 1; n <= PAGE; n += 1) {
        await create('/workspaces', { name: `Room ${n}`, slug: `room-${n}` });
      }
      // The address of a third page that no longer exists after deletions.
      await desk.open('/workspaces?page=3');
      await page.getByText('This page is empty now.').waitFor();
      assert.equal(await page.getByText('No workspaces yet').count(), 0);
      await desk.press('Previous');
      await page.getByText(/^26(–| of )/).waitFor();
      assert.ok((await page.locator('tbody [role=row]').count()) > 0);
    });

    test('The name of a tenant in the opposite writing direction is shown from its start', async () => {
      const tab = await page.context().newPage();
      await tab.addInitScript(`localStorage.setItem('keywright-language', 'ar');`);
      await tab.goto(`${desk.origin}/console/t/${tenant.id}/`);
      const name = tab.locator('.rail .tenant');
      await name.waitFor();
      const directionOf = (element: string) =>
        tab.evaluate<string>(`getComputedStyle(document.querySelector('${element}')).direction`);
      assert.equal(await directionOf('.rail'), 'rtl');
      assert.equal(await directionOf('.rail .tenant'), 'ltr');
      await tab.evaluate(`localStorage.setItem('keywright-language', 'en')`);
      await tab.close();
    });

    test('A verdict on entries that are no longer shown neither appears nor hides the current verdict', async () => {
      expectStatus(201, await desk.request('POST', '/roles', { name: 'reader', scopes: [] }));
      // Only entries with a hash can be verified, and they get it a moment later.
      await until('all entries have a hash', async () => {
        const { items } = expectStatus(200, await desk.request('GET', '/audit'));
        return (items as { readonly hash: string | null }[]).every(({ hash }) => hash !== null);
      });
      const tab = await page.context().newPage();
      let isFirst = true;
      let release: (() => Promise<void>) | undefined;
      await intercept(tab, async (request) => {
        if (isFirst && request.path === '/audit/checkpoints') {
          isFirst = false;
          release = () => request.pass();
        } else {
          await request.pass();
        }
      });
      await Traffic.of(tab).load(`${desk.origin}/console/t/${tenant.id}/audit`);
      await tab.evaluate(`{
        globalThis.told = [];
        const look = () => globalThis.told.push(document.querySelector('.proof')?.innerText ?? '');
        new MutationObserver(look).observe(document.body, { subtree: true, childList: true });
        globalThis.hashed = 0;
        const { digest } = SubtleCrypto.prototype;
        SubtleCrypto.prototype.digest = function (...given) {
          const hash = digest.apply(this, given);
          void hash.then(() => (globalThis.hashed += 1));
          return hash;
        };
      }`);
      const verify = async () => {
        await tab.getByRole('button', { name: 'More actions' }).click();
        await tab.getByRole('menuitem', { name: 'Verify this page' }).click();
      };
      const entries = (await tab.getByRole('row').count()) - 1;
      const verdict = tab.getByText(/\d entry verified/);
      await verify();
      await until('the first verification asks', () => release);
      await tab.getByRole('button', { name: 'Filter', exact: true }).click();
      await tab.getByRole('button', { name: 'Action', exact: true }).click();
      await tab.getByRole('option', { name: 'role.created' }).click();
      await tab.waitForURL('**/audit?action=role.created');
      await until('the filter took effect', async () => (await tab.getByRole('row').count()) < 3);
      await verify();
      await verdict.waitFor();

      // The late answer neither shows its own verdict nor hides the one that is there.
      const seen = await tab.evaluate<number>('globalThis.told.length');
      await release?.();
      await until(
        'the late verification ends',
        async () => (await tab.evaluate<number>('globalThis.hashed')) > entries,
      );
      await tab.evaluate('new Promise((resolve) => requestIdleCallback(resolve))');
      const texts = await tab.evaluate<string[]>('globalThis.told');
      const verdicts = texts.filter((text) => text.includes('verified'));
      assert.deepEqual(
        [...new Set(verdicts.map((text) => /\d+ entr\w+/.exec(text)?.[0]))],
        ['1 entry'],
      );
      assert.deepEqual(
        texts.slice(seen).filter((text) => !text.includes('verified')),
        [],
      );

      // Other entries have no verdict yet.
      await tab.getByRole('button', { name: 'Remove Action' }).click();
      await verdict.waitFor({ state: 'detached' });
      await tab.close();
    });
  },
);
