// Users link accounts at identity providers on the account page.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { IdentityProviderRecord } from '@keywright/contract/records/identity-provider';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { addProvider, type FakeProvider, startFakeProvider } from '../harness/upstream.ts';
import { Visitor } from '../harness/visitor.ts';

const ISSUER = 'https://id.example.com';
const STEP_UP_SECONDS = 300;

let keywright: Keywright;
let tenant: TestTenant;
let provider: FakeProvider;
let record: IdentityProviderRecord;
let user: TestUser;
let visitor: Visitor;
let people = 0;

before(async () => {
  keywright = await startKeywright({
    clock: 'fake',
    env: { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' },
  });
  provider = await startFakeProvider();
  provider.now = () => keywright.clock.now().getTime();
  tenant = await keywright.tenant('linked', { config: { login_attempts_limit: 10_000 } });
  record = await addProvider(tenant, provider);
});
after(async () => {
  await keywright.close();
  await provider.close();
});
beforeEach(async () => {
  user = await tenant.createUser();
  visitor = await enter(user);
});

const account = () => `/t/${tenant.id}/account?section=security`;

async function enter({ identifier, password: secret }: TestUser): Promise<Visitor> {
  const browser = new Visitor(tenant, `${ISSUER}/t/${tenant.id}`);
  await browser.open(account());
  await browser.press('login', { identifier, secret });
  await browser.open(account());
  return browser;
}

const press = (action: string, browser = visitor) =>
  browser.press(action, { section: 'security', id: record.id });

function newPerson() {
  people += 1;
  const email = `person-${people}@corporate.example`;
  return { sub: `person-${people}`, email, email_verified: true };
}

/** Logs in at the provider. @returns the URL that the provider redirects the browser to */
async function wayBack(person = newPerson(), browser = visitor): Promise<string> {
  const { redirectsTo } = await press('link_identity', browser);
  assert.equal(redirectsTo?.origin, provider.issuer);
  const back = provider.authorize(String(redirectsTo), person);
  return back.pathname + back.search;
}

async function identitiesOf({ token }: TestUser): Promise<number> {
  const list = await tenant.request<{ items: object[] }>('GET', '/me/identities', { token });
  return expectStatus(200, list).items.length;
}

describe('an account at a provider', () => {
  test('An account at a provider is linked by a login there and can be removed', async () => {
    const { text } = await visitor.open(account());
    assert.match(text, /No linked accounts yet/);
    const linked = await visitor.open(await wayBack());
    assert.match(linked.text, /role="status"[^>]*>Linked/);
    assert.doesNotMatch(linked.address, /handoff/);
    assert.ok(!linked.actions.includes('link_identity'), 'one at each provider');
    assert.equal(await identitiesOf(user), 1);
    const removed = await press('remove_identity');
    assert.match(removed.text, /can no longer sign in with this account/);
    assert.equal(await identitiesOf(user), 0);
  });

  test('An account at a provider that is linked to one user cannot be linked to another', async () => {
    const person = newPerson();
    await visitor.open(await wayBack(person));
    const other = await tenant.createUser();
    const browser = await enter(other);
    const { status, text } = await browser.open(await wayBack(person, browser));
    assert.equal(status, 400);
    assert.match(text, /role="alert"[^>]*>You can’t link this account/);
    assert.equal(await identitiesOf(other), 0);
  });

  test('An account at a provider is not linked to a user who is made to open the callback URL of another user', async () => {
    const other = await enter(await tenant.createUser());
    const [, query] = (await wayBack(newPerson(), other)).split('?');
    const callback = `/t/${tenant.id}/callback/${record.id}?${query}`;
    const { status, text } = await visitor.open(callback);
    assert.equal(status, 401);
    assert.match(text, /role="alert"[^>]*>The provider didn’t confirm this/);
    assert.equal(await identitiesOf(user), 0);
  });

  test('An account at a provider is not linked when the user declined there or returned without a valid handoff', async () => {
    for (const parameter of [
      'error=access_denied',
      'error=provider_refused',
      'handoff=hnd_guess',
    ]) {
      const { status, text } = await visitor.open(`${account()}&${parameter}`);
      assert.equal(status, 401, parameter);
      assert.match(text, /role="alert"[^>]*>The provider didn’t confirm this/, parameter);
    }
    assert.equal(await identitiesOf(user), 0);
  });

  test('An account at a provider is neither offered for removal nor removed when it is the only way to log in', async () => {
    assert.match((await visitor.open(await wayBack())).text, />Linked/);
    await keywright.database.query(
      `DELETE FROM user_credentials WHERE tenant_id = $1 AND user_id = $2 AND type = 'password'`,
      [tenant.id, user.user.id],
    );
    const shown = await visitor.open(account());
    assert.ok(!shown.actions.includes('remove_identity'));
    assert.match(shown.text, /This is your only sign-in method/);
    const { status, text } = await press('remove_identity');
    assert.equal(status, 400);
    assert.match(text, /role="alert"[^>]*>This is your only sign-in method/);
    assert.equal(await identitiesOf(user), 1);
  });

  test('An account at a provider is linked and removed only after a recent login', async () => {
    const back = await wayBack();
    keywright.clock.advance(STEP_UP_SECONDS + 1);
    for (const action of ['link_identity', 'remove_identity']) {
      await visitor.open(account());
      assert.equal((await press(action)).title, 'Confirm it’s you', action);
    }
    await visitor.open(account());
    assert.ok(!visitor.seen.actions.includes('link_identity'));
    await visitor.open(back);
    assert.equal(await identitiesOf(user), 0);
  });
});

test('The account page mentions no accounts at other services where the tenant has no provider', async () => {
  const silent = await keywright.tenant('alone');
  const { identifier, password: secret } = await silent.createUser();
  const browser = new Visitor(silent, `${ISSUER}/t/${silent.id}`);
  const path = `/t/${silent.id}/account?section=security`;
  await browser.open(path);
  await browser.press('login', { identifier, secret });
  assert.doesNotMatch((await browser.open(path)).text, /Linked accounts/);
});
