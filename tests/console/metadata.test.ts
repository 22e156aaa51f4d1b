// A user's metadata in the console, field by field and as JSON, and their picture: each change ends by checking the API.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserRecord } from '@keywright/contract/records/user';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../conformance/browser.ts';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { newPng } from '../harness/picture.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { until } from '../harness/until.ts';
import { keyboard } from './hands.ts';
import { enterConsole, type Operator } from './operator.ts';

/** An image that the browser has drawn. */
interface Drawn {
  readonly naturalWidth: number;
}

const PAYLOAD = `"'><img src=x onerror="globalThis.hacked=1">`;

const browser = await launchBrowser();

describe(
  'the metadata of a user in the console',
  { skip: browser ? false : 'Chromium is not installed.' },
  () => {
    let keywright: Keywright;
    let tenant: TestTenant;
    let operator: Operator;
    let page: Page;

    before(async () => {
      keywright = await startKeywright({ env: { KEYWRIGHT_BASE_URL: undefined } });
      tenant = await keywright.tenant('metadata');
      const person = await tenant.createUser({ roles: ['admin'] });
      const origin = keywright.nodes[0]?.baseUrl ?? '';
      operator = await enterConsole(browser as Browser, { tenant, person, origin });
      ({ page } = operator);
    });
    after(async () => {
      await browser?.close();
      await keywright.close();
    });

    /** A user with this metadata, and functions that change it as other administrators would. */
    async function newUserWith(metadata: object) {
      const { user } = await tenant.createUser();
      const path = `/users/${user.id}`;
      const token = await tenant.adminToken();
      const write = async (next: object) =>
        expectStatus(200, await tenant.request('PATCH', path, { token, body: { metadata: next } }));
      const read = async () =>
        expectStatus(200, await tenant.request<UserRecord>('GET', path, { token })).metadata;
      await write(metadata);
      return { path, write, read };
    }

    const card = () => page.getByRole('region', { name: 'Metadata' });
    const dialog = () => page.getByRole('alertdialog').or(page.getByRole('dialog'));
    const saved = () => page.locator('.toast').filter({ hasText: 'Saved.' }).first().waitFor();

    test('The metadata of a user is changed, extended and reduced field by field, by keyboard alone, and no other field changes', async () => {
      const { path, read } = await newUserWith({ plan: 'team', seats: 3, note: PAYLOAD });
      await operator.open(path);
      const hands = keyboard(page);
      const button = (name: string) => dialog().getByRole('button', { name, exact: true });
      assert.ok((await card().innerText()).includes(PAYLOAD));
      await hands.press(card().getByRole('button', { name: /Edit .seats/ }));
      await hands.type(dialog().getByLabel('Value'), '{"most": 5,}');
      await hands.press(button('Save'));
      await dialog()
        .getByText(/Line 1, column 12: unexpected .}.\./)
        .waitFor();
      await hands.type(dialog().getByLabel('Value'), '{"most": 5}');
      await hands.press(button('Save'));
      await dialog().waitFor({ state: 'detached' });
      await hands.press(card().getByRole('button', { name: 'Add field' }));
      await hands.type(dialog().getByLabel('Name'), 'plan');
      await dialog().getByText('A field with this name already exists.').waitFor();
      await hands.type(dialog().getByLabel('Name'), PAYLOAD);
      await hands.type(dialog().getByLabel('Value'), '[1]');
      await hands.press(button('Save'));
      await dialog().waitFor({ state: 'detached' });
      assert.deepEqual(await read(), {
        plan: 'team',
        seats: { most: 5 },
        note: PAYLOAD,
        // A string, as requested.
        [PAYLOAD]: '[1]',
      });
      await hands.press(card().getByRole('button', { name: 'Remove' }).first());
      await hands.press(button('Remove'));
      await dialog().waitFor({ state: 'detached' });
      assert.equal(Object.keys(await read()).length, 3);
      assert.ok(await page.evaluate('globalThis.hacked === undefined'));
    });

    test('The metadata of a user is edited as a whole, errors have a position in words, and limits are those of the service', async () => {
      const { path, read } = await newUserWith({ plan: 'team' });
      await operator.open(`${path}?as=json`);
      const text = card().getByRole('textbox', { name: 'Metadata' });
      const save = () => card().getByRole('button', { name: 'Save', exact: true }).click();
      const FAULTS: readonly (readonly [text: string, told: RegExp])[] = [
        ['{\n  "plan": team\n}', /Line 2, column 11: unexpected .t./],
        ['{"plan": "team"', /Line 1, column 16: unexpected end of JSON/],
        ['{"a": 1, "a": 2}', /Line 1, column 10: duplicate field .a./],
        ['[]', /Enter a JSON object/],
        [`${'{"a":'.repeat(33)}1${'}'.repeat(33)}`, /nested more than 32 levels/],
        [JSON.stringify({ a: 'x'.repeat(16_384) }), /exceed 16,384 bytes/],
      ];
      for (const [wrong, expected] of FAULTS) {
        await text.fill(wrong);
        await save();
        await card().getByText(expected).waitFor();
        assert.deepEqual(await read(), { plan: 'team' });
      }
      await text.fill('{"a": "\\ud800"}');
      await save();
      await card().getByText('Remove the invalid character.').waitFor();
      const most = { a: 'x'.repeat(16_384 - 8) };
      await text.fill(JSON.stringify(most));
      await save();
      await saved();
      assert.deepEqual(await read(), most);
    });

    test('The metadata of a user does not overwrite the change of another administrator unless the operator confirms it', async () => {
      const { path, write, read } = await newUserWith({ plan: 'team', seats: 3 });
      await operator.open(`${path}?as=json`);
      const text = card().getByRole('textbox', { name: 'Metadata' });
      const press = (name: string) => card().getByRole('button', { name, exact: true }).click();
      await text.fill('{"plan": "mine"}');
      await write({ plan: 'theirs', seats: 3 });
      await press('Save');
      await card().getByText('Another person edited this').waitFor();
      assert.deepEqual(await read(), { plan: 'theirs', seats: 3 });
      assert.equal(await text.inputValue(), '{"plan": "mine"}');
      // Another change while the operator decides.
      await write({ plan: 'theirs again', seats: 3 });
      await press('Overwrite with mine');
      await card().getByText('theirs again').first().waitFor();
      assert.deepEqual(await read(), { plan: 'theirs again', seats: 3 });
      await press('Overwrite with mine');
      await saved();
      assert.deepEqual(await read(), { plan: 'mine' });

      await operator.open(path);
      await card()
        .getByRole('button', { name: /Edit .plan/ })
        .click();
      await dialog().getByLabel('Value').fill('new');
      // Another field: both changes are kept.
      await write({ plan: 'mine', seats: 4 });
      await dialog().getByRole('button', { name: 'Save' }).click();
      await dialog().waitFor({ state: 'detached' });
      assert.deepEqual(await read(), { plan: 'new', seats: 4 });
      await card()
        .getByRole('button', { name: /Edit .plan/ })
        .click();
      await dialog().getByLabel('Value').fill('newer');
      await write({ plan: 'taken', seats: 4 });
      await dialog().getByRole('button', { name: 'Save', exact: true }).click();
      await dialog().getByText('Another person edited this').waitFor();
      assert.deepEqual(await read(), { plan: 'taken', seats: 4 });
    });

    test('The metadata of a user is read-only for a caller who can read users and not change them', async () => {
      const { path } = await newUserWith({ plan: 'team' });
      const token = await tenant.adminToken();
      const role = { name: 'looker', description: 'Looks.', scopes: ['read:users'] };
      expectStatus(201, await tenant.request('POST', '/roles', { token, body: role }));
      const person = await tenant.createUser({ roles: ['looker'] });
      const origin = keywright.nodes[0]?.baseUrl ?? '';
      const theirs = await enterConsole(browser as Browser, { tenant, person, origin });
      await theirs.open(`${path}?as=json`);
      const readOnlyCard = theirs.page.getByRole('region', { name: 'Metadata' }).first();
      await readOnlyCard.getByText('"plan": "team"').waitFor();
      assert.equal(await readOnlyCard.getByRole('button', { name: 'Save' }).count(), 0);
      assert.equal(await readOnlyCard.getByRole('textbox').count(), 0);
    });

    test('An administrator uploads the picture of a user, sees why a file is refused, and removes the picture', async () => {
      const { user } = await tenant.createUser();
      const token = await tenant.adminToken();
      const path = `/users/${user.id}`;
      const read = async () =>
        expectStatus(200, await tenant.request<UserRecord>('GET', path, { token })).picture;
      await operator.open(path);
      const picture = page.getByRole('region', { name: 'Picture' });
      const choose = (buffer: Buffer) =>
        picture
          .getByLabel('Picture', { exact: true })
          .setInputFiles({ name: 'face.png', mimeType: 'image/png', buffer });
      await choose(Buffer.from('not an image'));
      await picture.getByRole('alert').getByText('without animation').waitFor();
      await choose(newPng());
      await page.getByText('Picture uploaded.').waitFor();
      await page.locator('header.page-head img').waitFor();
      const { pathname } = new URL((await read()) ?? '');
      assert.match(pathname, /\/pictures\/[0-9a-f]{64}$/);
      const body = { picture: `https://moved.example.com${pathname}` };
      expectStatus(200, await tenant.request('PATCH', path, { token, body }));
      await operator.open(path);
      const face = page.locator('header.page-head img');
      assert.equal(await face.getAttribute('src'), pathname);
      await until('it is drawn', () => face.evaluate((image) => (image as Drawn).naturalWidth > 0));
      await picture.getByRole('button', { name: 'Remove' }).click();
      await dialog().getByRole('button', { name: 'Remove' }).click();
      await page.getByText('Picture removed.').waitFor();
      await face.waitFor({ state: 'detached' });
      assert.equal(await read(), null);
      const elsewhere = { picture: 'https://cdn.example.com/ada.png' };
      expectStatus(200, await tenant.request('PATCH', path, { token, body: elsewhere }));
      operator.complaints();
      await operator.open(path);
      await page.locator('header.page-head .avatar').getByText(/\S/).waitFor();
      assert.deepEqual([await face.count(), operator.complaints()], [0, []]);
    });
  },
);
