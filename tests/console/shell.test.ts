// The frame around the screens: the rail, the crumb line, the palette, and the bar of phones, on the real service.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page, Route } from 'playwright-core';
import { launchBrowser } from '../conformance/browser.ts';
import { registerClient } from '../harness/application.ts';
import { newPassword } from '../harness/credentials.ts';
import { expectStatus } from '../harness/http.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { until } from '../harness/until.ts';
import { Findings } from '../pages/findings.ts';
import { Desk } from './desk.ts';
import { countRequests, inspect } from './inspection.ts';
import { Traffic } from './traffic.ts';

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 800 };

const browser = await launchBrowser();

describe(
  'the frame of the console',
  { skip: browser ? false : 'Chromium is not installed.' },
  () => {
    let desk: Desk;
    let page: Page;
    let tenant: TestTenant;

    const box = () => page.getByRole('combobox', { name: 'Search pages and actions' });
    const option = (name: string) => page.getByRole('option', { name });
    const find = async (text: string) => {
      await page.keyboard.press('Control+k');
      await box().fill(text);
      await page.locator('.palette [role=listbox][aria-busy=false]').waitFor();
    };
    const rail = (of = page) => of.locator('.shell > .rail');

    before(async () => {
      desk = await Desk.open(browser as Browser, { slug: 'framed' });
      ({ page, tenant } = desk);
      await page.setViewportSize(DESKTOP);
    });
    after(async () => {
      await desk.close();
      await browser?.close();
    });

    test('The palette finds users, applications, agents and roles by name with few requests, and opens them by keyboard', async () => {
      const token = await tenant.adminToken();
      const person = {
        identifier: 'princess@acme.example',
        name: 'Zelda Hyrule',
        password: newPassword(),
      };
      expectStatus(201, await tenant.request('POST', '/users', { token, body: person }));
      const client = await registerClient(tenant, {
        name: 'Zelda Shop',
        redirect_uris: ['https://shop.example.com/callback'],
      });
      await tenant.createAgent({ name: 'Zelda robot' });
      const role = { name: 'zelda-fans', scopes: [] };
      expectStatus(201, await tenant.request('POST', '/roles', { token, body: role }));
      await desk.open('/');
      const requestCount = countRequests(page);
      await find('zelda');
      for (const name of ['Zelda Hyrule', 'Zelda Shop', 'Zelda robot', 'zelda-fans']) {
        await option(name).waitFor();
      }
      assert.ok(requestCount() <= 4);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await desk.waitForPath(`/clients/${client}`);

      await page.keyboard.press('Control+k');
      await page.getByRole('group', { name: 'Recent' }).getByText('Zelda Shop').waitFor();
      assert.match(await page.getByRole('option').first().innerText(), /Zelda Shop/);
      await page.keyboard.press('Escape');
    });

    test('Letters typed while the palette loads appear in its field', async () => {
      const other = await desk.openFor(await tenant.createUser());
      const release = Promise.withResolvers<void>();
      await other.page.route('**/assets/palette-*.js', async (route) => {
        await release.promise;
        await route.continue();
      });
      await other.open('/');
      await other.page.keyboard.press('Control+k');
      await other.page.keyboard.type('profilx');
      await other.page.keyboard.press('Backspace');
      release.resolve();
      const field = other.page.getByRole('combobox');
      await field.waitFor();
      await other.page.keyboard.type('e');
      await until(
        'the letters are in the field',
        async () => (await field.inputValue()) === 'profile',
      );
    });

    test('Enter presses nothing behind a palette that loads, and a palette that never loads releases the keyboard', async () => {
      const other = await desk.openFor(await tenant.createUser());
      const waiting: Route[] = [];
      await other.page.route('**/assets/palette-*.js', (route) => void waiting.push(route));
      await other.open('/');
      const skip = other.page.getByRole('link', { name: 'Skip to content' });
      await skip.focus();
      await other.page.keyboard.press('Control+k');
      await other.page.keyboard.type('profile');
      await other.page.keyboard.press('Enter');
      assert.equal(new URL(other.page.url()).hash, '');
      await until('the palette is given up', async () => {
        await other.page.keyboard.press('Enter');
        return new URL(other.page.url()).hash === '#main';
      });
      assert.equal(waiting.length, 1);
    });

    test('A failure to read the permissions of the caller is shown with its request, and another try shows the screen', async () => {
      const other = await desk.openFor(await tenant.createUser());
      const permissions = '**/me/permissions';
      const overview = other.page.getByRole('heading', { level: 1, name: /Overview|Good / });
      const body = { error: 'Service Unavailable', detail: 'Busy.', code: 'UNAVAILABLE' };
      const failures: ((route: Route) => Promise<void>)[] = [
        (route) =>
          route.fulfill({ status: 503, json: body, headers: { 'x-request-id': 'req_busy' } }),
        (route) => route.abort(),
      ];
      for (const fail of failures) {
        await other.page.route(permissions, fail);
        await other.open('/');
        const alert = other.page.getByRole('main').getByRole('alert');
        await alert.getByRole('button', { name: 'Try again' }).waitFor();
        assert.equal(await overview.count(), 0);
        const hasId = (await alert.innerText()).includes('req_busy');
        assert.equal(hasId, fail === failures[0]);
        await other.page.unroute(permissions, fail);
        await alert.getByRole('button', { name: 'Try again' }).click();
        await overview.waitFor();
        await rail(other.page).getByRole('link', { name: 'Overview' }).waitFor();
      }
    });

    test('A screen is shown although its caller’s permissions take long to read', async () => {
      const other = await desk.openFor(await tenant.createUser());
      const waiting: Route[] = [];
      await other.page.route('**/me/permissions', (route) => void waiting.push(route));
      await other.page.goto(`${other.origin}/console/t/${tenant.id}/`);
      const title = other.page.locator('main h1');
      await title.waitFor({ state: 'attached' });
      assert.equal(await title.isVisible(), false);
      await title.waitFor();
      assert.equal(waiting.length, 1);
    });

    test('The palette asks for nothing that the caller cannot read', async () => {
      const member = await tenant.createUser();
      const other = await desk.openFor(member);
      await other.open('/');
      const requestCount = countRequests(other.page);
      await other.page.keyboard.press('Control+k');
      await other.page.getByRole('combobox').fill('zelda');
      await other.page.getByText('No results for “zelda”').waitFor();
      assert.equal(requestCount(), 0);
    });

    test('The palette is a dialog that a click outside closes, and has no axe finding', async () => {
      await desk.open('/');
      await find('user');
      const dialog = page.getByRole('dialog', { name: 'Search or jump to' });
      const findings = new Findings();
      await inspect(page, 'the palette', findings);
      findings.assertNone();
      await page.setViewportSize(DESKTOP);
      await page.mouse.click(5, 700);
      await dialog.waitFor({ state: 'detached' });
    });

    test('The rail shows where something needs attention, and stays as narrow as the operator made it', async () => {
      const token = await tenant.adminToken();
      const body = { url: 'http://127.0.0.1:1/', events: ['workspace.created'] };
      expectStatus(201, await tenant.request('POST', '/webhooks', { token, body }));
      const workspace = { name: 'Cellar', slug: 'cellar' };
      expectStatus(201, await tenant.request('POST', '/workspaces', { token, body: workspace }));
      await until('a delivery has failed', async () => {
        const { items } = expectStatus(
          200,
          await tenant.request<{ items: { failing_since: string | null }[] }>('GET', '/webhooks', {
            token,
          }),
        );
        return items.some(({ failing_since: since }) => since !== null);
      });
      await desk.open('/');
      const webhooks = rail().getByRole('link', { name: 'Webhooks' });
      assert.match(await webhooks.innerText(), /1/);
      const width = async () => (await rail().boundingBox())?.width;
      assert.equal(await width(), 248);
      await desk.press('Collapse the menu');
      await page.reload();
      await Traffic.of(page).settleShown();
      assert.equal(await width(), 56);
      await webhooks.hover();
      await page.locator('.tooltip', { hasText: 'Webhooks' }).waitFor();
      const findings = new Findings();
      await inspect(page, 'the narrow rail', findings, [[1280, 'light']]);
      findings.assertNone();
      await page.setViewportSize(DESKTOP);
      await desk.press('Expand the menu');
      assert.equal(await width(), 248);
    });

    test('The menu of the person changes theme and density, which the browser remembers', async () => {
      await desk.open('/users');
      const height = async () =>
        (await page.locator('tbody tr').first().boundingBox())?.height ?? 0;
      await page.locator('tbody tr').first().waitFor();
      const comfortable = await height();
      const open = () => rail().getByRole('button', { name: desk.person.identifier }).click();
      await open();
      await page.getByRole('menuitemradio', { name: 'Compact' }).click();
      await page.getByRole('menuitemradio', { name: 'Dark' }).click();
      await page.locator('html[data-theme=dark][data-density=compact]').waitFor();
      await page.reload();
      await page.locator('tbody tr').first().waitFor();
      assert.ok((await height()) < comfortable);
      await open();
      await page.getByRole('menuitemradio', { name: 'Comfortable' }).click();
      await page.getByRole('menuitemradio', { name: 'System' }).click();
      await page.keyboard.press('Escape');
    });

    test('A bar leads to the main screens on a phone, and its last button opens the whole menu', async () => {
      await page.setViewportSize(PHONE);
      await desk.open('/users');
      const bar = page.getByRole('navigation', { name: 'Quick navigation' });
      await bar.getByRole('link', { name: 'Logs' }).click();
      await desk.waitForPath('/audit');
      await bar.getByRole('link', { name: 'Overview' }).click();
      await page.getByRole('heading', { level: 1, name: /Overview|Good / }).waitFor();
      await bar.getByRole('button', { name: 'More' }).click();
      const menu = page.getByRole('dialog', { name: 'Menu' });
      await menu.getByText('Sign-in', { exact: true }).waitFor();
      const findings = new Findings();
      await inspect(page, 'the menu of phones', findings, [[390, 'dark']]);
      findings.assertNone();
      await page.setViewportSize(PHONE);
      await menu.getByRole('link', { name: 'Roles' }).click();
      await desk.waitForPath('/roles');
      await menu.waitFor({ state: 'detached' });
      await bar.getByRole('button', { name: 'Search' }).click();
      await box().waitFor();
      await page.keyboard.press('Escape');
      await page.setViewportSize(DESKTOP);
    });

    test('The open tab is in view on a phone, where not all tabs fit', async () => {
      await page.setViewportSize(PHONE);
      await desk.open('/messages?tab=sms');
      const { x = 0, width = 0 } =
        (await page.locator('.tabs [aria-current=page]').boundingBox()) ?? {};
      assert.ok(x >= 0 && width > 0 && x + width <= PHONE.width, `${x} + ${width}`);
      await page.setViewportSize(DESKTOP);
    });

    test('The crumb line leads back to the list of a record, and an unknown page leads back to the overview', async () => {
      const { agent } = await tenant.createAgent({ name: 'Crumb robot' });
      await desk.open(`/agents/${agent.id}/keys/new`);
      const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' });
      await crumbs.getByRole('link', { name: 'Agents and keys' }).click();
      await desk.waitForPath('/agents');
      await desk.open('/nowhere');
      await page.getByRole('link', { name: 'Back to the overview' }).click();
      await page.getByRole('heading', { level: 1, name: /Overview|Good / }).waitFor();
    });
  },
);
