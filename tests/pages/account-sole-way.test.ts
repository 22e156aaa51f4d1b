// The account page does not offer to remove the user's only way to log in, and explains why.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { addPasskey } from '../harness/passkey.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { enrollTotp, totpOf } from '../harness/totp.ts';
import { type Seen, Visitor } from '../harness/visitor.ts';

const ONLY_WAY = /This is your only sign-in method\. Add another one first/g;
const STRONG_ENOUGH = /This is your only sign-in method that’s strong enough/g;

let keywright: Keywright;
let tenant: TestTenant;
let user: TestUser;
let visitor: Visitor;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  tenant = await keywright.tenant('sole-way');
});
after(() => keywright.close());
beforeEach(async () => {
  user = await tenant.createUser();
  visitor = new Visitor(tenant, `https://id.example.com/t/${tenant.id}`);
  await open();
  await visitor.press('login', { identifier: user.identifier, secret: user.password });
  await open();
});

const open = (): Promise<Seen> => visitor.open(`/t/${tenant.id}/account?section=security`);

const removals = ({ actions }: Seen) =>
  actions.filter((action) => action === 'remove_factor').length;

async function requireSecondFactor(isRequired: boolean): Promise<void> {
  const body = { config: { require_mfa: isRequired } };
  const token = await keywright.adminToken();
  expectStatus(
    200,
    await keywright.home.request('PATCH', `/tenants/${tenant.id}`, { token, body }),
  );
}

describe('a passkey', () => {
  test('A passkey can be removed while its user has a password', async () => {
    await addPasskey(tenant, user.token);
    const seen = await open();
    assert.equal(removals(seen), 1);
    assert.doesNotMatch(seen.text, ONLY_WAY);
  });

  test('A passkey that is the only way to log in is not offered for removal, and the reason is shown', async () => {
    const { factor } = await addPasskey(tenant, user.token);
    await keywright.database.query(
      `DELETE FROM user_credentials WHERE tenant_id = $1 AND user_id = $2 AND type = 'password'`,
      [tenant.id, user.user.id],
    );
    const seen = await open();
    assert.equal(removals(seen), 0);
    assert.equal(seen.text.match(ONLY_WAY)?.length, 1);
    await keywright.database.query(
      `INSERT INTO user_factors SELECT (jsonb_populate_record(f, jsonb_build_object(
          'id', f.id || 'x', 'credential_id', '\\x' || encode(sha256('another'), 'hex')))).*
         FROM user_factors f WHERE f.tenant_id = $1 AND f.id = $2`,
      [tenant.id, factor.id],
    );
    const another = await open();
    assert.equal(removals(another), 2);
    assert.doesNotMatch(another.text, ONLY_WAY);
  });
});

test('The only second factor is not offered for removal where the tenant requires one, and the page says why', async () => {
  const { secret } = await enrollTotp(tenant, user.token, keywright.clock);
  keywright.clock.advance(30);
  await visitor.press('logout');
  await visitor.press('login', { identifier: user.identifier, secret: user.password });
  await visitor.press('totp', { code: totpOf(secret, keywright.clock.now()) });
  assert.equal(removals(await open()), 1);
  await requireSecondFactor(true);
  try {
    const seen = await open();
    assert.equal(removals(seen), 0);
    assert.equal(seen.text.match(STRONG_ENOUGH)?.length, 1);
  } finally {
    await requireSecondFactor(false);
  }
});
