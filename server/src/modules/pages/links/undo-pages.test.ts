// Undoing changes of identifiers on the pages of the service, in a browser without scripts.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { IdentifierRecord } from '@keywright/contract/records/user';
import { newPassword } from '@keywright/tests/harness/credentials';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { type MailSink, startMailSink } from '@keywright/tests/harness/mail-sink';
import { mailThrough } from '@keywright/tests/harness/mailed';
import { TestPasskey } from '@keywright/tests/harness/passkey';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { totpOf } from '@keywright/tests/harness/totp';
import {
  addAddress,
  type ChangedUser,
  recordPasskey,
  recordTotp,
} from '@keywright/tests/harness/undo';
import { unescape, Visitor } from '@keywright/tests/harness/visitor';

const QUESTION = 'Undo the change to your account?';
const DONE = 'Change undone';
const ENDED = 'This link no longer works';

let sink: MailSink;
let keywright: Keywright;
let tenant: TestTenant;
let addresses = 0;

before(async () => {
  sink = await startMailSink();
  const env = { ...mailThrough(sink), KEYWRIGHT_TRUSTED_PROXIES: '127.0.0.1/32' };
  keywright = await startKeywright({ clock: 'fake', env });
  tenant = await keywright.tenant('undone-on-pages', { name: 'Acme' });
});
after(async () => {
  await keywright.close();
  await sink.close();
});

function newBrowser(): Visitor {
  addresses += 1;
  const headers = { 'x-forwarded-for': `203.0.113.${addresses}`, 'x-forwarded-proto': 'https' };
  return new Visitor(tenant, `https://id.example.com/t/${tenant.id}`, headers);
}

const pathOf = (token: string) => `/t/${tenant.id}/oauth/undo?token=${token}`;

async function changed(): Promise<ChangedUser> {
  return addAddress(sink, tenant, await tenant.createUser());
}

async function addressesOf({ user: { user } }: ChangedUser): Promise<string[]> {
  const options = { token: await tenant.adminToken() };
  const answer = await tenant.request<{ identifiers: IdentifierRecord[] }>(
    'GET',
    `/users/${user.id}`,
    options,
  );
  return expectStatus(200, answer).identifiers.map(({ identifier }) => identifier);
}

async function assertUndone(change: ChangedUser): Promise<void> {
  assert.deepEqual(await addressesOf(change), [change.user.identifier]);
  const { status } = await tenant.request('GET', '/me', { token: change.user.token });
  assert.equal(status, 401);
}

describe('the link of a notice of a changed identifier', () => {
  test('The undo link of an identifier change leads to the service page if the tenant has none, and opening it changes nothing', async () => {
    const change = await changed();
    const { user, added, undoToken } = change;
    const mail = sink.mails.find(({ to }) => to.includes(user.identifier));
    assert.ok(mail?.parsed.text?.includes(`https://id.example.com${pathOf(undoToken)}\n`));
    const browser = newBrowser();
    await browser.open(pathOf(undoToken));
    const seen = await browser.open(pathOf(undoToken));
    assert.deepEqual([seen.status, seen.title], [200, 'Undo the change to your account?']);
    assert.equal(seen.headers['referrer-policy'], 'no-referrer');
    assert.deepEqual(await addressesOf(change), [user.identifier, added]);
  });

  test('An identifier change can be undone once with a password that the account had before', async () => {
    const change = await changed();
    const browser = newBrowser();
    await browser.open(pathOf(change.undoToken));
    const refused = await browser.press('undo', { secret: newPassword() });
    assert.deepEqual([refused.status, refused.title], [401, 'Undo the change to your account?']);
    assert.match(refused.text, /doesn’t match what your account had before/);
    assert.equal((await addressesOf(change)).length, 2);
    const done = await browser.press('undo', { secret: change.user.password });
    assert.deepEqual([done.status, done.title], [200, DONE]);
    await assertUndone(change);
    const again = await browser.open(pathOf(change.undoToken));
    assert.deepEqual([again.status, again.title], [401, ENDED]);
  });

  test('An identifier change can be undone with a code of an authenticator app that the account had before', async () => {
    const change = await changed();
    const secret = await recordTotp(keywright, tenant, change, keywright.clock);
    const browser = newBrowser();
    const { text } = await browser.open(pathOf(change.undoToken));
    assert.match(text, /Or enter a code from the authenticator app/);
    const short = await browser.press('undo', { code: '12345' });
    assert.equal(short.status, 401);
    keywright.clock.advance(30);
    const code = totpOf(secret, keywright.clock.now());
    assert.equal((await browser.press('undo', { code })).title, DONE);
    await assertUndone(change);
  });

  test('An identifier change can be undone with an earlier passkey even where passkey login is not allowed', async () => {
    const change = await changed();
    const passkey = await recordPasskey(keywright, tenant, change);
    const path = `/tenants/${tenant.id}`;
    const allow = async (...allowed_login_methods: string[]) => {
      const options = {
        token: await tenant.adminToken(),
        body: { config: { allowed_login_methods } },
      };
      expectStatus(200, await tenant.request('PATCH', path, options));
    };
    await allow('password');
    try {
      const browser = newBrowser();
      const { text } = await browser.open(pathOf(change.undoToken));
      assert.match(text, /Or use a passkey you had then/);
      const answer = async (testPasskey: TestPasskey) => {
        const page = await browser.press('passkey');
        // This text belongs to the undo pages, so the tenant cannot replace it.
        assert.equal(page.title, QUESTION);
        const [, options = ''] = /data-options="([^"]+)"/.exec(page.text) ?? [];
        const credential = JSON.stringify(testPasskey.get(JSON.parse(unescape(options)) as never));
        return browser.press('prove_passkey', { credential });
      };
      assert.equal((await answer(new TestPasskey())).status, 401);
      assert.equal((await browser.press('prove_passkey', { credential: '{' })).status, 401);
      assert.equal((await addressesOf(change)).length, 2);
      assert.equal((await answer(passkey)).title, DONE);
    } finally {
      await allow('password', 'passkey');
    }
    await assertUndone(change);
  });

  test('An identifier change is not undone without a proof, and a missing proof does not count as a wrong one', async () => {
    const change = await changed();
    for (let time = 0; time < 11; time += 1) {
      const browser = newBrowser();
      await browser.open(pathOf(change.undoToken));
      assert.equal((await browser.press('undo')).status, 401);
      // The account has no passkey.
      assert.equal((await browser.press('passkey')).status, 401);
    }
    assert.equal((await addressesOf(change)).length, 2);
    const browser = newBrowser();
    await browser.open(pathOf(change.undoToken));
    assert.equal((await browser.press('undo', { secret: change.user.password })).title, DONE);
  });

  test('An identifier change can still be undone with the password after codes are no longer compared', async () => {
    const change = await changed();
    await recordTotp(keywright, tenant, change, keywright.clock);
    const statuses: number[] = [];
    for (let time = 0; time < 12; time += 1) {
      const browser = newBrowser();
      await browser.open(pathOf(change.undoToken));
      statuses.push((await browser.press('undo', { code: '000000' })).status);
    }
    const refused = [
      ...Array.from({ length: 5 }, () => 401),
      ...Array.from({ length: 7 }, () => 429),
    ];
    assert.deepEqual(statuses, refused);
    const browser = newBrowser();
    await browser.open(pathOf(change.undoToken));
    assert.equal((await browser.press('undo', { secret: change.user.password })).title, DONE);
  });

  test('An identifier change can be undone with a code despite wrong codes that strangers entered in logins', async () => {
    const change = await changed();
    const secret = await recordTotp(keywright, tenant, change, keywright.clock);
    const { user } = change.user;
    await keywright.database.query(
      'UPDATE user_factors SET failures = 100 WHERE tenant_id = $1 AND user_id = $2',
      [tenant.id, user.id],
    );
    keywright.clock.advance(30);
    const browser = newBrowser();
    await browser.open(pathOf(change.undoToken));
    const code = totpOf(secret, keywright.clock.now());
    assert.equal((await browser.press('undo', { code })).title, DONE);
  });

  test('The undo page explains that an account whose authenticator was removed has no proof left', async () => {
    const change = await changed();
    const of = [tenant.id, change.user.user.id];
    await keywright.database.query(
      `UPDATE identifier_undos SET factors = '{fct_removed}', secret_hash = NULL
        WHERE tenant_id = $1 AND user_id = $2`,
      of,
    );
    const { text, actions } = await newBrowser().open(pathOf(change.undoToken));
    assert.match(text, /methods that protected your account before the change have been removed/);
    assert.equal(actions.includes('undo'), false);
  });

  test('An identifier change of an account that had only its address can be undone without a proof', async () => {
    const user = await tenant.createUser();
    const of = [tenant.id, user.user.id];
    await keywright.database.query(
      'DELETE FROM user_credentials WHERE tenant_id = $1 AND user_id = $2',
      of,
    );
    const change = await addAddress(sink, tenant, user);
    const browser = newBrowser();
    await browser.open(pathOf(change.undoToken));
    assert.equal((await browser.press('undo')).title, DONE);
    await assertUndone(change);
  });

  test('The undo page is the same for an unknown token and for a token of another tenant', async () => {
    const { undoToken } = await addAddress(sink, keywright.home, await keywright.home.createUser());
    for (const token of ['another', undoToken]) {
      const seen = await newBrowser().open(pathOf(token));
      assert.deepEqual([seen.status, seen.title], [401, ENDED]);
    }
  });

  test('The undo page can be opened 30 times a minute from one address, like the undo itself', async () => {
    const { undoToken } = await changed();
    const browser = newBrowser();
    const statuses: number[] = [];
    for (let time = 0; time < 31; time += 1) {
      statuses.push((await browser.open(pathOf(undoToken))).status);
    }
    assert.deepEqual([...new Set(statuses.slice(0, 30)), statuses[30]], [200, 429]);
  });
});
