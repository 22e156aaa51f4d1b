// Journeys of an operator in the console, on the real service: each ends by checking the API.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../conformance/browser.ts';
import { expectStatus } from '../harness/http.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { selectVariants } from '../harness/tier.ts';
import { Desk, OPERATORS } from './desk.ts';
import { enterConsole } from './operator.ts';

const PASSWORD = 'engines of analysis 42';
/** One more than the first page of a list has. */
const USERS = 26;

const browser = await launchBrowser();

after(() => browser?.close());

for (const { title, ...operator } of selectVariants(OPERATORS, 0)) {
  describe(
    `an operator of the console ${title}`,
    { skip: browser ? false : 'Chromium is not installed.' },
    () => {
      let desk: Desk;
      let page: Page;
      let tenant: TestTenant;

      const palette = () => page.getByRole('combobox', { name: 'Search pages and actions' });

      before(async () => {
        desk = await Desk.open(browser as Browser, operator);
        ({ page, tenant } = desk);
      });
      after(() => desk.close());

      test('An operator creates a role from scopes, changes it, and deletes it by its name', async () => {
        const token = await tenant.adminToken();
        const read = () => tenant.request('GET', '/roles/helpers', { token });
        await desk.open('/roles/new');
        await desk.type('Name', 'helpers');
        await desk.toggle('read:users');
        await desk.toggle('delete:sessions');
        await desk.type('Custom scopes', 'read:invoices');
        await desk.press('Create role');
        await desk.waitForPath('/roles/helpers');
        // The URL changes before the screen, which must be loaded first.
        await page.getByRole('heading', { name: 'helpers' }).waitFor();
        const created = expectStatus(200, await read());
        assert.deepEqual(created['scopes'], ['read:users', 'delete:sessions', 'read:invoices']);

        await desk.press('Edit Permissions');
        await desk.toggle('delete:sessions');
        await desk.press('Save');
        await page.getByText('Saved.').waitFor();
        const changed = expectStatus(200, await read());
        assert.deepEqual(changed['scopes'], ['read:users', 'read:invoices']);

        await desk.press('Delete');
        const deletion = page.getByRole('alertdialog').getByRole('button', { name: 'Delete' });
        assert.equal(await deletion.isDisabled(), true);
        await desk.dialog().getByText('0 total').waitFor();
        await desk.type('to confirm', 'helpers');
        await desk.press(deletion);
        await desk.waitForPath('/roles');
        expectStatus(404, await read());
      });

      test('An operator sees an API key once, which works until it is revoked', async () => {
        const agent = await tenant.createAgent({ name: 'robot' });
        await desk.open(`/agents/${agent.agent.id}/keys/new`);
        await desk.type('Name', 'of a journey');
        await desk.press('Create API key');
        const key = await page.locator('.secret').innerText();
        await page.keyboard.press('Escape');
        assert.equal(await page.locator('.secret').innerText(), key, 'it stays until it is stored');
        await desk.toggle('I’ve saved it');
        await desk.press('Close');
        await desk.waitForPath(`/agents/${agent.agent.id}`);
        const row = page.getByRole('row', { name: 'of a journey' });
        await row.waitFor();
        assert.ok(!(await page.content()).includes(key));
        expectStatus(200, await tenant.request('GET', '/me', { token: key }));

        await desk.actOn(row, 'Revoke');
        await desk.confirm('Revoke');
        await row.getByText('Revoked').waitFor();
        expectStatus(401, await tenant.request('GET', '/me', { token: key }));
      });

      test('An operator sees what depends on a user before disabling them, which invalidates their token immediately', async () => {
        const user = await tenant.createUser();
        await desk.open(`/users/${user.user.id}`);
        await desk.act('Disable');
        await page.getByRole('alertdialog').getByText('Sessions: 1').waitFor();
        await desk.type('Reason', 'left the company');
        await desk.confirm('Disable');
        await page.getByText('Inactive').first().waitFor();
        expectStatus(401, await tenant.request('GET', '/me', { token: user.token }));
      });

      test('An error that the service returns is shown next to its field, which has the focus', async () => {
        await desk.open('/users/new?tab=password');
        await desk.type('Email or phone', 'not an address');
        await desk.type('Password', PASSWORD);
        await desk.press('Create user');
        const field = page.locator('[aria-invalid=true]');
        await field.waitFor();
        assert.equal(await field.getAttribute('name'), 'identifier');
        const ids = (await field.getAttribute('aria-describedby'))?.split(' ') ?? [];
        assert.match(await page.locator(`[id="${ids.at(-1)}"]`).innerText(), /Enter an email/);
        await page.locator('[name=identifier]:focus').waitFor();
      });

      test('An operator reaches every page by keyboard, and every record by its id', async () => {
        const { user } = await tenant.createUser();
        await desk.open('/');
        await page.keyboard.press('Control+k');
        await palette().waitFor();
        await page.keyboard.type('create ro');
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: 'Create role' }).waitFor();
        await page.keyboard.press('Control+k');
        await palette().waitFor();
        await page.keyboard.type(user.id);
        await page.keyboard.press('Enter');
        await desk.waitForPath(`/users/${user.id}`);
        for (const key of ['g', 'a']) await page.keyboard.press(key);
        await page.getByRole('heading', { name: 'Agents and keys' }).waitFor();
        await page.keyboard.press('c');
        await page.getByRole('heading', { name: 'Create agent' }).waitFor();
      });

      test('An operator can turn off single-letter shortcuts, which are easily typed or spoken by accident', async () => {
        await desk.open('/agents');
        await page.keyboard.press('?');
        await desk.toggle('Use single-letter shortcuts');
        await page.keyboard.press('Escape');
        await page.getByRole('alertdialog').waitFor({ state: 'detached' });
        for (const key of ['c', '?']) await page.keyboard.press(key);
        await page.keyboard.press('Control+k');
        await palette().waitFor();
        assert.match(page.url(), /\/agents$/);
        await page.keyboard.press('Escape');
      });

      test('An operator signs out, wherever the pages of the tenant are, and must log in again', async () => {
        const origin = desk.keywright.nodes[0]?.baseUrl ?? '';
        const login = { tenant: desk.keywright.home, person: desk.keywright.admin, origin };
        const visitor = await enterConsole(browser as Browser, login);
        const { page: visitorPage } = visitor;
        await visitorPage.getByRole('button', { name: 'Account' }).click();
        await visitorPage.getByRole('menuitem', { name: 'Sign out' }).click();
        await visitorPage.waitForURL('**/oauth/logout**');
        await visitorPage.locator('main button').first().click();
        await visitorPage.waitForURL('**/oauth/logout/**');
        await visitor.open('/users');
        await visitorPage.waitForSelector('#login-submit');
      });

      test('The address of a list contains its filters and page, which Back and a reload keep', async () => {
        const token = await tenant.adminToken();
        for (let count = 0; count < USERS; count += 1) {
          const body = { identifier: `user-${count}@example.com`, password: PASSWORD };
          expectStatus(201, await tenant.request('POST', '/users', { token, body }));
        }
        await desk.open('/users');
        await desk.press('Next');
        await page.getByText(/^26–/).waitFor();
        await page.reload();
        await page.getByText(/^26–/).waitFor();
        await desk.press('Previous');
        await page.getByText(/^1–25 of/).waitFor();
        await page.goBack();
        await page.getByText(/^26–/).waitFor();
        await desk.type('Search by name', 'matches-nothing');
        // While it is typed, the address has the beginning of the filter.
        await page.waitForURL(
          ({ searchParams }) => searchParams.get('search') === 'matches-nothing',
        );
        await page.getByText('No matches. Try fewer filters.').waitFor();
        const { searchParams } = new URL(page.url());
        assert.deepEqual([...searchParams], [['search', 'matches-nothing']]);
        await desk.press('Clear filters');
        await page.getByText(/^1–25 of/).waitFor();
      });
    },
  );
}
