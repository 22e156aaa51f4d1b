// Administrators are warned of changes to how users log in, and an attacker who makes a change cannot suppress the
// warning.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { TEXT_LOCALES } from '@keywright/contract/locale';
import { newPassword } from '@keywright/tests/harness/credentials';
import { createUserWith } from '@keywright/tests/harness/delegation';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { type MailSink, startMailSink } from '@keywright/tests/harness/mail-sink';
import { mailThrough } from '@keywright/tests/harness/mailed';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';

let sink: MailSink;
let other: MailSink;
let keywright: Keywright;
let tenant: TestTenant;
let owner: TestUser;

before(async () => {
  [sink, other] = [await startMailSink(), await startMailSink()];
  const env = { ...mailThrough(sink), KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1,localhost' };
  keywright = await startKeywright({ clock: 'fake', env });
  tenant = await keywright.tenant('warned');
  owner = await administratorOf(tenant);
});
after(async () => {
  await keywright.close();
  await Promise.all([sink.close(), other.close()]);
});

/** An administrator with a verified address. */
async function administratorOf(of: TestTenant, roles = ['admin']): Promise<TestUser> {
  const user = await of.createUser({ roles });
  await verify(user);
  return user;
}

const verify = ({ user }: TestUser) =>
  keywright.database.query('UPDATE user_identifiers SET verified = true WHERE user_id = $1', [
    user.id,
  ]);

const asOwner = (method: string, path: string, body?: object) =>
  tenant.request(method, path, { token: owner.token, ...(body && { body }) });

const noticesTo = (at: MailSink, { identifier }: TestUser) =>
  at.mails
    .filter(({ to }) => to.includes(identifier))
    .map(({ parsed }) => parsed.text ?? '')
    .filter((text) => text.includes('How people sign in'));

/** Waits for a notice with this text. */
function waitForNotice(at: MailSink, user: TestUser, what: string): Promise<string> {
  return until(what, () => noticesTo(at, user).find((text) => text.includes(what)));
}

const PROVIDER = {
  type: 'oidc',
  name: 'Corporate',
  issuer: 'https://id.corp.example',
  client_id: 'keywright',
  is_active: true,
  skip_test: true,
};

test('Administrators are notified of each change of a provider, and of who made it', async () => {
  const member = await tenant.createUser();
  await verify(member);
  const added = expectStatus(201, await asOwner('POST', '/identity-providers', PROVIDER));
  const path = `/identity-providers/${String(added['id'])}`;
  const first = await waitForNotice(sink, owner, 'Corporate (id.corp.example) was added');
  assert.ok(first.includes(`Changed by: ${owner.identifier}`), first);
  expectStatus(200, await asOwner('PATCH', path, { is_active: false }));
  await waitForNotice(sink, owner, 'Corporate (id.corp.example) was changed');
  const domain = { domain: 'corp.example' };
  expectStatus(201, await asOwner('POST', `${path}/domains`, domain));
  await waitForNotice(sink, owner, 'domain corp.example was added');
  expectStatus(200, await asOwner('DELETE', `${path}/domains/corp.example`));
  await waitForNotice(sink, owner, 'domain corp.example was removed');
  expectStatus(200, await asOwner('DELETE', path));
  await waitForNotice(sink, owner, 'Corporate (id.corp.example) was deleted');
  assert.deepEqual(noticesTo(sink, member), []);
});

test('Holders of write:logins get notices of login changes; inactive administrators and those without a verified address do not', async () => {
  const idle = await administratorOf(tenant);
  const unverified = await tenant.createUser({ roles: ['admin'] });
  const holder = await createUserWith(tenant, ['write:logins']);
  await verify(holder);
  await keywright.database.query('UPDATE users SET is_active = false WHERE id = $1', [
    idle.user.id,
  ]);
  expectStatus(201, await asOwner('POST', '/identity-providers', { ...PROVIDER, name: 'Second' }));
  await waitForNotice(sink, holder, 'Second');
  await waitForNotice(sink, owner, 'Second');
  for (const user of [idle, unverified]) assert.deepEqual(noticesTo(sink, user), []);
});

test('The administrators of a tenant are notified of domains that a system administrator sets', async () => {
  const token = await keywright.adminToken();
  const body = { domains: ['warned.example.com', 'login.warned.example'] };
  const path = `/tenants/${tenant.id}`;
  expectStatus(200, await keywright.home.request('PATCH', path, { token, body }));
  const text = await waitForNotice(sink, owner, 'login.warned.example');
  assert.ok(text.includes('Changed by: a system administrator'), text);
});

test('The notice of a changed mail server goes through the previous one, whose settings are then erased', async () => {
  const server = (port: number) => ({
    smtp_host: 'localhost',
    smtp_port: port,
    smtp_security: 'none',
    from_address: 'no-reply@warned.example',
  });
  const path = `/tenants/${tenant.id}`;
  const set = (email: object | null) => asOwner('PATCH', path, { messaging: { email } });
  const already = other.mails.length;
  expectStatus(200, await set(server(other.port)));
  await waitForNotice(sink, owner, 'Emails are now sent through localhost');
  assert.equal(other.mails.length, already);
  const heard = sink.mails.length;
  expectStatus(200, await set(null));
  await waitForNotice(other, owner, 'The email server was removed');
  assert.equal(sink.mails.length, heard);
  await until('the settings are erased', async () => {
    const rows = await keywright.database.query<{ through: Buffer | null; status: string }>(
      `SELECT through, status FROM messages
        WHERE tenant_id = $1 AND kind = 'notice.logins_changed' AND queue_key = 'former_email'`,
      [tenant.id],
    );
    return (
      rows.length > 1 && rows.every(({ status, through }) => status === 'done' && through === null)
    );
  });
});

test('The stored settings of a previous mail server are sealed', async () => {
  const sealedTenant = await keywright.tenant('sealed');
  const admin = await administratorOf(sealedTenant);
  const path = `/tenants/${sealedTenant.id}`;
  const set = (email: object) =>
    sealedTenant.request('PATCH', path, { token: admin.token, body: { messaging: { email } } });
  const email = { smtp_host: 'mail.silent.example', from_address: 'a@silent.example' };
  expectStatus(200, await set({ ...email, smtp_username: 'ada', smtp_password: 'correct horse' }));
  expectStatus(200, await set({ from_address: 'b@silent.example' }));
  const rows = await keywright.database.query<{ through: Buffer }>(
    `SELECT through FROM messages WHERE tenant_id = $1 AND through IS NOT NULL`,
    [sealedTenant.id],
  );
  assert.ok(rows.length > 0);
  for (const { through } of rows) {
    for (const part of ['silent', 'ada', 'horse']) assert.ok(!through.includes(part));
  }
});

test('The notice of a changed provider is suppressed neither by other notices nor by a report', async () => {
  const busy = await administratorOf(tenant);
  // Causes more notices than an address gets in a day.
  for (let count = 0; count < 21; count += 1) {
    const body = { password: newPassword() };
    expectStatus(200, await asOwner('PATCH', `/users/${busy.user.id}`, body));
  }
  const feedback = expectStatus(200, await asOwner('GET', '/messaging/feedback'));
  const { pathname } = new URL(String(feedback['url']));
  for (const type of ['complaint', 'bounce']) {
    const at = keywright.clock.now().toISOString();
    const body = { type, id: `report of a ${type}`, email: busy.identifier, at };
    expectStatus(200, await tenant.request('POST', pathname, { body }));
  }
  const made = await asOwner('POST', '/identity-providers', { ...PROVIDER, name: 'Third' });
  expectStatus(201, made);
  await waitForNotice(sink, busy, 'Third');
});

test('The text of notice.logins_changed cannot be replaced, and exists in every language', async () => {
  const body = { subject: 'Nothing happened', text: 'All is well.' };
  const path = '/messaging/templates/notice.logins_changed/en';
  const refused = expectStatus(400, await asOwner('PUT', path, body));
  assert.equal(refused['code'], 'TEMPLATE_INVALID');
  const sentence = await asOwner('PUT', '/texts/en/notice.logins_changed.text', {
    text: '{change}',
  });
  assert.equal(expectStatus(400, sentence)['code'], 'TEXT_FIXED');
  for (const locale of TEXT_LOCALES) {
    const preview = { kind: 'notice.logins_changed', locale };
    const { text } = expectStatus(200, await asOwner('POST', '/messaging/preview', preview));
    assert.match(String(text), /new@example\.com/);
    assert.match(String(text), /ada@example\.com/);
  }
});
