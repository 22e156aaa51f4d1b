// What the plan "config" of the OpenID Foundation's conformance suite checks.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { discover, issuerOf, type Metadata, VerifyingParty } from './verifying-party.ts';

let keywright: Keywright;
let tenant: TestTenant;
let metadata: Metadata;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  tenant = await keywright.tenant('config');
  metadata = await discover(keywright, tenant);
});
after(() => keywright.close());

const register = (fields: object = {}) =>
  VerifyingParty.register({ keywright, tenant, mode: 'query' }, fields);

describe('the metadata of a tenant', () => {
  test('The metadata of a tenant is JSON, at the address that its issuer leads to (OpenID Connect Discovery §4)', async () => {
    const issuer = issuerOf(keywright, tenant);
    assert.equal(metadata.issuer, issuer.href);
    assert.deepEqual(
      [issuer.protocol, issuer.search, issuer.hash, issuer.href.endsWith('/')],
      ['https:', '', '', false],
    );
    const path = `${issuer.pathname}/.well-known/openid-configuration`;
    const answer = await tenant.request('GET', path, { host: issuer.host });
    assert.equal(answer.status, 200);
    assert.match(answer.headers['content-type'] ?? '', /^application\/json\b/);
  });

  test('The metadata of a tenant names every address as https, without a fragment (§3)', () => {
    const addresses = Object.entries(metadata).filter(([name]) => /_(endpoint|uri)$/.test(name));
    assert.ok(addresses.length >= 4);
    for (const [name, address] of addresses) {
      const { protocol, hash } = new URL(String(address));
      assert.deepEqual([protocol, hash], ['https:', ''], name);
    }
    for (const name of [
      'authorization_endpoint',
      'token_endpoint',
      'userinfo_endpoint',
      'jwks_uri',
    ]) {
      assert.ok(Object.hasOwn(metadata, name), name);
    }
  });

  test('The metadata of a tenant lists what a client can request, RS256 always included (§3)', () => {
    assert.deepEqual(metadata.response_types_supported, ['code']);
    assert.ok(metadata.grant_types_supported.includes('authorization_code'));
    assert.ok(metadata.scopes_supported.includes('openid'));
    assert.ok(metadata.subject_types_supported.includes('public'));
    assert.ok(metadata.id_token_signing_alg_values_supported.includes('RS256'));
    assert.ok(metadata.userinfo_signing_alg_values_supported.includes('RS256'));
    assert.equal(metadata.claims_parameter_supported, true);
    assert.equal(metadata.request_parameter_supported, true);
    for (const name of ['sub', 'iss', 'auth_time', 'acr', 'name', 'email']) {
      assert.ok(metadata.claims_supported.includes(name), name);
    }
    for (const locale of metadata.ui_locales_supported) {
      assert.equal(Intl.getCanonicalLocales(locale)[0], locale);
    }
  });

  test('The metadata of a tenant omits lists without elements and contains no null values (RFC 8414 §2)', () => {
    for (const [name, value] of Object.entries(metadata)) {
      assert.notEqual(value, null, name);
      if (Array.isArray(value)) assert.ok(value.length > 0, name);
    }
  });
});

describe('the key set of a tenant', () => {
  test('The key set of a tenant has public keys alone, each with a unique id, a use and an algorithm (RFC 7517)', async () => {
    const parties = [];
    for (const alg of ['RS256', 'ES256', 'EdDSA']) {
      parties.push(await register({ id_token_signed_response_alg: alg }));
    }
    const { keys } = (await parties[0]?.keys()) ?? { keys: [] };
    assert.deepEqual(new Set(keys.map(({ alg }) => alg)), new Set(['EdDSA', 'RS256', 'ES256']));
    assert.equal(new Set(keys.map(({ kid }) => kid)).size, keys.length);
    for (const key of keys) {
      assert.equal(key.use, 'sig');
      assert.match(key.kid ?? '', /./);
      assert.throws(() => createPrivateKey({ key, format: 'jwk' }));
      assert.equal(createPublicKey({ key, format: 'jwk' }).type, 'public');
      for (const name of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']) assert.ok(!(name in key), name);
    }
  });

  test('The key set of a tenant has the key of a client before its first ID token: libraries fetch the set once', async () => {
    const other = await keywright.tenant('first-key');
    const at = { keywright, tenant: other, mode: 'query' } as const;
    const algorithms = async (party: VerifyingParty) =>
      (await party.keys()).keys.map(({ alg }) => String(alg)).toSorted();
    const party = await VerifyingParty.register(at);
    const early = await party.keys();
    assert.deepEqual(
      early.keys.map(({ alg }) => alg),
      ['EdDSA', 'RS256'],
    );
    const response = await party.logIn(party.browser(), await other.createUser());
    const body = expectStatus(200, await party.redeem(response.parameters['code'] ?? ''));
    await party.verify(String(body['id_token']), response.nonce, early);
    const change = { id_token_signed_response_alg: 'EdDSA', userinfo_signed_response_alg: 'ES256' };
    const token = await other.adminToken();
    const path = `/clients/${party.client.id}`;
    expectStatus(200, await other.request('PATCH', path, { token, body: change }));
    assert.deepEqual(await algorithms(party), ['ES256', 'EdDSA', 'RS256']);
  });
});
