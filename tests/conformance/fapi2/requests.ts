import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { expectStatus } from '../../harness/http.ts';
import { claimsOf } from '../../harness/token.ts';
import { discover } from '../verifying-party.ts';
import type { Fapi2 } from './basics.ts';
import { errorOf, idClaimsOf, responseOf } from '../../harness/fapi2-party.ts';

const STRONG = ['PS256', 'ES256', 'EdDSA', 'Ed25519'];

export function describeRequests(fapi2: Fapi2): void {
  describe('an authorization request under FAPI 2.0', () => {
    test('discovery-end-point-verification: the metadata offers what the profile allows, and nothing else', async () => {
      const metadata = await discover(fapi2.keywright, fapi2.tenant);
      assert.deepEqual(metadata.response_types_supported, ['code']);
      assert.equal(metadata.require_pushed_authorization_requests, true);
      assert.equal(metadata.authorization_response_iss_parameter_supported, true);
      assert.ok(metadata.pushed_authorization_request_endpoint.startsWith('https://'));
      assert.deepEqual(metadata.code_challenge_methods_supported, ['S256']);
      for (const name of ['token', 'introspection', 'revocation'] as const) {
        const methods = metadata[`${name}_endpoint_auth_methods_supported`];
        assert.deepEqual(methods, ['private_key_jwt'], name);
      }
      for (const name of [
        'dpop_signing_alg_values_supported',
        'id_token_signing_alg_values_supported',
        'userinfo_signing_alg_values_supported',
        'request_object_signing_alg_values_supported',
        'authorization_signing_alg_values_supported',
        'introspection_signing_alg_values_supported',
        'token_endpoint_auth_signing_alg_values_supported',
      ] as const) {
        const algorithms = metadata[name];
        assert.ok(algorithms.length > 0, name);
        assert.deepEqual(
          algorithms.filter((algorithm) => !STRONG.includes(algorithm)),
          [],
          name,
        );
      }
      assert.equal(metadata.device_authorization_endpoint, undefined);
      assert.ok(
        !metadata.grant_types_supported.some((grantType) => /device|jwt-bearer/.test(grantType)),
      );
    });

    test('happy-flow: two clients get tokens that are bound to their keys, and the response names its issuer', async () => {
      for (const party of [fapi2.party, fapi2.other]) {
        const request = party.request({ scope: 'openid email offline_access' });
        const { code = '', ...response } = await party.authorize(fapi2.browser, request);
        assert.deepEqual(response, { state: request['state'], iss: party.issuer });
        const answer = await party.redeem(code);
        const tokens = expectStatus(200, answer);
        assert.equal(answer.headers['cache-control'], 'no-store');
        assert.equal(tokens.token_type, 'DPoP');
        assert.deepEqual(claimsOf(tokens.access_token)['cnf'], { jkt: party.dpopKey.jkt });
        const { nonce, sub } = idClaimsOf(tokens.id_token);
        assert.equal(nonce, request['nonce']);
        const [header = ''] = (tokens.id_token ?? '').split('.');
        assert.equal(JSON.parse(Buffer.from(header, 'base64url').toString()).alg, 'ES256');
        assert.equal(expectStatus(200, await party.userinfo(tokens.access_token)).sub, sub);
      }
    });

    test('happy-flow: the browser is sent back with 303 (§5.3.2.2 items 10 and 11)', async () => {
      const seen = await fapi2.browser.goThrough(await fapi2.party.pushed(fapi2.party.request()));
      assert.equal(seen.status, 303);
    });

    test('user-rejects-authentication: the client gets access_denied when the user denies access', async () => {
      const party = await fapi2.register({ first_party: false });
      const request = party.request();
      const visitor = party.browser(fapi2.user);
      await visitor.authorize(await party.pushed(request));
      const { identifier, password: secret } = fapi2.user;
      await visitor.press('login', { identifier, secret });
      const { error, state, iss } = responseOf(await visitor.press('deny'));
      assert.deepEqual([error, state, iss], ['access_denied', request['state'], party.issuer]);
    });

    test('ensure-authorization-request-without-state-success: no state comes back', async () => {
      const response = await fapi2.party.authorize(
        fapi2.browser,
        fapi2.party.request({ state: undefined }),
      );
      assert.deepEqual(Object.keys(response).toSorted(), ['code', 'iss']);
      expectStatus(200, await fapi2.party.redeem(response['code'] ?? ''));
    });

    for (const [module, nonce] of [
      ['ensure-authorization-request-without-nonce-success: no nonce comes back', undefined],
      ['ensure-authorization-request-with-64-char-nonce-success: it comes back', 'n'.repeat(64)],
      ['ensure-authorization-request-with-long-nonce: it comes back whole', 'n'.repeat(384)],
    ] as const) {
      test(module, async () => {
        const tokens = await fapi2.party.tokens(fapi2.browser, { nonce });
        assert.equal(idClaimsOf(tokens.id_token)['nonce'], nonce);
      });
    }

    test('ensure-authorization-request-with-long-state: it comes back whole', async () => {
      const state = 's'.repeat(1000);
      const response = await fapi2.party.authorize(fapi2.browser, fapi2.party.request({ state }));
      assert.equal(response['state'], state);
      assert.ok(response['code']);
    });

    test('ensure-other-scope-order-succeeds: the scopes of a request can have any order', async () => {
      const tokens = await fapi2.party.tokens(fapi2.browser, { scope: 'email openid' });
      assert.equal(tokens.scope?.split(' ').toSorted().join(' '), 'email openid');
    });

    test('test-claims-parameter-identity-claims: claims requested by name are returned, and unknown ones are ignored', async () => {
      const requested = { email: null, email_verified: { essential: true }, favorite_fish: null };
      const claims = JSON.stringify({ id_token: requested, userinfo: requested });
      const tokens = await fapi2.party.tokens(fapi2.browser, { claims });
      assert.equal(idClaimsOf(tokens.id_token)['email'], fapi2.user.identifier);
      const userinfo = expectStatus(200, await fapi2.party.userinfo(tokens.access_token));
      assert.deepEqual(
        Object.entries(userinfo).filter(([name]) => /email|fish/.test(name)),
        [
          ['email', fapi2.user.identifier],
          ['email_verified', idClaimsOf(tokens.id_token)['email_verified']],
        ],
      );
    });

    test('plain-fapi-tolerate-unregistered-redirect-uri: it is refused when it is pushed', async () => {
      const redirect_uri = 'https://app.example.com/other';
      const answer = await fapi2.party.push(fapi2.party.request({ redirect_uri }));
      assert.equal(errorOf(answer), '400 invalid_request');
    });

    test('ensure-redirect-uri-in-authorization-request: without it the request is refused', async () => {
      const answer = await fapi2.party.push(fapi2.party.request({ redirect_uri: undefined }));
      assert.equal(errorOf(answer), '400 invalid_request');
    });

    test('ensure-unsigned-authorization-request-without-using-par-fails: the client gets invalid_request', async () => {
      const request = fapi2.party.request();
      const { error, state, code } = responseOf(await fapi2.browser.goThrough(request));
      assert.deepEqual([error, state, code], ['invalid_request', request['state'], undefined]);
    });

    for (const [module, type] of [
      ['ensure-response-type-code-idtoken-fails', 'code id_token'],
      ['ensure-response-type-token-fails', 'token'],
    ] as const) {
      test(module, async () => {
        const answer = await fapi2.party.push(fapi2.party.request({ response_type: type }));
        assert.equal(errorOf(answer), '400 unsupported_response_type');
      });
    }
  });
}
