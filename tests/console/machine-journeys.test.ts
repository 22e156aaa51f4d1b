// An operator's tasks for machines in the console: each journey ends by checking the other system.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createVerifier, verifyWebhook } from '../../sdk/src/sdk.ts';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../conformance/browser.ts';
import { expectStatus } from '../harness/http.ts';
import { type Inbox, openInbox } from '../harness/inbox.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { selectVariants } from '../harness/tier.ts';
import { until } from '../harness/until.ts';
import { Desk, OPERATORS } from './desk.ts';

const browser = await launchBrowser();

after(() => browser?.close());

for (const { title, ...operator } of selectVariants(OPERATORS, 1)) {
  describe(
    `an operator of the console ${title}`,
    { skip: browser ? false : 'Chromium is not installed.' },
    () => {
      let desk: Desk;
      let page: Page;
      let tenant: TestTenant;
      let inbox: Inbox;

      before(async () => {
        inbox = await openInbox();
        desk = await Desk.open(browser as Browser, operator);
        ({ page, tenant } = desk);
      });
      after(async () => {
        await desk.close();
        await inbox.close();
      });

      test('An operator registers a webhook, whose secret signs its events, and sends an event again', async () => {
        await desk.open('/webhooks/new');
        await desk.type('Endpoint URL', inbox.url);
        await desk.press(page.locator('summary', { hasText: 'People' }));
        await desk.toggle('User created user.created');
        await desk.press('Add endpoint');
        const secret = await page.locator('.secret').innerText();
        await desk.toggle('I’ve saved it');
        await desk.press('Close');
        await desk.waitForPath('/webhooks/wh_*');
        const webhook = new URL(page.url()).pathname.replace(/^.*(?=\/webhooks)/, '');
        const { user } = await tenant.createUser();
        const [first] = await inbox.wait(1);
        const event = await verifyWebhook(first?.body ?? '', first?.headers ?? {}, secret);
        assert.equal(event.type, 'user.created');
        assert.ok(first?.body.includes(user.id));
        await until('its delivery is listed', async () => {
          await desk.open(webhook);
          return (await page.locator('tbody tr').count()) > 0;
        });
        await desk.actOn(page.locator('tbody tr').first(), 'Resend');
        await desk.confirm('Resend');
        const [, second] = await inbox.wait(2);
        assert.equal(second?.body, first?.body);
      });

      test('An operator gives an agent a scope of a resource, and takes it back', async () => {
        const scopes = [{ name: 'mcp:tools', description: 'Use the tools' }];
        const body = { uri: 'https://tools.example.com/', name: 'Tools', scopes };
        expectStatus(201, await desk.request('POST', '/resources', body));
        await desk.open('/agents/new');
        await desk.type('Name', 'Runner');
        await desk.toggle('mcp:tools Tools');
        await desk.press('Create agent');
        await desk.waitForPath('/agents/service:*');
        const path = decodeURIComponent(new URL(page.url()).pathname).replace(
          /^.*(?=\/agents)/,
          '',
        );
        const scopesNow = async () => {
          const agent = await desk.request<{ scopes: string[] }>('GET', path);
          return expectStatus(200, agent).scopes;
        };
        assert.deepEqual(await scopesNow(), ['mcp:tools']);
        // A key can only have scopes of its agent: with one, there is nothing to choose.
        await desk.open(`${path}/keys/new`);
        await page.getByLabel('Expires').waitFor();
        assert.equal(await page.locator('[name=scopes]').count(), 0);
        await desk.open(`${path}?tab=properties`);
        await desk.press('Edit Details');
        await desk.toggle('mcp:tools Tools');
        await desk.press('Save');
        await until('the agent has no scope', async () => (await scopesNow()).length === 0);
      });

      test('An operator ends a session, and a service that verifies offline rejects its token', async () => {
        const person = await tenant.createUser();
        const issuer = `${desk.keywright.nodes[0]?.baseUrl}/t/${tenant.id}`;
        const verifier = createVerifier({
          issuer: tenant.id === 'org_default' ? (desk.keywright.nodes[0]?.baseUrl ?? '') : issuer,
        });
        try {
          await verifier.verify(person.token);
          await desk.open(`/sessions?user_id=${person.user.id}`);
          await desk.actOn(page.locator('tbody tr').first(), 'Sign out');
          await desk.confirm('Sign out');
          await page.locator('tbody').getByText('Ended').first().waitFor();
          const token = await tenant.adminToken();
          const path = `/sessions?user_id=${person.user.id}&is_active=true`;
          const { meta } = expectStatus(
            200,
            await tenant.request<{ meta: { total: number } }>('GET', path, { token }),
          );
          assert.equal(meta.total, 0);
          await until('it is rejected offline', () =>
            verifier.verify(person.token).then(
              () => false,
              () => true,
            ),
          );
        } finally {
          verifier.close();
        }
      });

      test('An operator proves in the browser that a page of the audit log is what was sealed', async () => {
        const [node] = desk.keywright.nodes;
        await node?.notes.flush();
        await node?.sealing.seal(tenant.id);
        await desk.open('/audit');
        await desk.act('Verify this page');
        await page.getByText('verified.').waitFor();
        await page.getByText('Signed up to position').waitFor();
      });
    },
  );
}
