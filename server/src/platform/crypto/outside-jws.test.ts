import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { before, describe, test } from 'node:test';
import {
  newStatementKey,
  type StatementAlgorithm,
  type StatementKey,
} from '@keywright/tests/harness/statement-key';
import {
  keyOf,
  type OutsideKey,
  outsideSignatureIsValid,
  parseOutsideToken,
  readPublicJwk,
} from './outside-jws.ts';

const ALGORITHMS: readonly StatementAlgorithm[] = ['EdDSA', 'ES256', 'RS256', 'PS256'];
const CLAIMS = { iss: 'issuer', sub: 'subject', exp: 1_800_000_000 };

const keys = new Map<StatementAlgorithm, StatementKey>();

before(async () => {
  for (const alg of ALGORITHMS) keys.set(alg, await newStatementKey(alg));
});

function of(alg: StatementAlgorithm): StatementKey {
  const key = keys.get(alg);
  assert.ok(key);
  return key;
}

function readKey(jwk: object): OutsideKey {
  const key = readPublicJwk({ ...jwk });
  assert.ok(key);
  return key;
}

function base64url(value: object | string): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return Buffer.from(text).toString('base64url');
}

/** Whether the token verifies with this key, as a caller would check. */
function isFrom(text: string, jwk: object): boolean {
  const token = parseOutsideToken(text);
  const key = token && keyOf(token, [readKey(jwk)]);
  return key !== undefined && outsideSignatureIsValid(token as never, key);
}

describe('the token of an external signer', () => {
  for (const alg of ALGORITHMS) {
    test(`An external token signed with ${alg} is parsed to the signed claims, and verifies only with its key`, async () => {
      const { sign: signIt, publicJwk, kid } = of(alg);
      const text = await signIt(CLAIMS);
      const token = parseOutsideToken(text);
      assert.deepEqual([token?.alg, token?.kid, token?.typ], [alg, kid, 'jwt']);
      assert.deepEqual(token?.claims, CLAIMS);
      assert.equal(isFrom(text, publicJwk), true);
      const other = { ...(await newStatementKey(alg)).publicJwk, kid };
      assert.equal(isFrom(text, other), false);
      const [header, , signature] = text.split('.');
      const changed = `${header}.${base64url({ ...CLAIMS, sub: 'me' })}.${signature}`;
      assert.equal(isFrom(changed, publicJwk), false);
    });
  }

  test('An external token signed with Ed25519, named so in its header, verifies only with its key', async () => {
    const { publicJwk } = of('EdDSA');
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const input = `${base64url({ alg: 'Ed25519' })}.${base64url(CLAIMS)}`;
    const text = `${input}.${sign(null, Buffer.from(input), privateKey).toString('base64url')}`;
    const jwk = { ...publicKey.export({ format: 'jwk' }), alg: 'Ed25519' };
    assert.equal(isFrom(text, jwk), true);
    assert.equal(isFrom(text, { ...jwk, alg: 'EdDSA' }), true);
    assert.equal(isFrom(text, publicJwk), false);
  });

  test('An external token is rejected without a signature, with a MAC, or with an unsupported algorithm', () => {
    const { publicJwk, kid } = of('RS256');
    const secrets = [JSON.stringify(publicJwk), String(publicJwk.n), ''];
    const macs = secrets.flatMap((secret) =>
      ['HS256', 'RS256'].map((alg) => {
        const input = `${base64url({ alg, kid })}.${base64url(CLAIMS)}`;
        return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
      }),
    );
    const bare = ['none', 'None', 'NONE', '', 'HS256', 'ES384', 'RSA1_5', 'constructor'].flatMap(
      (alg) => ['', 'AA'].map((end) => `${base64url({ alg, kid })}.${base64url(CLAIMS)}.${end}`),
    );
    for (const text of [...macs, ...bare]) assert.equal(isFrom(text, publicJwk), false, text);
    for (const text of bare) assert.equal(parseOutsideToken(text), undefined, text);
  });

  test('An external token is rejected if its header supplies a key or changes how it is processed', async () => {
    const { sign: signIt, publicJwk } = of('ES256');
    for (const header of [
      { jwk: publicJwk },
      { jku: 'https://evil.example.com/keys' },
      { x5u: 'https://evil.example.com/certificate' },
      { zip: 'DEF' },
      { b64: false },
    ]) {
      assert.equal(parseOutsideToken(await signIt(CLAIMS, header as object)), undefined);
    }
    const parts = (await signIt(CLAIMS)).split('.');
    const critical = base64url({ alg: 'ES256', crit: ['exp'], exp: 1 });
    assert.equal(parseOutsideToken([critical, ...parts.slice(1)].join('.')), undefined);
    // A certificate thumbprint, which some issuers send, is ignored.
    assert.equal(isFrom(await signIt(CLAIMS, { x5t: 'abc' }), publicJwk), true);
  });

  test('An external token is rejected in any serialization other than the compact one', async () => {
    const text = await of('EdDSA').sign(CLAIMS);
    const [header = '', payload = '', signature = ''] = text.split('.');
    for (const odd of [
      '',
      '..',
      header,
      `${header}.${payload}`,
      `${text}.`,
      `${text}.AA`,
      `${header}.${payload}.${signature}=`,
      `${header}.${payload}. ${signature}`,
      `${header}.${base64url('[]')}.${signature}`,
      `${header}.${base64url('null')}.${signature}`,
      `${base64url({ alg: 'EdDSA', kid: 7 })}.${payload}.${signature}`,
      `${base64url({ alg: 'EdDSA', typ: {} })}.${payload}.${signature}`,
      `${base64url({ alg: ['EdDSA'] })}.${payload}.${signature}`,
    ]) {
      assert.equal(parseOutsideToken(odd), undefined, odd);
    }
  });

  test('An external token does not verify with a key of another type, whatever its header says', async () => {
    for (const alg of ALGORITHMS) {
      const text = await of(alg).sign(CLAIMS);
      for (const other of ALGORITHMS) {
        const isSameKind =
          alg === other || [alg, other].every((name) => name.endsWith('S256') && name !== 'ES256');
        if (isSameKind) continue;
        assert.equal(isFrom(text, { ...of(other).publicJwk, kid: of(alg).kid }), false);
      }
    }
    // A key for one algorithm is not used for another.
    const text = await of('RS256').sign(CLAIMS);
    const forTheOther = { ...of('RS256').publicJwk, alg: 'PS256' };
    assert.equal(isFrom(text, forTheOther), false);
    const token = parseOutsideToken(text);
    assert.ok(token);
    assert.equal(outsideSignatureIsValid(token, readKey(forTheOther)), false);
  });

  test('An external token without a kid verifies with the only matching key, and with none if two match', async () => {
    const { sign: signIt, publicJwk } = of('EdDSA');
    const token = parseOutsideToken(await signIt(CLAIMS, { kid: undefined as never }));
    assert.ok(token);
    const edDsaKey = readKey(publicJwk);
    const rsa = readKey(of('RS256').publicJwk);
    const other = readKey((await newStatementKey()).publicJwk);
    assert.equal(keyOf(token, [rsa, edDsaKey]), edDsaKey);
    assert.equal(keyOf(token, [edDsaKey, other]), undefined);
    assert.equal(keyOf({ ...token, kid: 'unknown' }, [edDsaKey]), undefined);
  });
});

describe('a public key', () => {
  test('A public key is rejected if private, weak, of another type, or not for signatures', async () => {
    const { publicJwk, privateJwk } = of('RS256');
    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey;
    const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey;
    const x25519 = generateKeyPairSync('x25519').publicKey;
    const ec = of('ES256').publicJwk;
    for (const jwk of [
      privateJwk,
      of('EdDSA').privateJwk,
      { kty: 'oct', k: 'AAAA' },
      weak.export({ format: 'jwk' }),
      p384.export({ format: 'jwk' }),
      x25519.export({ format: 'jwk' }),
      { ...publicJwk, use: 'enc' },
      { ...publicJwk, kid: 7 },
      { ...publicJwk, alg: 'RS1' },
      { ...publicJwk, alg: 'ES256' },
      { ...publicJwk, e: 'AQ' },
      { ...publicJwk, e: 'AQAAAAAB' },
      { ...publicJwk, n: 7 },
      { ...ec, x: ec.y },
      { ...ec, crv: 'secp256k1' },
      { kty: 'RSA' },
      {},
    ]) {
      assert.equal(readPublicJwk({ ...jwk }), undefined, JSON.stringify(jwk));
    }
  });
});
