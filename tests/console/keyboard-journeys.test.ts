// What an operator begins with, with a keyboard alone and on the embedded database: a user, an application, mail,
// a domain, a tenant.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import type { OAuthClientRecord } from '@keywright/contract/records/oauth-client';
import type { TenantRecord } from '@keywright/contract/records/tenant';
import type { UserRecord } from '@keywright/contract/records/user';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../conformance/browser.ts';
import { Authority } from '../harness/certificate.ts';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { expectStatus } from '../harness/http.ts';
import { type MailSink, startMailSink } from '../harness/mail-sink.ts';
import { Desk, OPERATORS } from './desk.ts';

const browser = await launchBrowser();
const [, { title, ...operator }] = OPERATORS;

describe(
  `an operator who begins, ${title}`,
  { skip: browser ? false : 'Chromium is not installed.' },
  () => {
    let desk: Desk;
    let page: Page;
    let sink: MailSink;
    const mailPassword = newPassword();

    const field = (name: string) => page.getByLabel(name, { exact: true });
    const read = async <Body>(path: string) => {
      const token = await desk.keywright.adminToken();
      return expectStatus(200, await desk.tenant.request<Body>('GET', path, { token }));
    };
    const domains = async () => (await read<TenantRecord>(`/tenants/${desk.tenant.id}`)).domains;

    before(async () => {
      const authority = new Authority();
      const certificate = authority.issue(['127.0.0.1']);
      sink = await startMailSink({ certificate, isImplicit: true, users: { acme: mailPassword } });
      desk = await Desk.open(browser as Browser, { ...operator, outside: { ca: authority.ca } });
      ({ page } = desk);
    });
    after(async () => {
      await desk.close();
      await browser?.close();
      await sink.close();
    });

    test('A new operator creates a user, who can log in', async () => {
      const identifier = newIdentifier();
      const password = newPassword();
      await desk.open('/users');
      await desk.press(page.getByRole('link', { name: 'Create user' }).first());
      await desk.waitForPath('/users/new');
      await desk.press(page.getByRole('link', { name: 'With a password' }));
      await desk.waitForPath('/users/new?tab=password');
      await desk.type('Email or phone', identifier);
      await desk.type('Password', password);
      await desk.press('Create user');
      await desk.waitForPath('/users/user:*');
      await page.getByRole('heading', { name: identifier }).waitFor();
      await desk.tenant.login(identifier, password);
    });

    test('The first user is at most ten stops of the Tab key below the skip link, and in the upper quarter of the screen', async () => {
      await page.setViewportSize({ width: 1440, height: 900 });
      await desk.open('/users');
      const row = page.locator('tbody tr').first();
      const { y = Infinity } = (await row.boundingBox()) ?? {};
      assert.ok(y <= 220, `the first row begins at ${y}`);
      await page.getByRole('link', { name: 'Skip to content' }).focus();
      await page.keyboard.press('Enter');
      let stops = 0;
      for (;;) {
        await page.keyboard.press('Tab');
        if ((await row.locator(':focus').count()) > 0) break;
        stops += 1;
        assert.ok(stops <= 10, 'more than ten controls are in front of the first row');
      }
    });

    test('A filter that is typed becomes a chip, a title sorts the list, and a click anywhere on a row opens it', async () => {
      await desk.open('/users');
      await page.keyboard.press('/');
      await page.keyboard.type('Role:memb');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/users?role=member');
      const chip = page.getByRole('group', { name: 'Role' });
      await chip.getByRole('button', { name: 'Role: member' }).waitFor();
      assert.equal(await page.getByRole('searchbox').inputValue(), '');
      await chip.getByRole('button', { name: 'Remove Role' }).click();
      await page.waitForURL('**/users');

      const latest = page.getByRole('columnheader', { name: 'Last active' });
      assert.equal(await latest.getAttribute('aria-sort'), 'descending');
      const first = page.locator('tbody tr').first();
      const recent = await desk.request<{ items: UserRecord[] }>(
        'GET',
        '/users?sort=-last_login_at',
      );
      const [{ identifiers: of } = assert.fail()] = expectStatus(200, recent).items;
      await first.getByText(of[0]?.identifier ?? 'none').waitFor();
      const head = page.getByRole('columnheader', { name: 'Created' });
      await head.getByRole('button').click();
      await page.waitForURL('**/users?sort=-created_at');
      await head.getByRole('button').click();
      await page.waitForURL('**/users?sort=created_at');
      assert.equal(await head.getAttribute('aria-sort'), 'ascending');
      const oldest = await desk.request<{ items: UserRecord[] }>('GET', '/users?sort=created_at');
      const [{ identifiers } = assert.fail()] = expectStatus(200, oldest).items;
      await first.getByText(identifiers[0]?.identifier ?? 'none').waitFor();
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/users');
      assert.equal(await latest.getAttribute('aria-sort'), 'descending');

      await first.click({ position: { x: 500, y: 20 } });
      await page.waitForURL('**/users/user:*');
    });

    test('The users that match the filters are exported as lines of JSON', async () => {
      await desk.open(`/users?search=${encodeURIComponent(desk.person.identifier)}`);
      const download = page.waitForEvent('download');
      await desk.press('Export');
      const lines = (await readFile(await (await download).path(), 'utf8')).trimEnd().split('\n');
      const ids = lines.map((line) => (JSON.parse(line) as UserRecord).id);
      const path = `/users?search=${encodeURIComponent(desk.person.identifier)}`;
      const { items } = expectStatus(200, await desk.request<{ items: UserRecord[] }>('GET', path));
      assert.deepEqual(
        ids,
        items.map(({ id }) => id),
      );
    });

    test('A new operator registers an application, whose secret is shown once', async () => {
      await desk.open('/clients/new');
      await desk.press(page.getByRole('link', { name: 'Web app' }));
      await desk.waitForPath('/clients/new?kind=web');
      await desk.type('Name', 'Acme Invoices');
      await desk.type('Redirect URIs', 'https://app.example.com/cb');
      await desk.press('Create application');
      const secret = await page.locator('.secret').innerText();
      await desk.toggle('I’ve saved it');
      await desk.press('Close');
      await desk.waitForPath('/clients/client_*');
      await page.locator('.secret').waitFor({ state: 'detached' });
      await page.getByRole('heading', { name: 'Acme Invoices' }).waitFor();
      const id = new URL(page.url()).pathname.split('/').at(-1);
      const client = await read<OAuthClientRecord>(`/clients/${id}`);
      assert.deepEqual(
        [client.kind, client.redirect_uris],
        ['web', ['https://app.example.com/cb']],
      );
      assert.ok(!(await page.content()).includes(secret));
    });

    test('A new operator sets up mail from the list of open tasks, and sends a first message to themselves', async () => {
      await desk.open('/');
      await desk.press(page.getByRole('link', { name: 'Connect an email server' }));
      await desk.waitForPath('/messages?tab=server');
      await desk.type(field('Server'), '127.0.0.1');
      await desk.type(field('Port'), String(sink.port));
      await desk.choose(field('Encryption'), 'TLS (implicit)');
      await desk.type(field('Username'), 'acme');
      await desk.type(field('Password'), mailPassword);
      await desk.type(field('From address'), 'login@acme.example');
      await desk.press('Save');
      await page.getByText('Emails go through this server.').waitFor();
      const { messaging } = await read<TenantRecord>(`/tenants/${desk.tenant.id}`);
      assert.equal(messaging.email?.smtp_security, 'tls');

      // The address of the logged-in user is prefilled.
      await desk.press('Send test');
      await page.getByText('Accepted by the server').waitFor();
      const { identifier } = desk.keywright.admin;
      const mail = sink.mails.find(({ to }) => to.includes(identifier));
      assert.deepEqual([mail?.from, mail?.user], ['login@acme.example', 'acme']);
      assert.match(mail?.parsed.text ?? '', /\b[0-9]{8}\b/);
    });

    test('A new operator adds a domain, and removes it by its name', async () => {
      const present = await domains();
      await desk.open('/settings/domains');
      await desk.type(page.getByLabel('Domain', { exact: true }), 'login.acme.example');
      await desk.press('Add domain');
      const row = page.locator('.actions', { hasText: 'login.acme.example. CNAME' });
      await row.waitFor();
      assert.deepEqual(await domains(), [...present, 'login.acme.example']);
      await desk.press(row.getByRole('button', { name: 'Remove', exact: true }));
      await desk.type('to confirm', 'login.acme.example');
      await desk.confirm('Remove');
      await page.getByText('Removed login.acme.example.').waitFor();
      assert.deepEqual(await domains(), present);
    });

    test('A new operator creates a tenant, sets its branding, and enters it to add its first administrator', async () => {
      await desk.open('/tenants/new');
      await desk.type('Name', 'Acme Robotics');
      await desk.type('Domains', 'acme.example.com');
      await desk.press('Create tenant');
      await desk.waitForPath('/tenants/org_acme-robotics/setup');
      await desk.type(page.locator('[name=primary_color]'), '#12abef');
      await desk.press('Save');
      await page.waitForURL('**/console/in/t/org_acme-robotics/setup/administrator');
      await desk.type('Reason', 'its first administrator');
      await desk.press('Open tenant');
      await page.getByRole('complementary', { name: 'Acting in another tenant' }).waitFor();
      const created = await read<TenantRecord>('/tenants/org_acme-robotics');
      const { name, domains: domainNames, branding } = created;
      const colors = { primary_color: '#12abef' };
      assert.deepEqual(
        [name, domainNames, branding],
        ['Acme Robotics', ['acme.example.com'], colors],
      );
    });
  },
);
