// What the plan "RP-initiated logout" of the OpenID Foundation's conformance suite checks.

import assert from 'node:assert/strict';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type JWTPayload, SignJWT } from 'jose';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { headerOf, payloadOf } from '../harness/token.ts';
import type { Seen, Visitor } from '../harness/visitor.ts';
import { discover, issuerOf, type Parameters, VerifyingParty } from './verifying-party.ts';

const BYE = 'https://app.example.com/bye';

let keywright: Keywright;
let tenant: TestTenant;
let user: TestUser;
let party: VerifyingParty;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  tenant = await keywright.tenant('rp-logout');
  user = await tenant.createUser();
  const fields = { post_logout_redirect_uris: [BYE] };
  party = await VerifyingParty.register({ keywright, tenant, mode: 'query' }, fields);
});
after(() => keywright.close());

/** A user's logged-in browser, and the ID token of that login. */
async function loggedIn(): Promise<{ readonly browser: Visitor; readonly hint: string }> {
  const browser = party.browser();
  const tokens = await party.tokensFor(await party.logIn(browser, user));
  return { browser, hint: tokens.id_token };
}

/** Asserts that the confirmation page is shown and never redirects, not even after the user confirms. */
async function expectPage(browser: Visitor, page: Seen): Promise<void> {
  assert.deepEqual([page.status, page.redirectsTo, page.formTarget], [200, undefined, undefined]);
  assert.ok(page.text.includes('id="logout-confirm"'));
  assert.ok(!(await party.isLoggedOut(browser)), 'not before the user has said yes');
}

const state = randomBytes(64).toString('hex');

test('The metadata names the end session endpoint, by https (§2.1)', async () => {
  const { end_session_endpoint: at } = await discover(keywright, tenant);
  assert.equal(at, `${issuerOf(keywright, tenant).href}/oauth/logout`);
});

describe('a logout that an application asks for', () => {
  test('A logout with an ID token and a registered address redirects there with its state, however long, and logs out (§2)', async () => {
    const { browser, hint } = await loggedIn();
    const logoutRequest = { id_token_hint: hint, post_logout_redirect_uri: BYE, state };
    const seen = await party.logOut(browser, logoutRequest);
    assert.deepEqual([seen.status, seen.redirectsTo?.href], [303, `${BYE}?state=${state}`]);
    assert.ok(await party.isLoggedOut(browser));
  });

  test('A logout without a state redirects to the address with nothing added', async () => {
    const { browser, hint } = await loggedIn();
    const logoutRequest = { id_token_hint: hint, post_logout_redirect_uri: BYE };
    assert.equal((await party.logOut(browser, logoutRequest)).redirectsTo?.href, BYE);
    assert.ok(await party.isLoggedOut(browser));
  });

  const forged = new Map<string, (hint: string) => Promise<Parameters> | Parameters>([
    ['with an address that is not registered', (hint) => to(hint, `${BYE}x`)],
    ['with a query added to the address', (hint) => to(hint, `${BYE}?foo=bar`)],
    ['with an ID token that is changed to alg none', (hint) => to(unsigned(hint))],
    ['with an ID token that is signed by another issuer', async (hint) => to(await resigned(hint))],
    ['with an address and no ID token', () => ({ post_logout_redirect_uri: BYE, state })],
  ]);
  for (const [what, parametersOf] of forged) {
    test(`${what} asks the user, and leads nowhere (§2, §3)`, async () => {
      const { browser, hint } = await loggedIn();
      await expectPage(browser, await party.logOut(browser, await parametersOf(hint)));
      const done = await logOutPage(browser, await parametersOf(hint));
      assert.deepEqual(
        [done.title, done.redirectsTo, done.formTarget],
        ['You’re signed out', undefined, undefined],
      );
    });
  }

  const bare = new Map<string, (hint: string) => Parameters>([
    ['without parameters', () => ({})],
    ['with a state alone', () => ({ state })],
    ['with an ID token and no address', (hint) => ({ id_token_hint: hint, state })],
  ]);
  for (const [what, parametersOf] of bare) {
    test(`${what} asks the user, and logs them out (§2)`, async () => {
      const { browser, hint } = await loggedIn();
      await expectPage(browser, await party.logOut(browser, parametersOf(hint)));
      const done = await logOutPage(browser, parametersOf(hint));
      assert.deepEqual([done.title, done.redirectsTo], ['You’re signed out', undefined]);
      assert.ok(await party.isLoggedOut(browser));
    });
  }
});

/** The user says yes. */
async function logOutPage(browser: Visitor, parameters: Parameters): Promise<Seen> {
  await party.logOut(browser, parameters);
  return browser.press('logout');
}

function to(hint: string, address = BYE): Parameters {
  return { id_token_hint: hint, post_logout_redirect_uri: address, state };
}

function unsigned(hint: string): string {
  const header = Buffer.from(JSON.stringify({ ...headerOf(hint), alg: 'none' }));
  return `${header.toString('base64url')}.${hint.split('.')[1]}.`;
}

/** The hint with the same claims and key ID, signed by another key. */
function resigned(hint: string): Promise<string> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return new SignJWT(payloadOf(hint) as JWTPayload)
    .setProtectedHeader({ ...headerOf(hint) })
    .sign(privateKey);
}
