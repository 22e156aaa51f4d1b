// Connecting a tenant with other systems in the console: each journey ends by checking the API or the receiver.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { DeliveryRecord } from '@keywright/contract/records/webhook';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../conformance/browser.ts';
import { expectStatus } from '../harness/http.ts';
import { type Inbox, openInbox } from '../harness/inbox.ts';
import type { Keywright } from '../harness/keywright.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { until } from '../harness/until.ts';
import { Desk } from './desk.ts';
import { intercept } from './interception.ts';
import { Traffic } from './traffic.ts';

const LATER = { 'retry-after': '60' };
const BUSY = { error: 'Service Unavailable', detail: 'It is busy.', code: 'OVERLOADED' };
/** More than the interval between any two refreshes. */
const MINUTES = '05:00';
const LOGO_URL = 'https://example.com/logo.svg';

const browser = await launchBrowser();

describe(
  'the connections of a tenant, in the console',
  { skip: browser ? false : 'Chromium is not installed.' },
  () => {
    let keywright: Keywright;
    let tenant: TestTenant;
    let desk: Desk;
    let page: Page;
    let inbox: Inbox;

    before(async () => {
      desk = await Desk.open(browser as Browser, { slug: 'connected' });
      ({ keywright, tenant, page } = desk);
      inbox = await openInbox();
    });
    after(async () => {
      await browser?.close();
      await keywright.close();
      await inbox.close();
    });

    test('The console checks what a webhook receiver got without sending any of it, and finds what was changed', async () => {
      const { id, secret } = await register('/checked');
      await desk.request('POST', `/webhooks/${id}/test`);
      const [got] = await inbox.wait(1, '/checked');
      const headers = Object.entries(got?.headers ?? {}).map(
        ([name, value]) => `${name}: ${String(value)}`,
      );
      await desk.open(`/webhooks/${id}?tab=signature`);
      const sent: string[] = [];
      page.on('request', (request) => sent.push(request.url()));
      await page.getByLabel('Secret', { exact: true }).fill(secret);
      await page.getByLabel('Headers').fill(headers.join('\n'));
      await page.getByLabel('Body').fill(got?.body ?? '');
      await desk.press('Check');
      await page.getByText('Valid', { exact: true }).first().waitFor();
      assert.equal(await page.getByText('Valid', { exact: true }).count(), 2);
      await page.getByLabel('Body').fill(`${got?.body} `);
      await desk.press('Check');
      await page.getByText('Invalid', { exact: true }).first().waitFor();
      assert.equal(await page.getByText('Valid', { exact: true }).count(), 0);
      assert.deepEqual(sent, []);
    });

    test('The console shows each attempt of a delivery, with the response to it', async () => {
      const { id } = await register('/attempts');
      inbox.answer = 503;
      await desk.request('POST', `/webhooks/${id}/test`);
      await until('the first attempt is noted', async () => {
        const { items } = await deliveries(id, 'pending');
        return items[0]?.attempts === 1;
      });
      inbox.answer = 200;
      await desk.open(`/webhooks/${id}`);
      const row = page.locator('tbody tr').first();
      await desk.actOn(row, 'Resend');
      await desk.confirm('Resend');
      await until('the second attempt is noted', async () => {
        const { items } = await deliveries(id, 'delivered');
        return items.length === 1;
      });
      await desk.open(`/webhooks/${id}`);
      await desk.press(row.getByRole('button', { name: 'webhook.test', exact: true }));
      const [{ last_attempts: attempts } = assert.fail()] = (await deliveries(id, 'delivered'))
        .items;
      // The service can also have retried by itself.
      assert.deepEqual([attempts[0]?.status, attempts.at(-1)?.status], [503, 200]);
      const lines = desk.dialog().getByRole('listitem');
      for (const [index, { status, duration_ms: took, at }] of attempts.entries()) {
        const line = lines.nth(index + 1);
        assert.match(
          await line.innerText(),
          new RegExp(`Attempt: ${status}.*${took?.toLocaleString('en')} ms`, 's'),
        );
        assert.equal(await line.locator('time').getAttribute('datetime'), at);
        // The last response is shown below.
        const answers = index === attempts.length - 1 ? 0 : 1;
        assert.equal(await line.getByText('noted', { exact: true }).count(), answers);
      }
    });

    test('The console counts what it will send again before it does, and rotates a leaked secret without an overlap', async () => {
      const { id, secret } = await register('/again');
      await desk.request('POST', `/webhooks/${id}/test`);
      await inbox.wait(1, '/again');
      await until('the delivery is noted', async () => {
        const { items } = await deliveries(id, 'delivered');
        return items.length === 1;
      });
      await keywright.database.query(
        `UPDATE webhook_deliveries SET status = 'failed' WHERE tenant_id = $1 AND webhook_id = $2`,
        [tenant.id, id],
      );
      await desk.open(`/webhooks/${id}`);
      await desk.press('Retry failed');
      await desk.dialog().getByText('1 event.').waitFor();
      await desk.confirm('Retry failed');
      await page.getByText('Queued 1 event.').waitFor();
      await inbox.wait(2, '/again');

      await desk.actOn(page.locator('tbody tr').first(), 'Replay from here');
      await desk.dialog().getByText('0 events.').waitFor();
      await desk.confirm('Cancel');

      await desk.act('Rotate secret');
      await desk.dialog().getByLabel('Keep the old secret working').selectOption('0');
      await desk.confirm('Rotate secret');
      const rotated = await page.locator('.secret').innerText();
      assert.notEqual(rotated, secret);
      const webhook = expectStatus(200, await desk.request('GET', `/webhooks/${id}`));
      assert.equal(webhook['overlap_ends_at'], null);
      await page.getByLabel('I’ve saved it').check();
      await desk.press('Close');
      await desk.act('Delete');
      const deletion = desk.dialog().getByRole('button', { name: 'Delete' });
      await desk
        .dialog()
        .getByText(/^\d+ total$/)
        .waitFor();
      assert.equal(await deletion.isDisabled(), true, 'it asks for the address');
      await desk.dialog().getByLabel('To confirm').fill(String(webhook['url']));
      await deletion.click();
      await page.waitForURL('**/webhooks');
      expectStatus(404, await desk.request('GET', `/webhooks/${id}`));
    });

    test('The console reports how many deliveries were queued when sending them again ends halfway', async () => {
      const { id } = await register('/half-way');
      for (let n = 1; n <= 2; n += 1) await desk.request('POST', `/webhooks/${id}/test`);
      await inbox.wait(2, '/half-way');
      await until('both are noted', async () => {
        const { items } = await deliveries(id, 'delivered');
        return items.length === 2;
      });
      await keywright.database.query(
        `UPDATE webhook_deliveries SET status = 'failed' WHERE tenant_id = $1 AND webhook_id = $2`,
        [tenant.id, id],
      );
      const tab = await page.context().newPage();
      let retried = 0;
      await intercept(tab, (request) => {
        if (request.path.endsWith('/retry')) retried += 1;
        return retried === 2 && request.path.endsWith('/retry')
          ? request.answer(503, BUSY, LATER)
          : request.pass();
      });
      await tab.goto(`${desk.origin}/console/t/${tenant.id}/webhooks/${id}`);
      await tab.getByRole('button', { name: 'Retry failed' }).click();
      const dialog = tab.getByRole('alertdialog');
      await dialog.getByText('2 events.').waitFor();
      await dialog.getByRole('button', { name: 'Retry failed' }).click();
      await dialog.getByText('Something went wrong on the server.').waitFor();
      await tab.getByText('Queued 1 event.').waitFor();
      await dialog.getByText('1 event.').waitFor();
      await inbox.wait(3, '/half-way');
      assert.equal((await deliveries(id, 'failed')).items.length, 1);
      await tab.close();
    });

    test('The console updates a pending delivery and a logo that is not fetched yet while the user looks at them', async () => {
      const { id } = await register('/awaited');
      inbox.answer = 503;
      await desk.request('POST', `/webhooks/${id}/test`);
      await until('the first attempt is noted', async () => {
        const { items } = await deliveries(id, 'pending');
        return items[0]?.attempts === 1;
      });
      const tab = await page.context().newPage();
      await tab.clock.install();
      const looks = { deliveries: 0, logos: 0 };
      let isFetched = false;
      await intercept(tab, (request) => {
        if (request.path.endsWith('/deliveries')) looks.deliveries += 1;
        if (!request.path.endsWith('/logos')) return request.pass();
        looks.logos += 1;
        return request.answer(200, logoAs(isFetched ? 'stored' : 'pending'));
      });
      const hide = (isHidden: boolean) =>
        tab.evaluate(`{
          Object.defineProperty(document, 'visibilityState', {
            configurable: true,
            value: '${isHidden ? 'hidden' : 'visible'}',
          });
          document.dispatchEvent(new Event('visibilitychange'));
        }`);
      const open = (path: string) =>
        Traffic.of(tab).load(`${desk.origin}/console/t/${tenant.id}${path}`);
      await open(`/webhooks/${id}`);
      const row = tab.getByRole('row', { name: 'webhook.test' });
      await row.getByText('Pending').waitFor();
      // Only now, because an automatic retry could otherwise succeed before a slow page has shown the pending state.
      inbox.answer = 200;
      const [{ id: delivery } = assert.fail()] = (await deliveries(id, 'pending')).items;
      await desk.request('POST', `/webhooks/${id}/deliveries/${delivery}/retry`);
      await until('it is delivered', async () => {
        const { items } = await deliveries(id, 'delivered');
        return items.length === 1;
      });
      const soFar = looks.deliveries;
      await hide(true);
      await tab.clock.fastForward(MINUTES);
      assert.equal(looks.deliveries, soFar, 'no one looks');
      await hide(false);
      await tab.clock.fastForward(MINUTES);
      await row.getByText('Delivered').waitFor();
      assert.equal(looks.deliveries, soFar + 1);
      await tab.clock.fastForward(MINUTES);
      await tab.evaluate('0');
      assert.equal(looks.deliveries, soFar + 1, 'nothing is pending any more');

      await open('/branding');
      const slot = tab.getByRole('main').getByRole('listitem').filter({ hasText: LOGO_URL });
      await slot.getByText('Not loaded yet').waitFor();
      assert.equal(await slot.getByRole('img').count(), 0);
      isFetched = true;
      await tab.clock.fastForward(MINUTES);
      await slot.getByRole('img', { name: 'Logo' }).waitFor();
      assert.equal(await slot.getByText('Not loaded yet').count(), 0);
      await tab.close();
    });

    test('The console shows which key signs next, and which key has valid tokens', async () => {
      await desk.open('/keys');
      const card = page.getByRole('region', { name: 'EdDSA' });
      await card.getByText(/^Signing since/).waitFor();
      await card.getByRole('button', { name: 'Rotate EdDSA' }).click();
      await desk.confirm('Rotate EdDSA');
      await card.getByText('Next', { exact: true }).waitFor();
      const items = await card.locator('.course li').allInnerTexts();
      const { items: keys } = expectStatus(200, await desk.request<Keys>('GET', '/keys'));
      const states = keys.filter(({ algorithm }) => algorithm === 'EdDSA').map((key) => key.state);
      assert.deepEqual(states.toSorted(), ['current', 'next']);
      assert.equal(items.length, 2);
      assert.match(items[0] ?? '', /Next[^]*Starts signing on .*20\d\d/);
      assert.match(items[1] ?? '', /Current[^]*Signing since .*20\d\d/);
    });

    test('An administrator registers a resource, and sees a registration token once, which works until it is revoked', async () => {
      await desk.open('/resources/new');
      await page.getByLabel('Name', { exact: true }).fill('Files');
      await page.getByLabel('Identifier (audience)').fill('https://files.example.com');
      await desk.press('Add API');
      const id = await desk.idIn(/resources\/res_/);
      const resource = expectStatus(200, await desk.request('GET', `/resources/${id}`));
      assert.equal(resource['uri'], 'https://files.example.com');

      await desk.open('/clients/registration-tokens/new');
      await page.getByLabel('Name', { exact: true }).fill('Partners');
      await page.getByLabel('Number of applications').fill('2');
      await desk.press('Create registration token');
      const token = await page.locator('.secret').innerText();
      await page.getByLabel('I’ve saved it').check();
      await desk.press('Close');
      const registration = (name: string) =>
        keywright.request('POST', `/t/${tenant.id}/oauth/register`, {
          tenant: [],
          headers: { authorization: `Bearer ${token}` },
          body: { client_name: name, redirect_uris: ['https://app.example.com/callback'] },
        });
      assert.equal((await registration('First')).status, 201);
      await desk.open('/clients/registration-tokens');
      const row = page.getByRole('row', { name: 'Partners' });
      await desk.actOn(row, 'Revoke');
      await desk.confirm('Revoke');
      await page.getByText('Revoked Partners.').waitFor();
      assert.equal((await registration('Second')).status, 401);
    });

    interface Keys {
      readonly items: readonly { readonly algorithm: string; readonly state: string }[];
    }

    async function register(path: string): Promise<{ id: string; secret: string }> {
      const body = { url: `${inbox.url}${path}`, events: ['webhook.deleted'] };
      return expectStatus(
        201,
        await desk.request<{ id: string; secret: string }>('POST', '/webhooks', body),
      );
    }

    function logoAs(status: 'pending' | 'stored') {
      const logo = { kind: 'logo', url: LOGO_URL, status, reason: null };
      const sha256 = status === 'stored' ? 'a'.repeat(64) : null;
      const items = [{ ...logo, tenant_id: tenant.id, content_type: null, sha256 }];
      return { items, meta: { total: 1, limit: 25 } };
    }

    async function deliveries(id: string, status: string) {
      const path = `/webhooks/${id}/deliveries?status=${status}`;
      return expectStatus(
        200,
        await desk.request<{ items: readonly DeliveryRecord[] }>('GET', path),
      );
    }
  },
);
