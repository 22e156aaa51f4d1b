import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { ROUTES } from '@keywright/contract/routes';
import { epochSeconds } from '@keywright/server/platform/clock';
import { expectStatus, type RequestOptions } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { assertRefused } from './refusal.ts';
import { ACCEPTED, claiming, FORGERIES, type Material, REFRESH_TOKENS } from './token-forgeries.ts';
import { gatherMaterial } from './token-material.ts';

/** Public by definition: SPEC endpoints for login, the key set and health; decisions for the others. */
const OPEN_ROUTES = [
  'account.show',
  'account.show_by_issuer',
  'account.submit',
  'account.submit_by_issuer',
  'apikeys.report',
  'auth.login',
  'auth.methods',
  'auth.refresh',
  'auth.token',
  'auth.token_by_issuer',
  'branding.get_issuer_logo',
  'branding.get_logo',
  'branding.show_preview',
  'console.first_login',
  'console.log_in_first',
  'console.login',
  'console.session',
  'console.tenant',
  'discovery.authzen',
  'discovery.authzen_by_issuer',
  'discovery.get',
  'discovery.get_by_issuer',
  'discovery.get_under_issuer',
  'discovery.openid',
  'discovery.openid_by_issuer',
  'discovery.openid_under_issuer',
  'flows.begin',
  'flows.cancel',
  'flows.code',
  'flows.confirm_totp',
  'flows.enroll_passkey',
  'flows.enroll_passkey_options',
  'flows.enroll_totp',
  'flows.finish_oauth',
  'flows.get',
  'flows.link',
  'flows.message',
  'flows.new_password',
  'flows.oauth',
  'flows.passkey',
  'flows.passkey_options',
  'flows.password',
  'flows.recovery_code',
  'flows.tokens',
  'flows.totp',
  'identifiers.undo',
  'identifiers.undo_passkey_options',
  'key_set.get',
  'key_set.get_by_issuer',
  'messaging.feedback',
  'messaging.feedback_by_issuer',
  'oauth.authorize',
  'oauth.authorize_by_issuer',
  'oauth.authorize_form',
  'oauth.authorize_form_by_issuer',
  'oauth.challenge',
  'oauth.challenge_by_issuer',
  'oauth.change_registration',
  'oauth.change_registration_by_issuer',
  'oauth.continue',
  'oauth.continue_by_issuer',
  'oauth.delete_registration',
  'oauth.delete_registration_by_issuer',
  'oauth.device',
  'oauth.device_authorization',
  'oauth.device_authorization_by_issuer',
  'oauth.device_by_issuer',
  'oauth.enter_device',
  'oauth.enter_device_by_issuer',
  'oauth.introspect',
  'oauth.introspect_by_issuer',
  'oauth.invitation',
  'oauth.invitation_by_issuer',
  'oauth.link',
  'oauth.link_by_issuer',
  'oauth.logged_out_page',
  'oauth.logged_out_page_by_issuer',
  'oauth.logout',
  'oauth.logout_by_issuer',
  'oauth.logout_confirm',
  'oauth.logout_confirm_by_issuer',
  'oauth.logout_form',
  'oauth.logout_form_by_issuer',
  'oauth.logout_page',
  'oauth.logout_page_by_issuer',
  'oauth.open_invitation',
  'oauth.open_invitation_by_issuer',
  'oauth.push',
  'oauth.push_by_issuer',
  'oauth.read_registration',
  'oauth.read_registration_by_issuer',
  'oauth.register',
  'oauth.register_by_issuer',
  'oauth.returned',
  'oauth.returned_by_issuer',
  'oauth.revoke',
  'oauth.revoke_by_issuer',
  'oauth.submit',
  'oauth.submit_by_issuer',
  'oauth.test_login',
  'oauth.test_login_result',
  'oauth.undo',
  'oauth.undo_by_issuer',
  'oauth.undo_change',
  'oauth.undo_change_by_issuer',
  'pages.font',
  'pages.issuer_font',
  'pages.issuer_stylesheet',
  'pages.stylesheet',
  'passkeys.related_origins',
  'providers.callback',
  'providers.callback_form',
  'service.health',
  'service.live',
  'service.openapi',
  'service.root',
  // Receivers have tokens of their own.
  'signals.configuration',
  'signals.configuration_by_issuer',
  'signals.create_stream',
  'signals.create_stream_by_issuer',
  'signals.delete_stream',
  'signals.delete_stream_by_issuer',
  'signals.poll',
  'signals.poll_by_issuer',
  'signals.read_status',
  'signals.read_status_by_issuer',
  'signals.read_streams',
  'signals.read_streams_by_issuer',
  'signals.replace_stream',
  'signals.replace_stream_by_issuer',
  'signals.update_status',
  'signals.update_status_by_issuer',
  'signals.update_stream',
  'signals.update_stream_by_issuer',
  'signals.verify_stream',
  'signals.verify_stream_by_issuer',
  'status.get',
  'status.get_by_issuer',
  'status.stream',
  'status.stream_by_issuer',
  // These also accept the token in a form.
  'userinfo.get',
  'userinfo.get_by_issuer',
  'userinfo.post',
  'userinfo.post_by_issuer',
  'users.get_issuer_picture',
  'users.get_picture',
];

interface PlacedToken extends RequestOptions {
  readonly query?: string;
}

/** Places where a token is not accepted, and malformed headers. */
const PLACES: Readonly<Record<string, (token: string) => PlacedToken>> = {
  nowhere: () => ({}),
  'in the query, as access_token': (token) => ({ query: `?access_token=${token}` }),
  'in the query, as token': (token) => ({ query: `?token=${token}` }),
  'in a cookie': (token) => ({ headers: { cookie: `access_token=${token}; token=${token}` } }),
  'in X-Access-Token': (token) => ({ headers: { 'x-access-token': token } }),
  'without a scheme': (token) => ({ headers: { authorization: token } }),
  'with the scheme Basic': (token) => ({ headers: { authorization: `Basic ${token}` } }),
  'with the scheme Token': (token) => ({ headers: { authorization: `Token ${token}` } }),
  'with nothing after the scheme': () => ({ headers: { authorization: 'Bearer' } }),
  'with two spaces': (token) => ({ headers: { authorization: `Bearer  ${token}` } }),
  'with a tabulator': (token) => ({ headers: { authorization: `Bearer\t${token}` } }),
  'with something behind it': (token) => ({ headers: { authorization: `Bearer ${token} x` } }),
  'with a space in it': (token) => ({
    headers: { authorization: `Bearer ${token.replace('.', ' .')}` },
  }),
  'with quotes around it': (token) => ({ headers: { authorization: `Bearer "${token}"` } }),
};

let keywright: Keywright;
let material: Material;

before(async () => {
  const masterKey = randomBytes(32).toString('base64');
  keywright = await startKeywright({ clock: 'fake', env: { KEYWRIGHT_MASTER_KEY: masterKey } });
  material = await gatherMaterial(keywright, masterKey, epochSeconds(keywright.clock.now()));
});

after(() => keywright.close());

const getMe = (token: string) => keywright.home.request('GET', '/me', { token });

/** Calls the route as an authorized caller. */
const verify = (token: unknown) =>
  keywright.home.request('POST', '/auth/verify-token', {
    token: material.genuine,
    body: { token },
  });

async function assertWorthless(token: string): Promise<void> {
  const answer = await getMe(token);
  assertRefused(answer, '401 TOKEN_INVALID');
  assert.equal(answer.headers['www-authenticate'], 'Bearer error="invalid_token"');
  assert.deepEqual(expectStatus(200, await verify(token)), { active: false });
}

async function assertGood(token: string): Promise<void> {
  expectStatus(200, await getMe(token));
  assert.equal(expectStatus(200, await verify(token))['active'], true);
}

describe('a token that the service did not issue is rejected (SPEC errors 1, SPEC authentication 2)', () => {
  for (const [title, forge] of Object.entries(ACCEPTED)) {
    test(`A valid token is accepted: ${title}`, () => assertGood(forge(material)));
  }

  for (const [group, forgeries] of Object.entries(FORGERIES)) {
    for (const [title, forge] of Object.entries(forgeries)) {
      test(`${group}: ${title}`, () => assertWorthless(forge(material)));
    }
  }

  test('A token whose claims name another tenant is rejected', async () => {
    const token = claiming(() => ({ tenant_id: 'org_elsewhere' }))(material);
    assertRefused(await getMe(token), '401 TENANT_MISMATCH');
    assert.deepEqual(expectStatus(200, await verify(token)), { active: false });
  });

  test('A token longer than 8 KiB is rejected', async () => {
    const token = `${material.genuine}${'A'.repeat(8192)}`;
    assertRefused(await getMe(token), '401 TOKEN_INVALID');
    assertRefused(await verify(token), '400 VALIDATION_FAILED', ['/token']);
  });

  test('A token that is not a string, or is absent, is rejected', async () => {
    for (const token of ['', 1, null, [material.genuine], { token: material.genuine }]) {
      assertRefused(await verify(token), '400 VALIDATION_FAILED', ['/token']);
    }
  });

  test('A token with white space around it is rejected', async () => {
    for (const token of [
      ` ${material.genuine}`,
      `${material.genuine}\n`,
      `\ufeff${material.genuine}`,
    ]) {
      assert.deepEqual(expectStatus(200, await verify(token)), { active: false });
    }
  });
});

describe('a refresh token that the service did not issue is rejected and ends no session', () => {
  for (const [title, forge] of Object.entries(REFRESH_TOKENS)) {
    test(title, async () => {
      const body = { refresh_token: forge(material) };
      const answer = await keywright.home.request('POST', '/auth/refresh', { body });
      assertRefused(answer, '401 TOKEN_INVALID');
      await assertGood(material.genuine);
    });
  }
});

describe('a token is accepted only in the Authorization header (SPEC endpoints 3)', () => {
  for (const [title, place] of Object.entries(PLACES)) {
    test(`A request whose token is sent ${title} is rejected`, async () => {
      const { query = '', ...options } = place(material.genuine);
      const answer = await keywright.home.request('GET', `/me${query}`, options);
      assertRefused(answer, '401 TOKEN_INVALID');
    });
  }

  test('A token is accepted with the scheme in upper or lower case', async () => {
    for (const scheme of ['bearer', 'BEARER']) {
      const headers = { authorization: `${scheme} ${material.genuine}` };
      expectStatus(200, await keywright.home.request('GET', '/me', { headers }));
    }
  });

  test('Every route requires a token in the Authorization header unless it says otherwise', async () => {
    const open = ROUTES.filter(({ access }) => access === 'open' || access === 'tenant');
    assert.deepEqual(open.map(({ id }) => id).toSorted(), OPEN_ROUTES);
    for (const { method, path } of ROUTES.filter((route) => !open.includes(route))) {
      const ofHome = path.replace(':tenant_id', keywright.home.id).replaceAll(/:\w+/g, 'x');
      const answer = await keywright.home.request(method, ofHome);
      assertRefused(answer, '401 TOKEN_INVALID');
    }
  });
});

test('A token is valid until 10 s after its expiry, and never later, even if it was seen before', async () => {
  const { token } = await keywright.createUser();
  keywright.clock.advance(3609);
  await getMe(token).then((answer) => expectStatus(200, answer));
  keywright.clock.advance(1);
  assertRefused(await getMe(token), '401 TOKEN_INVALID');
});
