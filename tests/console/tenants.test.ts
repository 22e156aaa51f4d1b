// A system administrator's work with tenants, checked at the API, and every screen of it with long and hostile texts.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { OkOf } from '@keywright/contract/route';
import type { getInstallation } from '@keywright/contract/routes/installation';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../conformance/browser.ts';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { until } from '../harness/until.ts';
import { Findings } from '../pages/findings.ts';
import { furnishTenants, type FurnishedTenants } from './furniture/tenants.ts';
import { countRequests, inspect, tooManyRequests } from './inspection.ts';
import { enterConsole, type Operator } from './operator.ts';

type Installation = OkOf<typeof getInstallation>;

/** More than the tenant switcher requests. */
const TENANTS = 22;

const browser = await launchBrowser();

describe(
  'a system administrator in the console',
  { skip: browser ? false : 'Chromium is not installed.' },
  () => {
    let keywright: Keywright;
    let furnished: FurnishedTenants;
    let operator: Operator;
    let page: Page;

    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    const waitForPath = (pattern: string) => page.waitForURL(`**/console/t/org_default${pattern}`);
    const read = async (path: string) => {
      const token = await keywright.adminToken();
      return keywright.home.request('GET', path, { token });
    };
    const enter = (person = keywright.admin) => {
      const origin = keywright.nodes[0]?.baseUrl ?? '';
      return enterConsole(browser as Browser, { tenant: keywright.home, person, origin });
    };

    before(async () => {
      keywright = await startKeywright({ env: { KEYWRIGHT_BASE_URL: undefined } });
      furnished = await furnishTenants(keywright);
      operator = await enter();
      ({ page } = operator);
    });
    after(async () => {
      await browser?.close();
      await keywright.close();
    });

    test('The screens of a system administrator have no axe finding, fit the window, and take nothing for markup', async () => {
      const findings = new Findings();
      const requestCount = countRequests(page);
      for (const [name, path] of Object.entries(furnished.screens)) {
        await operator.open(path);
        findings.add(tooManyRequests(name, requestCount()), name);
        await inspect(page, name, findings);
        findings.add(operator.complaints(), name);
      }
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.locator('.rail .switcher > button').click();
      await page.getByRole('option').first().waitFor();
      await inspect(page, 'the switcher', findings);
      await page.setViewportSize({ width: 1280, height: 800 });
      findings.assertNone();
    });

    test('A system administrator creates a tenant, whose id is shown beforehand, and sets its branding', async () => {
      await operator.open('/tenants/new');
      await page.getByLabel('Name', { exact: true }).fill('Äpfel & Söhne');
      await page.getByText('org_apfel-sohne').waitFor();
      await page.getByLabel('Domains').fill('apples.example.com');
      await press('Create tenant');
      await waitForPath('/tenants/org_apfel-sohne/setup');
      await page.locator('input[name=primary_color]').fill('#12abef');
      await press('Save');
      await page.waitForURL('**/console/in/t/org_apfel-sohne/setup/administrator');
      const created = expectStatus(200, await read('/tenants/org_apfel-sohne'));
      assert.deepEqual(
        [created['name'], created['domains'], created['branding']],
        ['Äpfel & Söhne', ['apples.example.com'], { primary_color: '#12abef' }],
      );
    });

    test('The key that creates records elsewhere opens the form for a new tenant', async () => {
      await operator.open('/tenants');
      await page.keyboard.press('c');
      await waitForPath('/tenants/new');
    });

    test('A slug that is taken is reported to the system administrator, and the input is kept', async () => {
      await operator.open('/tenants/new');
      await page.getByLabel('Name', { exact: true }).fill('Default');
      await press('Create tenant');
      await page.getByText('SLUG_TAKEN').waitFor();
      assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Default');
    });

    test('A system administrator suspends a tenant by its id, whose users are rejected immediately, and reactivates it', async () => {
      const tenant = await keywright.tenant('suspended');
      const user = await tenant.createUser();
      await operator.open(`/tenants/${tenant.id}`);
      await press('Suspend');
      const dialog = page.getByRole('alertdialog');
      const confirm = dialog.getByRole('button', { name: 'Suspend' });
      assert.equal(await confirm.isDisabled(), true);
      await page.getByLabel('To confirm').fill(tenant.id);
      await confirm.click();
      await page.getByText('Inactive').first().waitFor();
      expectStatus(403, await tenant.request('GET', '/me', { token: user.token }));
      await press('More actions');
      await page.getByRole('menuitem', { name: 'Activate' }).click();
      await dialog.getByRole('button', { name: 'Activate' }).click();
      await page.getByText('Active', { exact: true }).first().waitFor();
      const { is_active: isActive } = expectStatus(200, await read(`/tenants/${tenant.id}`));
      assert.equal(isActive, true);
    });

    test('A system administrator deletes a tenant by its id, after seeing what is deleted with it', async () => {
      const tenant = await keywright.tenant('deleted');
      await tenant.createUser();
      await operator.open(`/tenants/${tenant.id}`);
      await press('Delete');
      const dialog = page.getByRole('alertdialog');
      await dialog.getByText('Active sessions').waitFor();
      await dialog.getByText('data key').waitFor();
      await page.getByLabel('To confirm').fill(tenant.id);
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await waitForPath('/tenants');
      expectStatus(404, await read(`/tenants/${tenant.id}`));
    });

    test('The console does not offer to suspend or delete the default tenant', async () => {
      await operator.open('/tenants/org_default');
      await page.getByRole('heading', { level: 1 }).waitFor();
      for (const name of ['Suspend', 'Delete']) {
        assert.equal(await page.getByRole('button', { name }).count(), 0, name);
      }
    });

    test('The tenant switcher searches and selects by keyboard, and lists the selected tenant among the recent ones', async () => {
      for (let count = 0; count < TENANTS; count += 1) await keywright.tenant(`many-${count}`);
      await operator.open('/');
      await page.locator('.switcher > button').press('Enter');
      const options = page.getByRole('option');
      await options.nth(19).waitFor();
      assert.equal(await options.count(), 20, 'a part of them');
      await page.keyboard.type('org_many-1');
      await page.locator('[role=listbox][aria-busy=false]').waitFor();
      assert.equal(await options.count(), 11);
      await page.keyboard.press('ArrowUp');
      const chosen = page.locator('[role=option][aria-selected=true]');
      const box = page.getByRole('combobox');
      const id = await chosen.getAttribute('id');
      assert.equal(await box.getAttribute('aria-activedescendant'), id);
      const name = /org_[a-z0-9-]+/.exec(await chosen.innerText())?.[0];
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/console/in/t/${name}/`);
      await operator.open('/');
      await page.locator('.switcher > button').press('Enter');
      await page.getByText('· recent').first().waitFor();
      assert.match(await options.first().innerText(), new RegExp(`${name}\\b`));
      await page.keyboard.press('Escape');
      assert.equal(await options.count(), 0);
      assert.equal(await page.locator('.switcher > button:focus').count(), 1);
    });

    test('A system administrator sees which nodes run and what is waiting, as the API returns it', async () => {
      const token = await keywright.adminToken();
      const hook = { url: 'https://hooks.example.com/', events: ['workspace.created'] };
      for (const [path, body] of [
        ['/webhooks', hook],
        ['/workspaces', { name: 'Cellar' }],
      ] as const) {
        expectStatus(201, await keywright.home.request('POST', path, { token, body }));
      }
      // A delivery is queued when it first fails.
      const state = await until('a delivery waits', async () => {
        const answer = await keywright.home.request<Installation>('GET', '/installation', {
          token,
        });
        const found = expectStatus(200, answer);
        const deliveries = found.queues.find(({ name }) => name === 'webhooks');
        return deliveries && deliveries.waiting > 0 && found;
      });
      await operator.open('/installation');
      // On a narrow screen, rows have no header.
      const rowsOf = (name: string) => page.getByRole('table', { name }).locator('tbody tr');
      for (const { host, node_id: id, version } of state.nodes) {
        const text = await rowsOf('Nodes').filter({ hasText: id }).innerText();
        for (const part of [host, version, 'Running']) assert.ok(text.includes(part), text);
      }
      assert.equal(await rowsOf('Nodes').count(), 1);
      const queues = await rowsOf('Queues').allInnerTexts();
      const shown = queues.map((text) => Number(/\b\d+\b/.exec(text)?.[0]));
      assert.deepEqual(
        shown,
        state.queues.map(({ waiting }) => waiting),
      );
      await page.getByText(`PostgreSQL ${state.database.version}`, { exact: true }).waitFor();
      await page.getByText(String(state.schema.migrations), { exact: true }).waitFor();
      await page.getByText(state.schema.latest, { exact: true }).waitFor();
    });

    test('The tenant switcher, the list of tenants and the installation page are visible to system administrators only', async () => {
      const { home } = keywright;
      const person = await home.createUser({ roles: ['admin'] });
      const other = await enter(person);
      await other.open('/');
      await other.page.getByRole('link', { name: 'Users' }).first().waitFor();
      assert.equal(await other.page.locator('.switcher').count(), 0);
      assert.equal(await other.page.getByRole('link', { name: 'Tenants' }).count(), 0);
      for (const path of ['/tenants', '/installation']) {
        await other.open(path);
        await other.page.getByRole('alert').waitFor();
        assert.equal(await other.page.getByRole('row').count(), 0);
      }
    });
  },
);
