import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { expectStatus } from '../../harness/http.ts';
import type { Fapi2 } from './basics.ts';
import { errorOf, responseOf } from '../../harness/fapi2-party.ts';

export function describePushed(fapi2: Fapi2): void {
  describe('a pushed request under FAPI 2.0', () => {
    test('par-without-duplicate-parameters: client_id and request_uri are all that the browser comes with', async () => {
      const { party, browser } = fapi2;
      const pushed = await party.pushed(party.request());
      assert.deepEqual(Object.keys(pushed).toSorted(), ['client_id', 'request_uri']);
      assert.ok(responseOf(await browser.goThrough(pushed))['code']);
    });

    test('par-ensure-reused-request-uri-prior-to-auth-completion-succeeds: a request_uri can be opened again before the login', async () => {
      const { party, user } = fapi2;
      const pushed = await party.pushed(party.request());
      const visitor = party.browser(user);
      assert.ok((await visitor.authorize(pushed)).actions.includes('login'));
      const { code = '' } = responseOf(await visitor.goThrough(pushed));
      expectStatus(200, await party.redeem(code));
    });

    test('par-attempt-reuse-request_uri: a request_uri is used up after its code', async () => {
      const { party, browser } = fapi2;
      const pushed = await party.pushed(party.request());
      assert.ok(responseOf(await browser.goThrough(pushed))['code']);
      assert.equal(responseOf(await browser.goThrough(pushed))['error'], 'invalid_request_uri');
    });

    test('par-attempt-to-use-expired-request_uri: a request_uri is valid for less than 600 seconds, and then refused (§5.3.2.2 item 12)', async () => {
      const { party, browser, keywright } = fapi2;
      const { request_uri, expires_in: seconds } = expectStatus(
        201,
        await party.push(party.request()),
      );
      assert.ok(seconds < 600);
      keywright.clock.advance(seconds);
      const seen = await browser.authorize({ client_id: party.client.id, request_uri });
      assert.deepEqual([seen.status, seen.redirectsTo], [400, undefined]);
    });

    test('par-attempt-to-use-request_uri-for-different-client: a request_uri is unknown for another client', async () => {
      const { party, other, browser } = fapi2;
      const pushed = await party.pushed(party.request());
      const seen = await browser.authorize({ ...pushed, client_id: other.client.id });
      assert.deepEqual([seen.status, seen.redirectsTo], [400, undefined]);
      assert.ok(responseOf(await browser.goThrough(pushed))['code'], 'it is unharmed');
    });

    test('par-authorization-request-containing-request_uri-form-param: a request_uri in the form of a pushed request is refused', async () => {
      const { party } = fapi2;
      const request_uri = 'urn:ietf:params:oauth:request_uri:random';
      const answer = await party.push({ ...party.request(), request_uri });
      assert.equal(errorOf(answer), '400 invalid_request');
    });

    test('par-attempt-invalid-http-method: PUT is an error', async () => {
      const path = `/t/${fapi2.tenant.id}/oauth/par`;
      const { status } = await fapi2.tenant.request('PUT', path, { body: {} });
      assert.equal(status, 405);
    });

    test('par-ensure-pkce-required: a request without a challenge is refused', async () => {
      const none = { code_challenge: undefined, code_challenge_method: undefined };
      const answer = await fapi2.party.push(fapi2.party.request(none));
      assert.equal(errorOf(answer), '400 invalid_request');
    });

    test('par-plain-pkce-rejected: plain is refused, and so is no method, which means it', async () => {
      const { party } = fapi2;
      const plain = { code_challenge: party.verifier, code_challenge_method: 'plain' };
      for (const method of ['plain', undefined]) {
        const request = party.request({ ...plain, code_challenge_method: method });
        assert.equal(errorOf(await party.push(request)), '400 invalid_request');
      }
    });

    test('A pushed authorization request needs the authentication of its client (§5.3.2.2 item 4)', async () => {
      const { party } = fapi2;
      const answer = await party.push(party.request(), { proof: null });
      assert.equal(errorOf(answer), '401 invalid_client');
    });
  });
}
