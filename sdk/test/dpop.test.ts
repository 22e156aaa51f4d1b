import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { type DpopKey, newDpopKey } from '../../tests/harness/dpop.ts';
import type { DpopOptions } from '../src/verifier/dpop.ts';
import { createVerifier } from '../src/verifier/verifier.ts';
import { TestIssuer } from './issuer.ts';
import { assertRefused } from './refused.ts';
import { verifierOf } from './verifier-of.ts';

const API = 'https://api.example.com';
const URL_OF_REPORTS = `${API}/reports`;

async function scene(t: TestContext, dpop: DpopOptions = { origins: API }) {
  const issuer = await TestIssuer.start(t);
  const { verifier, advance } = verifierOf(t, issuer, { dpop });
  const key = await newDpopKey();
  const token = issuer.mint({ cnf: { jkt: key.jkt } });
  const prove = (options: Parameters<DpopKey['prove']>[0] = {}, by = key) =>
    by.prove({ htm: 'GET', htu: URL_OF_REPORTS, accessToken: token, ...options });
  const send = (
    proof: string | undefined,
    { scheme = 'DPoP', with: sent = token, method = 'GET' } = {},
  ) =>
    verifier.authenticateRequest(
      new Request(`http://10.0.0.7:3000/reports?page=2`, {
        method,
        headers: {
          authorization: `${scheme} ${sent}`,
          ...(proof !== undefined && { dpop: proof }),
        },
      }),
      { scopes: 'read:reports' },
    );
  return { issuer, verifier, advance, key, token, prove, send };
}

describe('a token that is bound to a key', () => {
  for (const alg of ['ES256', 'EdDSA', 'Ed25519']) {
    test(`A token that is bound to a key is accepted with a proof by that key, with ${alg} (RFC 9449 §7)`, async (t) => {
      const { issuer, prove, send } = await scene(t);
      const key = await newDpopKey(undefined, alg);
      const token = issuer.mint({ cnf: { jkt: key.jkt } });
      const claims = await send(await prove({ accessToken: token }, key), { with: token });
      assert.deepEqual(claims.cnf, { jkt: key.jkt });
    });
  }

  test('A token that is bound to a key is no bearer token, whether or not the verifier accepts proofs', async (t) => {
    const { verifier, issuer, prove, send, token } = await scene(t);
    const error = await assertRefused(verifier.verify(token), 'bound');
    assert.equal(error.wwwAuthenticate, 'DPoP error="invalid_token", algs="EdDSA Ed25519 ES256"');
    await assertRefused(verifier.authenticate(`Bearer ${token}`), 'bound');
    await assertRefused(send(await prove(), { scheme: 'Bearer' }), 'bound');
    const plain = verifierOf(t, issuer).verifier;
    await assertRefused(plain.verify(token), 'bound');
    await assertRefused(plain.authenticate(`DPoP ${token}`), 'bound');
    await assertRefused(verifier.verify(issuer.mint({ cnf: null })), 'bound');
  });

  test('A token that is bound to a key needs a new proof for each request', async (t) => {
    const { advance, prove, send } = await scene(t);
    const proof = await prove();
    await send(proof);
    const error = await assertRefused(send(proof), 'proof_used');
    assert.equal(error.httpStatus, 401);
    await send(await prove());
    advance(59);
    await assertRefused(send(proof), 'proof_used');
    advance(2);
    await assertRefused(send(proof), 'proof');
  });

  test('A token that is bound to a key needs a proof for this request, of this minute, by this key', async (t) => {
    const { key, prove, send, token } = await scene(t);
    const other = await newDpopKey();
    const rsa = await newDpopKey(undefined, 'PS256');
    const seconds = Math.floor(Date.now() / 1000);
    for (const [what, proof, reason = 'proof'] of [
      ['none', undefined],
      ['no JWT', 'proof'],
      ['two', `${await prove()}, ${await prove()}`],
      ['another method', await prove({ htm: 'POST' })],
      ['another path', await prove({ htu: `${API}/other` })],
      ['another origin', await prove({ htu: 'https://evil.example.com/reports' })],
      ['the address inside', await prove({ htu: 'http://10.0.0.7:3000/reports' })],
      ['a user in the address', await prove({ htu: 'https://x@api.example.com/reports' })],
      ['another token', await prove({ accessToken: `${token}x` })],
      ['no token', await prove({ claims: { ath: undefined } })],
      ['no jti', await prove({ claims: { jti: '' } })],
      ['too old', await prove({ claims: { iat: seconds - 62 } })],
      ['too early', await prove({ claims: { iat: seconds + 62 } })],
      ['no time', await prove({ claims: { iat: undefined } })],
      ['expired', await prove({ claims: { exp: seconds - 11 } })],
      ['another type', await prove({ header: { typ: 'at+jwt' } })],
      ['a private key', await prove({ header: { jwk: key.privateJwk } })],
      ['another key in the header', await prove({ header: { jwk: other.jwk } })],
      ['RSA', await prove({}, rsa)],
      ['too long', await prove({ claims: { more: 'x'.repeat(4096) } })],
      ['another key', await prove({}, other), 'proof_key'],
    ] as const) {
      const error = await assertRefused(send(proof), reason);
      assert.match(error.wwwAuthenticate ?? '', /^DPoP error="/, what);
    }
    await send(await prove({ htu: `${URL_OF_REPORTS}?page=1#top` }));
  });

  test('A proof for a token that is bound to a key is rejected if an external store remembers it', async (t) => {
    const seen = new Set<string>();
    const isNew = async ({ id, seconds }: { id: string; seconds: number }) => {
      assert.ok(seconds >= 120 && id.length <= 90);
      return !seen.has(id) && seen.add(id) !== undefined;
    };
    const { prove, send } = await scene(t, { origins: [API], isNew });
    const proof = await prove();
    await send(proof);
    await assertRefused(send(proof), 'proof_used');
    assert.equal(seen.size, 1);
  });

  test('A proof for a token that is bound to a key remains unused if the token is rejected', async (t) => {
    const { verifier, prove, token } = await scene(t);
    const proof = await prove();
    const sent = { proof, method: 'GET', url: '/reports' };
    await assertRefused(
      verifier.authenticate(`DPoP ${token}`, { scopes: 'write:all' }, sent),
      'scope',
    );
    await verifier.authenticate(`dpop ${token}`, {}, sent);
  });
});

test('A token that is bound to no key is rejected with the scheme DPoP', async (t) => {
  const { issuer, prove, send } = await scene(t);
  const token = issuer.mint();
  await assertRefused(send(await prove({ accessToken: token }), { with: token }), 'not_bound');
  await send(undefined, { scheme: 'Bearer', with: token });
});

test('A verifier with a DPoP origin that is no origin is refused on creation', () => {
  for (const origins of ['api.example.com', '', ['https://a.example', 'data:,']]) {
    assert.throws(() => createVerifier({ issuer: API, dpop: { origins } }), TypeError);
  }
});
