// The screens of the group Evidence, on the real service: each journey ends by checking the API.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../conformance/browser.ts';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { expectStatus } from '../harness/http.ts';
import type { Keywright } from '../harness/keywright.ts';
import { until } from '../harness/until.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { keyboard } from './hands.ts';
import { Desk } from './desk.ts';

/** Only the parts used here. */
interface Contract {
  readonly webhooks: Readonly<
    Record<
      string,
      { post: { requestBody: { content: { 'application/json': { schema: ObjectSchema } } } } }
    >
  >;
}

interface ObjectSchema {
  readonly properties: Readonly<Record<string, ObjectSchema>>;
}

/** Writes entries into the browser's local storage. */
async function keep(page: Page, entries: readonly (readonly [string, string])[]): Promise<void> {
  await page.evaluate(
    `for (const [key, text] of ${JSON.stringify(entries)}) localStorage.setItem(key, text);`,
  );
}

const browser = await launchBrowser();

describe(
  'evidence in the console',
  { skip: browser ? false : 'Chromium is not installed.' },
  () => {
    let keywright: Keywright;
    let tenant: TestTenant;
    let desk: Desk;
    let page: Page;

    before(async () => {
      desk = await Desk.open(browser as Browser, { slug: 'evidence', env: {} });
      ({ keywright, tenant, page } = desk);
    });
    after(async () => {
      await browser?.close();
      await keywright.close();
    });

    test('The console shows the activity that the API returns, and a bar leads to the audit log of its time', async () => {
      for (let attempt = 0; attempt < 3; attempt += 1) {
        const body = { identifier: newIdentifier(), secret: newPassword() };
        expectStatus(401, await tenant.request('POST', '/auth/login', { body }));
      }
      // Flushes the entries, which would otherwise reach the audit log half a second later.
      await keywright.nodes[0]?.notes.flush();
      await desk.open('/usage');
      const logins = page.getByRole('region', { name: 'Sign-ins', exact: true });
      await logins.getByText('3 failed').first().waitFor();
      const token = await tenant.adminToken();
      const { body } = await tenant.request<{ spans: { logins_failed: { password: number } }[] }>(
        'GET',
        '/activity',
        { token },
      );
      assert.equal(
        body.spans.reduce((sum, span) => sum + span.logins_failed.password, 0),
        3,
      );
      // Not necessarily the last bar, because another hour can have started.
      const refused = page.locator('rect.bad:not([height="0"])');
      await logins.locator('.bar-of', { has: refused }).last().click();
      await page.waitForURL('**/audit?**');
      const { searchParams } = new URL(page.url());
      const [from, to] = ['from', 'to'].map((name) => Date.parse(searchParams.get(name) ?? ''));
      assert.equal((to ?? 0) - (from ?? 0), 3_600_000);
      await page
        .getByRole('row', { name: /A sign-in as .* was rejected/ })
        .first()
        .waitFor();
    });

    test('The bars that are selected by dragging lead to the audit log of their time', async () => {
      await desk.open('/usage');
      const chart = page
        .getByRole('region', { name: 'Sign-ins', exact: true })
        .locator('.plot svg');
      await chart.scrollIntoViewIfNeeded();
      const { x, y, width, height } = (await chart.boundingBox()) ?? assert.fail('has no place');
      // Of 48 bars, from the middle of the last one back to that of the fourth from the right.
      const middleOf = (bar: number) => x + ((bar + 0.5) / 48) * width;
      await page.mouse.move(middleOf(47), y + height / 2);
      await page.mouse.down();
      await page.mouse.move(middleOf(44), y + height / 2);
      assert.equal(await chart.locator('.brushed').count(), 4);
      await page.mouse.up();
      await page.waitForURL('**/audit?**');
      const { searchParams } = new URL(page.url());
      const [from, to] = ['from', 'to'].map((name) => Date.parse(searchParams.get(name) ?? ''));
      assert.equal((to ?? 0) - (from ?? 0), 4 * 3_600_000);
    });

    test('The overview shows the figures of the last 24 hours, and names who did what', async () => {
      await desk.open('/');
      const refused = page.getByRole('link', { name: /^Rejected sign-ins 3/ });
      await refused.waitFor();
      const chart = page.getByRole('region', { name: 'Sign-ins by method' });
      await chart.getByText('Show as table').waitFor();
      const recent = page.getByRole('region', { name: 'Recent activity' });
      await recent
        .getByText(/^A sign-in as .*No account has this email or phone/)
        .first()
        .waitFor();
      const shown = await recent.innerText();
      assert.doesNotMatch(shown, /\b(?:auth|user)\.[a-z_]+\b|user:|Anonymous/);
      await page.getByRole('link', { name: '7 days' }).click();
      await page.getByRole('link', { name: /^Rejected sign-ins 3 .*7 days/ }).waitFor();
    });

    test('The console verifies a page of the audit log in the browser, and reports a changed response as broken', async () => {
      await keywright.nodes[0]?.notes.flush();
      await keywright.nodes[0]?.sealing.seal(tenant.id);
      await desk.open('/audit');
      await desk.act('Verify this page');
      await page.getByText('verified.').waitFor();
      await page.getByText('Signed up to position').waitFor();
      let changed = '';
      await page.route('**/audit?**', async (route) => {
        const response = await route.fetch();
        const body = (await response.json()) as { items: { id: string; address: string | null }[] };
        const entry = body.items.at(-2);
        assert.ok(entry);
        changed = entry.id;
        entry.address = '192.0.2.66';
        await route.fulfill({ response, json: body });
      });
      await page.reload();
      await desk.act('Verify this page');
      await page.getByText('1 entry doesn’t match its seal').waitFor();
      const { body } = await tenant.request<{ items: { id: string; position: number }[] }>(
        'GET',
        '/audit?limit=100',
        { token: await tenant.adminToken() },
      );
      const { position } = body.items.find(({ id }) => id === changed) ?? {};
      await page.getByText(`${position}: content doesn’t match the hash.`).waitFor();
      await page.unrouteAll({ behavior: 'wait' });
    });

    test('The console finds what one request did by its id, and nothing that only system administrators see', async () => {
      const token = await tenant.adminToken();
      const make = (slug: string) =>
        tenant.request('POST', '/workspaces', { token, body: { name: slug, slug } });
      const { headers } = await make('by-request');
      await make('by-another');
      await desk.open('/');
      await page.keyboard.press('Control+k');
      const palette = page.getByRole('combobox');
      await palette.fill(String(headers['x-request-id']));
      await page.keyboard.press('Enter');
      await page.waitForURL('**/audit?request_id=*');
      const found = page.locator('tbody [role=row]');
      await until('all of it is there', async () => (await found.count()) === 1);
      assert.match(await found.innerText(), /created the workspace by-request/);
      await page.keyboard.press('Control+k');
      await palette.fill('Tenants');
      await page.getByText('No results for “Tenants”').waitFor();
    });

    test('The first entry of the audit log is in the upper third of the screen of a phone', async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      await desk.open('/audit');
      const { y = Infinity } = (await page.locator('tbody tr').first().boundingBox()) ?? {};
      assert.ok(y <= 260, `the first entry begins at ${y}`);
      await page.setViewportSize({ width: 1280, height: 720 });
    });

    test('The filters of the audit log can be saved under a name, for one person in one tenant, by keyboard alone', async () => {
      const hands = keyboard(page);
      const views = page.getByRole('dialog', { name: 'Saved views' });
      const button = (name: string) => views.getByRole('button', { name, exact: true });
      const open = () => hands.press(page.getByRole('button', { name: 'Saved views' }));
      const save = async (name: string) => {
        await open();
        await hands.type(views.getByLabel('Save filters as'), name);
        await hands.press(button('Save'));
      };
      const filters = '?action=auth.login_failed&outcome=failure';
      await desk.open(`/audit${filters}`);
      await save('Refused logins');
      await views.getByText('Saved \u2068Refused logins\u2069.').waitFor();
      await page.keyboard.press('Escape');

      await desk.open('/audit?outcome=denied');
      await save('  Refused logins ');
      await views.getByRole('alert').getByText('Another view already has this name.').waitFor();
      const hostile = `<img src=x onerror="globalThis.hacked=1">\u202Eb`;
      await hands.type(views.getByLabel('Save filters as'), hostile);
      await hands.press(button('Save'));
      const shown = hostile.replace('\u202E', '');
      await views.getByRole('link', { name: shown }).waitFor();
      assert.ok(await page.evaluate('globalThis.hacked === undefined'));

      await hands.press(views.getByRole('link', { name: 'Refused logins' }));
      await page.waitForURL(`**/audit${filters}`);
      await views.waitFor({ state: 'detached' });
      const { body } = await tenant.request<{ items: unknown[] }>('GET', `/audit${filters}`, {
        token: await tenant.adminToken(),
      });
      const rows = page.getByRole('table').getByRole('row');
      await until('the rows are those of the API', async () => {
        return (await rows.count()) === body.items.length + 1;
      });

      await open();
      await hands.press(button('Rename Refused logins'));
      await hands.type(views.getByLabel('New name'), 'Wrong passwords');
      await hands.press(button('Save'));
      await views.getByRole('link', { name: 'Wrong passwords' }).waitFor();
      await hands.press(button(`Delete ${shown}`));
      await views.getByRole('link', { name: shown }).waitFor({ state: 'detached' });
      // The focus is on the button that undoes the deletion.
      await page.keyboard.press('Enter');
      await views.getByRole('link', { name: shown }).waitFor();
      await hands.press(button(`Delete ${shown}`));
      await desk.open('/audit');
      await open();
      assert.deepEqual(await views.getByRole('link').allInnerTexts(), ['Wrong passwords']);

      const other = await keywright.tenant('evidence-other');
      const colleague = await tenant.createUser({ roles: ['admin'] });
      const storedItems = await page.evaluate<[string, string][]>('Object.entries(localStorage)');
      for (const [of, person] of [
        [tenant, colleague],
        [other, await other.createUser({ roles: ['admin'] })],
      ] as const) {
        const theirs = await desk.openFor(person, of);
        await keep(theirs.page, storedItems);
        await theirs.open('/audit');
        await theirs.page.getByRole('button', { name: 'Saved views' }).click();
        await theirs.page.getByText('No saved views yet.').waitFor();
        await theirs.page.context().close();
      }
      // A system administrator has one id in all tenants.
      const moved = storedItems.map(
        ([key, text]) => [key.replace(tenant.id, other.id), text] as const,
      );
      await page.evaluate('localStorage.clear()');
      await keep(page, moved);
      await desk.open('/audit');
      await open();
      await views.getByText('No saved views yet.').waitFor();
      await page.evaluate('localStorage.clear()');
      await keep(page, storedItems);
    });

    test('The console saves views until there is no room for more, and none if the browser refuses to store them', async () => {
      const views = page.getByRole('dialog', { name: 'Saved views' });
      const [key = ''] = await page.evaluate<string[]>(
        `Object.keys(localStorage).filter((key) => key.startsWith('keywright-views '))`,
      );
      const full = Array.from({ length: 25 }, (_, place) => ({
        name: `View ${place}`,
        filters: { outcome: 'success', target: `t${place}`, page: '7' },
      }));
      await keep(page, [[key, JSON.stringify(full)]]);
      await desk.open('/audit?outcome=denied');
      await page.getByRole('button', { name: 'Saved views' }).click();
      assert.equal(await views.getByRole('link').count(), 20);
      await views.getByLabel('Save filters as').fill('One more');
      await views.getByRole('button', { name: 'Save', exact: true }).click();
      await views.getByText('You can save up to 20 views.').waitFor();
      await views.getByRole('button', { name: 'Delete View 19', exact: true }).click();
      await page.evaluate(`Storage.prototype.setItem = () => { throw new Error('full'); }`);
      await views.getByRole('button', { name: 'Save', exact: true }).click();
      await views.getByText('Your browser blocks storage').waitFor();
      await page.evaluate('localStorage.clear()');
    });

    test('The console shows events as they happen, those of one type alone, and none while it is paused', async () => {
      // A stream that is open keeps the network from becoming idle.
      await desk.open('/events?type=workspace.created&paused=1');
      await page.getByText('Paused', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Resume' }).click();
      await page.getByText('Live', { exact: true }).waitFor();
      const make = async (name: string) => {
        const token = await tenant.adminToken();
        await tenant.createUser();
        expectStatus(201, await tenant.request('POST', '/workspaces', { token, body: { name } }));
      };
      await make('Attic');
      await page.getByRole('log').getByRole('listitem').first().waitFor();
      await page.getByRole('button', { name: 'Pause' }).click();
      await page.getByText('Paused', { exact: true }).waitFor();
      await make('Loft');
      assert.equal(await page.getByRole('log').getByRole('listitem').count(), 1);
      await page.getByRole('button', { name: 'Resume' }).click();
      await page.getByRole('log').getByRole('listitem').nth(1).waitFor();
      const all = await page.getByRole('log').innerText();
      assert.ok(!all.includes('joined'), all);
    });

    test('The console lists the fields of an event next to it as the contract does, and shows its content as text', async () => {
      const urls: string[] = [];
      const note = (request: { url(): string }) => urls.push(request.url());
      page.on('request', note);
      await desk.open('/events?type=workspace.created&paused=1');
      // Before an event of this type exists, only the type is explained.
      await page.getByRole('region', { name: 'Fields workspace.created' }).waitFor();
      await desk.open('/events?paused=1');
      urls.length = 0;
      await page.getByRole('button', { name: 'Resume' }).click();
      await page.getByText('Live', { exact: true }).waitFor();
      const token = await tenant.adminToken();
      const name = `<img src=x onerror="globalThis.hacked=1">`;
      expectStatus(201, await tenant.request('POST', '/workspaces', { token, body: { name } }));
      const event = page.getByRole('listitem').filter({ hasText: 'The workspace <img' }).first();
      await event.waitFor();
      await page.getByRole('button', { name: 'Pause' }).click();
      const isFacts = (url: string) => /\/assets\/schema-/.test(url);
      assert.ok(!urls.some(isFacts), 'nothing of it is loaded before it is asked for');
      await event.getByRole('button').press('Enter');
      const sheet = page.getByRole('dialog', { name: 'Details' });
      const { body } = await keywright.request<Contract>('GET', '/openapi.json');
      const { schema } =
        body.webhooks['workspace.created']?.post.requestBody.content['application/json'] ??
        assert.fail('has no such event');
      const { data, ...envelope } = schema.properties;
      const dataFields = Object.keys(data?.properties ?? {});
      assert.ok(dataFields.length > 1);
      for (const field of dataFields) {
        const path = page.getByText(`data.${field}`, { exact: true });
        const row = sheet.getByRole('row').filter({ has: path });
        await row.getByText('Yes', { exact: true }).waitFor();
      }
      const fields = [...Object.keys(envelope), ...dataFields];
      assert.equal(await sheet.getByRole('row').count(), fields.length + 1);
      assert.ok((await sheet.getByRole('region').first().innerText()).includes('onerror'));
      assert.ok(await page.evaluate('globalThis.hacked === undefined'));
      const reference = page.waitForEvent('popup');
      await sheet.getByRole('link', { name: 'View in the API reference' }).click();
      const opened = await reference;
      await opened.getByRole('heading', { name: 'workspace.created', exact: true }).waitFor();
      await opened.close();
      page.off('request', note);
    });

    test('The console shows which users a setting affects before it is saved, as the service calculates it', async () => {
      await desk.open('/settings/tokens');
      await page.locator('[name=session_timeout]').fill('0.5');
      const card = page.getByRole('region', { name: 'Impact' });
      await card.waitFor();
      const token = await tenant.adminToken();
      const path = `/tenants/${tenant.id}`;
      const body = { config: { session_timeout: 1800 } };
      const trial = await tenant.request<{ affected: { users: number; code: string }[] }>(
        'PATCH',
        `${path}?dry_run=true`,
        { token, body },
      );
      const [effect] = trial.body.affected;
      assert.equal(effect?.code, 'token_kept');
      await card.getByText('Current tokens don’t change.').waitFor();
      await card.getByText(`${effect?.users} user`).waitFor();
      const { body: present } = await tenant.request<{ config: { session_timeout: number } }>(
        'GET',
        path,
        { token },
      );
      assert.equal(present.config.session_timeout, 3600);
    });
  },
);
