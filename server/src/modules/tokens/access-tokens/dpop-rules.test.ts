import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { before, describe, test } from 'node:test';
import { type DpopKey, newDpopKey, sha256 } from '@keywright/tests/harness/dpop';
import { SelfSignedTokens } from '../../../platform/crypto/self-signed.ts';
import { readProof } from './dpop.ts';

const NOW = new Date('2026-11-26T08:00:00Z');
const SECONDS = NOW.getTime() / 1000;
const PATH = '/t/org_acme/oauth/userinfo';
const ORIGINS = ['https://id.example.com', 'http://127.0.0.1:8080'];
const HTU = `${ORIGINS[0]}${PATH}`;
const TOKEN = 'an.access.token';

const place = { method: 'GET', path: PATH, origins: ORIGINS, accessToken: undefined, now: NOW };

const tokens = new SelfSignedTokens();

let key: DpopKey;
before(async () => {
  key = await newDpopKey(() => NOW);
});

async function read(claims: object = {}, header: object = {}, more: Partial<typeof place> = {}) {
  const options = { htm: 'GET', htu: HTU, claims: { ...claims }, header: { ...header } };
  return readProof(tokens, await key.prove(options), { ...place, ...more });
}

async function flawOf(...args: Parameters<typeof read>): Promise<string | undefined> {
  const proof = await read(...args);
  return 'flaw' in proof ? proof.flaw : undefined;
}

describe('a DPoP proof', () => {
  for (const alg of ['EdDSA', 'Ed25519', 'ES256']) {
    test(`A DPoP proof identifies its key by the thumbprint of RFC 7638, with ${alg}`, async () => {
      const dpopKey = await newDpopKey(() => NOW, alg);
      const proof = readProof(tokens, await dpopKey.prove({ htm: 'GET', htu: HTU }), place);
      assert.equal('jkt' in proof && proof.jkt, dpopKey.jkt);
    });
  }

  test('A DPoP proof is verified each time, even with the header of an earlier valid proof', async () => {
    const [good] = (await key.prove({ htm: 'GET', htu: HTU })).split('.');
    const other = await newDpopKey(() => NOW);
    const [, payload, signature] = (await other.prove({ htm: 'GET', htu: HTU })).split('.');
    assert.ok('jkt' in (await read()));
    const forged = readProof(tokens, [good, payload, signature].join('.'), place);
    assert.deepEqual(forged, { flaw: 'signature' });
  });

  test('A DPoP proof is valid for one address, regardless of its spelling and query', async () => {
    for (const htu of [
      HTU,
      `${HTU}?a=b`,
      `${HTU}#c`,
      HTU.replace('https', 'HTTPS').replace('id.', 'ID.'),
      HTU.replace('.com', '.com:443'),
      HTU.replace('/oauth', '/x/../oauth'),
      `http://127.0.0.1:8080${PATH}`,
    ]) {
      assert.equal(await flawOf({ htu }), undefined, htu);
    }
    for (const htu of [
      undefined,
      7,
      '',
      PATH,
      HTU.replace('https', 'http'),
      HTU.replace('.com', '.com:8443'),
      HTU.replace('.com', '.com.evil.example'),
      HTU.replace('id.', 'id.example.com@evil.'),
      HTU.replace('https://', 'https://evil@'),
      HTU.replace('https://', 'https:\\\\'),
      `${HTU}/`,
      HTU.replace('userinfo', 'Userinfo'),
      HTU.replace('org_acme', 'org_other'),
      HTU.replace('/oauth', '%2foauth'),
      HTU.replace('/oauth', '/\toauth'),
      ` ${HTU}`,
      `${HTU}?${'a'.repeat(2048)}`,
    ]) {
      assert.equal(await flawOf({ htu }), 'htu', String(htu));
    }
  });

  test('A DPoP proof is valid for one method', async () => {
    for (const htm of ['POST', 'get', undefined, ['GET']]) {
      assert.equal(await flawOf({ htm }), 'htm', String(htm));
    }
  });

  test('A DPoP proof is valid only if its iat is within 60 seconds of the current time', async () => {
    for (const away of [-60, -10, 0, 10, 60]) {
      assert.equal(await flawOf({ iat: SECONDS + away }), undefined, String(away));
    }
    for (const iat of [SECONDS - 61, SECONDS + 61, undefined, String(SECONDS), null]) {
      assert.equal(await flawOf({ iat }), 'iat', String(iat));
    }
    assert.equal(await flawOf({ exp: SECONDS + 60, nbf: SECONDS - 60 }), undefined);
    assert.equal(await flawOf({ exp: SECONDS - 10 }), 'exp');
  });

  test('A DPoP proof must have a jti, a non-empty string of limited length', async () => {
    for (const jti of [undefined, '', 7, 'j'.repeat(257)]) {
      assert.equal(await flawOf({ jti }), 'jti', String(jti));
    }
  });

  test('A DPoP proof is bound to one access token by its ath', async () => {
    const accessToken = TOKEN as string | undefined;
    const ath = sha256(TOKEN);
    const at = { accessToken } as object;
    assert.equal(await flawOf({ ath }, {}, at), undefined);
    for (const wrong of [undefined, sha256('another'), `${ath}=`, ath.toLowerCase(), TOKEN]) {
      assert.equal(await flawOf({ ath: wrong }, {}, at), 'ath', String(wrong));
    }
  });

  test('A DPoP proof of any type other than dpop+jwt is rejected', async () => {
    for (const typ of ['jwt', 'at+jwt', 'dpop', undefined]) {
      assert.ok(await flawOf({}, { typ }), String(typ));
    }
  });

  test('A DPoP proof must contain a public key, and neither a private nor a symmetric one', async () => {
    const other = await newDpopKey();
    const symmetric = { kty: 'oct', k: 'c2VjcmV0' };
    for (const [jwk, flaw] of [
      [key.privateJwk, 'malformed'],
      [{ ...key.jwk, d: '' }, 'malformed'],
      [symmetric, 'malformed'],
      [{ ...key.jwk, k: 'AA' }, 'malformed'],
      [{ ...key.jwk, kty: 'RSA' }, 'malformed'],
      [undefined, 'malformed'],
      ['{}', 'malformed'],
      [[key.jwk], 'malformed'],
      [other.jwk, 'signature'],
    ] as const) {
      assert.equal(await flawOf({}, { jwk }), flaw, JSON.stringify(jwk));
    }
    const [header, payload] = (await key.prove({ htm: 'GET', htu: HTU })).split('.');
    const jwk = JSON.parse(Buffer.from(header ?? '', 'base64url').toString()) as object;
    for (const alg of ['HS256', 'none', 'RS256', 'PS256', 'ES384']) {
      const forged = Buffer.from(JSON.stringify({ ...jwk, alg })).toString('base64url');
      const input = `${forged}.${payload}`;
      const mac = createHmac('sha256', 'secret').update(input).digest('base64url');
      assert.ok('flaw' in readProof(tokens, `${input}.${mac}`, place), alg);
    }
  });

  test('A DPoP proof with a key of an unlisted algorithm is rejected', async () => {
    const rsa = await newDpopKey(() => NOW, 'PS256');
    const proof = readProof(tokens, await rsa.prove({ htm: 'GET', htu: HTU }), place);
    assert.deepEqual(proof, { flaw: 'alg' });
  });

  test('A DPoP proof that is too long is rejected unread, and one with unusual JSON is rejected without harm', async () => {
    assert.equal(await flawOf({ padding: 'a'.repeat(4096) }), 'too long');
    const deep = `{"a":${'['.repeat(1000)}${']'.repeat(1000)}}`;
    const parts = (await key.prove()).split('.');
    for (const payload of [deep, '{"__proto__":{"htm":"GET"}}', '[]', 'null', '{}{}', '']) {
      const text = [parts[0], Buffer.from(payload).toString('base64url'), parts[2]].join('.');
      assert.ok('flaw' in readProof(tokens, text, place), payload.slice(0, 20));
    }
    for (const text of ['', '.', '..', `${parts.join('.')}=`, `${parts.join('.')},${parts[0]}`]) {
      assert.deepEqual(readProof(tokens, text, place), { flaw: 'malformed' }, text);
    }
    for (const header of [{ jku: 'https://evil.example.com' }, { x5u: '' }, { zip: 'DEF' }]) {
      assert.equal(await flawOf({}, header), 'malformed');
    }
    const head = JSON.parse(Buffer.from(parts[0] ?? '', 'base64url').toString()) as object;
    for (const more of [{ crit: ['b64'], b64: true }, { b64: false }]) {
      const changed = Buffer.from(JSON.stringify({ ...head, ...more })).toString('base64url');
      const text = [changed, parts[1], parts[2]].join('.');
      assert.deepEqual(readProof(tokens, text, place), { flaw: 'malformed' });
    }
  });
});
