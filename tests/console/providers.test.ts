// Setting up an identity provider in the console: each journey ends by checking the API.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { IdentityProviderRecord } from '@keywright/contract/records/identity-provider';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../conformance/browser.ts';
import { expectStatus } from '../harness/http.ts';
import type { Keywright } from '../harness/keywright.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { CLIENT_ID, type FakeProvider, startFakeProvider } from '../harness/upstream.ts';
import { Desk } from './desk.ts';

const browser = await launchBrowser();

describe(
  'administrators, in the console',
  { skip: browser ? false : 'Chromium is not installed.' },
  () => {
    let keywright: Keywright;
    let tenant: TestTenant;
    let desk: Desk;
    let page: Page;
    let provider: FakeProvider;

    before(async () => {
      desk = await Desk.open(browser as Browser, { slug: 'providers' });
      ({ keywright, tenant, page } = desk);
      provider = await startFakeProvider();
    });
    after(async () => {
      await browser?.close();
      await keywright.close();
      await provider.close();
    });

    test('An administrator adds an identity provider that is off, tests it with the claims shown, enables it, changes it only by an override, and deletes it by its name', async () => {
      await desk.open('/providers');
      await page.getByRole('link', { name: /^OpenID Connect/ }).click();
      const shown = page.getByText(/\/callback\/idp_\w{26}$/);
      const callback = await shown.innerText();
      await page.reload();
      assert.equal(await shown.innerText(), callback, 'it is the same after a reload');
      await desk.press('Continue');
      await page.getByLabel('Name', { exact: true }).fill('Corporate');
      await page.getByLabel('Client ID').fill(CLIENT_ID);
      await page.getByLabel('Client secret').fill(provider.clientSecret);
      await page.getByLabel('Issuer URL').fill(provider.issuer);
      const authorize = `${provider.issuer}/authorize**`;
      await page.route(authorize, (route) => route.fulfill({ body: 'The provider' }));
      await desk.press('Save and test');
      await page.getByText('The provider', { exact: true }).waitFor();
      await page.unroute(authorize);
      const id = callback.split('/').at(-1) ?? '';
      await desk.open(`/providers/${id}`);
      const read = async () =>
        expectStatus(
          200,
          await desk.request<IdentityProviderRecord>('GET', `/identity-providers/${id}`),
        );
      await page.getByText('Saved (hidden)').waitFor();
      assert.ok(!(await page.content()).includes(provider.clientSecret));
      const created = await read();
      assert.deepEqual([created.is_active, created.has_client_secret], [false, true]);
      assert.equal(created.callback_url, callback);
      const untested = page.getByText('Not tested with these settings');
      await untested.waitFor();
      assert.equal(await page.getByRole('button', { name: 'Enable', exact: true }).count(), 0);
      await desk.act('Enable without testing');
      await desk.dialog().getByText('No test has succeeded with these settings.').waitFor();
      await desk.confirm('Cancel');

      const link = page.getByRole('link', { name: 'Test sign-in' });
      assert.equal(await link.getAttribute('target'), '_blank');
      let isChanged = false;
      await page.route(authorize, async (route) => {
        if (!isChanged) {
          const body = { scopes: ['email'] };
          expectStatus(200, await desk.request('PATCH', `/identity-providers/${id}`, body));
          isChanged = true;
        }
        const person = { sub: 'ada-1', email: 'ada@corp.example', department: 'engines' };
        const location = provider.authorize(route.request().url(), person).href;
        return route.fulfill({ status: 302, headers: { location } });
      });
      const standsOut = (name: string) =>
        page.getByRole('button', { name, exact: true }).and(page.locator('.solid')).count();
      await page.goto(new URL((await link.getAttribute('href')) ?? '', page.url()).href);
      await desk.press('Sign in');
      await page.getByText('Settings changed during this test').waitFor();
      assert.equal(await standsOut('Sign in'), 1);
      await desk.press('Sign in');
      await page.getByRole('button', { name: 'Enable', exact: true }).waitFor();
      assert.deepEqual([await standsOut('Enable'), await standsOut('Sign in')], [1, 0]);
      await page.getByText('Accepted', { exact: true }).waitFor();
      await page.getByText('"department": "engines"').waitFor();
      assert.equal(new URL(page.url()).search, '', 'the handoff is gone from the address');

      await desk.press('Enable');
      await page.getByText('Enabled Corporate.').waitFor();
      const enabled = await read();
      assert.ok(enabled.is_active && enabled.tested_at);
      await desk.open(`/providers/${id}`);
      await page.locator(`time[datetime="${enabled.tested_at}"]`).waitFor();

      await desk.press('Edit Details');
      await page.getByLabel('Client secret').fill(provider.clientSecret);
      await desk.press('Save');
      await page.getByText('No test sign-in has succeeded with these settings').waitFor();
      assert.deepEqual(await read(), enabled);
      await page.getByLabel('Save without a test').check();
      await desk.press('Save');
      await page.getByText('Saved.').waitFor();
      assert.deepEqual(await read(), { ...enabled, tested_at: null });
      await desk.open(`/providers/${id}`);
      await untested.waitFor();
      const linked = await tenant.createUser();
      await keywright.database.query(
        `WITH gone AS (DELETE FROM user_credentials WHERE tenant_id = $1 AND user_id = $2)
         INSERT INTO user_credentials (tenant_id, user_id, type, provider, external_id) VALUES ($1, $2, 'oauth', $3, 'ada-1')`,
        [tenant.id, linked.user.id, id],
      );
      await desk.press('Delete');
      const facts = desk.dialog().locator('dl').first();
      await facts.waitFor();
      assert.deepEqual((await facts.innerText()).split('\n').filter(Boolean), [
        'Users with a linked account',
        '1',
        'Would lose their only way to sign in',
        '1',
        'Required domains',
        'None',
      ]);
      const counted = await desk.request('GET', `/identity-providers/${id}/dependents`);
      assert.equal(expectStatus(200, counted)['without_other_way'], 1);
      await desk.dialog().getByLabel('To confirm').fill('Corporate');
      await desk.confirm('Delete');
      await page.waitForURL(/providers$/);
      expectStatus(404, await desk.request('GET', `/identity-providers/${id}`));
    });
  },
);
