// Two vulnerabilities that once let write:tenant access an administrator's account without the second factor: through
// an identity provider, and through an SMTP server.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { prepareHolders } from '../harness/holders.ts';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { mailedTo, mailThrough } from '../harness/mailed.ts';
import { type MailSink, startMailSink } from '../harness/mail-sink.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { enrollTotp } from '../harness/totp.ts';
import { type FakeProvider, startFakeProvider } from '../harness/upstream.ts';

/** A user lacks the scope; an agent, an application or a delegate cannot use it. */
const REFUSALS = ['SCOPE_REQUIRED', 'ADMINISTRATOR_REQUIRED'];

let keywright: Keywright;
let sink: MailSink;
/** The attacker's. */
let evilSink: MailSink;
let evilProvider: FakeProvider;

before(async () => {
  sink = await startMailSink();
  evilSink = await startMailSink();
  evilProvider = await startFakeProvider();
  keywright = await startKeywright({ clock: 'fake', env: mailThrough(sink) });
});
after(async () => {
  await keywright.close();
  await Promise.all([sink.close(), evilSink.close(), evilProvider.close()]);
});

const places: Readonly<Record<string, () => Promise<TestTenant>>> = {
  'the default tenant': () => Promise.resolve(keywright.home),
  'another tenant': () => keywright.tenant('taken'),
};

async function newAdministrator(tenant: TestTenant): Promise<TestUser> {
  const role = tenant === keywright.home ? 'system_admin' : 'admin';
  const identifier = newIdentifier();
  const identifiers = [{ type: 'email', identifier, verified: true }];
  const user = await tenant.createUser({ identifier, roles: [role] });
  const options = { token: await tenant.adminToken(), body: { identifiers } };
  expectStatus(200, await tenant.request('PATCH', `/users/${user.user.id}`, options));
  return user;
}

for (const [place, open] of Object.entries(places)) {
  describe(`a holder of write:tenant in ${place}`, () => {
    let tenant: TestTenant;
    let victim: TestUser;
    let holders: Readonly<Record<string, string>>;

    before(async () => {
      tenant = await open();
      victim = await newAdministrator(tenant);
      const holdersOf = await prepareHolders(keywright, tenant, await newAdministrator(tenant));
      holders = await holdersOf('write:tenant');
      await enrollTotp(tenant, victim.token, keywright.clock);
    });

    test('A holder of write:tenant cannot become an administrator through an identity provider', async () => {
      const body = {
        type: 'oidc',
        name: 'Evil',
        issuer: evilProvider.issuer,
        client_id: 'keywright',
        client_secret: newPassword(),
        domains: [victim.identifier.split('@')[1]],
        link: 'auto',
        trust_mfa: true,
        is_active: true,
        skip_test: true,
      };
      for (const [kind, token] of Object.entries(holders)) {
        const refused = await tenant.request('POST', '/identity-providers', { token, body });
        assert.ok(REFUSALS.includes(String(expectStatus(403, refused)['code'])), kind);
      }
      const token = await tenant.adminToken();
      const { items } = expectStatus(
        200,
        await tenant.request('GET', '/identity-providers', { token }),
      );
      assert.deepEqual(items, []);
    });

    test('A holder of write:tenant cannot read the recovery code of an administrator on their own mail server', async () => {
      const email = {
        smtp_host: '127.0.0.1',
        smtp_port: evilSink.port,
        from_address: 'a@evil.example',
      };
      for (const [kind, token] of Object.entries(holders)) {
        const options = { token, body: { messaging: { email } } };
        const refused = await tenant.request('PATCH', `/tenants/${tenant.id}`, options);
        assert.ok(REFUSALS.includes(String(expectStatus(403, refused)['code'])), kind);
      }
      const recovery = { identifier: victim.identifier, purpose: 'recovery' };
      const started = expectStatus(
        201,
        await tenant.request('POST', '/auth/flows', { body: recovery }),
      );
      const { flow, flow_token } = started as { flow: { id: string }; flow_token: string };
      const sent = await tenant.request('POST', `/auth/flows/${flow.id}/message`, {
        body: { flow_token },
      });
      assert.ok(sent.status < 300, sent.text);
      await mailedTo(sink, victim.identifier);
      assert.deepEqual(evilSink.mails, []);
    });
  });
}
