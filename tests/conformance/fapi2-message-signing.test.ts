// The checks of the plan fapi2-message-signing-final of the OpenID Foundation's conformance suite, in addition to the
// security profile: requests that are signed and pushed, and responses as JWTs. Each title starts with the module
// that it covers.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { createLocalJWKSet, importJWK, type JSONWebKeySet, jwtVerify, SignJWT } from 'jose';
import { Fapi2 } from './fapi2/basics.ts';
import { MESSAGE_SIGNING, SECURITY_PROFILE } from './fapi2/modules.ts';
import {
  type Claims,
  errorOf,
  type Fapi2Party,
  idClaimsOf,
  responseOf,
} from '../harness/fapi2-party.ts';
import { expectStatus } from '../harness/http.ts';
import { newStatementKey } from '../harness/statement-key.ts';

const OBJECT_REFUSED = '400 invalid_request_object';

const fapi2 = new Fapi2();
before(() => fapi2.start({ require_signed_request_object: true }));
after(() => fapi2.keywright.close());

/** The PAR endpoint's response to a signed request with these claims. */
async function pushWith(claims: Claims, header: object = {}) {
  const { party } = fapi2;
  return party.push({ request: await party.signed(party.request(), claims, header) });
}

async function authorizeSigned(
  claims: Claims = {},
  extra: Readonly<Record<string, string>> = {},
  party: Fapi2Party = fapi2.party,
) {
  const request = await party.signed(party.request(), claims);
  return party.authorize(fapi2.browser, { request, ...extra });
}

describe('a signed request under FAPI 2.0', () => {
  test('ensure-request-object-with-multiple-aud-succeeds: the issuer among others', async () => {
    const aud = [fapi2.party.issuer, 'https://other1.example.com'];
    assert.ok((await authorizeSigned({ aud }))['code']);
  });

  test('ensure-request-object-with-nbf-8-seconds-in-the-future-is-accepted: an nbf 8 seconds ahead is accepted, and one 61 seconds ahead is refused', async () => {
    const nbf = fapi2.party.seconds + 8;
    assert.ok((await authorizeSigned({ nbf, exp: nbf + 300 }))['code']);
    expectStatus(201, await pushWith({ nbf, iat: nbf, exp: nbf + 300 }));
    for (const name of ['nbf', 'iat']) {
      const late = { [name]: fapi2.party.seconds + 61 };
      assert.equal(errorOf(await pushWith(late)), OBJECT_REFUSED, name);
    }
  });

  for (const [module, name] of [
    ['ensure-different-nonce-inside-and-outside-request-object: that inside counts', 'nonce'],
    ['ensure-different-state-inside-and-outside-request-object: that inside counts', 'state'],
  ] as const) {
    test(module, async () => {
      const { code = '', state } = await authorizeSigned(
        { [name]: 'inside' },
        { [name]: 'outside' },
      );
      const tokens = expectStatus(200, await fapi2.party.redeem(code));
      const { nonce } = idClaimsOf(tokens.id_token);
      assert.equal(name === 'nonce' ? nonce : state, 'inside');
    });
  }

  test('state-only-outside-request-object-not-used: no state comes back', async () => {
    const response = await authorizeSigned({ state: undefined }, { state: 'outside' });
    assert.deepEqual(Object.keys(response).toSorted(), ['code', 'iss']);
  });

  test('ensure-request-object-without-redirect-uri-fails: a request object must have a redirect_uri', async () => {
    assert.equal(errorOf(await pushWith({ redirect_uri: undefined })), '400 invalid_request');
  });

  for (const [module, claimsAt] of [
    ['ensure-request-object-without-exp-fails', () => ({ exp: undefined })],
    ['ensure-request-object-without-nbf-fails', () => ({ nbf: undefined })],
    ['ensure-expired-request-object-fails', (now: number) => ({ exp: now - 300 })],
    ['ensure-request-object-with-bad-aud-fails', () => ({ aud: 'https://other1.example.com' })],
    [
      'ensure-request-object-with-exp-over-60-fails: 60 minutes after nbf',
      (now: number) => ({ exp: now + 4200 }),
    ],
    [
      'ensure-request-object-with-exp-over-60-fails: by nbf, not by now',
      (now: number) => ({ nbf: now - 1800, exp: now + 1801 }),
    ],
    [
      'ensure-request-object-with-nbf-over-60-fails: 60 minutes ago',
      (now: number) => ({ nbf: now - 4200, exp: now - 600 + 620 }),
    ],
  ] as const) {
    test(module, async () => {
      const claims = claimsAt(fapi2.party.seconds);
      assert.equal(errorOf(await pushWith(claims)), OBJECT_REFUSED);
    });
  }

  test('A signed request that is nearly 60 minutes old and expires 60 minutes after its nbf is accepted', async () => {
    const nbf = fapi2.party.seconds - 3500;
    expectStatus(201, await pushWith({ nbf, iat: nbf, exp: nbf + 3600 }));
  });

  test('ensure-signed-request-object-with-RS256-fails: a request object signed with PS256 by the same key is accepted', async () => {
    const key = await newStatementKey('PS256');
    const { kty, n, e, kid } = key.publicJwk;
    const { publicJwk } = fapi2.party.key;
    const keys = [publicJwk, { kty, n, e, kid }];
    const path = `/clients/${fapi2.party.client.id}`;
    const token = await fapi2.tenant.adminToken();
    expectStatus(
      200,
      await fapi2.tenant.request('PATCH', path, { token, body: { jwks: { keys } } }),
    );
    const signedBy = async (alg: string) => {
      const payload = (await fapi2.party.signed(fapi2.party.request())).split('.')[1] ?? '';
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
      const header = { alg, kid, typ: 'oauth-authz-req+jwt' };
      const request = new SignJWT(claims).setProtectedHeader(header);
      return { request: await request.sign(await importJWK(key.privateJwk, alg)) };
    };
    expectStatus(201, await fapi2.party.push(await signedBy('PS256')));
    assert.equal(errorOf(await fapi2.party.push(await signedBy('RS256'))), OBJECT_REFUSED);
  });

  test('ensure-request-object-signature-algorithm-is-not-none: a request object with alg none is refused', async () => {
    const [, payload = ''] = (await fapi2.party.signed(fapi2.party.request())).split('.');
    const header = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
    const answer = await fapi2.party.push({ request: `${header}.${payload}.` });
    assert.equal(answer.status, 400);
    assert.match(answer.body.error, /^(invalid_request_object|request_not_supported)$/);
  });

  test('ensure-request-object-with-invalid-signature-fails: a request object with a wrong signature is refused', async () => {
    const signed = await fapi2.party.signed(fapi2.party.request());
    const request = `${signed.slice(0, -4)}AAAA`;
    assert.equal(errorOf(await fapi2.party.push({ request })), OBJECT_REFUSED);
  });

  test('ensure-matching-key-in-authorization-request: by the key of another client it is refused', async () => {
    const { party, other } = fapi2;
    const claims = { iss: party.client.id, client_id: party.client.id };
    const request = await other.signed(party.request(), claims);
    assert.equal(errorOf(await party.push({ request })), OBJECT_REFUSED);
  });

  test('ensure-unsigned-request-at-par-endpoint-fails: a pushed request must be signed', async () => {
    const answer = await fapi2.party.push(fapi2.party.request());
    assert.equal(errorOf(answer), '400 invalid_request');
  });

  test('par-authorization-request-containing-request_uri: a request_uri within the request object is refused', async () => {
    const request_uri = 'urn:ietf:params:oauth:request_uri:random';
    assert.equal(errorOf(await pushWith({ request_uri })), OBJECT_REFUSED);
  });

  test('A signed request that is not pushed is refused, however well it is signed', async () => {
    const { party, browser } = fapi2;
    const request = await party.signed(party.request());
    const seen = await browser.goThrough({
      client_id: party.client.id,
      redirect_uri: party.client.redirect_uris[0] ?? '',
      request,
    });
    assert.equal(responseOf(seen)['error'], 'invalid_request');
  });

  test('A signed request is not accepted as a client assertion (RFC 9101 §10.8)', async () => {
    const { party } = fapi2;
    const proof = await party.signed(party.request());
    assert.equal(errorOf(await party.push({}, { proof })), '401 invalid_client');
  });
});

describe('a response as a JWT under FAPI 2.0', () => {
  async function read(response: string): Promise<Claims> {
    const { party, tenant, keywright } = fapi2;
    const path = `/t/${tenant.id}/.well-known/jwks.json`;
    const keys = expectStatus(200, await tenant.request<JSONWebKeySet>('GET', path));
    const { payload } = await jwtVerify(response, createLocalJWKSet(keys), {
      issuer: party.issuer,
      audience: party.client.id,
      algorithms: ['ES256'],
      requiredClaims: ['exp'],
      currentDate: keywright.clock.now(),
    });
    return payload;
  }

  test('happy-flow: is signed with an algorithm of the profile, and is all that comes back (JARM §2.3)', async () => {
    const { response = '', ...rest } = await authorizeSigned({
      response_mode: 'jwt',
      state: 'given',
    });
    assert.deepEqual(rest, {});
    const { code, state, iss } = await read(response);
    assert.deepEqual([state, iss], ['given', fapi2.party.issuer]);
    expectStatus(200, await fapi2.party.redeem(String(code)));
  });

  test('user-rejects-authentication: an error comes as a JWT, too', async () => {
    const claims = { response_mode: 'jwt', prompt: 'none', max_age: 0 };
    const { response = '', ...rest } = await authorizeSigned(claims);
    assert.deepEqual(rest, {});
    assert.equal((await read(response))['error'], 'login_required');
  });
});

test('Each module of the FAPI 2.0 plans that is about the server has a test', () => {
  const files = ['requests', 'pushed', 'codes', 'clients', 'proofs', 'refresh'];
  const texts = (paths: readonly string[]) =>
    paths.map((path) => readFileSync(new URL(path, import.meta.url), 'utf8')).join('');
  const [profile, signing] = [
    texts(files.map((name) => `./fapi2/${name}.ts`)),
    texts(['./fapi2-message-signing.test.ts']),
  ];
  const isAbout = (text: string, module: string) => new RegExp(`'${module}[':]`).test(text);
  const missing = [
    ...SECURITY_PROFILE.filter((module) => !isAbout(profile, module)),
    ...MESSAGE_SIGNING.filter((module) => !isAbout(signing, module)),
  ];
  assert.deepEqual(missing, [], 'write a test whose title begins with the name of the module');
});
