// Permissions in the console, against the real service: each journey ends by checking the API.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../conformance/browser.ts';
import { consent } from '../harness/consent.ts';
import { createUserWith, delegate } from '../harness/delegation.ts';
import { expectStatus } from '../harness/http.ts';
import type { Keywright } from '../harness/keywright.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { Desk } from './desk.ts';
import { intercept } from './interception.ts';

const FAILED = { error: 'Internal Server Error', detail: 'It broke.', code: 'INTERNAL' };

const browser = await launchBrowser();

describe(
  'an access manager in the console',
  { skip: browser ? false : 'Chromium is not installed.' },
  () => {
    let keywright: Keywright;
    let tenant: TestTenant;
    let desk: Desk;
    let page: Page;

    const read = async (path: string) =>
      expectStatus(200, await tenant.request('GET', path, { token: await tenant.adminToken() }));
    const isLoggedIn = async ({ token }: TestUser) =>
      (await tenant.request('GET', '/me', { token })).status === 200;

    before(async () => {
      desk = await Desk.open(browser as Browser, { slug: 'access', env: {} });
      ({ keywright, tenant, page } = desk);
    });
    after(async () => {
      await browser?.close();
      await keywright.close();
    });

    test('The console shows which role allows a scope and, at the same address, which link refuses it once it is removed', async () => {
      const user = await createUserWith(tenant, ['read:users']);
      await desk.open(`/users/${user.user.id}`);
      await page.getByRole('link', { name: 'Check access' }).last().click();
      await page.getByLabel('Resource').fill('users');
      await desk.press('Check access');
      await page.getByText('Allowed', { exact: true }).first().waitFor();
      const chain = page.getByRole('list', { name: 'Check access' });
      await chain.getByText(user.role, { exact: true }).waitFor();
      assert.equal(await chain.getByText('Denied here').count(), 0);

      const token = await tenant.adminToken();
      const body = { scopes: ['read:roles'] };
      expectStatus(200, await tenant.request('PATCH', `/roles/${user.role}`, { token, body }));
      await page.reload();
      await page.getByText('Denied', { exact: true }).waitFor();
      const refusing = chain.locator('[data-state=refuses]');
      assert.equal(await refusing.count(), 1);
      assert.match(await refusing.innerText(), /None of their roles or scopes grants this/);
      assert.match(await refusing.innerText(), /updated the role/);
      const question = { subject: user.user.id, scope: 'read:users' };
      const answer = await tenant.request('POST', '/explain', { token, body: question });
      assert.equal(expectStatus(200, answer)['allowed'], false);
    });

    test('The console offers a role that grants what is missing, to a user who is found by name', async () => {
      const { user } = await tenant.createUser();
      const token = await tenant.adminToken();
      const named = { token, body: { name: 'Katherine Johnson' } };
      expectStatus(200, await tenant.request('PATCH', `/users/${user.id}`, named));
      const role = { name: 'flight-dynamics', scopes: ['read:orbits'] };
      expectStatus(201, await tenant.request('POST', '/roles', { token, body: role }));
      await desk.open('/access-check');
      await page.getByLabel('User or agent').fill('katherine');
      await page.getByRole('option', { name: /Katherine Johnson/ }).click();
      await page.getByLabel('Resource').fill('orbits');
      await desk.press('Check access');
      await page.getByText('None of their roles or scopes grants this').waitFor();
      await desk.press('Give role flight-dynamics');
      await desk.confirm('Give role flight-dynamics');
      await page.getByText(/has the role .*flight-dynamics/).waitFor();
      await page.getByText('Denied', { exact: true }).waitFor({ state: 'detached' });
      const { roles } = await read(`/users/${user.id}`);
      assert.ok((roles as string[]).includes('flight-dynamics'));
    });

    test('The console explains access for a subject found by address, and shows an inactive user as the link that refuses', async () => {
      const user = await createUserWith(tenant, ['read:users']);
      const token = await tenant.adminToken();
      const body = { is_active: false };
      expectStatus(200, await tenant.request('PATCH', `/users/${user.user.id}`, { token, body }));
      await desk.open('/access-check');
      await page.getByLabel('User or agent').fill(user.identifier);
      await page.getByLabel('Resource').fill('users');
      await desk.press('Check access');
      const refusing = page.locator('[data-state=refuses]');
      await refusing.waitFor();
      assert.match(await refusing.innerText(), /The account is disabled/);
    });

    test('An administrator compares roles, and sees before saving who loses which scopes, and that another role keeps them', async () => {
      const single = await createUserWith(tenant, ['read:sessions', 'read:webhooks']);
      const both = await tenant.createUser({ roles: [single.role, 'admin'] });
      await desk.open('/roles?tab=matrix');
      await page.getByRole('row', { name: /^Webhooks/ }).waitFor();
      await desk.open(`/roles?tab=compare&a=${single.role}&b=member`);
      await page.getByText(`Only in ${single.role}`).waitFor();
      await page.getByText('read:webhooks', { exact: true }).waitFor();

      await desk.open(`/roles/${single.role}`);
      await desk.press('Edit Permissions');
      await page.getByLabel('read:webhooks', { exact: true }).uncheck();
      await page.getByLabel('write:webhooks', { exact: true }).check();
      const preview = page.getByRole('region', { name: 'Impact' });
      await preview.getByText('2 users have this role.').waitFor();
      const ofSingle = preview.getByRole('listitem').filter({ hasText: single.identifier });
      assert.match(await ofSingle.innerText(), /Gains\s+write:webhooks\s+Loses\s+read:webhooks/);
      const ofBoth = preview.getByRole('listitem').filter({ hasText: both.identifier });
      assert.match(await ofBoth.innerText(), /Gains\s+None\s+Loses\s+None/);
      assert.deepEqual((await read(`/roles/${single.role}`))['scopes'], [
        'read:sessions',
        'read:webhooks',
      ]);
      await desk.press('Save');
      await page.getByText('Saved.').waitFor();
      const { permissions } = await read(`/users/${single.user.id}/permissions`);
      assert.deepEqual(
        (permissions as { scope: string }[]).map(({ scope }) => scope),
        ['read:sessions', 'write:webhooks'],
      );
      await page.getByRole('link', { name: 'Users with this role' }).click();
      await page.getByText('1–2 of 2').waitFor();
    });

    test('An administrator ends sessions of several users by keyboard, gives them a role, disables and deletes them', async () => {
      const people = [await tenant.createUser(), await tenant.createUser()];
      const name = `group-of-${people.length}`;
      const token = await tenant.adminToken();
      const body = { name, scopes: ['read:users'] };
      expectStatus(201, await tenant.request('POST', '/roles', { token, body }));
      const choose = async () => {
        await desk.open('/users');
        await page.getByRole('link', { name: people[1]?.identifier ?? '' }).focus();
        await page.keyboard.press('x');
        await page.keyboard.press('j');
        await page.keyboard.press('x');
        await page.getByRole('region', { name: '2 selected' }).waitFor();
      };
      await choose();
      await desk.press('Add role');
      await desk.dialog().getByLabel('Role').selectOption(name);
      await desk.confirm('Add role');
      await page.getByText('Applied to 2 users.').waitFor();
      for (const { user } of people) {
        assert.deepEqual((await read(`/users/${user.id}`))['roles'], [name, 'member']);
      }
      await choose();
      await desk.press('Sign out everywhere');
      await desk.confirm('Sign out everywhere');
      await page.getByText('Applied to 2 users.').waitFor();
      assert.deepEqual(await Promise.all(people.map(isLoggedIn)), [false, false]);

      for (const person of people) await tenant.login(person.identifier, person.password);
      await choose();
      await desk.press('Disable');
      await desk.dialog().getByLabel('Reason').fill('left together');
      await desk.dialog().getByText('Sessions').waitFor();
      assert.match(await desk.dialog().innerText(), /Sessions\s+2\s/);
      await desk.confirm('Disable');
      await page.getByText('Applied to 2 users.').waitFor();
      assert.equal((await read(`/users/${people[0]?.user.id}`))['is_active'], false);

      await choose();
      await desk.press('Delete');
      const deletion = desk.dialog().getByRole('button', { name: 'Delete' });
      assert.equal(await deletion.isDisabled(), true);
      await desk.dialog().getByLabel('To confirm').fill('2');
      await deletion.click();
      await page.getByText('Applied to 2 users.').waitFor();
      for (const { user } of people) {
        expectStatus(404, await tenant.request('GET', `/users/${user.id}`, { token }));
      }
    });

    test('An administrator sees for which users a bulk action failed, and why, and these users remain selected', async () => {
      const helper = await createUserWith(tenant, [
        'read:users',
        'write:users',
        'delete:users',
        'read:roles',
      ]);
      const victim = await tenant.createUser({ roles: [] });
      await tenant.createUser({ roles: ['admin'] });
      const helperDesk = await desk.openFor(helper);
      await helperDesk.open('/users?limit=25');
      const boxes = helperDesk.page.locator('tbody .pick input');
      await boxes.nth(0).check();
      await boxes.nth(1).check();
      await helperDesk.page.getByRole('button', { name: 'Delete', exact: true }).click();
      const dialog = helperDesk.page.getByRole('alertdialog');
      await dialog.getByLabel('To confirm').fill('2');
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await dialog.getByText('1 failed (still selected):').waitFor();
      assert.match(await dialog.innerText(), /SCOPE_NOT_HELD/);
      await dialog.getByRole('button', { name: 'Close' }).click();
      await helperDesk.page.getByRole('region', { name: '1 selected' }).waitFor();
      const token = await tenant.adminToken();
      expectStatus(404, await tenant.request('GET', `/users/${victim.user.id}`, { token }));
      await helperDesk.page.context().close();
    });

    test('An administrator is warned before removing their own access, alone or among others, and cannot as the last one', async () => {
      const solo = await keywright.tenant('solo');
      const person = await solo.createUser({ roles: ['admin'] });
      const other = await solo.createUser();
      await keywright.database.query(
        'UPDATE users SET is_active = false WHERE tenant_id = $1 AND id <> ALL ($2)',
        [solo.id, [person.user.id, other.user.id]],
      );
      const soloDesk = await desk.openFor(person, solo);
      const warning = (text: string) =>
        soloDesk.dialog().getByRole('alert').filter({ hasText: text });
      const opened = async (verb: string, isInMenu = false) => {
        await (isInMenu ? soloDesk.act(verb) : soloDesk.press(verb));
        await soloDesk.dialog().getByText('Sessions').waitFor();
      };
      for (const { user } of [person, other]) {
        await soloDesk.open(`/users/${user.id}`);
        for (const verb of ['Disable', 'Delete']) {
          await opened(verb, true);
          const isSelf = user.id === person.user.id;
          assert.equal(await warning('This is you.').count(), isSelf ? 1 : 0, `${verb} ${isSelf}`);
          await soloDesk.confirm('Cancel');
        }
      }
      await soloDesk.open(`/users/${person.user.id}`);
      await soloDesk.press('Edit Access');
      const lost = soloDesk.page.getByText('This is you. You’ll lose some of your permissions');
      const roles = soloDesk.page.getByRole('combobox', { name: 'Roles' });
      await roles.fill('mem');
      await soloDesk.page.getByRole('option', { name: 'member' }).click();
      await soloDesk.page.keyboard.press('Escape');
      assert.equal(await lost.count(), 0, 'a gained role is no loss');
      await soloDesk.page.getByRole('button', { name: 'Remove admin' }).click();
      await lost.waitFor();
      await soloDesk.press(soloDesk.page.getByRole('button', { name: 'Save' }).first());
      await soloDesk.page.getByText('LAST_ADMINISTRATOR').waitFor();

      await soloDesk.open('/users');
      const pick = (name: string) =>
        soloDesk.page.getByRole('row', { name }).getByRole('checkbox').check();
      await pick(other.identifier);
      await opened('Disable');
      assert.equal(await warning('You’re in this selection.').count(), 0);
      await soloDesk.confirm('Cancel');
      await pick(person.identifier);
      await opened('Disable');
      assert.equal(await warning('You’re in this selection.').count(), 1);
      await soloDesk.dialog().getByLabel('Reason').fill('left together');
      await soloDesk.confirm('Disable');
      await soloDesk.dialog().getByText('1 failed (still selected):').waitFor();
      assert.match(await soloDesk.dialog().innerText(), /LAST_ADMINISTRATOR/);
      expectStatus(200, await solo.request('GET', '/me', { token: person.token }));
      await soloDesk.page.context().close();
    });

    test('The page of a user lists their delegations without a column that names the user again', async () => {
      const user = await createUserWith(tenant, ['read:users']);
      const robot = await tenant.createAgent({ name: 'scribe', scopes: ['read:users'] });
      await delegate(tenant, user, robot, ['read:users']);
      await desk.open(`/users/${user.user.id}?tab=access`);
      const list = page.getByRole('table', { name: 'Delegations' });
      await list.getByRole('row', { name: /scribe.*read:users/ }).waitFor();
      const titles = await list.getByRole('columnheader').allInnerTexts();
      assert.deepEqual(titles, ['Agent', 'Scopes', 'Expires']);
    });

    test('An administrator disconnects an application of a user, and hides columns through the address', async () => {
      const user = await tenant.createUser();
      const token = await tenant.adminToken();
      const body = {
        name: 'Books',
        kind: 'web',
        redirect_uris: ['https://books.example.com/back'],
      };
      const client = expectStatus(201, await tenant.request('POST', '/clients', { token, body }));
      await consent(keywright, tenant.id, {
        userId: user.user.id,
        clientId: String(client['id']),
      });
      await desk.open(`/users/${user.user.id}?tab=access`);
      await page.getByRole('row', { name: 'Books' }).getByRole('button').click();
      await desk.confirm('Disconnect');
      await page.getByText('No connected apps').waitFor();
      assert.deepEqual((await read(`/consents?user_id=${user.user.id}`))['items'], []);

      await desk.open('/users');
      await page.getByText('Columns', { exact: true }).click();
      await page.getByLabel('Workspaces').uncheck();
      await page.waitForURL('**/users?hide=workspaces');
      await page.reload();
      await page.getByRole('columnheader', { name: 'Roles' }).waitFor();
      assert.equal(await page.getByRole('columnheader', { name: 'Workspaces' }).count(), 0);
    });

    test('An administrator rotates a key with the overlap that they choose, and removes a key and an issuer of an agent', async () => {
      const robot = await tenant.createAgent({ name: 'builder' });
      await desk.open(`/agents/${robot.agent.id}`);
      await desk.actOn(page.locator('tbody tr'), 'Rotate');
      await desk
        .dialog()
        .getByLabel('Keep the old key')
        .selectOption({ label: 'Revoke immediately' });
      await desk.confirm('Rotate');
      const key = await page.locator('.secret').innerText();
      expectStatus(200, await tenant.request('GET', '/me', { token: key }));
      expectStatus(401, await tenant.request('GET', '/me', { token: robot.key }));

      const trust = { issuer: 'https://ci.example.com', audience: 'keywright', subject: 'main' };
      const jwk = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };
      const keys = [
        { ...jwk, kid: 'first' },
        { ...jwk, kid: 'second' },
      ];
      const token = await tenant.adminToken();
      const body = { jwks: { keys }, trusts: [trust] };
      const path = `/agents/${robot.agent.id}`;
      expectStatus(200, await tenant.request('PATCH', path, { token, body }));
      await desk.open(`${path}?tab=trust`);
      await page.getByRole('listitem').filter({ hasText: 'first' }).getByRole('button').click();
      await desk.confirm('Remove');
      await page.getByText('Removed first.').waitFor();
      await page
        .getByRole('listitem')
        .filter({ hasText: 'ci.example.com' })
        .getByRole('button', { name: 'Remove' })
        .click();
      await desk.confirm('Remove');
      await page.getByText('Removed https://ci.example.com.').waitFor();
      const agent = await read(path);
      assert.deepEqual(agent['trusts'], []);
      await page
        .getByRole('combobox', { name: 'Where it runs' })
        .selectOption({ label: 'GitHub Actions' });
      await page.getByLabel('Claim repository').fill('acme/shop');
      await page.getByLabel('Claim ref', { exact: true }).fill('refs/heads/main');
      await page.getByLabel('Audience').fill('keywright');
      await desk.press('Add trusted issuer');
      await page.getByText('Saved.', { exact: true }).waitFor();
      assert.deepEqual((await read(path))['trusts'], [
        {
          issuer: 'https://token.actions.githubusercontent.com',
          audience: 'keywright',
          claims: { repository: 'acme/shop', ref: 'refs/heads/main' },
        },
      ]);
      assert.deepEqual(agent['jwks'], { keys: [{ ...jwk, kid: 'second' }] });
    });

    test('An administrator reports a key that was found, which is revoked immediately, and learns whose it was', async () => {
      const robot = await tenant.createAgent({ name: 'careless' }, { name: 'in a repository' });
      await desk.open('/agents/leak');
      await page.getByLabel('Leaked key').fill(robot.key);
      await desk.press('Report and revoke');
      await page.getByText('Revoked this key:').waitFor();
      await page.getByRole('link', { name: 'in a repository' }).waitFor();
      assert.ok(!(await page.content()).includes(robot.key));
      assert.equal(await page.getByLabel('Leaked key').inputValue(), '');
      expectStatus(401, await tenant.request('GET', '/me', { token: robot.key }));
      assert.equal((await read(`/apikeys/${robot.record.id}`))['revoke_reason'], 'leaked');
      await page.getByLabel('Leaked key').fill('svc_sk_nothing');
      await desk.press('Report and revoke');
      await page.getByText('Thanks. This isn’t an active key').waitFor();
    });

    test('The console reports that a revoked key could not be looked up, and looks it up on another try', async () => {
      const robot = await tenant.createAgent({ name: 'unseen' }, { name: 'in a log' });
      const tab = await page.context().newPage();
      let isDown = true;
      await intercept(tab, (request) =>
        isDown && request.path === '/apikeys' ? request.answer(500, FAILED) : request.pass(),
      );
      await tab.goto(`${desk.origin}/console/t/${tenant.id}/agents/leak`);
      await tab.getByLabel('Leaked key').fill(robot.key);
      await tab.getByRole('button', { name: 'Report and revoke' }).click();
      const problem = tab.getByRole('alert').getByText('Something went wrong on the server.');
      await problem.waitFor();
      assert.equal(await tab.getByText('This isn’t an active key').count(), 0);
      expectStatus(401, await tenant.request('GET', '/me', { token: robot.key }));
      isDown = false;
      await tab.getByRole('button', { name: 'Try again' }).click();
      await tab.getByRole('link', { name: 'in a log' }).waitFor();
      assert.equal(await problem.count(), 0);
      await tab.close();
    });
  },
);
