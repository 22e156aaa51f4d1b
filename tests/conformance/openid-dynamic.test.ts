// The requirements of the OpenID Foundation's plan for dynamic registration, as far as they concern the code flow: a
// client registers itself with private_key_jwt, and uses what it registered. Each title starts with its module.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { OAuthErrorBody } from '@keywright/contract/oauth-error';
import type { ClientInformation } from '@keywright/contract/records/client-metadata';
import { CLIENT_ASSERTION_TYPE } from '@keywright/contract/routes/client-authentication';
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { Authority } from '../harness/certificate.ts';
import { CALLBACK, exchangeOf, requestOf, UserBrowser } from '../harness/code-login.ts';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { answerJson } from '../harness/outside-issuer.ts';
import { type Receiver, startReceiver } from '../harness/receiver.ts';
import { newStatementKey, type StatementKey } from '../harness/statement-key.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { postToken } from '../harness/token-endpoint.ts';

type Registered = ClientInformation & OAuthErrorBody;

let keywright: Keywright;
let tenant: TestTenant;
let user: TestUser;
let key: StatementKey;
let issuer: string;
/** The server on which the client publishes its key set and its sector list. */
let application: Receiver;
let published: unknown;

before(async () => {
  const authority = new Authority();
  application = await startReceiver((_request, response) => answerJson(response, published), {
    certificate: authority.issue(['127.0.0.1']),
  });
  keywright = await startKeywright({
    clock: 'fake',
    env: { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' },
    outside: { ca: authority.ca },
  });
  const config = { oauth_registration: 'open' } as const;
  tenant = await keywright.tenant('dynamic', { config });
  issuer = `https://id.example.com/t/${tenant.id}`;
  user = await tenant.createUser();
  key = await newStatementKey('RS256');
});
after(async () => {
  await application.close();
  await keywright.close();
});

/** As the suite registers: one key, without a kid. */
function register(more: object = {}) {
  keywright.clock.advance(60);
  const { kid: _, ...publicJwk } = key.publicJwk;
  const body = {
    client_name: 'Invoices',
    grant_types: ['authorization_code'],
    response_types: ['code'],
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: [publicJwk] },
    redirect_uris: [CALLBACK],
    contacts: ['help@app.example.com'],
    ...more,
  };
  return tenant.request<Registered>('POST', `/t/${tenant.id}/oauth/register`, { body });
}

async function registered(more: object = {}): Promise<{ readonly id: string }> {
  return { id: expectStatus(201, await register(more)).client_id };
}

/** Authenticates with this key, with or without its kid. */
async function proofOf({ id }: { readonly id: string }, by = key, kid?: string) {
  const iat = Math.floor(keywright.clock.now().getTime() / 1000);
  const claims = { iss: id, sub: id, aud: issuer, jti: randomUUID(), iat, exp: iat + 60 };
  return {
    client_assertion_type: CLIENT_ASSERTION_TYPE,
    client_assertion: await by.sign(claims, { kid: kid as string }),
  };
}

const browser = () => new UserBrowser(tenant, issuer, user);

async function tokensOf(client: { readonly id: string }, scope = 'openid') {
  const code = await browser().codeFor(client, { scope });
  return expectStatus(
    200,
    await postToken(tenant, { ...exchangeOf(code), ...(await proofOf(client)) }),
  );
}

async function keySet(): Promise<JSONWebKeySet> {
  const path = `/t/${tenant.id}/.well-known/jwks.json`;
  return expectStatus(200, await tenant.request<JSONWebKeySet>('GET', path));
}

async function verified(jwt: string, { id }: { readonly id: string }) {
  const currentDate = keywright.clock.now();
  return jwtVerify(jwt, createLocalJWKSet(await keySet()), { issuer, audience: id, currentDate });
}

function errorOf({ status, body }: { readonly status: number; readonly body: Registered }): string {
  return `${status} ${body.error}`;
}

describe('an application that registers itself', () => {
  test('oidcc-idtoken-rs256: a self-registered application gets an ID token of RS256, also in the tenant that had no client before', async () => {
    const client = await registered({ id_token_signed_response_alg: 'RS256' });
    const { id_token: token = '' } = await tokensOf(client);
    assert.equal(decodeProtectedHeader(token).alg, 'RS256');
    await verified(token, client);
  });

  test('oidcc-userinfo-rs256: a self-registered application gets the user claims in a JWT of RS256', async () => {
    const client = await registered({ userinfo_signed_response_alg: 'RS256' });
    const { access_token: token } = await tokensOf(client);
    const answer = await tenant.request('GET', `/t/${tenant.id}/oauth/userinfo`, { token });
    assert.match(answer.headers['content-type'] ?? '', /^application\/jwt\b/);
    assert.equal(decodeProtectedHeader(answer.text).alg, 'RS256');
    assert.equal((await verified(answer.text, client)).payload.sub, user.user.id);
  });

  test('oidcc-redirect-uri-query: its users return to an address with a query, if that is the same', async () => {
    const uri = `${CALLBACK}?foo=bar`;
    const client = await registered({ redirect_uris: [uri] });
    const back = await browser().goThrough(requestOf(client, { redirect_uri: uri }));
    assert.equal(back.redirectsTo?.searchParams.get('foo'), 'bar');
    assert.ok(back.redirectsTo?.searchParams.get('code'));
    for (const other of [CALLBACK, `${CALLBACK}?foo=other`, `${uri}&more=1`]) {
      const seen = await browser().authorize(requestOf(client, { redirect_uri: other }));
      assert.deepEqual([seen.status, seen.redirectsTo], [400, undefined], other);
    }
  });

  test('oidcc-redirect-uri-regfrag: has no address with a fragment', async () => {
    const refused = await register({ redirect_uris: [`${CALLBACK}#foobar`] });
    assert.equal(errorOf(refused), '400 invalid_redirect_uri');
  });

  test('oidcc-registration-policy-uri, -tos-uri: users see both links before they allow a self-registered application', async () => {
    const [policy_uri, tos_uri] = [
      'https://app.example.com/privacy',
      'https://app.example.com/terms',
    ];
    const client = await registered({ policy_uri, tos_uri });
    const visitor = browser();
    await visitor.authorize(requestOf(client));
    const { identifier, password: secret } = user;
    const consent = await visitor.press('login', { identifier, secret });
    assert.ok(consent.actions.includes('allow'));
    for (const uri of [policy_uri, tos_uri]) assert.ok(consent.text.includes(`href="${uri}"`), uri);
  });

  test('oidcc-refresh-token-rp-key-rotation: authenticates with the key that it publishes now', async () => {
    published = { keys: [key.publicJwk] };
    const jwks_uri = `https://127.0.0.1:${application.port}/jwks.json`;
    const grant_types = ['authorization_code', 'refresh_token'];
    const client = await registered({ jwks: undefined, jwks_uri, grant_types });
    const { refresh_token = '' } = await tokensOf(client, 'openid offline_access');
    const next = await newStatementKey('RS256');
    published = { keys: [next.publicJwk] };
    keywright.clock.advance(60);
    const refreshRequest = { grant_type: 'refresh_token', refresh_token };
    expectStatus(
      200,
      await postToken(tenant, { ...refreshRequest, ...(await proofOf(client, next, next.kid)) }),
    );
  });

  test('oidcc-registration-sector-uri, -sector-bad: an application gets pairwise subjects only with a list that has its addresses', async () => {
    const sector_identifier_uri = `https://127.0.0.1:${application.port}/redirect-uris.json`;
    const pairwise = { subject_type: 'pairwise', sector_identifier_uri };
    published = [CALLBACK];
    await registered(pairwise);
    published = ['https://app.example.com/other'];
    assert.equal(errorOf(await register(pairwise)), '400 invalid_client_metadata');
  });
});

test('oidcc-server-rotate-keys: a new key is published together with the previous one', async () => {
  await registered();
  const kids = async () => new Set((await keySet()).keys.map(({ kid }) => kid));
  const earlier = await kids();
  const token = await tenant.adminToken();
  expectStatus(201, await tenant.request('POST', '/keys/rotate?algorithm=RS256', { token }));
  const later = await kids();
  assert.equal(later.size, earlier.size + 1);
  assert.ok(earlier.isSubsetOf(later));
});
