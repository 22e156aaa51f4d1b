// Opening the console without a session: no request is sent that would be refused, and Back leads past the console.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchBrowser } from '../conformance/browser.ts';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { fillInLogin } from '../harness/login-pages.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { Traffic } from './traffic.ts';

const browser = await launchBrowser();

/** A tab, and all errors that its developer tools would show. */
interface Watched {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Takes the failures since the last time. */
  readonly failures: () => string[];
  /** The requests to the API. */
  readonly calls: readonly string[];
}

async function newTab(): Promise<Watched> {
  return newTabOf(await (browser as Browser).newContext({ reducedMotion: 'reduce' }));
}

async function newTabOf(context: BrowserContext): Promise<Watched> {
  const page = await context.newPage();
  // Counts from the first request on.
  Traffic.of(page);
  let heard: string[] = [];
  const calls: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) heard.push(message.text());
  });
  page.on('pageerror', ({ message }) => heard.push(message));
  page.on('request', (request) => {
    if (request.url().includes('/console/api/')) calls.push(request.url());
  });
  page.on('requestfailed', (request) => {
    heard.push(`${request.url()}: ${request.failure()?.errorText}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) heard.push(`${response.url()}: ${response.status()}`);
  });
  const failures = () => {
    const taken = heard;
    heard = [];
    return taken;
  };
  return { page, context, failures, calls };
}

describe(
  'a browser without a session',
  { skip: browser ? false : 'Chromium is not installed.' },
  () => {
    let keywright: Keywright;
    let tenant: TestTenant;
    let person: TestUser;
    let origin: string;

    before(async () => {
      keywright = await startKeywright({ env: { KEYWRIGHT_BASE_URL: undefined } });
      tenant = await keywright.tenant('entering');
      person = await tenant.createUser({ roles: ['admin'] });
      origin = keywright.nodes[0]?.baseUrl ?? '';
    });
    after(async () => {
      await browser?.close();
      await keywright.close();
    });

    const PLACES: Readonly<Record<string, (id: string) => string>> = {
      'of the host': () => '/console',
      'of a tenant': (id) => `/console/t/${id}`,
      'of a screen': (id) => `/console/t/${id}/audit?outcome=failure`,
      'inside a tenant': (id) => `/console/in/t/${id}/users`,
    };
    for (const [what, pathOf] of Object.entries(PLACES)) {
      test(`A browser without a session is led to the login from the address ${what}, and nothing fails`, async () => {
        const { page, context, failures, calls } = await newTab();
        await page.goto(`${origin}${pathOf(tenant.id)}`);
        await page.waitForSelector('#login-submit');
        await Traffic.of(page).settle();
        assert.deepEqual(failures(), []);
        assert.deepEqual(calls, []);
        await context.close();
      });
    }

    test('A browser without a session returns from the login to where it was, and Back leads past the console', async () => {
      const { page, context, failures } = await newTab();
      const traffic = Traffic.of(page);
      const place = `${origin}/console/t/${tenant.id}/audit?outcome=failure`;
      await page.goto(`${origin}/reference`);
      await page.goto(place);
      await page.waitForSelector('#login-submit');
      // A font that still loads would fail with the page.
      await traffic.settle();
      await page.goBack();
      assert.equal(page.url(), `${origin}/reference`);
      await page.goto(place);
      await page.waitForSelector('#login-submit');
      // A font that still loads would fail with the page.
      await traffic.settle();
      await fillInLogin(page, person);
      await page.getByRole('heading', { name: 'Audit log' }).waitFor();
      await traffic.settle();
      assert.equal(page.url(), place);
      assert.deepEqual(failures(), []);
      await page.reload();
      await traffic.settle();
      await page.getByRole('heading', { name: 'Audit log' }).waitFor();
      assert.deepEqual(failures(), []);
      await context.close();
    });

    test('A page whose session ended asks for a login, and a new page does so without an error', async () => {
      const { page, context } = await newTab();
      await page.goto(`${origin}/console/t/${tenant.id}/roles`);
      await fillInLogin(page, person);
      await page.getByRole('heading', { name: 'Roles' }).waitFor();
      await Traffic.of(page).settle();
      const path = `/sessions?user_id=${person.user.id}`;
      const ended = { token: await tenant.adminToken() };
      expectStatus(200, await tenant.request('DELETE', path, ended));
      const other = await newTabOf(context);
      await other.page.goto(`${origin}/console/t/${tenant.id}/roles`);
      await other.page.waitForSelector('#login-submit');
      await Traffic.of(other.page).settle();
      assert.deepEqual(other.failures(), []);
      await page.getByRole('link', { name: 'Workspaces' }).click();
      await page.waitForSelector('#login-submit');
      await context.close();
    });

    test('A browser without a session sees that the tenant does not exist or the service does not answer, and can try again', async () => {
      const { page, context } = await newTab();
      await page.goto(`${origin}/console/t/org_nowhere/users`);
      await page.getByText('TENANT_NOT_FOUND').waitFor();
      await page.route('**/console/session', (route) => route.abort());
      await page.goto(`${origin}/console/t/${tenant.id}/users`);
      await page.getByRole('heading', { name: 'Can’t reach Keywright' }).waitFor();
      await page.unrouteAll({ behavior: 'wait' });
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.waitForSelector('#login-submit');
      await context.close();
    });
  },
);
