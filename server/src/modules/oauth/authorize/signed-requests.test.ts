import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { OAuthErrorBody } from '@keywright/contract/oauth-error';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import {
  CALLBACK,
  newClient,
  proofOf,
  redeem,
  requestOf,
  UserBrowser,
} from '@keywright/tests/harness/code-login';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { postToken, oauthError } from '@keywright/tests/harness/token-endpoint';
import type { Seen } from '@keywright/tests/harness/visitor';
import {
  createLocalJWKSet,
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  type JSONWebKeySet,
  jwtVerify,
  SignJWT,
} from 'jose';

let keywright: Keywright;
let tenant: TestTenant;
let user: TestUser;
let issuer: string;
let privateKey: CryptoKey;
let jwks: JSONWebKeySet;
let client: CreatedOAuthClient;

before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('signed');
  issuer = `https://id.example.com/t/${tenant.id}`;
  user = await tenant.createUser();
  const pair = await generateKeyPair('ES256', { extractable: true });
  ({ privateKey } = pair);
  jwks = { keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'one' }] };
  client = await newClient(tenant, { jwks });
});
after(() => keywright.close());

const seconds = () => Math.floor(Date.now() / 1000);
const browser = () => new UserBrowser(tenant, issuer, user);
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const returned = ({ redirectsTo }: Seen) => Object.fromEntries(redirectsTo?.searchParams ?? []);

type Claims = Readonly<Record<string, unknown>>;

function objectOf(of: { readonly id: string }, claims: Claims = {}): Record<string, unknown> {
  const about = { iss: of.id, aud: issuer, iat: seconds(), exp: seconds() + 60 };
  return { ...about, ...requestOf(of), ...claims };
}

function sign(claims: Claims, header: object = {}, key = privateKey): Promise<string> {
  return new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'one', ...header })
    .sign(key);
}

function push(fields: Readonly<Record<string, string>>) {
  return tenant.request<OAuthErrorBody & { request_uri: string }>(
    'POST',
    `/t/${tenant.id}/oauth/par`,
    {
      rawBody: new URLSearchParams(fields).toString(),
      contentType: 'application/x-www-form-urlencoded',
    },
  );
}

describe('a signed request', () => {
  test('A signed request is all that counts, whatever other parameters there are (RFC 9101 §6.3)', async () => {
    const claims = {
      state: 'signed',
      scope: 'openid email',
      max_age: 3600,
      aud: ['https://x.example', issuer],
    };
    const request = await sign(objectOf(client, claims), { typ: 'oauth-authz-req+jwt' });
    const unsigned = {
      client_id: client.id,
      state: 'forged',
      scope: 'openid',
      redirect_uri: 'https://evil.example',
    };
    const seen = returned(await browser().goThrough({ ...unsigned, request }));
    assert.equal(seen['state'], 'signed');
    const answer = await redeem(tenant, client, seen['code'] ?? '');
    assert.equal(expectStatus(200, answer).scope, 'openid email');
  });

  test('A signed request has the parameter claims as an object, and several resources', async () => {
    const claims = { claims: { id_token: { email: null } }, resource: [issuer] };
    const request = await sign(objectOf(client, claims));
    assert.ok(returned(await browser().goThrough({ client_id: client.id, request }))['code']);
  });

  test('A signed request can be pushed, and is then a reference like any other (RFC 9126 §3)', async () => {
    const request = await sign(objectOf(client, { state: 'pushed' }));
    const { request_uri } = expectStatus(
      201,
      await push({ ...proofOf(client), request, state: 'forged' }),
    );
    const seen = returned(await browser().goThrough({ client_id: client.id, request_uri }));
    assert.equal(seen['state'], 'pushed');
    assert.ok(seen['code']);
  });

  test('A signed request can omit PKCE only if the nonce is signed as well (OAuth 2.1 §7.5.1)', async () => {
    const bare = { code_challenge: undefined, code_challenge_method: undefined };
    const outcomes: unknown[] = [];
    for (const nonce of [undefined, 'n-1']) {
      const request = await sign(objectOf(client, { ...bare, nonce }));
      const unsigned = { client_id: client.id, nonce: 'n-2', request };
      const { code, error } = returned(await browser().goThrough(unsigned));
      outcomes.push(error ?? typeof code);
    }
    assert.deepEqual(outcomes, ['invalid_request', 'string']);
  });

  test('A client with require_signed_request_object must sign', async () => {
    const strict = await newClient(tenant, { jwks, require_signed_request_object: true });
    const plain = returned(await browser().authorize(requestOf(strict)));
    assert.equal(plain['error'], 'invalid_request');
    const refused = await push({ ...requestOf(strict), ...proofOf(strict) });
    assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_request']);
    const request = await sign(objectOf(strict));
    assert.ok(returned(await browser().goThrough({ client_id: strict.id, request }))['code']);
    const { request_uri } = expectStatus(201, await push({ ...proofOf(strict), request }));
    assert.ok(returned(await browser().goThrough({ client_id: strict.id, request_uri }))['code']);
  });
});

describe('a request object that is refused', () => {
  const cases: Readonly<Record<string, () => Promise<string>>> = {
    'of another key': async () =>
      sign(objectOf(client), {}, (await generateKeyPair('ES256')).privateKey),
    'of an unknown key': () => sign(objectOf(client), { kid: 'two' }),
    'of another client': async () => sign(objectOf(await newClient(tenant, { jwks }))),
    'without a client': () => sign(objectOf(client, { client_id: undefined })),
    'without an issuer': () => sign(objectOf(client, { iss: undefined })),
    'of another issuer': () => sign(objectOf(client, { iss: 'https://evil.example' })),
    'for another issuer': () => sign(objectOf(client, { aud: 'https://id.example.com' })),
    'without an audience': () => sign(objectOf(client, { aud: undefined })),
    'without an end': () => sign(objectOf(client, { exp: undefined })),
    'that has expired': () => sign(objectOf(client, { exp: seconds() - 11 })),
    'that is valid for longer than an hour': () =>
      sign(objectOf(client, { exp: seconds() + 3700 })),
    'of the future': () => sign(objectOf(client, { nbf: seconds() + 60 })),
    'that is a client assertion': () =>
      sign(objectOf(client, { sub: client.id, jti: randomUUID() })),
    'with another one in it': () => sign(objectOf(client, { request: 'e30.e30.e30' })),
    'with a reference in it': () => sign(objectOf(client, { request_uri: 'https://x.example' })),
    'of another type': () => sign(objectOf(client), { typ: 'dpop+jwt' }),
    'of the type of access tokens': () => sign(objectOf(client), { typ: 'at+jwt' }),
    'with a key in its header': () => sign(objectOf(client), { jwk: jwks.keys[0] }),
    'with an address of a key': () => sign(objectOf(client), { jku: 'https://evil.example' }),
    'with a list where there is none': () => sign(objectOf(client, { scope: ['openid'] })),
    'with an object where there is none': () => sign(objectOf(client, { state: { a: 1 } })),
    'with numbers as resources': () => sign(objectOf(client, { resource: [7] })),
    'with everything in a prototype': async () =>
      sign(
        JSON.parse(
          `{"__proto__":${JSON.stringify(objectOf(client))},"client_id":"${client.id}"}`,
        ) as Claims,
      ),
    'as deep JSON': async () =>
      `${part({ alg: 'ES256', kid: 'one' })}.${Buffer.from(`{"a":${'['.repeat(2000)}`).toString('base64url')}.AA`,
    'signed with a secret': async () => {
      const secret = new TextEncoder().encode(client.client_secret);
      return new SignJWT(objectOf(client))
        .setProtectedHeader({ alg: 'HS256', kid: 'one' })
        .sign(secret);
    },
    'in loose base64': async () => `${await sign(objectOf(client))}=`,
    'with critical headers': async () => {
      const [, payload, signature] = (await sign(objectOf(client))).split('.');
      return [
        part({ alg: 'ES256', kid: 'one', crit: ['b64'], b64: false }),
        payload,
        signature,
      ].join('.');
    },
    'of two parts': async () => 'e30.e30',
    'of five parts': async () => 'e30.e30.e30.e30.e30',
  };
  for (const [what, make] of Object.entries(cases)) {
    test(`A request object ${what} is refused, in the browser and when it is pushed`, async () => {
      const request = await make();
      const seen = returned(await browser().authorize({ ...requestOf(client), request }));
      assert.deepEqual([seen['error'], seen['iss']], ['invalid_request_object', issuer]);
      const pushed = await push({ ...proofOf(client), request });
      assert.equal(pushed.status, 400);
      // A broken object provides no redirect URI, so the error can be about the redirect URI instead.
      assert.ok(
        ['invalid_request_object', 'invalid_request'].includes(pushed.body.error),
        pushed.text,
      );
      assert.equal(
        (await push({ ...requestOf(client), ...proofOf(client), request })).body.error,
        'invalid_request_object',
      );
    });
  }

  test('An unsigned request object is refused as not supported, and never at an unregistered redirect URI', async () => {
    const unsigned = `${part({ alg: 'none' })}.${part(objectOf(client))}.`;
    const seen = returned(await browser().authorize({ client_id: client.id, request: unsigned }));
    assert.equal(seen['error'], 'request_not_supported');
    const forged = await sign(objectOf(client, { redirect_uri: 'https://evil.example' }), {
      kid: 'two',
    });
    const page = await browser().authorize({ client_id: client.id, request: forged });
    assert.deepEqual([page.status, page.redirectsTo], [400, undefined]);
    const twice = await browser().open(
      `/t/${tenant.id}/oauth/authorize?${new URLSearchParams(requestOf(client)).toString()}&request=${unsigned}&request=x`,
    );
    assert.deepEqual([twice.status, twice.redirectsTo], [400, undefined]);
  });

  test('A request object is refused as a client assertion', async () => {
    const signing = await newClient(tenant, {
      jwks,
      token_endpoint_auth_method: 'private_key_jwt',
    });
    const answer = await postToken(tenant, {
      grant_type: 'authorization_code',
      client_id: signing.id,
      code: 'x',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await sign(objectOf(signing, { jti: randomUUID() })),
    });
    assert.equal(oauthError(answer), '401 invalid_client CLIENT_INVALID');
  });
});

describe('a signed response (JARM)', () => {
  async function read(of: { readonly id: string }, response: string, alg: string): Promise<Claims> {
    const set = await tenant.request<JSONWebKeySet>('GET', `/t/${tenant.id}/.well-known/jwks.json`);
    const keys = createLocalJWKSet(expectStatus(200, set));
    const { payload } = await jwtVerify(response, keys, {
      issuer,
      audience: of.id,
      algorithms: [alg],
    });
    assert.ok((payload.exp ?? 0) <= seconds() + 600);
    return payload;
  }

  for (const alg of ['RS256', 'ES256', 'EdDSA'] as const) {
    test(`A signed response is a JWT with all its parameters, for this client, signed with ${alg}`, async () => {
      const signedClient = await newClient(tenant, { id_token_signed_response_alg: alg });
      for (const response_mode of ['jwt', 'query.jwt', 'form_post.jwt']) {
        const request = requestOf(signedClient, { response_mode, state: 'xyz' });
        const { redirectsTo, formTarget, hidden } = await browser().goThrough(request);
        const isForm = response_mode === 'form_post.jwt';
        const at = isForm ? formTarget : redirectsTo;
        assert.equal(at && at.origin + at.pathname, CALLBACK);
        const sent = isForm ? hidden : Object.fromEntries(redirectsTo?.searchParams ?? []);
        assert.deepEqual(Object.keys(sent), ['response'], response_mode);
        const claims = await read(signedClient, sent['response'] ?? '', alg);
        assert.deepEqual(Object.keys(claims).toSorted(), ['aud', 'code', 'exp', 'iss', 'state']);
        assert.equal(claims['state'], 'xyz');
        assert.equal((await redeem(tenant, signedClient, String(claims['code']))).status, 200);
      }
    });
  }

  test('A signed response also reports errors', async () => {
    for (const change of [{ prompt: 'none' }, { scope: 'unheard' }, { request: 'x' }]) {
      const request = requestOf(client, { response_mode: 'jwt', ...change });
      const { redirectsTo } = await browser().authorize(request);
      assert.deepEqual([...(redirectsTo?.searchParams.keys() ?? [])], ['response']);
      const claims = await read(client, redirectsTo?.searchParams.get('response') ?? '', 'RS256');
      assert.ok(claims['error']);
      assert.equal(claims['code'], undefined);
    }
    const visitor = browser();
    const other = await newClient(tenant);
    await visitor.goThrough(requestOf(client));
    await visitor.authorize(requestOf(other, { response_mode: 'query.jwt' }));
    const { redirectsTo } = await visitor.press('deny');
    const claims = await read(other, redirectsTo?.searchParams.get('response') ?? '', 'RS256');
    assert.equal(claims['error'], 'access_denied');
  });

  test('A signed response is not an ID token that a request could use as a hint', async () => {
    const { redirectsTo } = await browser().goThrough(requestOf(client, { response_mode: 'jwt' }));
    const id_token_hint = redirectsTo?.searchParams.get('response') ?? '';
    const seen = returned(await browser().authorize(requestOf(client, { id_token_hint })));
    assert.equal(seen['error'], 'invalid_request');
  });
});
