import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { before, describe, test } from 'node:test';
import { newStatementKey, type StatementKey } from '@keywright/tests/harness/statement-key';
import { parseOutsideToken, readPublicJwk } from '../../../platform/crypto/outside-jws.ts';
import { type CheckedIdToken, checkIdToken } from './provider-callback.ts';

const NOW = new Date('2026-11-23T12:00:00Z');
const SECONDS = NOW.getTime() / 1000;
const EXPECTED = { issuer: 'https://id.example.com', clientId: 'keywright', nonce: 'n-1' };
const GOOD = {
  iss: EXPECTED.issuer,
  sub: '248289761001',
  aud: EXPECTED.clientId,
  nonce: EXPECTED.nonce,
  iat: SECONDS,
  exp: SECONDS + 300,
};

let key: StatementKey;
before(async () => {
  key = await newStatementKey('RS256');
});

function check(token: string, by: StatementKey = key): CheckedIdToken | 'malformed' {
  const parsed = parseOutsideToken(token);
  const publicKey = readPublicJwk(by.publicJwk);
  assert.ok(publicKey);
  return parsed ? checkIdToken(parsed, [publicKey], EXPECTED, NOW) : 'malformed';
}

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('an ID token', () => {
  for (const alg of ['RS256', 'PS256', 'ES256', 'EdDSA'] as const) {
    test(`An ID token of ${alg} names its subject`, async () => {
      const signingKey = await newStatementKey(alg);
      assert.deepEqual(check(await signingKey.sign(GOOD), signingKey), { subject: GOOD.sub });
    });
  }

  test('An ID token for several audiences is accepted if it names the client as the authorized party', async () => {
    const aud = ['another', EXPECTED.clientId];
    const token = await key.sign({ ...GOOD, aud, azp: EXPECTED.clientId });
    assert.deepEqual(check(token), { subject: GOOD.sub });
  });

  for (const [claim, value] of [
    ['iss', 'https://id.example.com/'],
    ['iss', 'https://evil.example.com'],
    ['iss', undefined],
    ['aud', 'another'],
    ['aud', []],
    ['aud', undefined],
    ['azp', 'another'],
    ['exp', SECONDS - 60],
    ['exp', '9999999999'],
    ['exp', undefined],
    ['iat', SECONDS + 61],
    ['iat', SECONDS - 300],
    ['iat', undefined],
    ['nonce', 'n-2'],
    ['nonce', undefined],
    ['sub', ''],
    ['sub', 'x'.repeat(256)],
    ['sub', 'line\nbreak'],
    ['sub', 42],
    ['sub', undefined],
  ] as const) {
    test(`An ID token is rejected with ${claim} ${JSON.stringify(value)?.slice(0, 30)}`, async () => {
      assert.deepEqual(check(await key.sign({ ...GOOD, [claim]: value })), { refusal: claim });
    });
  }

  test('An ID token for several audiences without azp is rejected', async () => {
    const token = await key.sign({ ...GOOD, aud: [EXPECTED.clientId, 'another'] });
    assert.deepEqual(check(token), { refusal: 'azp' });
  });

  test('An ID token that another key signed is rejected, with any key ID', async () => {
    const other = await newStatementKey('RS256');
    for (const kid of [key.kid, other.kid, `../${key.kid}`, '/dev/null', "' OR 1=1 --"]) {
      assert.deepEqual(check(await other.sign(GOOD, { kid })), { refusal: 'signature' });
    }
  });

  test('An ID token without a signature, or with a MAC of the public key, is rejected', () => {
    const payload = base64url(GOOD);
    const none = `${base64url({ alg: 'none' })}.${payload}`;
    for (const token of [`${none}.`, `${none}.AA`]) assert.equal(check(token), 'malformed');
    const input = `${base64url({ alg: 'HS256', kid: key.kid })}.${payload}`;
    const mac = createHmac('sha256', JSON.stringify(key.publicJwk)).update(input);
    assert.equal(check(`${input}.${mac.digest('base64url')}`), 'malformed');
  });

  test('An ID token whose claims were changed after signing is rejected', async () => {
    const [header, , signature] = (await key.sign(GOOD)).split('.');
    const forged = `${header}.${base64url({ ...GOOD, sub: 'another' })}.${signature}`;
    assert.deepEqual(check(forged), { refusal: 'signature' });
  });
});
