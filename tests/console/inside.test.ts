// A system administrator inside other tenants, in the console: how they enter, how the console shows it, and how it
// ends.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../conformance/browser.ts';
import { newPassword } from '../harness/credentials.ts';
import { expectStatus } from '../harness/http.ts';
import { fillInLogin } from '../harness/login-pages.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { Findings } from '../pages/findings.ts';
import { PAYLOAD } from './furniture/tenants.ts';
import { inspect } from './inspection.ts';
import { enterConsole, type Operator } from './operator.ts';
import { Traffic } from './traffic.ts';

const REASON = `ticket 4711: ${PAYLOAD}`;
const PASSWORD = 'engines of analysis 42';

const browser = await launchBrowser();

describe(
  'a system administrator inside a tenant',
  { skip: browser ? false : 'Chromium is not installed.' },
  () => {
    let keywright: Keywright;
    let acme: TestTenant;
    let other: TestTenant;
    let operator: Operator;
    let page: Page;
    let origin: string;

    const open = (tenant: TestTenant, path: string, where = page) =>
      Traffic.of(where).load(`${origin}/console/in/t/${tenant.id}${path}`);
    const enter = async (where = page) => {
      await where.getByLabel('Reason').fill(REASON);
      await where.getByRole('button', { name: 'Open tenant' }).click();
      await bar(where).waitFor();
    };
    const bar = (where = page) =>
      where.getByRole('complementary', { name: 'Acting in another tenant' });

    before(async () => {
      keywright = await startKeywright({ env: { KEYWRIGHT_BASE_URL: undefined } });
      acme = await keywright.tenant('acme', { name: 'Acme Robotics' });
      other = await keywright.tenant('other', { name: PAYLOAD });
      await acme.createUser();
      origin = keywright.nodes[0]?.baseUrl ?? '';
      const login = { tenant: keywright.home, person: keywright.admin, origin };
      operator = await enterConsole(browser as Browser, login);
      ({ page } = operator);
    });
    after(async () => {
      await browser?.close();
      await keywright.close();
    });

    test('The console requests nothing from another tenant before the reason is given, and always shows where and why', async () => {
      const paths: string[] = [];
      page.on('request', (request) => paths.push(new URL(request.url()).pathname));
      await open(acme, '/users');
      await page.getByRole('heading', { name: 'Acme Robotics' }).waitFor();
      assert.deepEqual(
        paths.filter((path) => path.startsWith('/console/api/in/')),
        [],
      );
      await enter();
      await bar().getByText('root@example.com').waitFor();
      const said = await bar().innerText();
      assert.match(said, /Acting in .?Acme Robotics.? as .?root@example\.com.? until \d/);
      assert.ok(said.includes(REASON));
      await page.getByRole('row').nth(1).waitFor();
      for (const path of ['/', '/settings', '/audit']) {
        await open(acme, path);
        assert.ok((await bar().innerText()).includes(REASON), path);
      }
    });

    test('The pages inside another tenant have no axe finding, fit the window, and take nothing for markup', async () => {
      const findings = new Findings();
      await open(other, '/');
      await page.getByLabel('Reason').waitFor();
      await inspect(page, 'the entry', findings);
      await enter();
      for (const path of ['/users', '/setup/administrator', '/setup/administrator?tab=password']) {
        await open(other, path);
        await inspect(page, path, findings);
      }
      await page.setViewportSize({ width: 1280, height: 800 });
      findings.add(operator.complaints(), 'the console');
      findings.assertNone();
    });

    test('The form for the reason shows its request as a call of the home tenant', async () => {
      const tab = await page.context().newPage();
      const fresh = await keywright.tenant('called', { name: 'Called' });
      await open(fresh, '/', tab);
      await tab.getByLabel('Reason').fill(REASON);
      await tab.getByText('API request').click();
      const call = await tab.getByRole('region', { name: 'API request' }).innerText();
      assert.ok(call.includes(`/impersonations/${fresh.id}`), call);
      assert.ok(call.includes('org_default') && call.includes('ticket 4711'), call);
      await tab.close();
    });

    test('A system administrator is offered the issuer in their own tenant, and not inside another tenant', async () => {
      const issuer = page.locator('input[name=issuer]');
      await open(acme, '/settings');
      if ((await page.getByLabel('Reason').count()) > 0) {
        await enter();
        await open(acme, '/settings');
      }
      await page.locator('input[name=name]').waitFor();
      assert.equal(await issuer.count(), 0);
      await operator.open('/settings');
      await issuer.waitFor();
    });

    test('A system administrator inside a tenant is not sent to a provider, which would lead to a login of the tenant', async () => {
      const body = { type: 'google', name: 'Google', client_id: 'a', client_secret: newPassword() };
      const token = await acme.adminToken();
      const made = await acme.request('POST', '/identity-providers', { token, body });
      const id = String(expectStatus(201, made)['id']);
      await open(acme, `/providers/${id}`);
      if ((await page.getByLabel('Reason').count()) > 0) await enter();
      await page.getByRole('button', { name: 'Delete' }).waitFor();
      assert.equal(await page.getByRole('link', { name: 'Test sign-in' }).count(), 0);
    });

    test('A system administrator can be inside two tenants in two tabs', async () => {
      const second = await operator.context.newPage();
      await open(acme, '/users');
      await open(other, '/users', second);
      assert.match(await bar().innerText(), /Acme Robotics/);
      assert.ok((await bar(second).innerText()).includes(PAYLOAD));
      await page.getByRole('row').nth(1).waitFor();
      await second.close();
    });

    test('A system administrator logs in again at home before changing how users of a tenant log in', async () => {
      const token = await acme.adminToken();
      const { items } = expectStatus(
        200,
        await acme.request('GET', '/identity-providers', { token }),
      );
      const [{ id }] = items as [{ id: string }];
      const path = `/identity-providers/${id}`;
      const remove = async () => {
        await page.getByRole('button', { name: 'Delete' }).click();
        const dialog = page.getByRole('alertdialog');
        await dialog.getByLabel('To confirm').fill('Google');
        await dialog.getByRole('button', { name: 'Delete' }).click();
      };
      await keywright.database.query(
        `UPDATE sessions SET auth_time = auth_time - interval '6 minutes' WHERE kind = 'browser'`,
      );
      await open(acme, `/providers/${id}`);
      await remove();
      await page.getByText('Confirm it’s you').waitFor();
      expectStatus(200, await acme.request('GET', path, { token }));
      await page.getByRole('button', { name: 'Sign in again' }).click();
      await fillInLogin(page, keywright.admin);
      await page.waitForURL(`**/console/in/t/${acme.id}/providers/${id}`);
      await page.getByLabel('Reason').waitFor();
      await enter();
      await remove();
      await page.waitForURL(`**/console/in/t/${acme.id}/providers`);
      expectStatus(404, await acme.request('GET', path, { token }));
    });

    test('A system administrator gives a new tenant its first administrator, who can log in', async () => {
      await open(acme, '/setup/administrator?tab=password');
      await page.getByLabel('Email or phone').fill('grace@example.com');
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Create user' }).click();
      await page.waitForURL('**/console/in/t/org_acme');
      const login = await acme.login('grace@example.com', PASSWORD);
      const me = await acme.request('GET', '/me', { token: login.access_token });
      assert.ok((expectStatus(200, me)['roles'] as string[]).includes('admin'));
    });

    test('The browser of a system administrator holds no token: neither in a page, nor in its storage, nor in a response', async () => {
      const bodies: Promise<string>[] = [];
      page.on('response', (answer) => {
        if (answer.url().includes('/console/api/')) bodies.push(answer.text().catch(() => ''));
      });
      await open(acme, '/users');
      const stored = await page.evaluate<string>(
        'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
      );
      const all = [stored, await page.content(), ...(await Promise.all(bodies))].join(' ');
      assert.ok(bodies.length > 0);
      assert.doesNotMatch(all, /eyJ[\w-]+\./);
    });

    test('A system administrator must give a reason again when the impersonation ended meanwhile', async () => {
      await open(acme, '/users');
      const path = `/console/api/t/org_default/impersonations/${acme.id}`;
      const cookies = await operator.context.cookies(origin);
      const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
      const headers = { cookie, 'x-keywright-console': '1', 'sec-fetch-site': 'same-origin' };
      expectStatus(200, await keywright.request('DELETE', path, { headers }));
      await page.getByRole('link', { name: 'Roles' }).click();
      await page.getByLabel('Reason').waitFor();
      assert.equal(await page.getByRole('row').count(), 0);
      await enter();
    });

    test('A system administrator who leaves a tenant returns to its page as seen from outside', async () => {
      await open(acme, '/users');
      await bar().getByRole('button', { name: 'Exit' }).click();
      await page.waitForURL(`**/console/t/org_default/tenants/${acme.id}`);
      assert.equal(await bar().count(), 0);
      await page.getByRole('link', { name: 'Open tenant' }).click();
      await page.getByLabel('Reason').waitFor();
      const token = await acme.adminToken();
      const path = '/audit?action=auth.impersonation_ended';
      const { items } = expectStatus(200, await acme.request('GET', path, { token }));
      assert.equal((items as object[]).length, 2);
    });

    test('An administrator who is not a system administrator cannot enter another tenant', async () => {
      const person = await keywright.home.createUser({ roles: ['admin'] });
      const visitor = await enterConsole(browser as Browser, {
        tenant: keywright.home,
        person,
        origin,
      });
      await open(acme, '/users', visitor.page);
      await visitor.page.getByRole('alert').waitFor();
      assert.equal(await visitor.page.getByRole('row').count(), 0);
      assert.equal(await visitor.page.getByRole('navigation').count(), 0);
    });
  },
);
