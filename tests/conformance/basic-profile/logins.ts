import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Returned } from '../verifying-party.ts';
import type { Basics } from './basics.ts';

export function describeLogins(basics: Basics): void {
  describe(`a login, by ${basics.mode}`, () => {
    const authTime = async (of: Returned) =>
      (await basics.party.tokensFor(of)).claims['auth_time'] as number;
    const loggedIn = async () => {
      const browser = basics.party.browser();
      return [browser, await authTime(await basics.party.logIn(browser, basics.user))] as const;
    };

    test('A login is required again with prompt=login, and auth_time is later (§3.1.2.1)', async () => {
      const [browser, earlier] = await loggedIn();
      basics.keywright.clock.advance(1);
      const later = await authTime(
        await basics.party.logIn(browser, basics.user, { prompt: 'login' }),
      );
      assert.ok(later > earlier);
    });

    test('A login is never requested with prompt=none: without one the response is login_required (§3.1.2.6)', async () => {
      assert.equal(
        await basics.errorOf({ prompt: 'none' }, basics.party.browser()),
        'login_required',
      );
    });

    test('An existing login satisfies prompt=none, with the same sub and auth_time', async () => {
      const [browser, earlier] = await loggedIn();
      basics.keywright.clock.advance(5);
      const { claims } = await basics.party.tokensFor(
        await basics.party.authorize(browser, { prompt: 'none' }),
      );
      assert.deepEqual([claims.sub, claims['auth_time']], [basics.user.user.id, earlier]);
    });

    test('A login that is older than max_age must be repeated, and auth_time is that of the new one (§2)', async () => {
      const [browser, earlier] = await loggedIn();
      basics.keywright.clock.advance(2);
      const now = Math.floor(basics.keywright.clock.now().getTime() / 1000);
      const later = await authTime(
        await basics.party.logIn(browser, basics.user, { max_age: '1' }),
      );
      assert.deepEqual([later > earlier, later], [true, now]);
    });

    test('A login that is younger than max_age is sufficient, and auth_time is unchanged', async () => {
      const [browser, earlier] = await loggedIn();
      basics.keywright.clock.advance(1);
      assert.equal(
        await authTime(await basics.party.authorize(browser, { max_age: '10000' })),
        earlier,
      );
    });

    test('A login of the user whom id_token_hint names satisfies prompt=none, and that of another user does not', async () => {
      const [browser] = await loggedIn();
      const { id_token: hint } = await basics.party.tokensFor(
        await basics.party.authorize(browser),
      );
      const hinted = { prompt: 'none', id_token_hint: hint };
      const { claims } = await basics.party.tokensFor(
        await basics.party.authorize(browser, hinted),
      );
      assert.equal(claims.sub, basics.user.user.id);
      const other = basics.party.browser();
      await basics.party.logIn(other, await basics.tenant.createUser());
      assert.equal(await basics.errorOf(hinted, other), 'login_required');
    });

    test('A login with an assurance level requested by acr_values states that level in acr (§2)', async () => {
      const response = await basics.party.authorize(basics.browser, { acr_values: 'aal1' });
      assert.equal((await basics.party.tokensFor(response)).claims['acr'], 'aal1');
    });
  });
}
