// The page where a device code is typed, and what an attacker can do with it.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import { startDevice, DeviceBrowser, deviceClient } from '@keywright/tests/harness/device';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { oauthError } from '@keywright/tests/harness/token-endpoint';
import { type Seen, Visitor } from '@keywright/tests/harness/visitor';
import { counted } from '../../../tenancy/counters.ts';

const PENDING = '400 authorization_pending AUTHORIZATION_PENDING';
const CONNECTED = 'Device connected';
const OVER = 'This code no longer works';
const UNKNOWN_CODE = 'ZZZZ-ZZZZ';

let keywright: Keywright;
let tenant: TestTenant;
let other: TestTenant;
let user: TestUser;
let client: CreatedOAuthClient;
let addresses = 0;

before(async () => {
  const env = { KEYWRIGHT_TRUSTED_PROXIES: '127.0.0.1' };
  keywright = await startKeywright({ clock: 'fake', env });
  tenant = await keywright.tenant('device-pages', { name: 'Acme' });
  other = await keywright.tenant('device-pages-other');
  user = await tenant.createUser();
  client = await deviceClient(tenant);
});
after(() => keywright.close());

const issuerOf = ({ id }: TestTenant) => `https://id.example.com/t/${id}`;
const pathOf = ({ id }: TestTenant) => `/t/${id}/oauth/device`;
const newDevice = () => startDevice(tenant, client);

/** Each browser has its own address. */
function browser(by = user, address = newAddress()): DeviceBrowser {
  return new DeviceBrowser(tenant, issuerOf(tenant), by, { 'x-forwarded-for': address });
}

function newAddress(): string {
  return `203.0.113.${(addresses += 1)}`;
}

function assertWrong({ status, text, actions }: Seen): void {
  assert.deepEqual([status, actions], [400, ['device']], text);
  assert.ok(text.includes('This code isn’t valid'), text);
}

describe('the page of a device', () => {
  test('The page shows which application asks, from where and when, and what the device shows', async () => {
    const { userCode } = await newDevice();
    keywright.clock.advance(125);
    const seen = await browser().type(userCode);
    assert.deepEqual(
      [seen.title, seen.actions],
      ['Acme CLI wants access to your account', ['allow', 'deny', 'another']],
    );
    for (const word of [userCode, '127.0.0.1', '2 minutes ago', user.identifier]) {
      assert.ok(seen.text.includes(word), `${word}: ${seen.text}`);
    }
    assert.equal(seen.redirectsTo, undefined);
  });

  test('The page accepts the code as people write it', async () => {
    for (const write of [
      (code: string) => code.toLowerCase(),
      (code: string) => code.replace('-', ''),
      (code: string) => ` ${code.replace('-', ' ')} `,
    ]) {
      const { userCode } = await newDevice();
      assert.ok((await browser().type(write(userCode))).actions.includes('allow'));
    }
  });

  test('The page asks each time, even if the user has allowed it before or the application is first-party', async () => {
    const firstParty = await deviceClient(tenant, { first_party: true });
    const visitor = browser();
    for (const application of [client, client, firstParty]) {
      const { userCode } = await startDevice(tenant, application);
      const seen = await visitor.type(userCode);
      assert.ok(seen.actions.includes('allow'), seen.text);
      assert.equal((await visitor.press('allow')).title, CONNECTED);
    }
  });

  test('The page is not cached, runs no foreign scripts, and cannot be framed', async () => {
    const { headers, text } = await browser().open(`${pathOf(tenant)}?user_code=%3Cb%3EWDJB`);
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/);
    assert.ok(text.includes('value="bWDJB"') && !text.includes('<b>WDJB'), text);
  });

  test('The page exists only at the issuer', async () => {
    const seen = await new Visitor(tenant, 'https://elsewhere.example.com').open(pathOf(tenant));
    assert.equal(seen.status, 400);
  });
});

describe('an attacker who sends a user the URL with a code (RFC 8628 §5.4)', () => {
  test('An attacker gains nothing if the user opens their URL, even while logged in', async () => {
    const visitor = browser();
    await visitor.decide((await newDevice()).userCode, 'allow');
    const device = await newDevice();
    const { pathname, search } = new URL(device.authorization.verification_uri_complete);
    const opened = await visitor.open(pathname + search);
    assert.deepEqual([opened.status, opened.actions], [200, ['device']]);
    assert.ok(opened.text.includes('Compare this code with the one on your device'));
    assert.ok(opened.text.includes(`value="${device.userCode}"`));
    assert.equal(oauthError(await device.poll()), PENDING);
    const confirmation = await visitor.press('device', { user_code: device.userCode });
    assert.ok(
      confirmation.text.includes('Allow it only if you started this yourself'),
      confirmation.text,
    );
    keywright.clock.advance(10);
    assert.equal(oauthError(await device.poll()), PENDING);
    assert.equal((await visitor.open(confirmation.address)).title, confirmation.title);
    keywright.clock.advance(10);
    assert.equal(oauthError(await device.poll()), PENDING);
    assert.equal((await visitor.press('allow')).title, CONNECTED);
  });
});

describe('a form of the device page', () => {
  test('A form has no effect without its token, with the token of another browser, or from another site', async () => {
    const { userCode } = await newDevice();
    const fields = { user_code: userCode, action: 'device' };
    const visitor = browser();
    await visitor.open(pathOf(tenant));
    const [hidden, foreign] = [visitor.seen.hidden, (await browser().open(pathOf(tenant))).hidden];
    for (const forged of [{}, foreign, { form_token: 'x' }]) {
      const seen = await visitor.post(pathOf(tenant), { ...forged, ...fields });
      assert.equal(seen.status, 400, seen.text);
      assert.deepEqual(seen.actions, []);
    }
    const cookie = [...visitor.cookies].map((pair) => pair.join('=')).join('; ');
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example' },
    ] as Readonly<Record<string, string>>[]) {
      const answer = await tenant.request('POST', pathOf(tenant), {
        host: 'id.example.com',
        headers: { cookie, ...headers },
        rawBody: new URLSearchParams({ ...hidden, ...fields }).toString(),
        contentType: 'application/x-www-form-urlencoded',
      });
      assert.equal(answer.status, 403, answer.text);
    }
  });

  test('A form has no effect in the browser of another user', async () => {
    const device = await newDevice();
    const attacker = browser(await tenant.createUser());
    const shown = await attacker.type(device.userCode);
    const victim = browser();
    await victim.decide((await newDevice()).userCode, 'allow');
    victim.goBackTo(shown);
    const forged = await victim.press('allow');
    assert.deepEqual([forged.status, forged.title === CONNECTED], [400, false]);
    assert.equal((await victim.open(shown.address)).status, 400);
    assert.equal(oauthError(await device.poll()), PENDING);
  });

  test('A form decides once: a reload shows the same result, and another browser that it is too late', async () => {
    const device = await newDevice();
    const [early, late] = [browser(), browser(await tenant.createUser())];
    await Promise.all([early.type(device.userCode), late.type(device.userCode)]);
    assert.equal((await early.press('allow')).title, CONNECTED);
    assert.equal((await early.open(early.seen.address)).title, CONNECTED);
    const shown = late.seen;
    assert.equal((await late.press('allow')).title, OVER);
    late.goBackTo(shown);
    assert.equal((await late.press('deny')).title, OVER);
    expectStatus(200, await device.poll());
  });
});

describe('user codes that are guessed (RFC 8628 §5.1)', () => {
  test('Guesses are limited to ten an hour per address, without right ones; other addresses can continue', async () => {
    const [address, right] = [newAddress(), await newDevice()];
    const visitor = browser(user, address);
    for (let wrong = 0; wrong < 10; wrong += 1) {
      if (wrong % 4 === 0) {
        assert.ok((await visitor.type((await newDevice()).userCode)).actions.includes('allow'));
      }
      assertWrong(await visitor.type(UNKNOWN_CODE));
    }
    const refused = await browser(user, address).type(right.userCode);
    assert.deepEqual([refused.status, refused.actions], [429, ['device']], refused.text);
    assert.ok(refused.text.includes('Too many attempts'), refused.text);
    // A signed-in user has a separate limit of ten, regardless of other users in the same network.
    assert.ok((await visitor.type(right.userCode)).actions.includes('allow'));
    for (let wrong = 0; wrong < 10; wrong += 1) assertWrong(await visitor.type(UNKNOWN_CODE));
    assert.equal((await visitor.type(right.userCode)).status, 429);
    assert.ok((await browser().type(right.userCode)).actions.includes('allow'));
    keywright.clock.advance(3600);
    const { userCode } = await newDevice();
    assert.ok((await visitor.type(userCode)).actions.includes('allow'));
  });

  test('Guesses are limited to ten even if many are sent at the same time', async () => {
    const address = newAddress();
    const statuses = await Promise.all(
      Array.from({ length: 30 }, async () => {
        const { status } = await browser(user, address).type(UNKNOWN_CODE);
        return status;
      }),
    );
    assert.deepEqual(
      [400, 429].map((code) => statuses.filter((status) => status === code).length),
      [10, 20],
    );
  });

  test('Guesses cause no refusals of other users, and make new codes longer after a thousand an hour', async () => {
    const busy = await keywright.tenant('device-guesses');
    const visitor = (address: string) =>
      new DeviceBrowser(busy, issuerOf(busy), user, { 'x-forwarded-for': address });
    assertWrong(await visitor('198.51.100.1').type(UNKNOWN_CODE));
    await keywright.database.query(
      'UPDATE login_attempts SET attempts = 1000 WHERE tenant_id = $1 AND subject = $2',
      [busy.id, counted('user codes of tenant')],
    );
    assertWrong(await visitor('198.51.100.2').type(UNKNOWN_CODE));
    keywright.clock.advance(10);
    const busyUser = await busy.createUser();
    const { userCode } = await startDevice(busy, await deviceClient(busy));
    assert.match(userCode, /^[A-Z]{4}-[A-Z]{4}-[A-Z]{4}$/);
    const headers = { 'x-forwarded-for': '198.51.100.3' };
    const seen = await new DeviceBrowser(busy, issuerOf(busy), busyUser, headers).type(userCode);
    assert.ok(seen.actions.includes('allow'), seen.text);
  });

  test('A code of another tenant gets the same response as an unknown one', async () => {
    const { userCode } = await newDevice();
    const stranger = await other.createUser();
    const faces = new Set<string>();
    for (const code of [userCode, UNKNOWN_CODE, 'AEIO-UAEI']) {
      const headers = { 'x-forwarded-for': newAddress() };
      const visitor = new DeviceBrowser(other, issuerOf(other), stranger, headers);
      const { text, status } = await visitor.type(code);
      const token = /name="form_token" value="[^"]+"/g;
      faces.add(`${status} ${text.replaceAll(token, '').replaceAll(code, '')}`);
    }
    assert.equal(faces.size, 1, [...faces].join('\n'));
  });
});
