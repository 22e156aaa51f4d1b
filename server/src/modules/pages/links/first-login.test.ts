// The link that a first start prints alongside a new secret.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { UserRecord } from '@keywright/contract/records/user';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { type Seen, Visitor } from '@keywright/tests/harness/visitor';

const ISSUER = 'https://id.example.com';
const HOUR_SECONDS = 60 * 60;
const CONSOLE = '/console/t/org_default/';

let keywright: Keywright;
let token: string;
const lines: string[] = [];

before(async () => {
  keywright = await startKeywright({
    nodes: 2,
    clock: 'fake',
    env: { KEYWRIGHT_LOG_LEVEL: 'trace' },
    log: (line) => lines.push(line),
  });
});
after(() => keywright.close());
beforeEach(() => {
  const { identifier, password: secret } = keywright.admin;
  token = draw({ identifier, secret });
});

function draw(administrator: { readonly identifier: string; readonly secret: string }): string {
  return keywright.nodes[0]?.firstLogin.draw(administrator) ?? '';
}

const pathOf = (of = token) => `/console/first-login?token=${of}`;
const newBrowser = () => new Visitor(keywright.home, ISSUER);
const isLoggedIn = ({ cookies }: Visitor) => [...cookies.keys()].some((name) => /kw_/.test(name));

async function open(path = pathOf()): Promise<Visitor> {
  const browser = newBrowser();
  await browser.open(path);
  return browser;
}

function assertEnded({ status, title }: Seen): void {
  assert.deepEqual([status, title.includes('This link has expired')], [401, true], title);
}

describe('the link of a first start', () => {
  test('The first-start link logs in the administrator and leads to the console', async () => {
    const browser = await open();
    assert.ok(browser.seen.text.includes(keywright.admin.identifier));
    assert.equal((await browser.press('log_in')).address, `${CONSOLE}?welcome=1`);
    const names = [...browser.cookies.keys()];
    assert.ok(
      names.some((name) => name.includes('kwd_')),
      'the browser is a known device',
    );
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
    const headers = { cookie, 'x-keywright-console': '1', 'sec-fetch-site': 'same-origin' };
    const answer = await keywright.request<UserRecord>('GET', '/console/api/t/org_default/me', {
      headers,
    });
    assert.deepEqual(expectStatus(200, answer).roles, ['system_admin']);
  });

  test('The first-start link changes nothing when opened, and works only once', async () => {
    await open();
    const [first, second] = [await open(), await open()];
    await first.press('log_in');
    assertEnded(await second.press('log_in'));
    assert.deepEqual([isLoggedIn(first), isLoggedIn(second)], [true, false]);
    assertEnded((await open()).seen);
  });

  test('The first-start link logs in only one of two browsers that press its button at the same time', async () => {
    const browsers = [await open(), await open()];
    await Promise.all(browsers.map((browser) => browser.press('log_in')));
    assert.equal(browsers.filter(isLoggedIn).length, 1);
  });

  test('The first-start link expires after an hour', async () => {
    const browser = await open();
    keywright.clock.advance(HOUR_SECONDS - 1);
    assert.equal((await open()).seen.status, 200);
    keywright.clock.advance(1);
    assertEnded((await open()).seen);
    assertEnded(await browser.press('log_in'));
    assert.equal(isLoggedIn(browser), false);
  });

  test('The first-start link rejects a different token, and works for no other tenant, host or node', async () => {
    const other = await keywright.tenant('first-login');
    assertEnded((await open(pathOf(`${token}A`))).seen);
    const elsewhere = new Visitor(other, 'https://first-login.example.com');
    const refused = await elsewhere.open(pathOf());
    assert.notEqual(refused.status, 200);
    assert.ok(!refused.text.includes(keywright.admin.identifier));
    const atNode = await keywright.home.request<unknown>('GET', pathOf(), {
      node: 1,
      host: new URL(ISSUER).host,
    });
    assert.equal(atNode.status, 401);
  });

  test('No log line contains the token of the first-start link, whether used or unused, valid or invalid', async () => {
    const browser = await open();
    await open(`${pathOf()}&again=${token}`);
    await newBrowser().post('/console/first-login', { token, action: 'log_in' });
    await browser.press('log_in');
    assertEnded((await open()).seen);
    const written = lines.join('');
    assert.match(written, /"path":"\/console\/first-login"/);
    assert.ok(!written.includes(token));
    assert.ok(!written.includes(keywright.admin.password));
  });

  test('The first-start link becomes invalid once the secret of the administrator changes', async () => {
    const { identifier } = keywright.admin;
    token = draw({ identifier, secret: 'it was changed since' });
    const browser = await open();
    const next = await browser.press('log_in');
    assert.equal(next.address, CONSOLE, 'where the usual login begins');
    assert.equal(isLoggedIn(browser), false);
    assertEnded((await open()).seen);
  });

  test('A form that the first-start page did not send is rejected, and does not use up the link', async () => {
    const browser = newBrowser();
    const { status } = await browser.post('/console/first-login', { token, action: 'log_in' });
    assert.equal(status, 400);
    assert.equal(isLoggedIn(browser), false);
    assert.equal((await open()).seen.status, 200, 'and it was not used up');
  });
});
