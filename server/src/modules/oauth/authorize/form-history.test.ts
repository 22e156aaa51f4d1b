// Typos, the back button, reloads, tabs and pages that were left open, by a browser without scripts.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { registerClient } from '@keywright/tests/harness/application';
import { newIdentifier } from '@keywright/tests/harness/credentials';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { newPkce, type Seen, Visitor } from '@keywright/tests/harness/visitor';

const CALLBACK = 'https://app.example.com/callback';

let keywright: Keywright;
let tenant: TestTenant;
let clientId: string;
let user: TestUser;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  tenant = await keywright.tenant('history', { config: { login_attempts_limit: 10_000 } });
  clientId = await registerClient(tenant, { first_party: true, redirect_uris: [CALLBACK] });
});
after(() => keywright.close());
beforeEach(async () => {
  user = await tenant.createUser();
  await keywright.database.query('DELETE FROM login_flows');
});

const newBrowser = () => new Visitor(tenant, `https://id.example.com/t/${tenant.id}`);

function authorize(browser: Visitor, more: Readonly<Record<string, string>> = {}): Promise<Seen> {
  return browser.authorize({
    client_id: clientId,
    redirect_uri: CALLBACK,
    response_type: 'code',
    code_challenge: newPkce().challenge,
    code_challenge_method: 'S256',
    ...more,
  });
}

async function startLogin(more: Readonly<Record<string, string>> = {}): Promise<Visitor> {
  const browser = newBrowser();
  await authorize(browser, more);
  return browser;
}

const right = () => ({ identifier: user.identifier, secret: user.password });
const flows = () => keywright.database.query<{ id: string }>('SELECT id FROM login_flows');

function assertIn({ redirectsTo, title, text }: Seen, state?: string): void {
  assert.ok(redirectsTo?.searchParams.has('code'), `${title}: ${text}`);
  if (state !== undefined) assert.equal(redirectsTo?.searchParams.get('state'), state);
}

describe('a mistyped password', () => {
  test('A mistyped password does not start another login: 25 of them are one flow, and the right one completes it', async () => {
    const browser = await startLogin();
    for (let typo = 0; typo < 25; typo += 1) {
      const seen = await browser.press('login', { ...right(), secret: `typo ${typo}` });
      assert.deepEqual([seen.status, seen.title], [401, 'Sign in']);
    }
    assert.equal((await flows()).length, 1);
    assertIn(await browser.press('login', right()));
  });

  test('A mistyped password has no consequences after its login is too old', async () => {
    const browser = await startLogin();
    await browser.press('login', { ...right(), secret: 'a typo' });
    keywright.clock.advance(16 * 60);
    assertIn(await browser.press('login', right()));
  });

  test('An unknown address, followed by another address, is a login with the second one', async () => {
    const browser = await startLogin();
    await browser.press('login', { ...right(), identifier: newIdentifier() });
    assertIn(await browser.press('login', right()));
    assert.equal((await flows()).length, 2);
  });
});

describe('a page that is sent again', () => {
  test('A page after the back button logs in again, and returns to the application again', async () => {
    const browser = await startLogin({ state: 'one' });
    const first = browser.seen;
    assertIn(await browser.press('login', right()), 'one');
    browser.goBackTo(first);
    assertIn(await browser.press('login', right()), 'one');
  });

  test('A reload does not ask a user who has logged in in the meantime', async () => {
    const browser = await startLogin({ state: 'one' });
    const { address } = browser.seen;
    await browser.press('login', right());
    assertIn(await browser.open(address), 'one');
  });

  test('Pages in two tabs return each to its own request', async () => {
    const browser = await startLogin({ state: 'one' });
    const first = browser.seen;
    const second = await authorize(browser, { state: 'two' });
    browser.goBackTo(first);
    assertIn(await browser.press('login', right()), 'one');
    browser.goBackTo(second);
    assertIn(await browser.press('login', right()), 'two');
    assertIn(await browser.open(second.address), 'two');
  });
});

describe('a page that was left open for too long', () => {
  test('An old page says so, with one button that restarts the login', async () => {
    const browser = await startLogin({ state: 'one' });
    const { address } = browser.seen;
    keywright.clock.advance(31 * 60);
    for (const stale of [() => browser.press('login', right()), () => browser.open(address)]) {
      const seen = await stale();
      assert.deepEqual(
        [seen.status, seen.title, seen.actions],
        [400, 'This page has expired', ['restart']],
      );
    }
    assert.equal((await browser.press('restart')).title, 'Sign in');
    assertIn(await browser.press('login', right()), 'one');
  });

  test('A page that is older than a day cannot be continued', async () => {
    const browser = await startLogin();
    const { address } = browser.seen;
    keywright.clock.advance(25 * 3600);
    const seen = await browser.open(address);
    assert.deepEqual([seen.status, seen.title, seen.actions], [400, 'This page has expired', []]);
  });
});

test('A browser without cookies gets an explanation', async () => {
  const browser = await startLogin();
  const { address } = browser.seen;
  const seen = await newBrowser().open(address);
  assert.deepEqual([seen.status, seen.title], [400, 'Cookies are blocked']);
});
