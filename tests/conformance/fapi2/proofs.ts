import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { expectStatus } from '../../harness/http.ts';
import type { Fapi2 } from './basics.ts';
import { type Claims, errorOf } from '../../harness/fapi2-party.ts';

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

export function describeProofs(fapi2: Fapi2): void {
  describe('a DPoP proof under FAPI 2.0', () => {
    test('ensure-holder-of-key-required: without a proof there is no token', async () => {
      const { party, browser } = fapi2;
      const code = await party.code(browser);
      assert.equal(errorOf(await party.redeem(code, {}, { dpop: null })), '400 invalid_dpop_proof');
      expectStatus(200, await party.redeem(code));
    });

    test('A DPoP proof under FAPI 2.0 needs a nonce of the service, which its responses supply', async () => {
      const { party, browser } = fapi2;
      const code = await party.code(browser);
      const dpop = { nonce: undefined };
      assert.equal(errorOf(await party.redeem(code, {}, { dpop })), '400 use_dpop_nonce');
      const answer = await party.redeem(code);
      expectStatus(200, answer);
      assert.match(String(answer.headers['dpop-nonce']), /^[\w-]{22}$/);
    });

    for (const [module, claims] of [
      ['check-dpop-proof-nbf-exp', { nbf: 0, exp: 300 }],
      ['ensure-dpopproof-with-iat-10seconds-before-succeeds', { iat: -10 }],
      ['ensure-dpopproof-with-iat-10seconds-after-succeeds', { iat: 10 }],
    ] as const) {
      test(module, async () => {
        const { party, browser } = fapi2;
        const now = party.seconds;
        const later = Object.entries(claims).map(([name, seconds]) => [name, now + seconds]);
        const dpop = Object.fromEntries(later);
        const request = party.request();
        const { code = '' } = await party.authorize(browser, request, { dpop });
        const tokens = expectStatus(200, await party.redeem(code, {}, { dpop }));
        expectStatus(200, await party.userinfo(tokens.access_token, { dpop }));
      });
    }

    test('ensure-mismatched-dpop-jkt-fails: dpop_jkt has to be of the key that pushes', async () => {
      const { party, other } = fapi2;
      const answer = await party.push(party.request({ dpop_jkt: other.dpopKey.jkt }));
      assert.equal(errorOf(answer), '400 invalid_request');
    });

    test('ensure-token-endpoint-fails-with-mismatched-dpop-proof-jkt: the code is bound to the key that pushed', async () => {
      const { party, other, browser } = fapi2;
      const code = await party.code(browser);
      const { dpopKey } = other;
      assert.equal(errorOf(await party.redeem(code, {}, { dpopKey })), '400 invalid_grant');
    });

    test('ensure-token-endpoint-fails-with-mismatched-dpop-jkt: and to dpop_jkt, pushed without a proof', async () => {
      const { party, other, browser } = fapi2;
      const code = await party.code(browser, { dpop_jkt: party.dpopKey.jkt }, { dpop: null });
      const { dpopKey } = other;
      assert.equal(errorOf(await party.redeem(code, {}, { dpopKey })), '400 invalid_grant');
      expectStatus(200, await party.redeem(code));
    });

    test('ensure-dpopproof-at-par-endpoint-binding-success: a code bound by a proof at the PAR endpoint is redeemed', async () => {
      const code = await fapi2.party.code(fapi2.browser);
      expectStatus(200, await fapi2.party.redeem(code));
    });

    test('ensure-dpop-auth-code-binding-success: with dpop_jkt and a proof', async () => {
      const code = await fapi2.party.code(fapi2.browser, { dpop_jkt: fapi2.party.dpopKey.jkt });
      expectStatus(200, await fapi2.party.redeem(code));
    });

    test('access-token-type-header-case-sensitivity: the scheme is read in any case', async () => {
      const { access_token: token } = await fapi2.party.tokens(fapi2.browser);
      for (const scheme of ['DPoP', 'dpop', 'DPOP']) {
        assert.equal((await fapi2.party.userinfo(token, {}, { scheme })).status, 200, scheme);
      }
    });
  });

  describe('dpop-negative-tests: at a resource', () => {
    const proofs = async () => {
      const { access_token: token } = await fapi2.party.tokens(fapi2.browser);
      const proof = (claims: Claims = {}, header: object = {}) =>
        fapi2.party.userinfoProof(token, claims, header);
      const use = async (dpopProof: string, scheme = 'DPoP') =>
        (await fapi2.party.userinfoWith(token, dpopProof, scheme)).status;
      return { token, proof, use };
    };

    test('The name of the DPoP header is read in any case, and unknown claims of a proof are ignored', async () => {
      const { token, proof, use } = await proofs();
      expectStatus(200, await fapi2.party.userinfo(token, {}, { header: 'DPOP' }));
      assert.equal(await use(await proof({ unknown: 1 }, { unknown: 1 })), 200);
    });

    test('The htu of a DPoP proof is compared as an address: without query, in any case of the host, with the default port', async () => {
      const { proof, use } = await proofs();
      const { issuer } = fapi2.party;
      const htu = `${issuer}/oauth/userinfo`;
      for (const good of [
        `${htu}?query=1#fragment`,
        htu.replace('https://id.example.com', 'HTTPS://ID.EXAMPLE.COM'),
        htu.replace('id.example.com', 'id.example.com:443'),
      ]) {
        assert.equal(await use(await proof({ htu: good })), 200, good);
      }
    });

    test('A DPoP proof that is malformed, of another request, too old or used before is refused', async () => {
      const { token, proof, use } = await proofs();
      const { party, other } = fapi2;
      const good = await proof();
      const [header = '', payload = '', signature = ''] = good.split('.');
      const head = JSON.parse(Buffer.from(header, 'base64url').toString());
      const asHead = (change: object) => `${part({ ...head, ...change })}.${payload}.${signature}`;
      const hour = 3600;
      const bad: Readonly<Record<string, string>> = {
        'two proofs': `${await proof()}, ${await proof()}`,
        'no JWT': 'not-a-jwt',
        'no typ': asHead({ typ: undefined }),
        'no alg': asHead({ alg: undefined }),
        'no jwk': asHead({ jwk: undefined }),
        'another typ': await proof({}, { typ: 'JWT' }),
        'alg none': `${part({ ...head, alg: 'none' })}.${payload}.`,
        RS256: asHead({ alg: 'RS256' }),
        'a wrong signature': `${header}.${payload}.${signature.slice(0, -4)}AAAA`,
        'a private key': await proof({}, { jwk: party.dpopKey.privateJwk }),
        'another method': await proof({ htm: 'PUT' }),
        'another address': await proof({ htu: 'https://other.example.com/oauth/userinfo' }),
        'an hour ahead': await proof({ iat: party.seconds + hour }),
        'an hour ago': await proof({ iat: party.seconds - hour }),
        'another ath': await proof({ ath: 'A'.repeat(43) }),
        'another key': await other.dpopKey.prove({
          htm: 'GET',
          htu: `${party.issuer}/oauth/userinfo`,
          accessToken: token,
          claims: { nonce: JSON.parse(Buffer.from(payload, 'base64url').toString()).nonce },
        }),
      };
      for (const [what, badProof] of Object.entries(bad))
        assert.equal(await use(badProof), 401, what);
      for (const name of ['jti', 'htm', 'htu', 'iat', 'ath']) {
        assert.equal(await use(await proof({ [name]: null })), 401, name);
      }
      assert.deepEqual([await use(good), await use(good)], [200, 401], 'used twice');
      assert.equal(await use(await proof(), 'Bearer'), 401);
      assert.equal((await party.userinfo(token, { dpop: null })).status, 401);
      assert.equal((await party.userinfo(token, { dpop: null }, { scheme: 'Bearer' })).status, 401);
      assert.equal(await use(await proof()), 200, 'a correct proof still works');
    });
  });
}
