import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Basics } from './basics.ts';

export function describeRequests(basics: Basics): void {
  describe(`a request, by ${basics.mode}`, () => {
    test('An authorization request without response_type returns an error to the application (RFC 6749 §3.1.1)', async () => {
      assert.equal(await basics.errorOf({ response_type: undefined }), 'invalid_request');
      assert.equal(await basics.errorOf({ response_type: 'token' }), 'unsupported_response_type');
    });

    test('A request without a nonce and PKCE gets an ID token without a nonce only if the client is exempted from PKCE', async () => {
      const party = await basics.register({ require_pkce: false });
      const response = await party.authorize(basics.browser, { nonce: undefined });
      const { claims } = await party.tokensFor(response);
      assert.equal(claims['nonce'], undefined);
      assert.equal(await basics.errorOf({ nonce: undefined }), 'invalid_request');
    });

    test('An authorization request can be sent by POST (§3.1.2.1)', async () => {
      const request = basics.party.request();
      const fresh = basics.party.browser();
      assert.ok((await fresh.authorizeByForm(request)).actions.includes('login'));
      const { identifier, password: secret } = basics.user;
      const seen = await fresh.press('login', { identifier, secret });
      await basics.party.tokensFor(basics.party.returned(seen, request));
      const again = basics.party.request();
      await basics.party.tokensFor(
        basics.party.returned(await fresh.authorizeByForm(again), again),
      );
    });

    for (const [name, value] of [
      ['extra', 'foobar'],
      ['display', 'page'],
      ['display', 'popup'],
      ['ui_locales', 'se fr'],
      ['claims_locales', 'se'],
      ['login_hint', 'buffy@example.com'],
      ['acr_values', '1 2'],
    ] as const) {
      test(`An authorization request with ${name}=${value} succeeds, and what is unknown is ignored (§3.1.2.1)`, async () => {
        const { claims } = await basics.party.tokensFor(
          await basics.party.authorize(basics.browser, { [name]: value }),
        );
        assert.equal(claims.sub, basics.user.user.id);
      });
    }

    test('An authorization request does not depend on the order of its parameters or scopes (RFC 6749 §3.3)', async () => {
      const request = basics.party.request({ scope: 'email openid' });
      const reversed = Object.fromEntries(Object.entries(request).toReversed());
      const { access_token: token } = await basics.party.tokensFor(
        basics.party.returned(await basics.browser.authorize(reversed), request),
      );
      assert.equal((await basics.party.userinfo(token))['email'], basics.user.identifier);
    });

    test('An authorization request with an unregistered redirect URI shows the user a page and leads nowhere (§3.1.2.1)', async () => {
      const to = [
        `${basics.party.callback}/x`,
        `${basics.party.callback}?x=1`,
        'https://app.example.com',
      ];
      for (const redirect_uri of [...to, undefined]) {
        const seen = await basics.browser.authorize(basics.party.request({ redirect_uri }));
        assert.deepEqual(
          [seen.status, seen.redirectsTo, seen.formTarget],
          [400, undefined, undefined],
        );
      }
    });

    test('A redirect URI that is registered with a query keeps that query', async () => {
      const callback = 'https://app.example.com/callback?foo=bar';
      const other = await basics.register({ redirect_uris: [callback] });
      const seen = await basics.browser.authorize(other.request());
      const at = basics.mode === 'query' ? seen.redirectsTo : seen.formTarget;
      assert.equal(at?.searchParams.get('foo'), 'bar');
    });

    test('An unsigned request object is refused at the registered redirect URI, and at no other (§6.1)', async () => {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
      const claims = { redirect_uri: basics.party.callback, response_mode: basics.mode };
      const request = `${part({ alg: 'none' })}.${part(claims)}.`;
      const unsigned = { request, response_mode: undefined };
      assert.equal(await basics.errorOf(unsigned), 'request_not_supported');
      const elsewhere = { ...unsigned, redirect_uri: 'https://app.example.com/x' };
      const seen = await basics.browser.authorize(basics.party.request(elsewhere));
      assert.deepEqual(
        [seen.status, seen.redirectsTo, seen.formTarget],
        [400, undefined, undefined],
      );
      assert.equal(
        await basics.errorOf({ request_uri: 'https://app.example.com/request' }),
        'request_uri_not_supported',
      );
    });
  });
}
