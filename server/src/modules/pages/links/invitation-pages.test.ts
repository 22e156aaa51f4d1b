// Invitations that are accepted on the pages of the service, by browsers without scripts.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { InvitationRecord } from '@keywright/contract/records/invitation';
import type { AuditEntry } from '@keywright/contract/records/audit-entry';
import type { UserRecord } from '@keywright/contract/records/user';
import { newClient } from '@keywright/tests/harness/code-login';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { expectStatus } from '@keywright/tests/harness/http';
import { invite as sendInvitation, type Invited } from '@keywright/tests/harness/invitations';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { type MailSink, startMailSink } from '@keywright/tests/harness/mail-sink';
import { mailThrough } from '@keywright/tests/harness/mailed';
import { newRegistrationToken, register } from '@keywright/tests/harness/registration';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { type Seen, Visitor } from '@keywright/tests/harness/visitor';

let sink: MailSink;
let keywright: Keywright;
let tenant: TestTenant;
let other: TestTenant;

before(async () => {
  sink = await startMailSink();
  keywright = await startKeywright({ clock: 'fake', env: mailThrough(sink) });
  tenant = await keywright.tenant('invited', { name: 'Acme' });
  const config = { allow_registration: false, login_attempts_limit: 10_000 };
  const options = { token: await tenant.adminToken(), body: { config } };
  expectStatus(200, await tenant.request('PATCH', `/tenants/${tenant.id}`, options));
  other = await keywright.tenant('uninvited');
});
after(async () => {
  await keywright.close();
  await sink.close();
});

const issuerOf = ({ id }: TestTenant) => `https://id.example.com/t/${id}`;
const newBrowser = (of = tenant) => new Visitor(of, issuerOf(of));
const invite = (body: object = {}, by?: string) =>
  sendInvitation({ keywright, sink }, tenant, body, by);
function mailTo({ invitation }: Invited): string {
  const mail = sink.mails.find(({ to }) => to.includes(invitation.identifier));
  return mail?.parsed.text ?? '';
}

const pathOf = ({ token }: Pick<Invited, 'token'>, of = tenant) =>
  `/t/${of.id}/oauth/invitation?token=${token}`;

async function read({ invitation }: Invited): Promise<InvitationRecord> {
  const token = await tenant.adminToken();
  const path = `/invitations/${invitation.id}`;
  return expectStatus(200, await tenant.request<InvitationRecord>('GET', path, { token }));
}

async function startAcceptance(invited: Invited, browser = newBrowser()): Promise<Visitor> {
  await browser.open(pathOf(invited));
  await browser.press('accept');
  return browser;
}

async function assertJoined(
  invited: Invited,
  { redirectsTo, title, text }: Seen,
  browser: Visitor,
) {
  assert.equal(redirectsTo?.pathname, `/t/${tenant.id}/account`, `${title}: ${text}`);
  assert.equal((await read(invited)).status, 'accepted');
  const { text: account } = await browser.open(`/t/${tenant.id}/account`);
  assert.ok(account.includes(invited.invitation.identifier), account);
}

describe('the link of an invitation', () => {
  test('The link of an invitation leads to the page of the service if the tenant has no such page', async () => {
    const invited = await invite();
    assert.ok(mailTo(invited).includes(`https://id.example.com${pathOf(invited)}\n`));
    const seen = await newBrowser().open(pathOf(invited));
    assert.deepEqual([seen.status, seen.title], [200, 'Join Acme']);
    assert.ok(seen.text.includes(invited.invitation.identifier));
    assert.equal(seen.headers['referrer-policy'], 'no-referrer');
    assert.equal(seen.headers['cache-control'], 'no-store');
  });

  test('The invitation page names the inviter, by name or address, if the inviter belongs to the tenant', async () => {
    const inviter = await tenant.createUser({ roles: ['admin'] });
    const shown = async (invited: Invited) => (await newBrowser().open(pathOf(invited))).text;
    const byUser = await invite({}, inviter.token);
    assert.ok((await shown(byUser)).includes(`${inviter.identifier}</bdi></b> invited you to`));
    const token = await tenant.adminToken();
    const path = `/users/${inviter.user.id}`;
    const body = { name: '<Grace> Hopper' };
    expectStatus(200, await tenant.request('PATCH', path, { token, body }));
    const named = await shown(byUser);
    assert.ok(named.includes('&lt;Grace&gt; Hopper</bdi></b> invited you to'), named);
    assert.equal((await read(byUser)).invited_by_name, '<Grace> Hopper');
    const second = await invite({}, inviter.token);
    assert.ok(mailTo(second).includes('<Grace> Hopper invited you to join Acme.'), mailTo(second));
    const { key } = await tenant.createAgent({ name: 'Hiring', scopes: ['write:users'] });
    assert.ok((await shown(await invite({}, key))).includes('Hiring</bdi></b> invited you to'));
    expectStatus(200, await tenant.request('DELETE', path, { token }));
    assert.ok((await shown(byUser)).includes('You’ve been invited to'));
  });

  test('The email of an invitation does not show a name that is a link', async () => {
    const inviter = await tenant.createUser({ roles: ['admin'] });
    const token = await tenant.adminToken();
    const body = { name: 'Sign in at evil.example/acme:' };
    expectStatus(200, await tenant.request('PATCH', `/users/${inviter.user.id}`, { token, body }));
    const byUser = mailTo(await invite({}, inviter.token));
    assert.ok(byUser.includes(`${inviter.identifier} invited you to join Acme.`), byUser);
    const { key } = await tenant.createAgent({ name: 'https://evil.ex', scopes: ['write:users'] });
    const byAgent = mailTo(await invite({}, key));
    assert.ok(byAgent.includes('An administrator invited you to join Acme.'), byAgent);
    assert.doesNotMatch(byUser + byAgent, /evil/);
  });

  test('The invitation page starts no login flow when opened, or when its form is posted without the form token', async () => {
    const invited = await invite();
    const flows = async () => {
      const query = 'SELECT count(*)::int AS n FROM login_flows WHERE tenant_id = $1';
      return (await keywright.database.query(query, [tenant.id]))[0]?.['n'];
    };
    const past = await flows();
    const browser = newBrowser();
    const { postsTo } = await browser.open(pathOf(invited));
    const forged = await browser.post(postsTo, { token: invited.token });
    assert.deepEqual([forged.status, await flows()], [400, past]);
  });

  test('The invitation page reports an invitation as expired, revoked, used or unknown, always with the same status', async () => {
    const [expired, revoked, used] = [
      await invite({ expires_in_days: 1 }),
      await invite({ expires_in_days: 30 }),
      await invite({ expires_in_days: 30 }),
    ];
    const browser = await startAcceptance(used);
    await browser.press('new_password', { secret: newPassword() });
    const id = revoked.invitation.id;
    const token = await tenant.adminToken();
    expectStatus(200, await tenant.request('DELETE', `/invitations/${id}`, { token }));
    const early = newBrowser();
    await early.open(pathOf(expired));
    keywright.clock.advance(24 * 60 * 60 + 1);
    const wrong = { token: `${used.token.slice(0, -1)}${used.token.endsWith('A') ? 'E' : 'A'}` };
    const titles = {
      'This invitation has expired': expired,
      'This invitation was revoked': revoked,
      'This invitation was already used': used,
      'Invitation not found': wrong,
    };
    for (const [title, invited] of Object.entries(titles)) {
      const { text, ...seen } = await newBrowser().open(pathOf(invited));
      assert.deepEqual([seen.status, seen.title, seen.actions], [401, title, []]);
      const address = 'invitation' in invited ? invited.invitation.identifier : '@';
      assert.ok(!text.includes(address), 'the invited person is no longer named');
    }
    assert.equal((await early.press('accept')).title, 'This invitation has expired');
    const elsewhere = await newBrowser(other).open(pathOf(used, other));
    assert.equal(elsewhere.title, 'Invitation not found');
  });
});

describe('on the page of an invitation', () => {
  test('A new user sets a password on the invitation page and joins, even though registration is disabled', async () => {
    const invited = await invite();
    const browser = await startAcceptance(invited);
    assert.equal(browser.seen.title, 'Join Acme');
    assert.ok(browser.seen.actions.includes('new_password'), browser.seen.text);
    assert.ok(browser.seen.text.includes('accepting an invitation to'));
    assert.ok(!browser.seen.actions.includes('restart'));
    const short = await browser.press('new_password', { secret: 'short' });
    assert.deepEqual([short.status, short.actions.includes('new_password')], [400, true]);
    assert.ok(short.text.includes(invited.invitation.identifier));
    await assertJoined(
      invited,
      await browser.press('new_password', { secret: newPassword() }),
      browser,
    );
  });

  test('A user accepts an invitation by logging in on its page; a wrong password accepts nothing', async () => {
    const user = await tenant.createUser();
    const path = `/users/${user.user.id}`;
    const token = await tenant.adminToken();
    const identifiers = [{ type: 'email', identifier: user.identifier, verified: true }];
    expectStatus(200, await tenant.request('PATCH', path, { token, body: { identifiers } }));
    const invited = await invite({ identifier: user.identifier, roles: ['admin'] });
    const browser = await startAcceptance(invited);
    const refused = await browser.press('password', { secret: newPassword() });
    assert.deepEqual([refused.status, (await read(invited)).status], [401, 'pending']);
    await assertJoined(
      invited,
      await browser.press('password', { secret: user.password }),
      browser,
    );
    const { roles } = expectStatus(200, await tenant.request('GET', path, { token }));
    assert.deepEqual(roles, ['admin', 'member']);
  });

  test('The invitation page asks for the invited user even if another user is logged in to the browser', async () => {
    const user = await tenant.createUser();
    const browser = newBrowser();
    await browser.open(`/t/${tenant.id}/account`);
    await browser.press('login', { identifier: user.identifier, secret: user.password });
    const invited = await invite();
    await startAcceptance(invited, browser);
    assert.ok(!browser.seen.text.includes(user.identifier), browser.seen.text);
    const last = await browser.press('new_password', { secret: newPassword() });
    await assertJoined(invited, last, browser);
  });

  test('A new user joins with the name from the invitation or another one, and is the actor in the audit log', async () => {
    const invited = await invite({ name: ' Ada  King ' });
    const browser = newBrowser();
    const { text } = await browser.open(pathOf(invited));
    assert.match(text, /value="Ada King"/);
    await browser.press('accept', { name: 'Ada Lovelace' });
    const last = await browser.press('new_password', { secret: newPassword() });
    await assertJoined(invited, last, browser);
    const userId = (await read(invited)).accepted_by;
    const token = await tenant.adminToken();
    const user = await tenant.request<UserRecord>('GET', `/users/${userId}`, { token });
    assert.equal(expectStatus(200, user).name, 'Ada Lovelace');
    const path = `/audit?actor=${userId}&limit=100`;
    const log = await tenant.request<{ items: AuditEntry[] }>('GET', path, { token });
    const actions = expectStatus(200, log).items.map(({ action }) => action);
    for (const action of ['user.created', 'invitation.accepted', 'user.updated']) {
      assert.ok(actions.includes(action as AuditEntry['action']), `${action}: ${actions.join()}`);
    }
  });

  test('A tenant that requires names accepts no new user without one', async () => {
    const token = await tenant.adminToken();
    const setNames = (registration_name: string) =>
      tenant.request('PATCH', `/tenants/${tenant.id}`, {
        token,
        body: { config: { registration_name } },
      });
    expectStatus(200, await setNames('required'));
    const browser = newBrowser();
    await browser.open(pathOf(await invite()));
    const refused = await browser.press('accept', { name: '  ' });
    assert.deepEqual([refused.status, refused.actions], [400, ['accept']]);
    assert.ok(refused.text.includes('Enter your name.'), refused.text);
    const named = await browser.press('accept', { name: 'Ada' });
    assert.ok(named.actions.includes('new_password'), named.text);
    expectStatus(200, await setNames('off'));
    assert.ok(!(await newBrowser().open(pathOf(await invite()))).text.includes('name="name"'));
    expectStatus(200, await setNames('optional'));
  });

  test('A person who joins lands in the application that the invitation names, if an administrator created it', async () => {
    const client = (
      await newClient(tenant, { name: 'Robots', client_uri: 'https://robots.example.com' })
    ).id;
    const invited = await invite({ client_id: client });
    const browser = await startAcceptance(invited);
    const { redirectsTo } = await browser.press('new_password', { secret: newPassword() });
    assert.equal(redirectsTo?.href, 'https://robots.example.com/');
    const token = await tenant.adminToken();
    const initiate_login_uri = 'https://robots.example.com/login?by=invitation';
    const path = `/clients/${client}`;
    expectStatus(200, await tenant.request('PATCH', path, { token, body: { initiate_login_uri } }));
    const next = await startAcceptance(await invite({ client_id: client }));
    const last = await next.press('new_password', { secret: newPassword() });
    const start = `${initiate_login_uri}&iss=${encodeURIComponent(issuerOf(tenant))}`;
    assert.equal(last.redirectsTo?.href, start);
    const toInactive = await invite({ client_id: client });
    expectStatus(200, await tenant.request('PATCH', path, { token, body: { is_active: false } }));
    const late = await startAcceptance(toInactive);
    const inactive = await late.press('new_password', { secret: newPassword() });
    assert.equal(inactive.redirectsTo?.pathname, `/t/${tenant.id}/account`);
    const plain = (await newClient(tenant, { name: 'No page' })).id;
    const { registration_token } = await newRegistrationToken(tenant);
    const metadata = { client_uri: 'https://app.example.com' };
    const by = { token: String(registration_token) };
    const { client_id: registered } = expectStatus(201, await register(tenant, metadata, by));
    for (const client_id of [plain, registered, (await newClient(other)).id]) {
      const body = { identifier: newIdentifier(), client_id };
      const refused = await tenant.request('POST', '/invitations', { token, body });
      assert.equal(expectStatus(400, refused).code, 'VALIDATION_FAILED');
    }
  });

  test('An invitation that was withdrawn while its page was open is not accepted', async () => {
    const invited = await invite();
    const browser = await startAcceptance(invited);
    const token = await tenant.adminToken();
    const path = `/invitations/${invited.invitation.id}`;
    expectStatus(200, await tenant.request('DELETE', path, { token }));
    const seen = await browser.press('new_password', { secret: newPassword() });
    assert.deepEqual([seen.status, seen.redirectsTo], [401, undefined]);
    assert.equal((await read(invited)).status, 'revoked');
  });

  test('An invitation of one tenant is worth nothing in another', async () => {
    const invited = await invite();
    const browser = newBrowser(other);
    await browser.open(`/t/${other.id}/account`);
    const posted = await browser.post(`/t/${other.id}/oauth/invitation`, {
      ...browser.seen.hidden,
      action: 'accept',
      token: invited.token,
    });
    assert.ok([400, 401].includes(posted.status));
    assert.equal((await read(invited)).status, 'pending');
  });
});

test('The application of a tenant that has one still opens invitations', async () => {
  const config = { magic_link_url: 'https://app.example.com/login' };
  const otherTenant = await keywright.tenant('own-page', { config });
  const invited = await sendInvitation({ keywright, sink }, otherTenant);
  assert.ok(mailTo(invited).includes(`https://app.example.com/login#token=${invited.token}`));
});
