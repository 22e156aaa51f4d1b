import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { expectStatus } from '../../harness/http.ts';
import type { VerifyingParty } from '../verifying-party.ts';
import { type Basics, expectInvalidGrant, VISIBLE } from './basics.ts';

export function describeRefresh(basics: Basics): void {
  describe(`a refresh token, by ${basics.mode}`, () => {
    const scope = 'openid offline_access';
    const renew = (of: VerifyingParty, token = '', more = {}) =>
      of.postToken({ grant_type: 'refresh_token', refresh_token: token, ...more });

    test('A refresh token gets another access token and an ID token of the same login (§12.2)', async () => {
      const response = await basics.party.authorize(basics.browser, { scope, prompt: 'consent' });
      const before = await basics.party.tokensFor(response);
      assert.match(before.refresh_token ?? '', VISIBLE);
      assert.ok((before.refresh_token ?? '').length >= 22);
      basics.keywright.clock.advance(1);
      const answer = await renew(basics.party, before.refresh_token, { scope });
      const next = expectStatus(200, answer);
      assert.match(answer.headers['content-type'] ?? '', /^application\/json\b/);
      assert.equal(answer.headers['cache-control'], 'no-store');
      assert.equal(String(next['token_type']).toLowerCase(), 'bearer');
      assert.ok(Number(next['expires_in']) > 0);
      assert.notEqual(next['access_token'], before.access_token);
      const {
        iss,
        sub,
        aud,
        azp,
        auth_time: at,
        iat = 0,
      } = await basics.party.verify(String(next['id_token']));
      const { claims: earlier } = before;
      assert.deepEqual(
        [iss, sub, aud, azp, at],
        [earlier.iss, earlier.sub, earlier.aud, earlier['azp'], earlier['auth_time']],
      );
      assert.ok(iat > (earlier.iat ?? 0));
      const token = String(next['access_token']);
      assert.equal((await basics.party.userinfo(token))['sub'], basics.user.user.id);
    });

    test('A refresh token of one client is refused to another one (RFC 6749 §10.4)', async () => {
      const other = await basics.register();
      const { refresh_token: token } = await basics.party.tokensFor(
        await basics.party.authorize(basics.browser, { scope }),
      );
      await expectInvalidGrant(renew(other, token));
      expectStatus(200, await renew(basics.party, token));
    });
  });
}
