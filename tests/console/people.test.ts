// Joining a tenant, in the console, on the real service: each journey ends by checking the API.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import type { InvitationRecord } from '@keywright/contract/records/invitation';
import type { UserRecord } from '@keywright/contract/records/user';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../conformance/browser.ts';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { bcryptOf } from '../harness/foreign-passwords.ts';
import { expectStatus } from '../harness/http.ts';
import { invitationTokenTo, openInvitation } from '../harness/invitations.ts';
import type { Keywright } from '../harness/keywright.ts';
import { type MailSink, startMailSink } from '../harness/mail-sink.ts';
import { mailThrough } from '../harness/mailed.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { until } from '../harness/until.ts';
import { Desk } from './desk.ts';

const SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15';
/** More than fit into one request. */
const MANY = 1200;

const newPerson = () => ({ identifier: newIdentifier(), password: newPassword() });

const browser = await launchBrowser();

describe(
  'a user manager in the console',
  { skip: browser ? false : 'Chromium is not installed.' },
  () => {
    let sink: MailSink;
    let keywright: Keywright;
    let tenant: TestTenant;
    let desk: Desk;
    let page: Page;

    before(async () => {
      sink = await startMailSink();
      const env = { ...mailThrough(sink), KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' };
      desk = await Desk.open(browser as Browser, { slug: 'people', env });
      ({ keywright, tenant, page } = desk);
    });
    after(async () => {
      await browser?.close();
      await keywright.close();
      await sink.close();
    });

    test('A new user is invited, or gets a generated password that the rule of the tenant accepts', async () => {
      await desk.open('/users/new');
      await page.getByRole('button', { name: 'Invite', exact: false }).waitFor();
      await page.getByRole('link', { name: 'With a password' }).click();
      await page.getByText('At least 12 characters.').waitFor();
      const identifier = newIdentifier();
      await page.getByLabel('Email or phone').fill(identifier);
      await desk.press('Generate');
      const password = await page.locator('input[name=password]').inputValue();
      await desk.press('Create user');
      await desk.waitForPath('/users/user:*');
      await desk.tenant.login(identifier, password);
    });

    test('An administrator adds, verifies, reorders and removes the emails of a user without JSON, and undoes a change', async () => {
      const { user, identifier } = await tenant.createUser();
      const token = await tenant.adminToken();
      const read = async () =>
        expectStatus(200, await tenant.request<UserRecord>('GET', `/users/${user.id}`, { token }))
          .identifiers;
      const added = newIdentifier();
      const row = (text: string) =>
        page
          .getByRole('list', { name: 'Emails and phones' })
          .getByRole('listitem')
          .filter({ hasText: text });
      const act = async (name: string, verb: string) => {
        await desk.press(`Actions for ${name}`);
        await page.getByRole('menuitem', { name: verb }).click();
      };
      await desk.open(`/users/${user.id}`);
      await desk.press('Add Email or phone');
      await desk.dialog().getByLabel('Email or phone').fill('not an address');
      await desk.confirm('Add');
      await desk.dialog().getByRole('alert').waitFor();
      await desk.dialog().getByLabel('Email or phone').fill(added);
      await desk.confirm('Add');
      await row(added).getByText('Not verified').waitFor();
      await act(added, 'Mark as verified');
      await desk.confirm('Mark as verified');
      await row(added).getByText('Verified', { exact: true }).waitFor();
      await act(added, 'Make primary');
      await row(added).getByText('Primary', { exact: true }).waitFor();
      assert.deepEqual(
        (await read()).map((entry) => [entry.identifier, entry.verified]),
        [
          [added, true],
          [identifier, false],
        ],
      );
      await desk.press('Undo');
      await row(identifier).getByText('Primary', { exact: true }).waitFor();
      assert.equal((await read())[0]?.identifier, identifier);
      await act(added, 'Remove');
      await desk.confirm('Remove');
      await page.getByText(`Removed ${added}.`).waitFor();
      await row(added).waitFor({ state: 'detached' });
      assert.deepEqual(
        (await read()).map((entry) => entry.identifier),
        [identifier],
      );
    });

    test('An administrator gives a user a role on their page, and takes it back with Undo', async () => {
      const { user } = await tenant.createUser();
      const token = await tenant.adminToken();
      const rolesOf = async () =>
        expectStatus(200, await tenant.request<UserRecord>('GET', `/users/${user.id}`, { token }))
          .roles;
      const access = page.getByRole('region', { name: 'Access', exact: true });
      await desk.open(`/users/${user.id}`);
      await desk.press('Edit Access');
      await access.getByRole('combobox', { name: 'Roles' }).fill('adm');
      await page.getByRole('option', { name: /^admin/ }).click();
      await page.keyboard.press('Escape');
      await access.getByRole('button', { name: 'Save' }).click();
      await access.getByRole('button', { name: 'Edit' }).waitFor();
      await access.getByText('admin', { exact: true }).waitFor();
      assert.deepEqual((await rolesOf()).toSorted(), ['admin', 'member']);
      await desk.press('Undo');
      await page.getByText('Undone.', { exact: true }).waitFor();
      assert.deepEqual(await rolesOf(), ['member']);
    });

    test('The dialog that disables a user names the devices they are signed in on, not the IDs of sessions', async () => {
      const { user } = await tenant.createUser();
      await keywright.database.query(
        'UPDATE sessions SET user_agent = $3 WHERE tenant_id = $1 AND user_id = $2',
        [tenant.id, user.id, SAFARI],
      );
      await desk.open(`/users/${user.id}`);
      await desk.act('Disable');
      await desk.dialog().getByText('Safari on macOS').waitFor();
      assert.doesNotMatch(await desk.dialog().innerText(), /session:|dlg_/);
      await desk.confirm('Cancel');
    });

    test('An administrator invites a person in their language, sends it again, and revokes it, after which its link is worthless', async () => {
      const token = await tenant.adminToken();
      const body = { name: 'Research', slug: 'research' };
      expectStatus(201, await tenant.request('POST', '/workspaces', { token, body }));
      await desk.open('/invitations/new');
      const address = page.getByLabel('Email', { exact: true });
      await address.fill('+15551234567');
      await desk.press('Invite user');
      await page.locator('[name=identifier][type=email]:invalid').waitFor();
      await address.fill('ada@example.com');
      await page.getByRole('combobox', { name: 'Workspaces' }).fill('rese');
      await page.getByRole('option', { name: 'Research' }).click();
      await page.keyboard.press('Escape');
      await page.getByLabel('Language').selectOption({ label: 'Deutsch' });
      await desk.press('Invite user');
      await page.getByRole('heading', { name: 'ada@example.com' }).waitFor();
      const id = new URL(page.url()).pathname.split('/').at(-1);
      const read = async () =>
        expectStatus(
          200,
          await tenant.request<InvitationRecord>('GET', `/invitations/${id}`, { token }),
        );
      const invitation = await read();
      assert.deepEqual(invitation.workspaces, ['ws_research']);
      assert.deepEqual(invitation.roles, ['member']);
      const link = await invitationTokenTo(sink, invitation);
      const mail = sink.mails.find(({ to }) => to.includes('ada@example.com'));
      assert.match(mail?.parsed.subject ?? '', /Einladung|eingeladen|lädt/);
      assert.ok(!(await page.content()).includes(link), 'the token is in its message only');

      await desk.press('Resend');
      await desk.confirm('Resend');
      // Within half a minute of the first message, the service refuses another.
      await page.getByRole('alertdialog').getByRole('alert').waitFor();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
      await desk.press('Revoke');
      await desk.confirm('Revoke');
      await page.getByText('Revoked', { exact: true }).waitFor();
      assert.equal((await read()).status, 'revoked');
      assert.notEqual((await openInvitation(tenant, link)).status, 201);
    });

    test('An administrator finds a user by name to add them to a workspace, and undoes their removal', async () => {
      const token = await tenant.adminToken();
      const body = { name: 'Workshop', slug: 'workshop' };
      expectStatus(201, await tenant.request('POST', '/workspaces', { token, body }));
      const { user, identifier } = await tenant.createUser();
      const named = { token, body: { name: 'Mary Somerville' } };
      expectStatus(200, await tenant.request('PATCH', `/users/${user.id}`, named));
      await desk.open('/workspaces/ws_workshop');
      const field = page.getByRole('combobox', { name: 'User' });
      await field.fill('Unknown Person');
      await page.getByText('No matches.').waitFor();
      const searches: string[] = [];
      page.on('request', (request) => {
        const search = new URL(request.url()).searchParams.get('search');
        if (search !== null) searches.push(search);
      });
      await field.fill('');
      await field.pressSequentially('somer', { delay: 20 });
      await page.getByRole('option', { name: `Mary Somerville ${identifier}` }).click();
      assert.equal(searches.at(-1), 'somer');
      assert.ok(searches.length < 'somer'.length, 'not one request per letter');
      await desk.press('Add member');
      const row = page.getByRole('row', { name: 'Mary Somerville' });
      await row.waitFor();
      const members = async () => {
        const path = `/workspaces/ws_workshop/members`;
        const list = await tenant.request<{ items: { user_id: string }[] }>('GET', path, { token });
        return expectStatus(200, list).items.map((member) => member.user_id);
      };
      assert.deepEqual(await members(), [user.id]);
      await desk.actOn(row, 'Remove');
      await row.waitFor({ state: 'detached' });
      assert.deepEqual(await members(), []);
      const notice = page.getByRole('group').filter({ hasText: 'Member removed.' });
      await notice.getByRole('button', { name: 'Undo' }).click();
      await row.waitFor();
      assert.deepEqual(await members(), [user.id]);
      await row.getByRole('link').click();
      await page.getByRole('heading', { name: 'Mary Somerville' }).waitFor();
    });

    test('A caller who can read users sees them by name where records have their ids, and no other caller does', async () => {
      const { user, identifier } = await tenant.createUser();
      await desk.open('/sessions');
      await page.getByRole('row', { name: identifier }).waitFor();
      await desk.open(`/audit?target=${user.id}`);
      await page.getByRole('cell', { name: identifier }).first().waitFor();

      const token = await tenant.adminToken();
      const body = { name: 'doorkeeper', scopes: ['read:sessions'] };
      expectStatus(201, await tenant.request('POST', '/roles', { token, body }));
      const person = await tenant.createUser({ roles: ['doorkeeper'] });
      const doorkeeperDesk = await desk.openFor(person);
      const paths: string[] = [];
      doorkeeperDesk.page.on('request', (request) => paths.push(new URL(request.url()).pathname));
      await doorkeeperDesk.open('/sessions');
      await doorkeeperDesk.page.getByText('people', { exact: true }).first().waitFor();
      const row = doorkeeperDesk.page.getByRole('row', { name: user.id });
      await row.getByRole('button', { name: /^Actions for / }).click();
      const actions = doorkeeperDesk.page.getByRole('menuitem');
      assert.deepEqual(await actions.allInnerTexts(), ['Copy ID'], 'no session can be ended');
      assert.ok(paths.some((path) => path.endsWith('/sessions')));
      assert.deepEqual(
        paths.filter((path) => path.endsWith('/users')),
        [],
      );
      await doorkeeperDesk.page.close();
    });

    test('An invitation can be sent again once half a minute has passed', async () => {
      const token = await tenant.adminToken();
      const body = { identifier: 'grace@example.com' };
      const made = expectStatus(
        201,
        await tenant.request<InvitationRecord>('POST', '/invitations', { token, body }),
      );
      await invitationTokenTo(sink, made);
      // After that long, the attempts of the first message have expired.
      await keywright.database.query('DELETE FROM login_attempts WHERE tenant_id = $1', [
        tenant.id,
      ]);
      await desk.open('/invitations?status=pending');
      const row = page.getByRole('row', { name: 'grace@example.com' });
      await desk.actOn(row, 'Resend');
      await desk.confirm('Resend');
      await page.getByText('Invitation resent to grace@example.com.').waitFor();
      const mailed = () => sink.mails.filter(({ to }) => to.includes('grace@example.com'));
      await until('a second message', () => mailed().length === 2 || undefined);
    });

    test('A user manager imports a file of users by what its columns become, after a check that changes nothing, and sees why lines are refused', async () => {
      const token = await tenant.adminToken();
      const people = [newPerson(), newPerson()];
      const hashes = await Promise.all(people.map(({ password }) => bcryptOf(password)));
      const many = Array.from({ length: MANY }, (_, place) => `many-${place}@example.com,,`);
      const rows = [
        'E-Mail,Password Hash,Plan',
        ...people.map(({ identifier }, place) => `${identifier},${hashes[place]?.hash},team`),
        ...many,
        'no address,,',
        'old@example.com,$1$md5crypt,',
        'taken@example.com,,',
      ];
      const counted = async () =>
        (await tenant.request<{ meta: { total: number } }>('GET', '/users?limit=1', { token })).body
          .meta.total;
      await desk.open('/users/import');
      await page
        .getByLabel('File', { exact: true })
        .last()
        .setInputFiles({
          name: 'users.csv',
          mimeType: 'text/csv',
          buffer: Buffer.from(rows.join('\n')),
        });
      await page.locator('.drop').getByText('users.csv').waitFor();
      await page.getByLabel('Password Hash').waitFor();
      assert.equal(await page.getByLabel('Password Hash').inputValue(), 'password');
      await page.getByLabel('Plan', { exact: true }).selectOption({ label: 'Metadata' });
      const present = await counted();
      await desk.press('Validate');
      const created = people.length + many.length + 1;
      const action = page.getByRole('button', { name: /^Import [\d,]+ users$/ });
      await action.waitFor();
      assert.equal(await action.innerText(), `Import ${created.toLocaleString('en')} users`);
      assert.equal(await counted(), present, 'a check changes nothing');
      const refused = page.getByRole('table', { name: 'Rejected lines' });
      await refused.getByText('The password hash is missing or not supported.').waitFor();
      assert.equal(await refused.getByRole('row').count(), 1 + 2);
      // Meanwhile another user takes the identifier.
      const body = { identifier: 'taken@example.com', password: newPassword() };
      expectStatus(201, await tenant.request('POST', '/users', { token, body }));

      await action.click();
      await page.getByRole('heading', { name: 'Imported' }).waitFor();
      assert.equal(await counted(), present + created);
      const saved = page.waitForEvent('download');
      await desk.press('Download report');
      const report = await readFile(await (await saved).path(), 'utf8');
      const lines = report.trimEnd().split('\n');
      assert.equal(lines.length, rows.length - 1);
      const last = JSON.parse(lines.at(-1) ?? '') as object;
      assert.partialDeepStrictEqual(last, { at: rows.length, status: 'existing' });
      for (const { hash } of hashes) {
        assert.ok(!report.includes(hash) && !(await page.content()).includes(hash));
      }
      for (const { identifier, password } of people) {
        const { user } = await tenant.login(identifier, password);
        const { body: record } = await tenant.request('GET', `/users/${user.id}`, { token });
        assert.deepEqual(record['metadata'], { Plan: 'team' });
      }
    });

    test('An administrator stops a long import, and sees that a file is not text', async () => {
      const many = Array.from({ length: MANY * 3 }, (_, place) => `later-${place}@example.com`);
      let requestCount = 0;
      await page.route('**/console/api/**/users/import**', async (route) => {
        requestCount += 1;
        if (requestCount > 1) return route.abort();
        await page.getByRole('button', { name: 'Stop import' }).click();
        await route.abort();
      });
      await desk.open('/users/import');
      const choose = (buffer: Buffer) =>
        page
          .getByLabel('File', { exact: true })
          .last()
          .setInputFiles({ name: 'users.csv', mimeType: 'text/csv', buffer });
      await choose(Buffer.from(['email', ...many].join('\n')));
      await desk.press('Validate');
      await page.getByRole('heading', { name: 'Validated' }).waitFor();
      assert.equal(requestCount, 1, 'what is stopped is not sent again');
      assert.equal(await page.getByRole('button', { name: /^Import [\d,]+ users$/ }).count(), 0);
      await page.unrouteAll({ behavior: 'wait' });

      await choose(Buffer.from([...Buffer.from('email,name\na@example.com,'), 0xff, 0xfe]));
      await page.getByText('Save the file as UTF-8 text').waitFor();
    });

    test('The response to an invitation is the same whether or not a user has the address', async () => {
      const existing = await tenant.createUser();
      const answers: string[] = [];
      for (const identifier of [existing.identifier, 'unknown@example.com']) {
        await desk.open('/invitations/new');
        await page.getByLabel('Email', { exact: true }).fill(identifier);
        await desk.press('Invite user');
        await page.getByRole('heading', { name: identifier }).waitFor();
        // Who invited them is named once the names are loaded.
        await page.getByRole('link', { name: /^user-\w+@example\.com$/ }).waitFor();
        // Ignores times, which differ.
        const text = await page.locator('main').innerText();
        const lasting = text.replaceAll(identifier, 'ADDRESS').replaceAll(/^.* · .*$/gm, '');
        answers.push(lasting.replaceAll(/inv_[0-9a-z]{26}/g, 'ID'));
      }
      assert.equal(answers[0], answers[1]);
    });
  },
);
