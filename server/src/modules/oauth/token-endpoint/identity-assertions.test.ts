import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { AuditEntry } from '@keywright/contract/records/audit-entry';
import { TOKEN_TYPE } from '@keywright/contract/routes/token';
import { newClient, proofOf, UserBrowser } from '@keywright/tests/harness/code-login';
import { type JsonBody, expectStatus } from '@keywright/tests/harness/http';
import {
  API,
  change,
  type Enterprise,
  type Person,
  startEnterprise,
} from '@keywright/tests/harness/enterprise';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';
import { oauthError } from '@keywright/tests/harness/token-endpoint';
import { until } from '@keywright/tests/harness/until';
import { decodeJwt, decodeProtectedHeader } from 'jose';

const REFUSED = '400 invalid_request EXCHANGE_REFUSED';
const NO_TARGET = '400 invalid_target TARGET_INVALID';
const TOO_WIDE = '400 invalid_scope SCOPE_INVALID';
const NO_GRANT = '400 invalid_grant GRANT_INVALID';

let world: Enterprise;
let person: Person;

before(async () => {
  world = await startEnterprise();
  person = await world.newPerson();
});
after(() => world.close());

async function asserted(subject = person.idToken, more = {}): Promise<string> {
  return expectStatus(200, await world.assertion(subject, more)).access_token;
}

async function redeemed(more = {}): Promise<string> {
  return expectStatus(200, await world.redeem(await asserted(), more)).access_token;
}

async function statusOf(token: string, node = 0): Promise<JsonBody> {
  const body = { token, ...proofOf(world.guest) };
  return expectStatus(200, await world.chat.request('POST', '/oauth/introspect', { body, node }));
}

async function entriesOf(tenant: TestTenant, action: string, target: string) {
  interface Log {
    readonly items: readonly AuditEntry[];
  }
  const path = `/audit?action=${action}&target=${encodeURIComponent(target)}`;
  const answer = await tenant.request<Log>('GET', path, { token: await tenant.adminToken() });
  return expectStatus(200, answer).items;
}

describe('what one organization asserts, the other accepts', () => {
  test('An ID token is exchanged for an assertion, and that for an access token, without user interaction', async () => {
    const { enterpriseIssuer, chatIssuer, guest, chat } = world;
    const answer = expectStatus(200, await world.assertion(person.idToken));
    const { access_token: assertion, ...rest } = answer;
    assert.deepEqual(rest, {
      token_type: 'N_A',
      expires_in: 300,
      scope: 'chat:post read:rooms delete:rooms',
      issued_token_type: TOKEN_TYPE.idJag,
    });
    const { typ, alg } = decodeProtectedHeader(assertion);
    assert.deepEqual([typ, alg], ['oauth-id-jag+jwt', 'RS256']);
    const { jti, iat, exp, auth_time: at, ...said } = decodeJwt(assertion);
    assert.ok(jti && Number(exp) - Number(iat) === 300 && Number(at) <= Number(iat));
    assert.deepEqual(said, {
      iss: enterpriseIssuer,
      sub: person.atEnterprise.user.id,
      aud: chatIssuer,
      client_id: guest.id,
      resource: API,
      scope: 'chat:post read:rooms delete:rooms',
      acr: 'aal1',
      amr: ['pwd'],
    });
    const { access_token: token, ...issued } = expectStatus(200, await world.redeem(assertion));
    // Scopes that the resource, the client or the user lacks are omitted.
    const scope = 'chat:post read:rooms';
    assert.deepEqual(issued, { token_type: 'Bearer', expires_in: 3600, scope });
    const { sub, aud, client_id, scopes, act, acr, amr, auth_time } = claimsOf(token);
    assert.deepEqual(
      { sub, aud, client_id, scopes, act, acr, amr, auth_time },
      {
        sub: person.atChat.user.id,
        aud: API,
        client_id: guest.id,
        scopes: ['chat:post', 'read:rooms'],
        act: undefined,
        acr: 'aal1',
        amr: ['fed'],
        auth_time: at,
      },
    );
    assert.equal((await statusOf(token))['active'], true);
    const consents = await chat.request('GET', '/me/consents', { token: person.atChat.token });
    const [consent] = expectStatus(200, consents)['items'] as { client_id: string }[];
    assert.equal(consent?.client_id, guest.id);
  });

  test('A refresh token yields an identity assertion, too, and remains usable', async () => {
    const more = { subject_token_type: TOKEN_TYPE.refreshToken };
    for (const time of [1, 2]) {
      const assertion = await asserted(person.refreshToken, more);
      assert.equal(decodeJwt(assertion).sub, person.atEnterprise.user.id, String(time));
    }
    const mixed = await world.assertion(person.idToken, more);
    assert.equal(oauthError(mixed), REFUSED);
  });

  test('The scopes of an identity assertion narrow on the way, and never widen', async () => {
    const assertion = await asserted(person.idToken, { scope: 'read:rooms' });
    assert.equal(decodeJwt(assertion)['scope'], 'read:rooms');
    const wider = await world.redeem(assertion, { scope: 'chat:post' });
    assert.equal(oauthError(wider), TOO_WIDE);
    const next = await asserted(person.idToken, { scope: 'read:rooms chat:post' });
    const answer = expectStatus(200, await world.redeem(next, { scope: 'chat:post' }));
    assert.equal(answer.scope, 'chat:post');
    const nothing = await world.newPerson([]);
    const ungranted = await asserted(nothing.idToken, { scope: 'read:rooms' });
    assert.equal(oauthError(await world.redeem(ungranted)), TOO_WIDE, 'the user holds nothing');
  });

  test('The logs of both organizations record what was asserted and accepted', async () => {
    const { enterprise, chat, chatIssuer, enterpriseIssuer, assistant, guest } = world;
    const newcomer = await world.newPerson();
    const assertion = await asserted(newcomer.idToken, { scope: 'read:rooms' });
    const { access_token: token } = expectStatus(200, await world.redeem(assertion));
    const { id } = newcomer.atEnterprise.user;
    const [issued] = await entriesOf(enterprise, 'auth.identity_asserted', id);
    const { sid } = claimsOf(newcomer.accessToken);
    assert.deepEqual(
      [issued?.actor, issued?.details],
      [
        { kind: 'app', id: assistant.id, on_behalf_of: id, credential: sid },
        { audience: chatIssuer, client_id: guest.id, resource: API, scopes: ['read:rooms'] },
      ],
    );
    const session = claimsOf(token).sid ?? '';
    const [accepted] = await entriesOf(chat, 'auth.assertion_redeemed', session);
    assert.deepEqual(
      [accepted?.actor.on_behalf_of, accepted?.details],
      [
        newcomer.atChat.user.id,
        { client_id: guest.id, issuer: enterpriseIssuer, resource: API, scopes: ['read:rooms'] },
      ],
    );
  });
});

describe('an assertion is not issued', () => {
  test('An assertion is not issued for an audience, resource or scope that the administrators do not list', async () => {
    const { enterpriseIssuer } = world;
    for (const [more, error] of [
      [{ audience: 'https://other.example' }, NO_TARGET],
      [{ audience: enterpriseIssuer }, NO_TARGET],
      [{ audience: '' }, NO_TARGET],
      [{ resource: 'https://files.chat.example/' }, NO_TARGET],
      [{ scope: 'write:rooms' }, TOO_WIDE],
    ] as const) {
      assert.equal(oauthError(await world.assertion(person.idToken, more)), error);
    }
    const more = { ...proofOf(world.assistant), client_secret: 'wrong' };
    const wrong = await world.assertion(person.idToken, more);
    assert.equal(oauthError(wrong), '401 invalid_client CLIENT_INVALID');
  });

  test('An assertion is not issued to a client that has the grant and no audience, or an audience and no grant', async () => {
    const { enterprise, assistant } = world;
    const { identity_assertions, grant_types } = assistant;
    for (const [fields, error] of [
      [{ grant_types }, NO_TARGET],
      [{ identity_assertions }, '400 unauthorized_client CLIENT_UNAUTHORIZED'],
    ] as const) {
      const other = await newClient(enterprise, fields);
      const { id_token: idToken = '' } = await person.browser.tokensFor(other);
      assert.equal(oauthError(await world.assertion(idToken, proofOf(other))), error);
    }
  });

  test('An assertion is not issued for a token of another client, of another kind, or of a login that has ended', async () => {
    const { enterprise } = world;
    const other = await newClient(enterprise);
    const { id_token: theirs = '' } = await person.browser.tokensFor(other);
    const assertion = await asserted();
    for (const subject of [theirs, person.accessToken, person.refreshToken, assertion, 'x']) {
      assert.equal(oauthError(await world.assertion(subject)), REFUSED);
    }
    const asAccess = { subject_token_type: TOKEN_TYPE.accessToken };
    const wrongType = await world.assertion(person.accessToken, asAccess);
    assert.equal(oauthError(wrongType), '400 invalid_request VALIDATION_FAILED');
    const newcomer = await world.newPerson();
    const body = { token: newcomer.refreshToken, ...proofOf(world.assistant) };
    expectStatus(200, await enterprise.request('POST', '/oauth/revoke', { body }));
    assert.equal(oauthError(await world.assertion(newcomer.idToken)), REFUSED);
    const refresh = { subject_token_type: TOKEN_TYPE.refreshToken };
    assert.equal(oauthError(await world.assertion(newcomer.refreshToken, refresh)), REFUSED);
  });
});

describe('an assertion for the login of another client', () => {
  for (const [what, type] of [
    ['an ID token', TOKEN_TYPE.idToken],
    ['a refresh token', TOKEN_TYPE.refreshToken],
  ] as const) {
    test(`An assertion is not issued for ${what} of another client, and the log says why`, async () => {
      const { enterprise, assistant } = world;
      const { identity_assertions, grant_types } = assistant;
      const other = await newClient(enterprise, { identity_assertions, grant_types });
      const subject = type === TOKEN_TYPE.idToken ? person.idToken : person.refreshToken;
      const more = { ...proofOf(other), subject_token_type: type };
      assert.equal(oauthError(await world.assertion(subject, more)), REFUSED);
      const entries = () => entriesOf(enterprise, 'auth.identity_asserted', other.id);
      await until('it is written', async () => (await entries()).length > 0);
      const reasons = (await entries()).map(({ details }) => details['reason']);
      assert.deepEqual(reasons, ['subject_token']);
    });
  }
});

describe('the access token for an assertion', () => {
  const ends: Readonly<Record<string, (token: string, of: Person) => Promise<unknown>>> = {
    'its client revokes it': (token) => {
      const body = { token, ...proofOf(world.guest) };
      return world.chat.request('POST', '/oauth/revoke', { body });
    },
    'the user is deactivated': (_, { atChat }) =>
      change(world.chat, `/users/${atChat.user.id}`, { is_active: false }),
    'the user loses permissions': (_, { atChat }) =>
      change(world.chat, `/users/${atChat.user.id}`, { roles: ['member'] }),
    'an administrator ends the session': async (token) => {
      const path = `/sessions/${claimsOf(token).sid}`;
      return world.chat.request('DELETE', path, { token: await world.chat.adminToken() });
    },
    'the user withdraws the consent': async (_, { atChat: { token } }) => {
      const consents = await world.chat.request('GET', '/me/consents', { token });
      const [consent] = expectStatus(200, consents)['items'] as { id: string }[];
      return world.chat.request('DELETE', `/me/consents/${consent?.id}`, { token });
    },
  };
  for (const [what, end] of Object.entries(ends)) {
    test(`The access token for an assertion ends immediately, on every node, when ${what}`, async () => {
      const newcomer = await world.newPerson();
      const assertion = await asserted(newcomer.idToken);
      const { access_token: token } = expectStatus(200, await world.redeem(assertion));
      assert.equal((await statusOf(token))['active'], true);
      await end(token, newcomer);
      for (const node of [0, 1]) assert.equal((await statusOf(token, node))['active'], false);
    });
  }

  test('The access token for an assertion belongs to the application, not to its user', async () => {
    const { chat } = world;
    const token = await redeemed();
    for (const path of ['/me', '/me/consents', '/users', '/oauth/userinfo']) {
      expectStatus(401, await chat.request('GET', path, { token }));
    }
  });
});

describe('an assertion is not accepted', () => {
  test('An assertion is not accepted for a person who is unknown, unlinked or inactive', async () => {
    const { enterprise, chat, assistant } = world;
    const stranger = await enterprise.createUser();
    const browser = new UserBrowser(enterprise, world.enterpriseIssuer, stranger);
    const { id_token: strange = '' } = await browser.tokensFor(assistant);
    assert.equal(oauthError(await world.redeem(await asserted(strange))), NO_GRANT);
    const gone = await world.newPerson();
    await change(chat, `/users/${gone.atChat.user.id}`, { is_active: false });
    assert.equal(oauthError(await world.redeem(await asserted(gone.idToken))), NO_GRANT);
    await until('the log says why', async () => {
      const entries = await entriesOf(chat, 'auth.assertion_redeemed', world.guest.id);
      return entries.some(
        ({ outcome, details }) => outcome === 'denied' && details['reason'] === 'user',
      );
    });
  });

  test('An assertion below the policy of the tenant is not accepted', async () => {
    const { chat } = world;
    const id = `/tenants/${chat.id}`;
    const set = (config: object) => change(chat, `/tenants/${chat.id}`, { config });
    await set({ allowed_login_methods: ['password'] });
    assert.equal(oauthError(await world.redeem(await asserted())), NO_GRANT, id);
    await set({ allowed_login_methods: ['password', 'oauth'], require_mfa: true });
    assert.equal(oauthError(await world.redeem(await asserted())), NO_GRANT);
    await set({ require_mfa: false });
    expectStatus(200, await world.redeem(await asserted()));
  });

  test('An assertion is not accepted for a resource other than the one it names', async () => {
    for (const resource of ['https://files.chat.example/', world.chatIssuer]) {
      const other = await world.redeem(await asserted(), { resource });
      assert.equal(oauthError(other), NO_TARGET, resource);
    }
    expectStatus(200, await world.redeem(await asserted(), { resource: API }));
  });
});
