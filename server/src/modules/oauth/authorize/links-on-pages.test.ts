// Links in messages that were requested on the pages of the service, by browsers without scripts.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { registerClient } from '@keywright/tests/harness/application';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { type MailSink, startMailSink } from '@keywright/tests/harness/mail-sink';
import { mailedTo, mailThrough } from '@keywright/tests/harness/mailed';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { newPkce, type Seen, Visitor } from '@keywright/tests/harness/visitor';

const CALLBACK = 'https://app.example.com/callback';

let sink: MailSink;
let keywright: Keywright;
let tenant: TestTenant;
let other: TestTenant;
let clientId: string;

before(async () => {
  sink = await startMailSink();
  const env = { ...mailThrough(sink), KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' };
  keywright = await startKeywright({ env });
  tenant = await keywright.tenant('links', { config: { allow_registration: true } });
  other = await keywright.tenant('elsewhere');
  clientId = await registerClient(tenant, { first_party: true, redirect_uris: [CALLBACK] });
});
after(async () => {
  await keywright.close();
  await sink.close();
});

const issuerOf = ({ id }: TestTenant) => `https://id.example.com/t/${id}`;

async function startLogin(): Promise<Visitor> {
  const browser = new Visitor(tenant, issuerOf(tenant));
  await browser.authorize({
    client_id: clientId,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid',
    state: 'kept',
    code_challenge: newPkce().challenge,
    code_challenge_method: 'S256',
  });
  return browser;
}

interface Sent {
  readonly browser: Visitor;
  readonly code: string;
  /** Path of the link. */
  readonly link: string;
}

/** A browser that requested a message. */
async function requestMessage(action = 'send_code', identifier?: string): Promise<Sent> {
  const to = identifier ?? (await tenant.createUser()).identifier;
  const browser = await startLogin();
  await browser.press(action, { identifier: to });
  const { mail, code } = await mailedTo(sink, to);
  const [link = ''] = /https:\/\/id\.example\.com\S+/.exec(mail.parsed.text ?? '') ?? [];
  const { pathname, search } = new URL(link);
  return { browser, code, link: pathname + search };
}

function assertIn({ redirectsTo, title, text }: Seen): void {
  assert.ok(redirectsTo?.searchParams.has('code'), `${title}: ${text}`);
  assert.equal(redirectsTo?.searchParams.get('state'), 'kept');
}

const sessions = () =>
  keywright.database.query('SELECT FROM sessions WHERE tenant_id = $1', [tenant.id]);

describe('the link of a message', () => {
  test('The link logs in after one button, in the browser that requested it, and works once', async () => {
    const { browser, link } = await requestMessage();
    const seen = await browser.open(link);
    assert.deepEqual([seen.title, seen.actions], ['Continue signing in', ['link']]);
    assertIn(await browser.press('link'));
    const again = await browser.open(link);
    assert.deepEqual([again.status, again.title], [400, 'This link has expired']);
  });

  test('The link changes nothing when it is opened, however often, by any mail program', async () => {
    const { browser, code, link } = await requestMessage();
    const count = (await sessions()).length;
    for (const method of ['HEAD', 'GET', 'GET']) {
      const { status } = await tenant.request(method, link, { host: 'id.example.com' });
      assert.equal(status, 200);
    }
    await browser.open(link);
    assert.equal((await sessions()).length, count);
    await browser.press('link');
    assert.equal((await sessions()).length, count + 1);
    assert.notEqual(code, '');
  });

  test('The link has no button in another browser, and shows where it was requested', async () => {
    const { browser, code, link } = await requestMessage();
    const [stranger, busy] = [new Visitor(tenant, issuerOf(tenant)), await startLogin()];
    for (const visitor of [stranger, busy]) {
      const seen = await visitor.open(link);
      assert.deepEqual([seen.title, seen.actions], ['Continue where you started', []]);
      assert.match(seen.text, /another browser/);
    }
    assertIn(await browser.press('code', { code }));
  });

  test('The link does not help a browser that sends it with its own request', async () => {
    const { link } = await requestMessage();
    const { browser: thief } = await requestMessage();
    const token = new URLSearchParams(link.split('?')[1]).get('link_token') ?? '';
    const seen = await thief.press('link', { link_token: token });
    assert.equal(seen.status, 400);
    assert.ok(seen.text.includes('This link belongs to another sign-in.'));
  });

  test('The link is no longer valid after five wrong codes of its message', async () => {
    const { browser, code, link } = await requestMessage();
    const wrong = { code: code === '00000000' ? '00000001' : '00000000' };
    for (let guess = 0; guess < 5; guess += 1) await browser.press('code', wrong);
    const seen = await browser.open(link);
    assert.deepEqual([seen.status, seen.title], [400, 'This link has expired']);
  });

  test('The link is invalid at another tenant, and with a changed character', async () => {
    const { browser, link } = await requestMessage();
    const there = new Visitor(other, issuerOf(other));
    const seen = await there.open(link.replace(tenant.id, other.id));
    assert.equal(seen.title, 'This link has expired');
    const changed = link.endsWith('A') ? `${link.slice(0, -1)}E` : `${link.slice(0, -1)}A`;
    assert.equal((await browser.open(changed)).status, 400);
  });

  test('The link leads to a new password in a recovery, and to an account in a registration', async () => {
    const { identifier } = await tenant.createUser();
    const recovery = await requestMessage('send_recovery', identifier);
    await recovery.browser.open(recovery.link);
    assert.equal((await recovery.browser.press('link')).title, 'Choose a new password');
    assertIn(await recovery.browser.press('new_password', { secret: newPassword() }));
    const browser = await startLogin();
    const newcomer = newIdentifier();
    await browser.press('send_registration', { identifier: newcomer });
    const { mail } = await mailedTo(sink, newcomer);
    const [link = ''] = /https:\/\/id\.example\.com(\S+)/.exec(mail.parsed.text ?? '') ?? [];
    await browser.open(link.slice('https://id.example.com'.length));
    assertIn(await browser.press('link'));
  });
});

test('A login with require_verified_identifier continues with the message that verifies the address', async () => {
  const strict = await keywright.tenant('verified');
  const id = await registerClient(strict, { first_party: true, redirect_uris: [CALLBACK] });
  const { identifier, password: secret } = await strict.createUser();
  const token = await strict.adminToken();
  await keywright.database.query(
    `UPDATE tenants SET config = config || '{"require_verified_identifier": true}' WHERE tenant_id = $1`,
    [strict.id],
  );
  assert.notEqual(token, '');
  const browser = new Visitor(strict, issuerOf(strict));
  await browser.authorize({
    client_id: id,
    redirect_uri: CALLBACK,
    response_type: 'code',
    state: 'kept',
    code_challenge: newPkce().challenge,
    code_challenge_method: 'S256',
  });
  const page = await browser.press('login', { identifier, secret });
  assert.equal(page.title, 'Confirm your email or phone');
  await browser.press('send');
  const { code } = await mailedTo(sink, identifier);
  assertIn(await browser.press('code', { code }));
});
