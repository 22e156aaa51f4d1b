// The tasks of an operator in the console, from the overview, with the presses and fields that each of them takes. The
// maxima are those of an earlier console or, where the documentation of another product numbers its steps and has
// fewer, those of the product: Clerk (SSO connections; invitations), Logto (SMTP connector), WorkOS (branding).

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../conformance/browser.ts';
import { Desk } from '../console/desk.ts';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { startDemoProvider } from '../../tools/dev/provider.ts';
import { expectStatus } from '../harness/http.ts';
import { type Inbox, openInbox } from '../harness/inbox.ts';
import { type MailSink, startMailSink } from '../harness/mail-sink.ts';
import { until } from '../harness/until.ts';
import { CLIENT_ID, type FakeProvider, startFakeProvider } from '../harness/upstream.ts';
import { expectAtMost } from './effort.ts';

const CHROME = 'Mozilla/5.0 (Windows NT 10.0) Chrome/143.0.0.0';

const browser = await launchBrowser();

describe(
  'a task of an operator, from the overview',
  { skip: browser ? false : 'Chromium is not installed.' },
  () => {
    let desk: Desk;
    let page: Page;
    let sink: MailSink;
    let inbox: Inbox;
    let provider: FakeProvider;
    let demo: Awaited<ReturnType<typeof startDemoProvider>>;

    before(async () => {
      sink = await startMailSink();
      inbox = await openInbox();
      provider = await startFakeProvider();
      demo = await startDemoProvider(0);
      const env = {
        KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1,localhost',
        KEYWRIGHT_DEMO_PROVIDER: demo.provider.issuer,
      };
      desk = await Desk.open(browser as Browser, { slug: 'tasks', env });
      ({ page } = desk);
    });
    after(async () => {
      await browser?.close();
      await desk.keywright.close();
      demo.close();
      await Promise.all([sink.close(), inbox.close(), provider.close()]);
    });

    const nav = (name: string) =>
      desk.press(
        page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }),
      );
    const link = (name: string | RegExp) =>
      desk.press(page.getByRole('main').getByRole('link', { name }).first());
    const main = (label: string) => page.getByRole('main').getByLabel(label, { exact: true });

    /** Opens the overview, where each task begins. */
    async function begin(): Promise<void> {
      await desk.open('/');
      desk.hands.takeEffort();
    }

    async function createPerson(name: string, fields: object = {}) {
      const identifier = newIdentifier();
      const body = { identifier, password: newPassword(), name, ...fields };
      const { id } = expectStatus(201, await desk.request('POST', '/users', body));
      return { id: String(id), identifier };
    }

    test('An operator connects an email server and sends a test in 3 presses and 4 fields', async (t) => {
      await begin();
      await link('Connect an email server');
      await desk.type(main('Server'), '127.0.0.1');
      await desk.type(main('Port'), String(sink.port));
      await desk.choose(main('Encryption'), 'None');
      await desk.type(main('From address'), 'login@acme.example');
      await desk.press('Save');
      await page.getByText('Emails go through this server.').waitFor();
      await desk.press('Send test');
      await page.getByText('Accepted by the server').waitFor();
      expectAtMost(t, desk.hands.takeEffort(), 7);
      assert.equal(sink.mails.at(-1)?.from, 'login@acme.example');
    });

    test('An operator brands the sign-in page in 2 presses and 1 field', async (t) => {
      await begin();
      await nav('Branding');
      await desk.type(page.getByLabel('Primary color', { exact: true }).first(), '#12abef');
      await desk.press('Save');
      await page.getByText('Saved.', { exact: true }).waitFor();
      expectAtMost(t, desk.hands.takeEffort(), 3);
    });

    test('An operator adds Google, tests it and turns it on in 5 presses and 2 fields', async (t) => {
      // Google is a server of the test.
      await page.route('**/identity-providers', (route) => {
        const body = route.request().postDataJSON() as object | null;
        if (!body) return route.continue();
        return route.continue({ postData: JSON.stringify({ ...body, issuer: provider.issuer }) });
      });
      await page.route(`${provider.issuer}/authorize**`, (route) => {
        const person = { sub: 'ada-1', email: 'ada@gmail.com', email_verified: true };
        const location = provider.authorize(route.request().url(), person).href;
        return route.fulfill({ status: 302, headers: { location } });
      });
      await begin();
      await nav('Identity providers');
      await link(/^Google/);
      await desk.press('Continue');
      await desk.type('Client ID', CLIENT_ID);
      await desk.type('Client secret', provider.clientSecret);
      await desk.press('Save and test');
      await desk.press('Enable');
      await page.getByText('Enabled Google.').waitFor();
      expectAtMost(t, desk.hands.takeEffort(), 7);
      await page.unrouteAll({ behavior: 'wait' });
    });

    test('A developer adds the demo provider, tests it and turns it on in 4 presses', async (t) => {
      const fresh = await desk.keywright.tenant('development');
      const other = await desk.openFor(await fresh.createUser({ roles: ['admin'] }), fresh);
      await other.open('/');
      other.hands.takeEffort();
      await other.press(other.page.getByRole('link', { name: 'Identity providers', exact: true }));
      await other.press(other.page.getByRole('button', { name: /^Demo provider/ }));
      await other.press(other.page.getByRole('link', { name: 'Ada Lovelace' }));
      await other.press('Enable');
      await other.page.getByText('Enabled Demo provider.').waitFor();
      expectAtMost(t, other.hands.takeEffort(), 4);
    });

    test('An operator creates an application and signs in to it in 6 presses and 2 fields', async (t) => {
      await begin();
      await link('Create your first application');
      await link('Single-page app');
      await desk.type('Name', 'Robot Shop');
      await desk.type('Redirect URIs', 'https://shop.example.com/callback');
      await desk.press('Create application');
      await desk.press('Try sign-in');
      const opened = page.waitForEvent('popup');
      await desk.press('Open in a new tab');
      const tab = await opened;
      await desk.press(tab.getByRole('button', { name: 'Allow' }));
      await tab.getByRole('heading', { name: 'Sign-in to Robot Shop works' }).waitFor();
      expectAtMost(t, desk.hands.takeEffort(), 8);
      await tab.close();
    });

    test('An operator invites a colleague in 3 presses and 1 field', async (t) => {
      await begin();
      await nav('Users');
      await link('Invite user');
      await desk.type(main('Email'), 'grace@example.com');
      await desk.press('Invite user');
      await page.getByRole('heading', { name: 'grace@example.com' }).waitFor();
      expectAtMost(t, desk.hands.takeEffort(), 4);
    });

    test('An operator revokes a leaked key in 3 presses and 1 field', async (t) => {
      const robot = await desk.tenant.createAgent({ name: 'careless' });
      await begin();
      await nav('Agents and keys');
      await link('Report leaked key');
      await desk.type('Leaked key', robot.key);
      await desk.press('Report and revoke');
      await page.getByText('Revoked this key:').waitFor();
      expectAtMost(t, desk.hands.takeEffort(), 4);
    });

    test('An operator learns why a user has no permission in 2 presses and 3 fields', async (t) => {
      const { identifier } = await createPerson('Ada Lovelace');
      await begin();
      await nav('Access check');
      const option = page.getByRole('option', { name: identifier });
      await desk.hands.lookUp(
        page.getByRole('combobox', { name: 'User or agent' }),
        'love',
        option,
      );
      await desk.choose(page.getByRole('combobox', { name: 'Action' }), 'Delete');
      await desk.type(page.getByRole('combobox', { name: 'Resource' }), 'robots');
      await page.keyboard.press('Tab');
      await desk.press('Check access');
      await page.getByText('None of their roles or scopes grants this').waitFor();
      expectAtMost(t, desk.hands.takeEffort(), 5);
    });

    test('A sentence tells an operator why the sign-in of a user was rejected, after 2 presses and 1 field, or on the page of the user', async (t) => {
      const { id, identifier } = await createPerson('Hedy Lamarr');
      const body = { identifier, secret: newPassword() };
      const headers = { 'user-agent': CHROME };
      const refused = await desk.tenant.request('POST', '/auth/login', { headers, body });
      expectStatus(401, refused);
      await desk.keywright.nodes[0]?.notes.flush();
      const sentence = page
        .getByRole('note')
        .filter({ hasText: 'The latest sign-in was rejected' });
      await begin();
      await desk.hands.shortcut(page, 'Control+k');
      await desk.type(page.getByRole('combobox').first(), 'hedy');
      await desk.press(page.getByRole('option', { name: /Hedy Lamarr/ }));
      await sentence.getByText('Wrong password').waitFor();
      expectAtMost(t, desk.hands.takeEffort(), 3);
      await desk.open(`/users/${id}`);
      await sentence.getByText('Wrong password').waitFor();
    });

    test('An operator rotates the signing keys in 3 presses', async (t) => {
      await begin();
      await nav('Signing keys');
      await desk.press('Rotate EdDSA');
      await desk.confirm('Rotate EdDSA');
      await page.getByText('Next', { exact: true }).waitFor();
      expectAtMost(t, desk.hands.takeEffort(), 3);
    });

    test('An operator replays the events after a delivery in 4 presses', async (t) => {
      const hook = { url: `${inbox.url}/replayed`, events: ['webhook.deleted'] };
      const { id } = expectStatus(201, await desk.request('POST', '/webhooks', hook));
      for (let count = 0; count < 2; count += 1) {
        await desk.request('POST', `/webhooks/${String(id)}/test`);
      }
      await inbox.wait(2, '/replayed');
      await begin();
      await nav('Webhooks');
      await link(hook.url);
      await page.getByText('Delivered', { exact: true }).nth(1).waitFor();
      await desk.press(page.locator('tbody tr').last().getByRole('button').first());
      await desk.press('Replay from here');
      await page.getByText(/^Queued \d events?\./).waitFor();
      expectAtMost(t, desk.hands.takeEffort(), 4);
    });

    test('An operator imports users in 4 presses and 1 file', async (t) => {
      const people = Array.from({ length: 3 }, () => newIdentifier());
      await begin();
      await nav('Users');
      await link('Import users');
      const buffer = Buffer.from(['email', ...people].join('\n'));
      const file = { name: 'users.csv', mimeType: 'text/csv', buffer };
      await desk.hands.attach(page.getByLabel('File', { exact: true }).last(), file);
      await desk.press('Validate');
      await desk.press('Import 3 users');
      await until('the users exist', async () => {
        const { body } = await desk.request('GET', `/users?search=${people.at(-1)}`);
        return (body['items'] as object[]).length === 1;
      });
      expectAtMost(t, desk.hands.takeEffort(), 5);
    });

    test('A system administrator opens a tenant in 3 presses and 1 field', async (t) => {
      const { keywright } = desk;
      const system = await desk.openFor(keywright.admin, keywright.home);
      await system.open('/');
      system.hands.takeEffort();
      await system.press(system.page.locator('.switcher > button'));
      await system.press(system.page.getByRole('option', { name: 'org_tasks' }));
      await system.type('Reason', 'A ticket of a customer');
      await system.press('Open tenant');
      await system.page.getByRole('complementary', { name: 'Acting in another tenant' }).waitFor();
      expectAtMost(t, system.hands.takeEffort(), 4);
      await system.page.context().close();
    });

    test('An operator sees who signed in, on which device and from where in 1 press', async (t) => {
      await begin();
      await nav('Sessions');
      const row = page.getByRole('row', { name: desk.person.identifier }).first();
      await row.getByText('127.0.0.1').waitFor();
      expectAtMost(t, desk.hands.takeEffort(), 1);
    });
  },
);
