import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { expectStatus } from '../../harness/http.ts';
import { newPkce } from '../../harness/visitor.ts';
import { type Basics, expectInvalidGrant, VISIBLE } from './basics.ts';

export function describeCodes(basics: Basics): void {
  describe(`a code, by ${basics.mode}`, () => {
    test('An authorization code cannot be guessed and differs each time (RFC 6749 §10.10)', async () => {
      const codes = [basics.first, await basics.party.authorize(basics.browser)].map(
        ({ parameters }) => parameters['code'] ?? '',
      );
      assert.notEqual(codes[0], codes[1]);
      for (const code of codes) {
        assert.match(code, /^[\w-]{22,}$/);
        assert.ok(new Set(code).size > 16);
      }
    });

    test('An authorization code is exchanged for a Bearer token and an ID token with the claims of §2 and no unrequested ones', async () => {
      const response = await basics.party.authorize(basics.browser);
      const answer = await basics.party.redeem(response.parameters['code'] ?? '');
      const body = expectStatus(200, answer);
      assert.match(answer.headers['content-type'] ?? '', /^application\/json\b/);
      assert.equal(answer.headers['cache-control'], 'no-store');
      assert.equal(String(body['token_type']).toLowerCase(), 'bearer');
      assert.ok(Number(body['expires_in']) > 0);
      assert.match(String(body['access_token']), VISIBLE);
      const claims = await basics.party.verify(String(body['id_token']), response.nonce);
      assert.equal(claims.sub, basics.user.user.id);
      const now = Math.floor(basics.keywright.clock.now().getTime() / 1000);
      assert.equal(claims.iat, now);
      assert.ok((claims.exp ?? 0) > now);
      const names = 'acr amr at_hash aud auth_time exp iat iss nonce sid sub';
      assert.deepEqual(Object.keys(claims).toSorted().join(' '), names);
    });

    test('A client registered for client_secret_post can exchange an authorization code by that method', async () => {
      const other = await basics.register({ token_endpoint_auth_method: 'client_secret_post' });
      const tokens = await other.tokensFor(await other.authorize(basics.browser));
      assert.equal(tokens.claims.sub, basics.user.user.id);
    });

    test('An authorization code is exchanged once, and a second exchange is refused', async () => {
      const { code = '' } = (await basics.party.authorize(basics.browser)).parameters;
      expectStatus(200, await basics.party.redeem(code));
      await expectInvalidGrant(basics.party.redeem(code));
    });

    test('An authorization code used again 30 seconds later ends the access token that was issued for it (RFC 6749 §4.1.2)', async () => {
      const response = await basics.party.authorize(basics.browser);
      const { access_token: token } = await basics.party.tokensFor(response);
      expectStatus(200, await basics.party.requestUserinfo({ token }));
      basics.keywright.clock.advance(30);
      await expectInvalidGrant(basics.party.redeem(response.parameters['code'] ?? ''));
      const refused = await basics.party.requestUserinfo({ token });
      assert.equal(refused.status, 401);
      assert.match(refused.headers['www-authenticate'] ?? '', /^Bearer\b.*error="invalid_token"/);
    });

    test('An authorization code is bound to its PKCE challenge, even for a client that has a secret (RFC 7636 §4.6)', async () => {
      const { verifier, challenge } = newPkce();
      const more = { code_challenge: challenge, code_challenge_method: 'S256' };
      const response = await basics.party.authorize(basics.browser, more);
      await expectInvalidGrant(basics.party.redeem(response.parameters['code'] ?? ''));
      await basics.party.tokensFor(response, { code_verifier: verifier });
    });
  });
}
