// The account page: by a browser without scripts, and with a passkey in Chromium.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { SessionRecord } from '@keywright/contract/records/session';
import { ACCOUNT_SECTIONS } from '@keywright/contract/routes/account';
import { launchBrowser } from '../conformance/browser.ts';
import { Authenticator } from '../harness/authenticator.ts';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { inviteWithout } from '../harness/invitations.ts';
import { newPng } from '../harness/picture.ts';
import { readQr } from '../harness/qr.ts';
import { totpOf } from '../harness/totp.ts';
import { type Seen, unescape, Visitor } from '../harness/visitor.ts';

const ISSUER = 'https://id.example.com';
const STEP_UP_SECONDS = 300;

const chromium = await launchBrowser();

let keywright: Keywright;
let tenant: TestTenant;
let user: TestUser;
let visitor: Visitor;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  tenant = await keywright.tenant('account');
});
after(async () => {
  await keywright.close();
});
beforeEach(async () => {
  user = await tenant.createUser();
  visitor = newVisitor();
});

const newVisitor = () => new Visitor(tenant, `${ISSUER}/t/${tenant.id}`);
const open = (section: string, by = visitor) =>
  by.open(`/t/${tenant.id}/account?section=${section}`);

/** Logs in where the account page asks for it, and returns to it. */
async function enter(section = 'overview', as = user, by = visitor): Promise<Seen> {
  assert.equal((await open(section, by)).title, 'Sign in');
  const { redirectsTo } = await by.press('login', {
    identifier: as.identifier,
    secret: as.password,
  });
  assert.equal(redirectsTo?.href, `${ISSUER}/t/${tenant.id}/account?section=${section}`);
  return open(section, by);
}

async function sessionsOf({ token }: TestUser): Promise<SessionRecord[]> {
  const answer = await tenant.request('GET', '/sessions', { token });
  return expectStatus(200, answer)['items'] as SessionRecord[];
}

/** Invites to the workspace, without a message, since this service sends none. */
function invite(identifier: string): Promise<string> {
  return inviteWithout(keywright.database, tenant, { identifier, workspaces: ['ws_paper'] });
}

const isAlive = async ({ token }: TestUser) =>
  (await tenant.request('GET', '/me', { token })).status === 200;

/** Presses a button of a section, with the fields that identify its target. */
const press = (section: string, action: string, typed: Readonly<Record<string, string>> = {}) =>
  visitor.press(action, { section, ...typed });

describe('the account page', () => {
  test('The account page requires a login, returns to the section, and shows whose account it is', async () => {
    const { status, text } = await enter('sessions');
    assert.equal(status, 200);
    assert.ok(text.includes(user.identifier));
    assert.match(text, /This device/);
    assert.match(text, /Last active <time/);
  });

  test('The account page shares the login of applications, so no one logs in twice', async () => {
    await enter();
    assert.equal((await open('apps')).title, 'Connected apps');
  });

  test('The account page ends a session and its tokens', async () => {
    await enter('sessions');
    const other = (await sessionsOf(user)).find(({ kind }) => kind === 'api');
    const { text } = await press('sessions', 'end_session', { id: other?.id ?? '' });
    assert.match(text, /Signed out\. That device must sign in again/);
    assert.equal(await isAlive(user), false);
  });

  test('The account page ends all other sessions, and not the current one', async () => {
    await enter('sessions');
    await tenant.login(user.identifier, user.password);
    const { text } = await press('sessions', 'end_others');
    assert.match(text, /Signed out everywhere else/);
    assert.equal(await isAlive(user), false);
    assert.equal((await open('sessions')).title, 'Devices');
  });

  test('The account page cannot end a session of another user', async () => {
    const other = await tenant.createUser();
    const [theirs] = await sessionsOf(other);
    await enter('sessions');
    const { status, text } = await press('sessions', 'end_session', { id: theirs?.id ?? '' });
    assert.deepEqual([status, /Already removed/.test(text)], [404, true]);
    assert.equal(await isAlive(other), true);
  });

  test('The account page changes the password only with the current one, and ends the other sessions', async () => {
    await enter('security');
    const secret = `${user.password}!`;
    const wrong = await press('security', 'change_password', { current: 'wrong', secret });
    assert.match(wrong.text, /role="alert"[^>]*>Incorrect current password/);
    const { text } = await press('security', 'change_password', {
      current: user.password,
      secret,
    });
    assert.match(text, /Password changed/);
    assert.equal(await isAlive(user), false);
    assert.equal((await open('security')).title, 'Security');
    await tenant.login(user.identifier, secret);
  });

  test('The account page adds an authenticator app, shows its recovery codes once, and removes it only after a login with it', async () => {
    await enter('security');
    const { text, hidden } = await press('security', 'add_totp');
    assert.equal(readQr(text), unescape(/<a href="(otpauth:[^"]+)"/.exec(text)?.[1] ?? ''));
    const key = /id="totp-key">([A-Z2-7 ]+)</.exec(text)?.[1]?.replaceAll(' ', '') ?? '';
    const id = hidden['id'] ?? '';
    const wrong = await press('security', 'confirm_totp', { id, code: '000000' });
    assert.match(wrong.text, /Incorrect or expired code/);
    const code = totpOf(key, keywright.clock.now());
    const added = await press('security', 'confirm_totp', { id, code });
    assert.match(added.text, /id="codes-continue"/);
    const [, file = ''] =
      /href="data:text\/plain;base64,([^"]+)" *\n*download="recovery-codes.txt"/.exec(added.text) ??
      [];
    const shown = [...added.text.matchAll(/<li><code>([^<]+)</g)].map(([, each]) => each);
    assert.deepEqual(Buffer.from(file, 'base64').toString().trim().split('\n'), shown);
    const listed = await open('security');
    assert.doesNotMatch(listed.text, /id="codes-continue"|id="totp-key"/);
    assert.match(listed.text, /value="remove_factor"/);
    assert.equal((await press('security', 'remove_factor', { id })).title, 'Confirm it’s you');
    assert.match((await open('security')).text, /value="remove_factor"/);
  });

  test('The account page changes the name and appears in the chosen language', async () => {
    const { text } = await enter('profile');
    assert.match(text, /name="name"\s+value=""/);
    const saved = await press('profile', 'save_profile', { name: ' Ada  ', locale: 'de' });
    assert.equal(saved.title, 'Profil');
    assert.match(saved.text, /role="status"[^>]*>Profil gespeichert/);
    assert.match(saved.text, /name="name"\s+value="Ada"/);
    assert.match(saved.text, /<b><bdi>Ada<\/bdi><\/b\s*>/);
    assert.match(saved.text, /<option value="de" lang="de" selected/);
    assert.equal((await open('sessions')).title, 'Geräte');
    const cleared = await press('profile', 'save_profile', { name: '', locale: '' });
    assert.match(cleared.text, /name="name"\s+value=""/);
    const me = await tenant.request('GET', '/me', { token: user.token });
    assert.deepEqual(expectStatus(200, me)['user_metadata'], {});
  });

  test('The account page makes only a verified address the main one, and does not offer to remove the only verified one', async () => {
    const { identifier } = user;
    const unverified = `new.${identifier}`;
    const set = async (isVerified: boolean) => {
      const identifiers = [
        { identifier, verified: true },
        { identifier: unverified, verified: isVerified },
      ];
      const body = { identifiers };
      const options = { token: await tenant.adminToken(), body };
      expectStatus(200, await tenant.request('PATCH', `/users/${user.user.id}`, options));
    };
    await set(false);
    const { text, actions } = await enter('addresses');
    assert.match(text, /Your only verified one/);
    assert.deepEqual(actions, ['logout', 'send', 'remove_address', 'send']);
    const refused = await press('addresses', 'make_primary', { id: unverified });
    assert.match(refused.text, /role="alert"[^>]*>Verify it first/);
    await set(true);
    const done = await press('addresses', 'make_primary', { id: unverified });
    assert.match(done.text, /This is now your primary one/);
    assert.ok(done.text.includes(`<bdi id="address-0">${unverified}<`), done.text);
  });

  test('The account page does not remove the only address, and refuses text that is not an address', async () => {
    const { text } = await enter('addresses');
    assert.match(text, /Your only one/);
    const refused = await press('addresses', 'remove_address', { id: user.identifier });
    assert.equal(refused.status, 400, refused.text);
    assert.match(
      (await press('addresses', 'send', { identifier: 'unknown' })).text,
      /role="alert"/,
    );
  });

  test('The account page lists workspaces and invitations, accepts one, declines one, and leaves a workspace', async () => {
    const token = await tenant.adminToken();
    const made = { token, body: { name: 'Paper', slug: 'paper' } };
    expectStatus(201, await tenant.request('POST', '/workspaces', made));
    const { identifier } = user;
    const body = { identifiers: [{ identifier, verified: true }] };
    const path = `/users/${user.user.id}`;
    expectStatus(200, await tenant.request('PATCH', path, { token, body }));
    const { text, actions } = await enter('workspaces');
    assert.match(text, /No pending invitations/);
    assert.ok(!actions.includes('leave_workspace'), 'no user leaves the default one');
    const refused = await press('workspaces', 'leave_workspace', { id: 'ws_default' });
    assert.match(refused.text, /role="alert"[^>]*>You can’t leave this workspace/);
    const [declined, accepted] = [await invite(identifier), await invite(identifier)];
    assert.match((await open('workspaces')).text, /Workspaces: <bdi>Paper<\/bdi>/);
    await press('workspaces', 'decline_invitation', { id: declined });
    const joined = await press('workspaces', 'accept_invitation', { id: accepted });
    assert.match(joined.text, /role="status"[^>]*>Invitation accepted/);
    assert.match(joined.text, />Paper<[^]*value="leave_workspace"/);
    const left = await press('workspaces', 'leave_workspace', { id: 'ws_paper' });
    assert.match(left.text, /You left the workspace/);
    const again = await press('workspaces', 'accept_invitation', { id: declined });
    assert.deepEqual([again.status, /Already removed/.test(again.text)], [404, true]);
  });

  test('The account page shows the log of the account in pages', async () => {
    await enter('log');
    for (let time = 0; time < 21; time += 1) {
      const options = { token: user.token, body: { user_metadata: { time } } };
      expectStatus(200, await tenant.request('PATCH', '/me', options));
    }
    const { text } = await open('log');
    assert.equal(text.match(/<b>Account changed<\/b>/g)?.length, 20);
    const older = /href="account\?section=log&amp;cursor=([\w-]+)" id="older"/.exec(text)?.[1];
    const rest = await open(`log&cursor=${older}`);
    assert.match(rest.text, /<b>Signed in<\/b>/);
    assert.doesNotMatch(rest.text, /id="older"/);
    assert.equal((await open('log&cursor=another')).status, 400);
  });

  test('The account page logs the user out', async () => {
    await enter();
    assert.equal((await press('overview', 'logout')).title, 'Sign in');
    assert.equal((await open('sessions')).title, 'Sign in');
  });
});

describe('the deletion of the account', () => {
  const allow = async (allowed: boolean) => {
    const options = {
      token: await tenant.adminToken(),
      body: { config: { allow_account_deletion: allowed } },
    };
    expectStatus(200, await tenant.request('PATCH', `/tenants/${tenant.id}`, options));
  };

  test('The deletion of the account is not offered where the tenant does not allow it', async () => {
    await allow(false);
    const { text, actions } = await enter('data');
    assert.match(text, /Contact support/);
    assert.ok(!actions.includes('delete_account'));
    const { identifier } = user;
    const refused = await press('data', 'delete_account', { identifier });
    assert.deepEqual([refused.status, await isAlive(user)], [403, true]);
  });

  test('The deletion of the account shows what is removed, requires an address as confirmation, and logs the user out', async () => {
    await allow(true);
    const { text } = await enter('data');
    assert.match(text, /Sessions: 2/);
    assert.match(text, /value="delete_account" class="final"/);
    assert.doesNotMatch(text, /: 0</, 'what there is none of');
    const other = await tenant.createUser();
    const { identifier } = other;
    const refused = await press('data', 'delete_account', { identifier });
    assert.match(refused.text, /role="alert"[^>]*>Enter one of your emails or phone numbers/);
    assert.deepEqual([await isAlive(user), await isAlive(other)], [true, true]);
    const gone = await press('data', 'delete_account', { identifier: user.identifier });
    assert.equal(gone.title, 'Your account was deleted');
    assert.equal(await isAlive(user), false);
    assert.equal((await open('data')).title, 'Sign in');
  });

  test('The deletion of the account requires a new login when the last one is not recent', async () => {
    await allow(true);
    await enter('data');
    keywright.clock.advance(STEP_UP_SECONDS + 1);
    const confirmation = await press('data', 'delete_account', { identifier: user.identifier });
    assert.equal(confirmation.title, 'Confirm it’s you');
    assert.ok(!(await open('data')).actions.includes('delete_account'));
  });
});

describe('a change of a way to log in', () => {
  const changes = {
    'an authenticator app': ['security', 'add_totp', {}],
    'a passkey': ['security', 'add_passkey', {}],
    'an address': ['addresses', 'send', { identifier: 'new@example.com' }],
    'the main address': ['addresses', 'make_primary', { id: 'new@example.com' }],
    'the end of an address': ['addresses', 'remove_address', { id: 'new@example.com' }],
  } as const;
  for (const [what, [section, action, typed]] of Object.entries(changes)) {
    test(`A change of a way to log in requires a new login when the last one is not recent: ${what}`, async () => {
      await enter(section);
      keywright.clock.advance(STEP_UP_SECONDS + 1);
      const confirmation = await press(section, action, typed);
      assert.equal(confirmation.title, 'Confirm it’s you');
      const shown = await open(section);
      assert.ok(shown.actions.includes('confirm') && !shown.actions.includes(action), shown.text);
      await press(section, 'confirm');
      await visitor.press('login', { identifier: user.identifier, secret: user.password });
      assert.ok(!(await open(section)).actions.includes('confirm'));
    });
  }
});

describe('a form of the account page', () => {
  test('A form of the account page does nothing in another login of the same browser', async () => {
    const former = await enter('sessions');
    const other = await tenant.createUser();
    await press('sessions', 'logout');
    await enter('sessions', other);
    const fields = { ...former.hidden, action: 'end_others' };
    const { status } = await visitor.post(`/t/${tenant.id}/account`, fields);
    assert.equal(status, 400);
    assert.equal(await isAlive(other), true);
  });

  test('A form of the account page does nothing with an unknown action or one of another section', async () => {
    await enter('sessions');
    for (const action of ['nothing', 'constructor', 'add_totp', '']) {
      assert.equal((await press('sessions', action)).status, 400, action);
    }
  });
});

test('A client cannot request the login of the account page', async () => {
  const query = `client_id=own_pages&redirect_uri=${ISSUER}/account&response_type=code`;
  const { status, redirectsTo } = await visitor.open(`/t/${tenant.id}/oauth/authorize?${query}`);
  assert.deepEqual([status, redirectsTo], [400, undefined]);
});

describe('the account page in Chromium', { skip: !chromium }, () => {
  let real: Keywright;
  before(async () => {
    real = await startKeywright({ env: { KEYWRIGHT_BASE_URL: undefined } });
  });
  after(async () => {
    await chromium?.close();
    await real.close();
  });

  test('The account page in Chromium adds a passkey and a picture, shows local times, fits a narrow screen with the current tab in view, and causes no console message', async () => {
    const site = await real.tenant('site');
    const person = await site.createUser();
    const context = await (chromium as NonNullable<typeof chromium>).newContext({
      timezoneId: 'Asia/Kolkata',
    });
    const page = await context.newPage();
    await Authenticator.addTo(page);
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    await page.goto(`${real.nodes[0]?.baseUrl}/t/${site.id}/account?section=security`);
    await page.fill('#identifier', person.identifier);
    await page.fill('#secret', person.password);
    await page.click('#login-submit');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.click('#codes-continue');
    await page.getByText('Strong', { exact: true }).waitFor();
    const times = await page.locator('time').allTextContents();
    assert.ok(times.length > 0 && times.every((time) => !time.includes('UTC')), times.join());
    await page.getByText('Synced across').or(page.getByText('never used')).first().waitFor();
    await page.getByRole('link', { name: 'Account' }).click();
    await page.getByRole('link', { name: 'Profile' }).click();
    const file = { name: 'me.png', mimeType: 'image/png', buffer: newPng() };
    await page.setInputFiles('#picture-file', file);
    const face = page.locator('.face img');
    await face.waitFor();
    await page.waitForFunction("document.querySelector('.face img').naturalWidth === 256");
    await page.getByRole('button', { name: 'Remove picture' }).click();
    await page.locator('.face', { hasNot: page.locator('img') }).waitFor();
    await page.setViewportSize({ width: 320, height: 640 });
    for (const section of ACCOUNT_SECTIONS) {
      await page.goto(`${real.nodes[0]?.baseUrl}/t/${site.id}/account?section=${section}`);
      const width = await page.evaluate('document.documentElement.scrollWidth');
      assert.ok(Number(width) <= 320, `${section}: ${String(width)}`);
      const end = await page.evaluate(
        "document.querySelector('.pages [aria-current]')?.getBoundingClientRect().right ?? 0",
      );
      assert.ok(Number(end) <= 320, `the tab of ${section} ends at ${String(end)}`);
    }
    assert.deepEqual(complaints, []);
    await context.close();
  });
});
