import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { expectStatus } from '../../harness/http.ts';
import { claimsOf } from '../../harness/token.ts';
import type { Fapi2 } from './basics.ts';
import { errorOf, idClaimsOf } from '../../harness/fapi2-party.ts';

export function describeRefresh(fapi2: Fapi2): void {
  const scope = 'openid offline_access';

  describe('a refresh token under FAPI 2.0', () => {
    test('refresh-token: it is not rotated, and gets another access token and an ID token of the same login (§5.3.2.1 item 9)', async () => {
      const { party, browser, keywright } = fapi2;
      const first = await party.tokens(browser, { scope, prompt: 'consent' });
      for (let round = 1; round <= 3; round += 1) {
        keywright.clock.advance(1);
        const next = expectStatus(200, await party.refresh(first.refresh_token, { scope }));
        assert.equal(next.refresh_token, first.refresh_token);
        assert.equal(next.token_type, 'DPoP');
        assert.notEqual(next.access_token, first.access_token);
        const [earlier, later] = [first, next].map(({ id_token: token }) => idClaimsOf(token));
        for (const name of ['iss', 'sub', 'aud', 'auth_time', 'sid']) {
          assert.deepEqual(later?.[name], earlier?.[name], name);
        }
        expectStatus(200, await party.userinfo(next.access_token));
      }
    });

    test('refresh-token: without the authentication of the client, and without a proof, it is refused', async () => {
      const { party, browser } = fapi2;
      const { refresh_token: token } = await party.tokens(browser, { scope });
      assert.equal(errorOf(await party.refresh(token, {}, { proof: null })), '401 invalid_client');
      const named = { client_id: party.client.id };
      assert.equal(
        errorOf(await party.refresh(token, named, { proof: null })),
        '401 invalid_client',
      );
      assert.equal(
        errorOf(await party.refresh(token, {}, { dpop: null })),
        '400 invalid_dpop_proof',
      );
      expectStatus(200, await party.refresh(token));
    });

    test('refresh-token: another client is refused, and has no effect', async () => {
      const { party, other, browser } = fapi2;
      const { refresh_token: token } = await party.tokens(browser, { scope });
      const { dpopKey } = party;
      assert.equal(errorOf(await other.refresh(token)), '400 invalid_grant');
      assert.equal(errorOf(await other.refresh(token, {}, { dpopKey })), '400 invalid_grant');
      expectStatus(200, await party.refresh(token));
    });

    test('refresh-token: each refresh may prove another key, which its access token is bound to (RFC 9449 §5)', async () => {
      const { party, other, browser } = fapi2;
      const { refresh_token: token } = await party.tokens(browser, { scope });
      for (const { dpopKey } of [other, party]) {
        const next = expectStatus(200, await party.refresh(token, {}, { dpopKey }));
        assert.deepEqual(claimsOf(next.access_token)['cnf'], { jkt: dpopKey.jkt });
      }
    });
  });
}
