import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { expectStatus } from '../../harness/http.ts';
import { type Basics, PROFILE } from './basics.ts';

export function describeUserinfo(basics: Basics): void {
  describe(`what the userinfo endpoint tells, after a response by ${basics.mode}`, () => {
    const tokenFor = async (more: Readonly<Record<string, string>>) =>
      (await basics.party.tokensFor(await basics.party.authorize(basics.browser, more)))
        .access_token;

    test('The userinfo response is the same by GET, by POST with a header, and by POST with a body (RFC 6750 §2)', async () => {
      const token = await tokenFor({});
      const form = new URLSearchParams({ access_token: token }).toString();
      const contentType = 'application/x-www-form-urlencoded';
      const answers = [
        await basics.party.requestUserinfo({ token }),
        await basics.party.requestUserinfo({ token }, 'POST'),
        await basics.party.requestUserinfo({ rawBody: form, contentType }, 'POST'),
      ];
      for (const answer of answers) {
        assert.deepEqual(expectStatus(200, answer), { sub: basics.user.user.id });
        assert.match(answer.headers['content-type'] ?? '', /^application\/json\b/);
      }
    });

    test('The userinfo endpoint returns the claims of the scopes, and none of them is in the ID token (§5.4)', async () => {
      const claimsByScope = {
        profile: PROFILE,
        email: { email: basics.user.identifier, email_verified: true },
        phone: { phone_number: basics.phone, phone_number_verified: true },
      };
      for (const [scope, expected] of Object.entries(claimsByScope)) {
        const response = await basics.party.authorize(basics.browser, { scope: `openid ${scope}` });
        const { access_token: token, claims } = await basics.party.tokensFor(response);
        const { updated_at: at, ...others } = await basics.party.userinfo(token);
        assert.deepEqual(others, { sub: basics.user.user.id, ...expected });
        // A number (§5.1).
        assert.equal(Number.isInteger(at), scope === 'profile');
        for (const name of [...Object.keys(expected), 'updated_at']) {
          assert.equal(claims[name], undefined);
        }
      }
    });

    test('The userinfo endpoint also returns a claim that was requested by name, as essential (§5.5)', async () => {
      const claims = JSON.stringify({ userinfo: { name: { essential: true } } });
      const response = await basics.party.authorize(basics.browser, { claims });
      const { access_token: token, claims: inIdToken } = await basics.party.tokensFor(response);
      assert.equal((await basics.party.userinfo(token))['name'], PROFILE.name);
      assert.equal(inIdToken['name'], undefined);
    });
  });
}
