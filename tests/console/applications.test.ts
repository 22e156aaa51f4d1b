// Connecting a client in the console: the values that it shows must match the service.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { OAuthClientRecord } from '@keywright/contract/records/oauth-client';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../conformance/browser.ts';
import { inheritedEnvironment } from '../harness/child-environment.ts';
import { newClient, refreshWith, UserBrowser } from '../harness/code-login.ts';
import { consent } from '../harness/consent.ts';
import { type JsonBody, expectStatus } from '../harness/http.ts';
import type { Keywright } from '../harness/keywright.ts';
import {
  type LogoutReceiver,
  startLogoutReceiver,
  withStatus,
} from '../harness/logout-receiver.ts';
import { RelyingParty } from '../harness/relying-party.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { Findings } from '../pages/findings.ts';
import { Desk } from './desk.ts';
import { inspect } from './inspection.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
interface Keys {
  readonly items: readonly {
    readonly name: string;
    readonly scopes: readonly string[];
    readonly expires_at: string;
  }[];
}

const browser = await launchBrowser();

describe(
  'the applications of a tenant, in the console',
  { skip: browser ? false : 'Chromium is not installed.' },
  () => {
    let keywright: Keywright;
    let receiver: LogoutReceiver;
    let tenant: TestTenant;
    let desk: Desk;
    let page: Page;

    const read = async (id: string) =>
      expectStatus(200, await desk.request<OAuthClientRecord>('GET', `/clients/${id}`));
    const register = async (fields: object) =>
      expectStatus(
        201,
        await desk.request<OAuthClientRecord>('POST', '/clients', {
          name: 'Books',
          first_party: true,
          ...fields,
        }),
      );

    before(async () => {
      receiver = await startLogoutReceiver();
      desk = await Desk.open(browser as Browser, { slug: 'applied' });
      ({ keywright, tenant, page } = desk);
    });
    after(async () => {
      await browser?.close();
      await keywright.close();
      await receiver.close();
    });

    test('An administrator says what kind of application to register, and fills in only what such an application has', async () => {
      await desk.open('/clients/new');
      await page.getByRole('link', { name: 'Device or command line' }).click();
      await page.getByLabel('Name', { exact: true }).fill('Acme CLI');
      const fields = await page.locator('form .field').count();
      assert.equal(fields, 3);
      await desk.press('Create application');
      const device = await read(await desk.idIn(/clients\/client_/));
      assert.deepEqual(
        [device.kind, device.redirect_uris, device.grant_types],
        ['native', [], ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token']],
      );

      await desk.open('/clients/new?kind=web');
      await page.getByLabel('Name', { exact: true }).fill('Acme Invoices');
      await page.getByLabel('Redirect URIs', { exact: true }).fill('https://app.example.com/cb');
      await desk.press('Create application');
      const secret = await page.locator('.secret').innerText();
      await page.getByLabel('I’ve saved it').check();
      await desk.press('Close');
      const web = await read(await desk.idIn(/clients\/client_/));
      assert.deepEqual([web.kind, web.secrets.length], ['web', 1]);
      await page.getByRole('link', { name: 'Code', exact: true }).click();
      await page.getByText('process.env.CLIENT_SECRET').waitFor();
      assert.ok(!(await page.content()).includes(secret));

      await desk.open('/clients/new');
      await page.getByRole('link', { name: 'Machine-to-machine' }).click();
      await page.waitForURL(/agents\/new$/);
    });

    test('An administrator tries the sign-in of an application in a new tab, without its secret', async () => {
      const { id } = await register({ kind: 'web', redirect_uris: ['https://app.example.com/cb'] });
      await desk.open(`/clients/${id}`);
      await desk.press('Try sign-in');
      const opened = page.waitForEvent('popup');
      await desk.press('Open in a new tab');
      const tab = await opened;
      await tab.getByRole('heading', { name: 'Sign-in to Books works' }).waitFor();
      await tab.getByRole('region', { name: 'ID token' }).getByText(`"aud": "${id}"`).waitFor();
      await tab.getByText(/^curl -H 'Authorization: Bearer eyJ/).waitFor();
      const findings = new Findings();
      await inspect(tab, 'result of a test', findings);
      findings.assertNone();
      assert.equal(await tab.evaluate('window.opener'), null);
      await tab.reload();
      await tab.getByText('This page has expired').waitFor();
      await tab.close();
    });

    test('An administrator limits a key to reading with one button, and chooses the date when it expires', async () => {
      const scopes = ['read:users', 'write:users', 'read:roles'];
      const { agent } = await tenant.createAgent({ name: 'reader', scopes });
      await desk.open(`/agents/${agent.id}/keys/new`);
      await page.getByLabel('Name', { exact: true }).fill('importer');
      const boxes = page.locator('input[name=scopes]');
      await desk.press('Everything the agent can do');
      assert.equal(await boxes.and(page.locator(':checked')).count(), 3);
      await desk.press('Read only');
      await page.getByLabel('Expires', { exact: true }).selectOption({ label: 'Custom date…' });
      const date = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
      await page.getByLabel('Expires on').fill(date);
      await desk.press('Create API key');
      await page.locator('.secret').waitFor();
      await page.getByLabel('I’ve saved it').check();
      await desk.press('Close');
      const path = `/apikeys?agent_id=${agent.id}`;
      const { items } = expectStatus(200, await desk.request<Keys>('GET', path));
      const key = items.find(({ name }) => name === 'importer');
      assert.deepEqual(key?.scopes.toSorted(), ['read:roles', 'read:users']);
      const days = (Date.parse(key?.expires_at ?? '') - Date.now()) / 86_400_000;
      assert.ok(days > 19 && days < 21, `${days}`);
    });

    test('Each card of an application is edited and saved by itself, a wrong field has the focus, and a change can be undone', async () => {
      const { id } = await register({ kind: 'web', redirect_uris: ['https://app.example.com/cb'] });
      await desk.open(`/clients/${id}`);
      await desk.press('Edit General');
      await page.getByRole('button', { name: 'Add', exact: true }).first().click();
      await page
        .getByRole('textbox', { name: 'Redirect URIs 2' })
        .fill('https://app.example.com/second');
      await desk.press('Save');
      await page.getByText('Saved.').waitFor();
      assert.deepEqual((await read(id)).redirect_uris, [
        'https://app.example.com/cb',
        'https://app.example.com/second',
      ]);
      await desk.press('Undo');
      await page.getByText('Undone.', { exact: true }).waitFor();
      assert.deepEqual((await read(id)).redirect_uris, ['https://app.example.com/cb']);

      await desk.open(`/clients/${id}?tab=security`);
      await desk.press('Edit Advanced');
      await page.getByLabel('Sign-in URL').fill('ftp://app.example.com');
      await desk.press('Save');
      await page.locator('[name=initiate_login_uri]:focus').waitFor();
      await desk.press('Cancel');
      await desk.press('Edit Security and tokens');
      await page.getByText('Keep the same').waitFor();
      await page.getByLabel('Ask to sign in again after', { exact: true }).fill('1.5');
      await page.getByLabel('Unit of Ask to sign in again after').selectOption({ label: 'hours' });
      await desk.press('Save');
      await page.getByRole('button', { name: 'Edit Security and tokens' }).waitFor();
      const client = await read(id);
      assert.deepEqual([client.default_max_age, client.initiate_login_uri], [5400, null]);
      assert.deepEqual(
        desk.complaints().filter((complaint) => !complaint.includes('422')),
        [],
      );
    });

    test('An administrator admits applications that describe themselves', async () => {
      await desk.open('/clients/new?kind=document');
      await page.locator('[name=oauth_client_domains]').fill('app.example.com');
      await desk.press('Save');
      await page.getByText('Saved.').waitFor();
      const { config } = expectStatus(
        200,
        await desk.request<{ config: JsonBody }>('GET', `/tenants/${tenant.id}`),
      );
      assert.deepEqual(config['oauth_client_domains'], ['app.example.com']);
    });

    test('The console shows how the service treats a redirect URI, and sends nothing for it', async () => {
      const uris = ['https://app.example.com/cb?a=b', 'http://127.0.0.1/cb', 'http://[::1]:1'];
      const sent = [
        ...uris,
        'http://app.example.com/cb?a=b',
        'https://app.example.com/cb/?a=b',
        'https://app.example.com/cb?a=b#',
        'https://app.example.com:443/cb?a=b',
        'https://APP.example.com/cb?a=b',
        'https://app.example.com.evil.example/cb?a=b',
        'http://127.0.0.1:49152/cb',
        'http://127.0.0.1:80/cb',
        'http://127.0.0.1:99999/cb',
        'http://127.0.0.1:49152/cb?x',
        'http://@127.0.0.1/cb',
        'http://localhost:49152/cb',
        'http://[::1]:50000',
        'http://[::1]:50000/',
      ];
      for (const kind of ['web', 'native']) {
        const { id } = await register({ kind, redirect_uris: uris });
        await desk.open(`/clients/${id}`);
        const requests: string[] = [];
        const note = (request: { url(): string }) => requests.push(request.url());
        page.on('request', note);
        const said: boolean[] = [];
        for (const uri of sent) {
          await page.getByLabel('Redirect URI that your application sends').fill(uri);
          const state = page.getByRole('status').locator('.state');
          said.push((await state.innerText()) === 'Accepted');
        }
        page.off('request', note);
        assert.deepEqual(requests, []);
        const done = await Promise.all(sent.map((uri) => accepts(id, uri)));
        const verdicts = (all: readonly boolean[]) => sent.map((uri, at) => [uri, all[at]]);
        assert.deepEqual(verdicts(said), verdicts(done), kind);
        assert.equal(done.filter(Boolean).length, kind === 'web' ? 3 : 5);
      }
      await page
        .getByLabel('Redirect URI that your application sends')
        .fill('https://app.example.com/cb/?a=b');
      await page.getByText('Trailing slash').waitFor();
    });

    test('An administrator copies code from the console that logs a user in as it is', async () => {
      const client = { kind: 'native', redirect_uris: ['http://127.0.0.1/callback'] };
      const { id } = await register(client);
      await desk.open(`/clients/${id}?tab=code`);
      const code = await page.getByRole('region', { name: 'Native app' }).textContent();
      const program = `${code}\nconsole.log('It is ' + tokens.claims().sub);`;
      const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
        cwd: ROOT,
        env: inheritedEnvironment(),
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const ended = once(child, 'close');
      try {
        const complaints = text(child.stderr);
        let output = '';
        for await (const chunk of child.stdout) {
          output += String(chunk);
          const address = /^http.*$/m.exec(output)?.[0];
          if (address === undefined || output.includes('It is')) continue;
          await page.goto(address);
          // RFC 8252 §8.6: any program could have sent the request.
          await page.getByRole('button', { name: 'Continue as' }).click();
          await page.getByText('You can close this window.').waitFor();
        }
        assert.deepEqual([(await ended)[0], await complaints], [0, '']);
        assert.match(output, new RegExp(`It is ${desk.person.user?.id}`));
      } finally {
        child.kill('SIGKILL');
      }
    });

    test('The console reports that sample code cannot be shown, and offers another try', async () => {
      const { id } = await register({ kind: 'spa', redirect_uris: ['https://app.example.com/'] });
      const metadata = '**/.well-known/oauth-authorization-server/**';
      await page.route(metadata, (route) => route.fulfill({ status: 500, json: {} }));
      await desk.open(`/clients/${id}?tab=code`);
      await page.getByRole('alert').waitFor();
      await page.unrouteAll({ behavior: 'wait' });
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText(`${desk.origin}/t/${tenant.id}`).first().waitFor();
    });

    test('An administrator sees which users consented to an application, and revokes a consent', async () => {
      const { id } = await register({ kind: 'spa', redirect_uris: ['https://app.example.com/'] });
      const users = [await tenant.createUser(), await tenant.createUser()] as const;
      for (const { user } of users) {
        await consent(keywright, tenant.id, { userId: user.id, clientId: id });
      }
      await desk.open(`/clients/${id}?tab=consents`);
      const row = page.getByRole('row', { name: users[0].identifier });
      await desk.actOn(row, 'Disconnect');
      const dialog = page.getByRole('alertdialog');
      await dialog.getByRole('button', { name: 'Disconnect', exact: true }).click();
      await page.getByText('Disconnected Books.').waitFor();
      await row.waitFor({ state: 'detached' });
      const { items } = expectStatus(
        200,
        await desk.request<{ items: { user_id: string }[] }>('GET', `/consents?client_id=${id}`),
      );
      assert.deepEqual(
        items.map((item) => item.user_id),
        [users[1].user.id],
      );
    });

    test('An administrator sees who is logged in to an application, and ends a session', async () => {
      const client = await newClient(tenant);
      const customer = await tenant.createUser();
      const issuer = `${desk.origin}/t/${tenant.id}`;
      const tokens = await new UserBrowser(tenant, issuer, customer).tokensFor(client, {
        scope: 'openid offline_access',
      });
      await desk.open(`/sessions?client_id=${client.id}`);
      const row = page.getByRole('row').filter({ hasText: customer.identifier });
      await row.waitFor();
      // The operator's own console session is also listed.
      assert.equal(await page.locator('tbody tr').count(), 1);
      await row.getByRole('link', { name: client.name }).click();
      await page.waitForURL(`**/clients/${client.id}`);
      await desk.open(`/clients/${client.id}?tab=sessions`);
      await row.waitFor();
      assert.equal(await page.locator('tbody tr').count(), 1);
      await desk.actOn(row, 'Sign out');
      const dialog = page.getByRole('alertdialog');
      await dialog.getByRole('button', { name: 'Sign out', exact: true }).click();
      await row.getByText('Ended').waitFor();
      const refused = await refreshWith(tenant, client, tokens.refresh_token);
      assert.equal(refused.status, 400);
    });

    /** Whether the authorization endpoint reports errors to that redirect URI, not only to the user. */
    async function accepts(clientId: string, uri: string): Promise<boolean> {
      const query = new URLSearchParams({ client_id: clientId, redirect_uri: uri });
      const address = `${desk.origin}/t/${tenant.id}/oauth/authorize?${query.toString()}`;
      const { status } = await fetch(address, { redirect: 'manual' });
      return status !== 400;
    }

    test('An application is notified of a logout, and the console shows its response', async () => {
      const fields = { backchannel_logout_uri: `${receiver.url}/books` };
      const app = await RelyingParty.register(tenant, {
        fields,
        issuer: `${desk.origin}/t/${tenant.id}`,
      });
      const user = await tenant.createUser();
      receiver.answer = withStatus(400);
      const { sid } = await app.logIn(app.browser(), user);
      expectStatus(200, await desk.request('DELETE', `/sessions/${sid}`));
      await keywright.nodes[0]?.logouts.runDue();
      assert.equal(receiver.at('/books').length, 1);
      await desk.open(`/clients/${app.client.id}?tab=logouts`);
      const row = page.getByRole('row', { name: user.identifier });
      await row.getByText('Failed').waitFor();
      assert.match((await row.textContent()) ?? '', /status_400/);
      await desk.open(`/clients/${app.client.id}?tab=logouts&status=delivered`);
      await page.getByText('No matches. Try fewer filters.').waitFor();
    });
  },
);
