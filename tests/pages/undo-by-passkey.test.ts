// A change of identifiers that is undone with a passkey, in Chromium, in a tenant where logins cannot start with one.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launchBrowser } from '../conformance/browser.ts';
import { Authenticator } from '../harness/authenticator.ts';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { type MailSink, startMailSink } from '../harness/mail-sink.ts';
import { mailThrough } from '../harness/mailed.ts';
import { addAddress } from '../harness/undo.ts';

const chromium = await launchBrowser();
let sink: MailSink;
let keywright: Keywright;

before(async () => {
  sink = await startMailSink();
  const env = { ...mailThrough(sink), KEYWRIGHT_BASE_URL: undefined };
  keywright = await startKeywright({ env });
});
after(async () => {
  await chromium?.close();
  await keywright.close();
  await sink.close();
});

test(
  'The page of an undo link undoes a change with a passkey in a tenant without passkey logins',
  {
    skip: !chromium,
  },
  async () => {
    const tenant = await keywright.tenant('undone', {
      config: { allowed_login_methods: ['password'] },
    });
    const change = await addAddress(sink, tenant, await tenant.createUser());
    const { user, undoToken } = change;
    const pages = `${keywright.nodes[0]?.baseUrl}/t/${tenant.id}`;
    const context = await (chromium as NonNullable<typeof chromium>).newContext();
    const page = await context.newPage();
    await Authenticator.addTo(page);
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    await page.goto(`${pages}/account?section=security`);
    await page.fill('#identifier', user.identifier);
    await page.fill('#secret', user.password);
    await page.click('#login-submit');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.click('#codes-continue');
    // As if the passkey had been the account's only credential before the change.
    await keywright.database.query(
      `UPDATE identifier_undos u SET secret_hash = NULL,
            factors = ARRAY(SELECT id FROM user_factors f WHERE f.user_id = u.user_id AND type = 'passkey')
      WHERE tenant_id = $1`,
      [tenant.id],
    );
    await page.goto(`${pages}/oauth/undo?token=${undoToken}`);
    await page.click('#passkey');
    await page.getByRole('heading', { name: 'Change undone' }).waitFor();
    assert.deepEqual(complaints, []);
    const options = { token: await tenant.adminToken() };
    const { identifiers } = expectStatus(
      200,
      await tenant.request('GET', `/users/${user.user.id}`, options),
    );
    assert.deepEqual(identifiers, [{ type: 'email', identifier: user.identifier, verified: true }]);
  },
);
