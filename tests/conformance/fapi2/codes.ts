import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { expectStatus } from '../../harness/http.ts';
import type { Fapi2 } from './basics.ts';
import { errorOf } from '../../harness/fapi2-party.ts';

export function describeCodes(fapi2: Fapi2): void {
  describe('a code under FAPI 2.0', () => {
    test('ensure-pkce-code-verifier-required: a code without its verifier is refused', async () => {
      const { party, browser } = fapi2;
      const code = await party.code(browser);
      const answer = await party.redeem(code, { code_verifier: undefined });
      assert.equal(errorOf(answer), '400 invalid_grant');
    });

    test('incorrect-pkce-code-verifier-rejected: a code with another verifier is refused', async () => {
      const { party, other, browser } = fapi2;
      const code = await party.code(browser);
      const answer = await party.redeem(code, { code_verifier: other.verifier });
      assert.equal(errorOf(answer), '400 invalid_grant');
    });

    test('ensure-authorization-code-is-bound-to-client: another client gets nothing, and uses up nothing', async () => {
      const { party, other, browser } = fapi2;
      const code = await party.code(browser);
      const { verifier: code_verifier } = party;
      assert.equal(errorOf(await other.redeem(code, { code_verifier })), '400 invalid_grant');
      expectStatus(200, await party.redeem(code));
    });

    test('ensure-client-id-in-token-endpoint: the client_id of another one is refused', async () => {
      const { party, other, browser } = fapi2;
      const code = await party.code(browser);
      const answer = await party.redeem(code, { client_id: other.client.id });
      assert.equal(errorOf(answer), '401 invalid_client');
    });

    test('attempt-reuse-authorization-code-after-one-second: the session of the code ends', async () => {
      const { party, browser, keywright } = fapi2;
      const code = await party.code(browser, { scope: 'openid offline_access' });
      const tokens = expectStatus(200, await party.redeem(code));
      expectStatus(200, await party.userinfo(tokens.access_token));
      keywright.clock.advance(1);
      assert.equal(errorOf(await party.redeem(code)), '400 invalid_grant');
      assert.equal((await party.userinfo(tokens.access_token)).status, 401);
      assert.equal(errorOf(await party.refresh(tokens.refresh_token)), '400 invalid_grant');
    });

    test('An authorization code used again within the same millisecond ends its session too', async () => {
      const { party, browser } = fapi2;
      const code = await party.code(browser);
      const tokens = expectStatus(200, await party.redeem(code));
      assert.equal(errorOf(await party.redeem(code)), '400 invalid_grant');
      assert.equal((await party.userinfo(tokens.access_token)).status, 401);
    });

    test('ensure-token-endpoint-fails-with-expired-auth-code: it lasts 60 seconds (§5.3.2.1 item 11)', async () => {
      const { party, browser, keywright } = fapi2;
      const codes = [await party.code(browser), await party.code(browser)] as const;
      keywright.clock.advance(59);
      expectStatus(200, await party.redeem(codes[0]));
      keywright.clock.advance(1);
      assert.equal(errorOf(await party.redeem(codes[1])), '400 invalid_grant');
    });
  });
}
