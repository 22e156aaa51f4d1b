import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answerError, answering, TestIssuer } from './issuer.ts';
import { assertRefused } from './refused.ts';
import { base64url, Signer, signJws } from './signer.ts';
import { verifierOf } from './verifier-of.ts';

const KEY_SET = '/.well-known/jwks.json';

const now = () => Math.floor(Date.now() / 1000);

describe('a token is accepted', () => {
  test('A token that the issuer signed is accepted, with its claims (SPEC authentication 2)', async (t) => {
    const issuer = await TestIssuer.start(t);
    const { verifier } = verifierOf(t, issuer);
    const claims = await verifier.verify(issuer.mint({ jti: 'one', department: 'sales' }));
    assert.equal(claims.jti, 'one');
    assert.deepEqual(claims.scopes, ['read:reports']);
    assert.equal(claims['department'], 'sales');
  });

  test('A token is accepted repeatedly, with a single request for the key set', async (t) => {
    const issuer = await TestIssuer.start(t);
    const { verifier } = verifierOf(t, issuer);
    const token = issuer.mint();
    await Promise.all([1, 2, 3].map(() => verifier.verify(issuer.mint())));
    for (let time = 0; time < 5; time += 1) await verifier.verify(token);
    assert.deepEqual(issuer.requestedPaths, [KEY_SET]);
  });

  test('The claims of an accepted token cannot be modified', async (t) => {
    const issuer = await TestIssuer.start(t);
    const { verifier } = verifierOf(t, issuer);
    const token = issuer.mint();
    const claims = await verifier.verify(token);
    assert.throws(() => (claims.scopes as string[]).push('*:*'), TypeError);
    assert.throws(() => Object.assign(claims, { sub: 'user:other' }), TypeError);
    assert.deepEqual((await verifier.verify(token)).scopes, ['read:reports']);
  });

  test('A token is accepted within 10 s of its expiry, and not later, even if it was seen before', async (t) => {
    const issuer = await TestIssuer.start(t);
    const { verifier, advance } = verifierOf(t, issuer);
    const token = issuer.mint({ exp: now() + 60 });
    await verifier.verify(token);
    await verifier.verify(issuer.mint({ iat: now() + 9 }));
    await assertRefused(verifier.verify(issuer.mint({ iat: now() + 12 })), 'not_yet_valid');
    advance(68);
    await verifier.verify(token);
    advance(3);
    await assertRefused(verifier.verify(token), 'expired');
  });
});

describe('a token is rejected', () => {
  const cases: Readonly<Record<string, readonly [reason: string, (i: TestIssuer) => string]>> = {
    'that is no JWT': ['malformed', () => 'x.y.z'],
    'that is empty': ['malformed', () => ''],
    'that is an API key': ['api_key', () => `svc_sk_${'a'.repeat(44)}`],
    'longer than 8 KiB': ['malformed', (i) => i.mint({ roles: ['x'.repeat(9000)] })],
    'that another key signed': ['signature', (i) => i.mint({}, new Signer(i.signer.kid))],
    'whose key is not published': ['key_unknown', (i) => i.mint({}, new Signer())],
    'of another issuer': ['issuer', (i) => i.mint({ iss: 'https://evil.example.com' })],
    'for another audience': ['audience', (i) => i.mint({ aud: 'https://other.example.com' })],
    'for a list of audiences': ['claims', (i) => i.mint({ aud: [i.name] })],
    'of another tenant': ['tenant', (i) => i.mint({ tenant_id: 'org_other' })],
    'without a tenant': ['claims', (i) => i.mint({ tenant_id: undefined })],
    'that is a refresh token': ['claims', (i) => i.mint({ token_type: 'refresh' })],
    'with scopes as text': ['claims', (i) => i.mint({ scopes: '*:*' })],
    'with exp as a fraction': ['claims', (i) => i.mint({ exp: now() + 60.5 })],
    'that has expired': ['expired', (i) => i.mint({ exp: now() - 10 })],
    'with the typ of a refresh token': [
      'malformed',
      (i) => signJws(i.signer, { typ: 'rt+jwt' }, i.claims()),
    ],
    'with a key of its own': [
      'malformed',
      (i) => signJws(i.signer, { typ: 'at+jwt', jwk: new Signer().jwk }, i.claims()),
    ],
    'with a rule that has to be understood': [
      'malformed',
      (i) => signJws(i.signer, { typ: 'at+jwt', crit: ['exp'] }, i.claims()),
    ],
    'whose payload is not encoded': [
      'malformed',
      (i) => signJws(i.signer, { typ: 'at+jwt', b64: true }, i.claims()),
    ],
    'of another algorithm': [
      'malformed',
      (i) => signJws(i.signer, { typ: 'at+jwt', alg: 'HS256' }, i.claims()),
    ],
    'without a signature': [
      'malformed',
      (i) =>
        `${base64url({ alg: 'none', typ: 'at+jwt', kid: i.signer.kid })}.${base64url(i.claims())}.`,
    ],
    'with a list as its payload': [
      'malformed',
      (i) => signJws(i.signer, { typ: 'at+jwt' }, [i.claims()]),
    ],
  };
  for (const [title, [reason, forge]] of Object.entries(cases)) {
    test(title, async (t) => {
      const issuer = await TestIssuer.start(t);
      const { verifier } = verifierOf(t, issuer);
      const error = await assertRefused(verifier.verify(forge(issuer)), reason as 'malformed');
      assert.equal(error.code, reason === 'tenant' ? 'TENANT_MISMATCH' : 'TOKEN_INVALID');
      assert.equal(error.httpStatus, 401);
      assert.equal(error.wwwAuthenticate, 'Bearer error="invalid_token"');
      // The error does not reveal which check failed.
      if (reason !== 'tenant') assert.match(error.detail, /missing, malformed, expired or revoked/);
    });
  }

  test('A token without a status is rejected where one is required', async (t) => {
    const issuer = await TestIssuer.start(t);
    const { verifier } = verifierOf(t, issuer, { withoutStatus: 'refuse' });
    await assertRefused(verifier.verify(issuer.mint()), 'status_missing');
  });

  const places = ['https://evil.example.com/status/0', '/status/0', 0, undefined];
  for (const uri of places) {
    test(`A token whose status is at ${uri}, not at its issuer, is rejected`, async (t) => {
      const issuer = await TestIssuer.start(t);
      const { verifier } = verifierOf(t, issuer);
      const token = issuer.mint({ status: { status_list: { idx: 1, uri } } });
      await assertRefused(verifier.verify(token), 'status_foreign');
    });
  }

  test('A token whose status is malformed is rejected', async (t) => {
    const issuer = await TestIssuer.start(t);
    const { verifier } = verifierOf(t, issuer);
    const uris = ['', 'x', '01', '-1', '1/', '1?x', '1e9', '12345678901'];
    const lists = uris.map((end) => ({ idx: 1, uri: `${issuer.name}/status/${end}` }));
    const wrong = ['1', -1, 1.5, null, undefined].map((idx) => ({
      idx,
      uri: `${issuer.name}/status/0`,
    }));
    for (const list of [...lists, ...wrong, null, 'x', []]) {
      const token = issuer.mint({ status: { status_list: list } });
      await assertRefused(verifier.verify(token), 'status_foreign');
    }
    for (const status of [null, 1, 'x', {}]) {
      await assertRefused(verifier.verify(issuer.mint({ status })), 'status_foreign');
    }
    assert.deepEqual(issuer.requestedPaths, [KEY_SET], 'nothing was requested there');
  });

  test('A token of another issuer is rejected without fetching keys', async (t) => {
    const issuer = await TestIssuer.start(t);
    const { verifier } = verifierOf(t, issuer);
    const foreign = issuer.mint({ iss: 'https://evil.example.com' }, new Signer());
    await assertRefused(verifier.verify(foreign), 'issuer');
    assert.deepEqual(issuer.requestedPaths, []);
  });
});

describe('the key set', () => {
  test('The key set is fetched again for an unknown key, once for all waiting callers', async (t) => {
    const issuer = await TestIssuer.start(t);
    const { verifier, advance } = verifierOf(t, issuer);
    const old = issuer.mint();
    await verifier.verify(old);
    issuer.keys.push(new Signer());
    advance(6);
    const tokens = Array.from({ length: 50 }, () => issuer.mint());
    await Promise.all(tokens.map((token) => verifier.verify(token)));
    await verifier.verify(old);
    assert.equal(issuer.keySetRequests, 2);
  });

  test('The key set is fetched at most once in five seconds, whatever keys tokens name', async (t) => {
    const issuer = await TestIssuer.start(t);
    const { verifier, advance } = verifierOf(t, issuer);
    const attack = () =>
      assertRefused(verifier.verify(issuer.mint({}, new Signer())), 'key_unknown');
    for (let time = 0; time < 20; time += 1) await attack();
    assert.equal(issuer.keySetRequests, 1);
    advance(5);
    for (let time = 0; time < 20; time += 1) await attack();
    assert.equal(issuer.keySetRequests, 2);
  });

  test('The tokens of a key that is no longer in the key set are rejected, seen before or not', async (t) => {
    const issuer = await TestIssuer.start(t);
    const { verifier, advance } = verifierOf(t, issuer);
    const [first] = issuer.keys;
    const old = issuer.mint();
    await verifier.verify(old);
    issuer.keys.push(new Signer());
    issuer.keys.shift();
    advance(601);
    await assertRefused(verifier.verify(old), 'key_unknown');
    await assertRefused(verifier.verify(issuer.mint({}, first)), 'key_unknown');
    await verifier.verify(issuer.mint());
  });

  test('A key set that has another key with the same kid drops the former one', async (t) => {
    const issuer = await TestIssuer.start(t);
    const { verifier, advance } = verifierOf(t, issuer);
    const old = issuer.mint();
    await verifier.verify(old);
    issuer.keys.push(new Signer(issuer.signer.kid));
    issuer.keys.shift();
    advance(601);
    await assertRefused(verifier.verify(old), 'key_unknown');
    await verifier.verify(issuer.mint());
  });

  test('The key set is fetched in the background when it has expired, and not before', async (t) => {
    const issuer = await TestIssuer.start(t);
    const { verifier, advance } = verifierOf(t, issuer);
    const token = issuer.mint();
    await verifier.verify(token);
    advance(299);
    await verifier.verify(token);
    assert.equal(issuer.keySetRequests, 1);
    advance(2);
    await verifier.verify(token);
    await verifier.verify(issuer.mint({}, new Signer())).catch(() => {});
    assert.equal(issuer.keySetRequests, 2);
  });

  test('An unavailable key set is answered with 503, and is fetched when the service returns', async (t) => {
    const issuer = await TestIssuer.start(t);
    const { verifier, advance, problems } = verifierOf(t, issuer);
    const token = issuer.mint();
    await issuer.goDown();
    const error = await assertRefused(verifier.verify(token), 'keys_unavailable');
    assert.deepEqual([error.code, error.httpStatus], ['UNAVAILABLE', 503]);
    assert.deepEqual(
      problems.map(({ code }) => code),
      ['KEY_SET_UNAVAILABLE'],
    );
    await issuer.goUp();
    advance(5);
    await verifier.verify(token);
  });

  test('The key set can be as old as the policy allows while the service is unreachable', async (t) => {
    const issuer = await TestIssuer.start(t);
    const strict = verifierOf(t, issuer, { maxStaleSeconds: 1800 });
    const lenient = verifierOf(t, issuer, { onStale: 'allow', maxStaleSeconds: 0 });
    const token = issuer.mint({ exp: now() + 100_000 });
    for (const { verifier } of [strict, lenient]) await verifier.verify(token);
    await issuer.goDown();
    for (const { verifier, advance } of [strict, lenient]) {
      advance(2000);
      await verifier.verify(token);
      advance(200);
    }
    await assertRefused(strict.verifier.verify(token), 'keys_unavailable');
    await lenient.verifier.verify(token);
    lenient.advance(80_000);
    await lenient.verifier.verify(token);
  });

  test('The key set of a deactivated tenant causes every token to be rejected until reactivation', async (t) => {
    const issuer = await TestIssuer.start(t);
    const { verifier, advance, problems } = verifierOf(t, issuer);
    const token = issuer.mint();
    await verifier.verify(token);
    issuer.instead.set(KEY_SET, (_, response) => answerError(response, 403, 'TENANT_INACTIVE'));
    advance(700);
    await assertRefused(verifier.verify(token), 'issuer_closed');
    assert.deepEqual(
      problems.map(({ code }) => code),
      ['ISSUER_CLOSED'],
    );
    issuer.instead.clear();
    advance(5);
    await verifier.verify(token);
  });

  const worthless: Readonly<Record<string, string | Buffer>> = {
    'is no JSON': '{',
    'is a list': '[]',
    'is null': 'null',
    'has keys that are none': '{"keys": [null, 1, {"kty": "OKP", "crv": "Ed25519", "kid": "a"}]}',
    'has a key of the wrong length': JSON.stringify({
      keys: [{ kty: 'OKP', crv: 'Ed25519', kid: 'a', x: 'AAAA' }],
    }),
    'is larger than any': Buffer.alloc(300 * 1024, 0x20),
  };
  for (const [title, body] of Object.entries(worthless)) {
    test(`A key set that ${title} leaves the known keys in place`, async (t) => {
      const issuer = await TestIssuer.start(t);
      const { verifier, advance, problems } = verifierOf(t, issuer);
      const token = issuer.mint();
      await verifier.verify(token);
      issuer.instead.set(KEY_SET, answering(200, body));
      advance(301);
      await verifier.verify(token);
      advance(6);
      await verifier.verify(issuer.mint({}, new Signer())).catch(() => {});
      if (title.endsWith('are none')) return;
      await verifier.verify(token);
      assert.ok(problems.every(({ code }) => code === 'KEY_SET_INVALID'));
      assert.ok(problems.length > 0);
    });
  }

  test('The key set can contain keys of other types, which are ignored', async (t) => {
    const issuer = await TestIssuer.start(t);
    const rsa = {
      kty: 'RSA',
      kid: issuer.signer.kid,
      alg: 'RS256',
      use: 'sig',
      n: 'AQAB',
      e: 'AQAB',
    };
    const body = JSON.stringify({ keys: [rsa, issuer.signer.jwk] });
    issuer.instead.set(KEY_SET, answering(200, body));
    await verifierOf(t, issuer).verifier.verify(issuer.mint());
  });
});

describe('an Authorization header', () => {
  test('An Authorization header carries a token after Bearer, in upper or lower case', async (t) => {
    const issuer = await TestIssuer.start(t);
    const { verifier } = verifierOf(t, issuer);
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      await verifier.authenticate(`${scheme} ${issuer.mint()}`);
    }
  });

  test('An Authorization header that is absent or of another scheme gets a challenge, and a malformed one is rejected', async (t) => {
    const issuer = await TestIssuer.start(t);
    const { verifier } = verifierOf(t, issuer);
    const token = issuer.mint();
    for (const header of [undefined, null, '', token, `Basic ${token}`, `Token ${token}`]) {
      const error = await assertRefused(verifier.authenticate(header), 'missing');
      assert.equal(error.wwwAuthenticate, 'Bearer');
    }
    for (const header of [
      'Bearer',
      'Bearer ',
      `Bearer\t${token}`,
      `Bearer  ${token}`,
      `Bearer ${token} x`,
      `Bearer "${token}"`,
    ]) {
      await assertRefused(verifier.authenticate(header), 'malformed');
    }
  });
});
