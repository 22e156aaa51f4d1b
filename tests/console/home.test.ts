// What an operator sets up first in the console, on the real service: email, pending tasks, defaults, domains, and
// the list of users. Each journey ends by checking the API or the mail server.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TenantRecord } from '@keywright/contract/records/tenant';
import type { UserRecord } from '@keywright/contract/records/user';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../conformance/browser.ts';
import { Authority } from '../harness/certificate.ts';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { newClient } from '../harness/code-login.ts';
import { expectStatus } from '../harness/http.ts';
import type { Keywright } from '../harness/keywright.ts';
import { type MailSink, startMailSink } from '../harness/mail-sink.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { claimsOf } from '../harness/token.ts';
import { until } from '../harness/until.ts';
import { Desk } from './desk.ts';
import { Traffic } from './traffic.ts';

const MAILBOX = 'ada@example.org';

const browser = await launchBrowser();

describe(
  'an operator who sets a tenant up, in the console',
  { skip: browser ? false : 'Chromium is not installed.' },
  () => {
    const password = newPassword();
    let sink: MailSink;
    let keywright: Keywright;
    let tenant: TestTenant;
    let desk: Desk;
    let page: Page;

    const field = (name: string) => page.getByLabel(name, { exact: true });
    const saved = () => page.getByText('Saved.', { exact: true }).waitFor();
    const read = async () => {
      const token = await tenant.adminToken();
      return expectStatus(
        200,
        await tenant.request<TenantRecord>('GET', `/tenants/${tenant.id}`, { token }),
      );
    };
    const change = async (body: object) => {
      const token = await tenant.adminToken();
      expectStatus(200, await tenant.request('PATCH', `/tenants/${tenant.id}`, { token, body }));
    };

    before(async () => {
      const authority = new Authority();
      const certificate = authority.issue(['127.0.0.1', 'localhost']);
      sink = await startMailSink({ certificate, users: { acme: password } });
      desk = await Desk.open(browser as Browser, {
        slug: 'home',
        env: { KEYWRIGHT_EGRESS_ALLOW: 'localhost' },
        outside: { ca: authority.ca },
      });
      ({ keywright, tenant, page } = desk);
    });
    after(async () => {
      await browser?.close();
      await keywright.close();
      await sink.close();
    });

    test('An operator sets up mail from the list of open tasks, sees what the server refuses, and sends a first message', async () => {
      await page.getByRole('link', { name: 'Connect an email server' }).click();
      const services = page.getByRole('combobox', { name: 'Email service' });
      await services.selectOption({ label: 'SendGrid' });
      await page.getByText('Password: an API key').waitFor();
      assert.equal(await field('Server').inputValue(), 'smtp.sendgrid.net');
      assert.equal(await field('Username').inputValue(), 'apikey');
      await field('Server').fill('localhost');
      await field('Port').fill(String(sink.port));
      await field('Username').fill('acme');
      await field('Password').fill('a wrong one');
      await page.getByText('API request').first().click();
      await page.locator('pre').first().getByText('"smtp_password"').waitFor();
      assert.ok(!(await page.content()).includes('a wrong one'));
      await field('From address').fill('login@acme.example');
      const to = page.getByLabel('Email or phone', { exact: true });
      await to.fill(MAILBOX);
      await desk.press('Send test');
      await page.getByText('(535)').waitFor();
      assert.deepEqual((await read()).messaging, {}, 'nothing is saved by a test');
      await desk.press('Save');
      await saved();
      await page.getByText('Emails go through this server.').waitFor();
      const masked = (await read()).messaging.email;
      assert.equal(masked?.smtp_host, 'localhost');
      assert.equal(masked?.smtp_password, '********');

      await field('Password').fill(password);
      await desk.press('Save');
      await page.getByText('Emails go through this server.').waitFor();
      await until(
        'the password is stored',
        async () => (await field('Password').inputValue()) === '',
      );
      await to.fill(MAILBOX);
      await desk.press('Send test');
      await page.getByText('Accepted by the server').waitFor();
      const mail = sink.mails.find(
        (candidate) => candidate.to.includes(MAILBOX) && candidate.user === 'acme',
      );
      assert.equal(mail?.from, 'login@acme.example');
      assert.ok(mail.isSecure);
      assert.ok(!(await page.content()).includes(password));
    });

    test('An operator changes the sender without changing the stored password, and then removes the mail server', async () => {
      await desk.open('/messages?tab=server');
      await field('From name').fill('Acme accounts');
      await desk.press('Save');
      await until('it is saved', async () => {
        const { email } = (await read()).messaging;
        return email?.from_name === 'Acme accounts' && email.smtp_password === '********';
      });
      // The displayed result proves nothing: the server must accept the email again.
      await page.getByLabel('Email or phone', { exact: true }).fill(MAILBOX);
      await desk.press('Send test');
      await until('it is accepted', () =>
        sink.mails.some(({ user, raw }) => user === 'acme' && raw.includes('Acme accounts')),
      );
      await desk.press('Remove email server');
      await desk.confirm('Remove email server');
      await page.getByText('Email server removed.').waitFor();
      assert.deepEqual((await read()).messaging, {});
    });

    test('The overview shows what needs attention, each with a link to it, and nothing once it is done', async () => {
      const token = await tenant.adminToken();
      const person = { identifier: newIdentifier(), password: newPassword() };
      const body = { ...person, roles: ['admin'] };
      expectStatus(201, await tenant.request('POST', '/users', { token, body }));
      // A deactivated user is not listed as one who has yet to log in.
      const left = { ...body, identifier: newIdentifier() };
      const second = await tenant.request('POST', '/users', { token, body: left });
      const id = String(expectStatus(201, second)['id']);
      const off = { token, body: { is_active: false } };
      expectStatus(200, await tenant.request('PATCH', `/users/${id}`, off));
      const hook = { url: 'https://hooks.example.com/', events: ['user.created'] };
      const made = await tenant.request('POST', '/webhooks', { token, body: hook });
      const webhook = String(expectStatus(201, made)['id']);
      await keywright.database.query(
        `UPDATE webhooks SET is_active = false, disabled_reason = 'every delivery failed' WHERE tenant_id = $1`,
        [tenant.id],
      );
      await desk.open('/');
      const card = page.getByRole('region', { name: 'Needs attention' });
      await card.getByRole('link', { name: /1 webhook was turned off/ }).click();
      await page.getByRole('heading', { name: 'https://hooks.example.com/' }).waitFor();
      assert.ok(page.url().endsWith(`/webhooks/${webhook}`));

      await desk.open('/');
      await card.getByRole('link', { name: /1 administrator has never signed in/ }).click();
      await page.getByRole('row', { name: person.identifier }).waitFor();
      assert.equal(await page.locator('tbody tr').count(), 1);
      expectStatus(200, await tenant.request('DELETE', `/users/${id}`, { token }));

      await tenant.login(person.identifier, person.password);
      const gone = `/webhooks/${webhook}`;
      expectStatus(200, await tenant.request('DELETE', gone, { token: await tenant.adminToken() }));
      await keywright.database.query('DELETE FROM messages WHERE tenant_id = $1', [tenant.id]);
      await until('nothing is left', async () => {
        await desk.open('/');
        await page.getByRole('heading', { name: 'Recent activity' }).waitFor();
        return (await card.count()) === 0;
      });
    });

    test('Two steps from the overview answer in a sentence why the sign-in of a user was rejected', async () => {
      const identifier = newIdentifier();
      const token = await tenant.adminToken();
      const hedy = { identifier, password: newPassword(), name: 'Hedy Lamarr' };
      expectStatus(201, await tenant.request('POST', '/users', { token, body: hedy }));
      const headers = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Chrome/143.0.0.0' };
      const refused = async (typed: string) => {
        const body = { identifier: typed, secret: newPassword() };
        expectStatus(401, await tenant.request('POST', '/auth/login', { headers, body }));
        await keywright.nodes[0]?.notes.flush();
      };
      for (const typed of [identifier, identifier, newIdentifier()]) await refused(typed);
      await desk.open('/');
      let steps = 0;
      const step = async (does: () => Promise<void>) => {
        steps += 1;
        await does();
      };
      await step(async () => {
        await page.keyboard.press('Control+k');
        await page.getByRole('combobox').fill('hedy');
        await page.getByRole('option', { name: /Hedy Lamarr/ }).click();
      });
      const latest = page.getByRole('note').filter({ hasText: 'The latest sign-in was rejected' });
      await latest.getByText('Wrong password').waitFor();
      await latest.getByText('2 times').waitFor();
      await latest.getByRole('button', { name: 'Send recovery link' }).waitFor();
      assert.equal(await latest.getByRole('button', { name: 'Unlock' }).count(), 0);
      await step(() => latest.getByRole('link', { name: 'Sign-in attempts' }).click());
      const list = page.getByRole('table', { name: 'Sign-in attempts' });
      await list.getByRole('row', { name: /Wrong password.*2 times.*Chrome on Windows/ }).waitFor();
      assert.equal(await list.getByText('No account has').count(), 0);
      assert.ok(steps <= 2);
    });

    test('An administrator unlocks a user after too many wrong passwords', async () => {
      const token = await tenant.adminToken();
      const hedy = { identifier: newIdentifier(), password: newPassword() };
      const created = await tenant.request<UserRecord>('POST', '/users', { token, body: hedy });
      const { id } = expectStatus(201, created);
      const login = async (secret: string) => {
        const body = { identifier: hedy.identifier, secret };
        return (await tenant.request('POST', '/auth/login', { body })).status;
      };
      while ((await login(newPassword())) === 401);
      assert.equal(await login(hedy.password), 429);
      await keywright.nodes[0]?.notes.flush();
      await desk.open(`/users/${id}`);
      const latest = page.getByRole('note').filter({ hasText: 'The latest sign-in was rejected' });
      await latest.getByText('sign-ins on new devices are blocked').waitFor();
      await latest.getByRole('button', { name: 'Unlock' }).click();
      await desk.confirm('Unlock');
      await page.getByText(`${hedy.identifier} can sign in again.`).waitFor();
      assert.equal(await login(hedy.password), 200);
    });

    test('The user list filters by state, verification and logins, as the API does', async () => {
      const token = await tenant.adminToken();
      const [off, verified] = [newIdentifier(), newIdentifier()];
      for (const identifier of [off, verified]) {
        const body = { identifier, password: newPassword() };
        const answer = await tenant.request<UserRecord>('POST', '/users', { token, body });
        const { id } = expectStatus(201, answer);
        const changed =
          identifier === off
            ? { is_active: false }
            : { identifiers: [{ identifier, verified: true }] };
        expectStatus(200, await tenant.request('PATCH', `/users/${id}`, { token, body: changed }));
      }
      const shown = async (search: string) => {
        await page.waitForURL(`**/users?${search}`);
        await Traffic.of(page).settle();
        const answer = await tenant.request<{ items: UserRecord[] }>('GET', `/users?${search}`, {
          token,
        });
        const expected = answer.body.items.map(({ identifiers }) => identifiers[0]?.identifier);
        await until('the list is that of the API', async () => {
          const rows = page.locator('tbody tr');
          const found = expected.map((name) =>
            page.getByRole('row', { name: String(name) }).count(),
          );
          const counts = [await rows.count(), ...(await Promise.all(found))];
          return counts.toString() === [expected.length, ...expected.map(() => 1)].toString();
        });
        return expected;
      };
      await desk.open('/users');
      await desk.filter('Status', 'Disabled');
      assert.deepEqual(await shown('is_active=false'), [off]);
      // The filter is a tab, which another one replaces.
      const tab = page.getByRole('tab', { name: 'Disabled' });
      assert.equal(await tab.getAttribute('aria-selected'), 'true');
      await tab.getByText('1', { exact: true }).waitFor();
      await page.getByRole('tab', { name: 'Never signed in' }).click();
      assert.deepEqual((await shown('has_logged_in=false')).slice(0, 2), [verified, off]);
      await page.getByRole('tab', { name: 'All' }).click();
      await desk.filter('Email or phone', 'Verified');
      assert.deepEqual(await shown('is_verified=true'), [verified]);
      await desk.press('Remove Email or phone');
      await desk.press('Filter');
      await desk.press(desk.dialog().getByRole('button', { name: 'Last sign-in before' }));
      await page.getByLabel('Last sign-in before').fill('2020-01-01T00:00');
      await desk.press('Apply');
      await page.getByText('No matches. Try fewer filters.').waitFor();
    });

    test('An operator sees which settings are not the default, and resets them to it', async () => {
      await change({ config: { session_timeout: 600 } });
      await desk.open('/settings/tokens');
      const note = page.getByRole('group', { name: 'Access token lifetime' });
      await note.getByText('Default: \u20681 hour\u2069').waitFor();
      await note.getByText('Custom').waitFor();
      assert.equal(await page.getByText('Custom', { exact: true }).count(), 1);
      await note.getByRole('button', { name: 'Reset to default' }).click();
      await note.getByText('when you save').waitFor();
      assert.equal((await read()).config.session_timeout, 600);
      await desk.press('Save');
      await saved();
      assert.equal((await read()).config.session_timeout, 3600);
      assert.equal(await page.getByText('Custom', { exact: true }).count(), 0);
    });

    test('Each sign-in method shows what it needs, and turning one off shows who it affects and protects the last one', async () => {
      await change({ config: { allowed_login_methods: ['password'], password_min_length: 14 } });
      await desk.open('/methods');
      const card = (name: string) => page.getByRole('region', { name, exact: true });
      const turn = (name: string) => page.getByRole('switch', { name, exact: true });
      await card('Password').getByText('at least 14 characters').waitFor();
      const email = card('Email code and link');
      await email.getByText('without an email server').waitFor();
      assert.equal(await turn('Email code and link').isChecked(), false);
      assert.ok(await turn('SMS code').isDisabled());
      const setUp = email.getByRole('link', { name: 'Set up' });
      assert.match((await setUp.getAttribute('href')) ?? '', /messages\?tab=server$/);

      await turn('Password').click();
      await desk.dialog().getByText('no one can sign in, including you').waitFor();
      await desk.confirm('Close');
      assert.ok(await turn('Password').isChecked());

      await turn('Passkeys').click();
      await page.getByText('Passkeys turned on.').waitFor();
      assert.deepEqual((await read()).config.allowed_login_methods, ['password', 'passkey']);
      await turn('Password').click();
      await desk.dialog().getByText('You’re signed in with this method.').waitFor();
      await desk.dialog().getByText('They have no other method and can’t sign in.').waitFor();
      await desk.confirm('Cancel');
      await turn('Passkeys').click();
      await desk.confirm('Turn off');
      await page.getByText('Passkeys turned off.').waitFor();
      assert.deepEqual((await read()).config.allowed_login_methods, ['password']);

      await card('Password').getByText('Settings').click();
      await page.getByRole('spinbutton', { name: 'Minimum password length' }).fill('16');
      await desk.press('Save');
      await saved();
      await card('Password').getByText('at least 16 characters').waitFor();
      await change({ config: { allowed_login_methods: null, password_min_length: null } });
    });

    test('An operator sees the tokens of a user with claims that are not saved, and why a claim is refused', async () => {
      await change({ config: { custom_claims: { region: 'eu' } } });
      const token = await tenant.adminToken();
      const { user, identifier, password: secret } = await tenant.createUser();
      const plan = { token, body: { metadata: { plan: 'team' } } };
      expectStatus(200, await tenant.request('PATCH', `/users/${user.id}`, plan));
      const client = await newClient(tenant);
      await desk.open('/settings/claims');
      await field('User ID or email').fill(identifier);
      await page.getByLabel('Application').selectOption({ label: client.name });
      await desk.press('Show claims');
      const rowIn = (table: string, name: string) =>
        page
          .getByRole('table', { name: table, exact: true })
          .getByRole('row')
          .filter({ has: page.getByRole('rowheader', { name, exact: true }) });
      await rowIn('Access token', 'region').getByText('"eu"').waitFor();
      await rowIn('ID token', 'email').getByText(`"${identifier}"`).waitFor();
      const claims = { plan: { metadata: '/plan' }, groups: 'all', none: { metadata: '/none' } };
      await page.getByRole('textbox', { name: 'Custom claims' }).fill(JSON.stringify(claims));
      await rowIn('Access token', 'plan').getByText('"team"').waitFor();
      await rowIn('Custom claims', 'plan').getByText('In the access token').waitFor();
      await rowIn('Custom claims', 'none').getByText('Omitted (no value)').waitFor();
      await rowIn('Custom claims', 'groups').getByText('is reserved').waitFor();
      assert.equal(await rowIn('Access token', 'region').count(), 0);
      assert.deepEqual((await read()).config.custom_claims, { region: 'eu' });
      const { groups: _, ...accepted } = claims;
      await page.getByRole('textbox', { name: 'Custom claims' }).fill(JSON.stringify(accepted));
      await desk.press('Save');
      await saved();
      const { access_token: issued } = await tenant.login(identifier, secret);
      assert.equal((claimsOf(issued) as Record<string, unknown>)['plan'], 'team');
      await change({ config: { custom_claims: null } });
    });

    test('The console says who adds domains; a system administrator adds one, sees its DNS record, and removes it by its name', async () => {
      await desk.open('/settings/domains');
      await page.getByText('ask a system administrator').waitFor();
      assert.equal(await page.getByRole('button', { name: 'Add domain' }).count(), 0);

      const { home, admin } = keywright;
      desk = await desk.openFor(admin, home);
      ({ page } = desk);
      const domains = async () => {
        const token = await keywright.adminToken();
        const answer = await home.request<TenantRecord>('GET', `/tenants/${home.id}`, { token });
        return expectStatus(200, answer).domains;
      };
      const present = await domains();
      await desk.open('/settings/domains');
      await field('Domain').fill('not a host');
      await desk.press('Add domain');
      await page.locator('[aria-invalid=true]').waitFor();
      await field('Domain').fill('login.acme.example');
      await desk.press('Add domain');
      await page.getByText(`login.acme.example. CNAME ${new URL(desk.origin).hostname}.`).waitFor();
      assert.deepEqual(await domains(), [...present, 'login.acme.example']);
      const row = page.locator('.actions', { hasText: 'login.acme.example. CNAME' });
      await row.getByRole('button', { name: 'Remove', exact: true }).click();
      await page.getByRole('alertdialog').getByRole('textbox').fill('login.acme.example');
      await desk.confirm('Remove');
      await page.getByText('Removed login.acme.example.').waitFor();
      assert.deepEqual(await domains(), present);
    });
  },
);
