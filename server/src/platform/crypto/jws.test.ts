import assert from 'node:assert/strict';
import { createHmac, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { describe, test } from 'node:test';
import { inspect } from 'node:util';
import {
  PrivateKey,
  type SigningKey,
  importPrivateKey,
  importPublicKey,
  newSignatureKey,
  parseToken,
  signToken,
  signatureIsValid,
} from './jws.ts';

const pair = newSignatureKey();
const publicKey = importPublicKey(pair.publicKey);
const key: SigningKey = { kid: 'key_1', privateKey: importPrivateKey(pair.privateKey) };
/** The same key for Node.js' Ed25519, whose output must be identical. */
const nodeKey = createPrivateKey({ key: pair.privateKey, format: 'der', type: 'pkcs8' });
const CLAIMS = { sub: 'user:1', exp: 1_800_000_000, name: 'Zoë', list: ['a', 1, null] };

function encode(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return Buffer.from(text).toString('base64url');
}

/** A token with this header and a valid signature. */
function tokenOf(header: unknown, claims: unknown = CLAIMS): string {
  const input = `${encode(header)}.${encode(claims)}`;
  return `${input}.${sign(null, Buffer.from(input), nodeKey).toString('base64url')}`;
}

const HEADER = { alg: 'EdDSA', typ: 'at+jwt', kid: 'key_1' };

describe('a signed token', () => {
  test('A signed token has the same bytes for the same claims in the same order under the same key', () => {
    const token = signToken(key, 'at+jwt', CLAIMS);
    assert.equal(signToken({ ...key }, 'at+jwt', { ...CLAIMS }), token);
    assert.equal(token, tokenOf(HEADER));
    for (const other of [
      signToken(key, 'rt+jwt', CLAIMS),
      signToken({ ...key, kid: 'key_2' }, 'at+jwt', CLAIMS),
      signToken(key, 'at+jwt', { ...CLAIMS, exp: 1_800_000_001 }),
      signToken(
        { ...key, privateKey: importPrivateKey(newSignatureKey().privateKey) },
        'at+jwt',
        CLAIMS,
      ),
    ]) {
      assert.notEqual(other, token);
    }
  });

  test('A signed token is parsed to the signed claims, and its signature is valid only under its key', () => {
    const parsed = parseToken(signToken(key, 'at+jwt', CLAIMS));
    assert.ok(parsed);
    assert.deepEqual([parsed.kid, parsed.typ, parsed.claims], ['key_1', 'at+jwt', CLAIMS]);
    assert.equal(signatureIsValid(parsed, publicKey), true);
    assert.equal(signatureIsValid(parsed, importPublicKey(newSignatureKey().publicKey)), false);
  });

  test('A signed token is invalid if any character of it was changed', () => {
    const token = signToken(key, 'at+jwt', CLAIMS);
    for (let index = 0; index < token.length; index += 1) {
      const other = token[index] === 'A' ? 'B' : 'A';
      const changed = `${token.slice(0, index)}${other}${token.slice(index + 1)}`;
      const parsed = parseToken(changed);
      assert.ok(!parsed || !signatureIsValid(parsed, publicKey), `character ${index}`);
    }
  });
});

describe('rejected as a token, despite a valid signature:', () => {
  const good = tokenOf(HEADER);
  const [header = '', payload = '', signature = ''] = good.split('.');
  const hmac = (input: string) =>
    createHmac('sha256', createPublicKey(nodeKey).export({ format: 'der', type: 'spki' }))
      .update(input)
      .digest('base64url');
  const hs256 = `${encode({ ...HEADER, alg: 'HS256' })}.${payload}`;

  const refused: Readonly<Record<string, string>> = {
    nothing: '',
    'two parts': `${header}.${payload}`,
    'four parts': `${good}.`,
    'five parts, as of an encrypted token': `${good}.${payload}.${payload}`,
    'an empty signature': `${header}.${payload}.`,
    'an empty payload': `${header}..${signature}`,
    'alg none without a signature': `${encode({ alg: 'none', typ: 'at+jwt', kid: 'key_1' })}.${payload}.`,
    'alg none with a signature': tokenOf({ ...HEADER, alg: 'none' }),
    'alg HS256 with the public key as the secret': `${hs256}.${hmac(hs256)}`,
    'alg Ed25519': tokenOf({ ...HEADER, alg: 'Ed25519' }),
    'alg in lower case': tokenOf({ ...HEADER, alg: 'eddsa' }),
    'no alg': tokenOf({ typ: 'at+jwt', kid: 'key_1' }),
    'no kid': tokenOf({ alg: 'EdDSA', typ: 'at+jwt' }),
    'a kid that is no text': tokenOf({ ...HEADER, kid: 1 }),
    'no typ': tokenOf({ alg: 'EdDSA', kid: 'key_1' }),
    'a header that is a list': tokenOf([HEADER]),
    'a header that is null': tokenOf('null'),
    'a header that is no JSON': tokenOf('{alg'),
    'claims that are a list': tokenOf(HEADER, [CLAIMS]),
    'claims that are a text': tokenOf(HEADER, '"claims"'),
    'claims that are no JSON': tokenOf(HEADER, '{'),
    'a padded signature': `${good}==`,
    'a padded payload': `${header}.${payload}=.${signature}`,
    'a signature in base64 with + and /': `${header}.${payload}.${'+/'.repeat(43)}`,
    'a signature with stray bits at its end': `${good.slice(0, -1)}${strayed(good)}`,
    'a shorter signature': good.slice(0, -4),
    'a longer signature': `${good}AAAA`,
    'white space before it': ` ${good}`,
    'a line break in it': `${header}.\n${payload}.${signature}`,
  };
  for (const [what, token] of Object.entries(refused)) {
    test(what, () => assert.equal(parseToken(token), undefined));
  }

  for (const name of ['jwk', 'jku', 'x5u', 'x5c', 'x5t', 'crit', 'b64', 'zip']) {
    test(`A token whose header has ${name} is rejected, despite a valid signature`, () => {
      for (const value of [['exp'], null, false, 'https://keys.example.com']) {
        assert.equal(parseToken(tokenOf({ ...HEADER, [name]: value })), undefined);
      }
    });
  }

  test('A token whose header has an unknown field is not rejected', () => {
    assert.ok(parseToken(tokenOf({ ...HEADER, cty: 'JWT' })));
  });
});

/** The token with an unused bit set in the last character of its signature. */
function strayed(token: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return alphabet.charAt(alphabet.indexOf(token.slice(-1)) + 1);
}

test('A private key discloses nothing when printed, and is wiped after use', () => {
  const seed = pair.privateKey.subarray(-32);
  const used = key.privateKey.use((bytes) => {
    assert.deepEqual(bytes.subarray(0, 32), seed);
    return bytes;
  });
  assert.ok(used.every((byte) => byte === 0));
  assert.throws(() =>
    key.privateKey.use((): never => {
      throw new Error('it failed');
    }),
  );
  assert.ok(used.every((byte) => byte === 0));
  const shown = JSON.stringify(key) + inspect(key, { depth: null, showHidden: true });
  assert.ok(!shown.includes(seed.toString('latin1').slice(0, 4)));
  assert.equal(JSON.stringify(key), '{"kid":"key_1","privateKey":{}}');
});

test('A wiped private key is zeros, and can sign only after it is decrypted again', () => {
  const bytes = Buffer.alloc(64);
  key.privateKey.use((keyBytes) => keyBytes.copy(bytes));
  const wiped = new PrivateKey(bytes);
  wiped.wipe();
  assert.ok(bytes.every((byte) => byte === 0));
  assert.throws(
    () => signToken({ kid: 'key_1', privateKey: wiped }, 'at+jwt', {}),
    /has been wiped/,
  );
  const again: PrivateKey[] = [];
  const reopen = () => {
    const opened = importPrivateKey(pair.privateKey);
    again.push(opened);
    return opened;
  };
  const reopened = importPrivateKey(pair.privateKey, reopen);
  const token = signToken({ kid: 'key_1', privateKey: reopened }, 'at+jwt', {});
  reopened.wipe();
  assert.equal(signToken({ kid: 'key_1', privateKey: reopened }, 'at+jwt', {}), token);
  assert.deepEqual(
    again.map((privateKey) => privateKey.isWiped),
    [true],
  );
});
