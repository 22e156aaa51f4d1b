// What an operator does in the console, on the real service: each journey ends at the API, which has to agree.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../conformance/browser.ts';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { enterConsole, type Operator } from './operator.ts';

const PASSWORD = 'engines of analysis 42';
/** One more than the first page of a list has. */
const USERS = 26;

const browser = await launchBrowser();

describe(
  'an operator of the console',
  { skip: browser ? false : 'There is no Chromium here.' },
  () => {
    let keywright: Keywright;
    let tenant: TestTenant;
    let operator: Operator;
    let page: Page;

    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    const confirm = (name: string) =>
      page.getByRole('alertdialog').getByRole('button', { name }).click();
    const arriveAt = (pattern: string) => page.waitForURL(`**/console/t/${tenant.id}${pattern}`);

    before(async () => {
      keywright = await startKeywright({ env: { KEYWRIGHT_BASE_URL: undefined } });
      tenant = await keywright.tenant('journeys');
      const person = await tenant.createUser({ roles: ['admin'] });
      const origin = keywright.nodes[0]?.baseUrl ?? '';
      operator = await enterConsole(browser as Browser, { tenant, person, origin });
      ({ page } = operator);
    });
    after(async () => {
      await browser?.close();
      await keywright.close();
    });

    test('makes a role of scopes, changes it, and deletes it by its name', async () => {
      const token = await tenant.adminToken();
      const read = () => tenant.request('GET', '/roles/helpers', { token });
      await operator.open('/roles/new');
      await page.getByLabel('Name', { exact: true }).fill('helpers');
      await page.getByLabel('read:users', { exact: true }).check();
      await page.getByLabel('delete:sessions', { exact: true }).check();
      await page.getByLabel('Further scopes').fill('read:invoices');
      await press('Create role');
      await arriveAt('/roles/helpers');
      // The address changes before the screen does, which is loaded.
      await page.getByRole('heading', { name: 'helpers' }).waitFor();
      const created = expectStatus(200, await read());
      assert.deepEqual(created['scopes'], ['read:users', 'delete:sessions', 'read:invoices']);

      await page.getByLabel('delete:sessions', { exact: true }).uncheck();
      await press('Save');
      await page.getByText('Saved.').waitFor();
      const changed = expectStatus(200, await read());
      assert.deepEqual(changed['scopes'], ['read:users', 'read:invoices']);

      await press('Delete');
      const deletion = page.getByRole('alertdialog').getByRole('button', { name: 'Delete' });
      assert.equal(await deletion.isDisabled(), true);
      await page.getByLabel('To confirm').fill('helpers');
      await deletion.click();
      await arriveAt('/roles');
      expectStatus(404, await read());
    });

    test('is shown a key once, which works until it is revoked', async () => {
      const agent = await tenant.createAgent({ name: 'robot' });
      await operator.open(`/agents/${agent.agent.id}/keys/new`);
      await page.getByLabel('Name', { exact: true }).fill('of a journey');
      await press('Create API key');
      const key = await page.locator('.secret').innerText();
      await page.keyboard.press('Escape');
      assert.equal(await page.locator('.secret').innerText(), key, 'it stays until it is stored');
      await page.getByLabel('I stored it').check();
      await press('Close');
      await arriveAt(`/agents/${agent.agent.id}`);
      const row = page.getByRole('row', { name: 'of a journey' });
      await row.waitFor();
      assert.ok(!(await page.content()).includes(key));
      expectStatus(200, await tenant.request('GET', '/me', { token: key }));

      await row.getByRole('button', { name: 'Revoke' }).click();
      await confirm('Revoke');
      await row.getByText('Revoked').waitFor();
      expectStatus(401, await tenant.request('GET', '/me', { token: key }));
    });

    test('sees what depends on a user before disabling them, and their token is rejected at once', async () => {
      const user = await tenant.createUser();
      await operator.open(`/users/${user.user.id}`);
      await press('Disable');
      await page.getByRole('alertdialog').getByText('Sessions: 1').waitFor();
      await page.getByLabel('Reason').fill('left the company');
      await confirm('Disable');
      await page.getByText('Inactive').first().waitFor();
      expectStatus(401, await tenant.request('GET', '/me', { token: user.token }));
    });

    test('finds what the service refuses beside its field, which has the focus', async () => {
      await operator.open('/users/new');
      await page.getByLabel('E-mail or phone').fill('not an address');
      await page.getByLabel('Password').fill(PASSWORD);
      await press('Create user');
      const field = page.locator('[aria-invalid=true]');
      await field.waitFor();
      assert.equal(await field.getAttribute('name'), 'identifier');
      const ids = (await field.getAttribute('aria-describedby'))?.split(' ') ?? [];
      assert.match(await page.locator(`[id="${ids.at(-1)}"]`).innerText(), /must be an e-mail/);
      await page.locator('[name=identifier]:focus').waitFor();
    });

    test('signs out, wherever the pages of the tenant are, and is asked to log in again', async () => {
      const origin = keywright.nodes[0]?.baseUrl ?? '';
      const login = { tenant: keywright.home, person: keywright.admin, origin };
      const visitor = await enterConsole(browser as Browser, login);
      const { page: own } = visitor;
      await own.getByRole('button', { name: 'Account' }).click();
      await own.getByRole('link', { name: 'Sign out' }).click();
      await own.waitForURL('**/oauth/logout**');
      await own.locator('main button').first().click();
      await own.waitForURL('**/oauth/logout/**');
      await visitor.open('/users');
      await own.waitForSelector('#login-submit');
    });

    test('has filters and pages in the address, which Back and a reload keep', async () => {
      const token = await tenant.adminToken();
      for (let count = 0; count < USERS; count += 1) {
        const body = { identifier: `user-${count}@example.com`, password: PASSWORD };
        expectStatus(201, await tenant.request('POST', '/users', { token, body }));
      }
      await operator.open('/users');
      await press('Next');
      await page.getByText(/· page 2/).waitFor();
      await page.reload();
      await page.getByText(/· page 2/).waitFor();
      await press('Previous');
      await page.getByText(/· page 1/).waitFor();
      await page.goBack();
      await page.getByText(/· page 2/).waitFor();
      await page.getByLabel('Part of an e-mail').fill('nobody-has-this');
      await page.getByText('Nothing matches the filters.').waitFor();
      const { searchParams } = new URL(page.url());
      assert.deepEqual([...searchParams], [['email', 'nobody-has-this']]);
      await press('Clear filters');
      await page.getByText(/· page 1/).waitFor();
    });
  },
);
