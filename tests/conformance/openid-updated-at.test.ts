import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { VerifyingParty } from './verifying-party.ts';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import type { Visitor } from '../harness/visitor.ts';

let keywright: Keywright;
let tenant: TestTenant;
let party: VerifyingParty;
let user: TestUser;
let browser: Visitor;
/** When the user was created, in seconds. */
let createdAt: number;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  tenant = await keywright.tenant('updated');
  const place = { keywright, tenant, mode: 'query' } as const;
  party = await VerifyingParty.register(place, { id_token_claims: true });
});
after(() => keywright.close());

beforeEach(async () => {
  user = await tenant.createUser();
  createdAt = nowSeconds();
  browser = party.browser();
  keywright.clock.advance(10);
  await party.logIn(browser, user);
});

function nowSeconds(): number {
  return Math.floor(keywright.clock.now().getTime() / 1000);
}

async function change(body: object): Promise<void> {
  const token = await tenant.adminToken();
  const answer = await tenant.request('PATCH', `/users/${user.user.id}`, { token, body });
  expectStatus(200, answer);
}

/** The values in the userinfo response and in the ID token. */
async function readUpdatedAt(more: Readonly<Record<string, string>>): Promise<unknown[]> {
  const { claims, access_token: token } = await party.tokensFor(
    await party.authorize(browser, more),
  );
  return [(await party.userinfo(token))['updated_at'], claims['updated_at']];
}

const PROFILE = { scope: 'openid profile' };

describe('updated_at', () => {
  test('The updated_at claim is the time when the user was created, in seconds, until something is changed (OpenID Connect Core §5.1)', async () => {
    assert.deepEqual(await readUpdatedAt(PROFILE), [createdAt, createdAt]);
  });

  test('The updated_at claim is returned with the scope profile, or where it is requested by name (OpenID Connect Core §5.4, §5.5)', async () => {
    const nothing = [undefined, undefined];
    assert.deepEqual(await readUpdatedAt({ scope: 'openid email phone' }), nothing);
    for (const [member, expected] of [
      ['userinfo', [createdAt, undefined]],
      ['id_token', [undefined, createdAt]],
    ] as const) {
      const claims = JSON.stringify({ [member]: { updated_at: null } });
      assert.deepEqual(await readUpdatedAt({ claims }), expected);
    }
  });

  test('The updated_at claim is the time of the last change to what applications receive, also in a refreshed ID token', async () => {
    const response = await party.authorize(browser, { scope: 'openid profile offline_access' });
    let { refresh_token: token = '' } = await party.tokensFor(response);
    const identifier = `another-${createdAt}@example.com`;
    for (const body of [
      { metadata: { given_name: 'Ada' } },
      { name: 'Ada' },
      { picture: 'https://cdn.example.com/ada.png' },
      { identifiers: [{ type: 'email', identifier }] },
      { identifiers: [{ type: 'email', identifier, verified: true }] },
    ]) {
      keywright.clock.advance(10);
      await change(body);
      const now = nowSeconds();
      keywright.clock.advance(10);
      assert.deepEqual(await readUpdatedAt(PROFILE), [now, now], JSON.stringify(body));
      const form = { grant_type: 'refresh_token', refresh_token: token };
      const next = expectStatus(200, await party.postToken(form));
      token = String(next['refresh_token']);
      assert.equal((await party.verify(String(next['id_token'])))['updated_at'], now);
    }
  });

  test('The updated_at claim does not change when other data of the user changes', async () => {
    await change({ user_metadata: { theme: 'dark' } });
    await change({ roles: ['admin'] });
    await change({ metadata: {} });
    assert.deepEqual(await readUpdatedAt(PROFILE), [createdAt, createdAt]);
  });
});
