import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { importJWK, SignJWT } from 'jose';
import { expectStatus } from '../../harness/http.ts';
import { newStatementKey } from '../../harness/statement-key.ts';
import { TOKEN_ENDPOINT } from '../../harness/dpop.ts';
import type { Fapi2 } from './basics.ts';
import { type Change, type Claims, errorOf } from '../../harness/fapi2-party.ts';

const REFUSED = '401 invalid_client';

export function describeClients(fapi2: Fapi2): void {
  const redeemWith = async (change: Change) => {
    const code = await fapi2.party.code(fapi2.browser);
    return errorOf(await fapi2.party.redeem(code, {}, change));
  };
  const pushWith = async (assertion: Claims) =>
    errorOf(await fapi2.party.push(fapi2.party.request(), { assertion }));

  describe('a client assertion under FAPI 2.0', () => {
    test('ensure-client-assertion-in-token-endpoint: without one there are no tokens', async () => {
      assert.equal(await redeemWith({ proof: null }), REFUSED);
    });

    test('ensure-signed-client-assertion-with-RS256-fails: an assertion signed with PS256 by the same key is accepted', async () => {
      const key = await newStatementKey('PS256');
      const { n, e, kty, kid } = key.publicJwk;
      const party = await fapi2.register({ jwks: { keys: [{ kty, n, e, kid }] } });
      const asRs256 = await importJWK(key.privateJwk, 'RS256');
      const sign = (claims: Claims) =>
        new SignJWT({ ...claims }).setProtectedHeader({ alg: 'RS256', kid }).sign(asRs256);
      const claims = () => ({
        iss: party.client.id,
        sub: party.client.id,
        aud: party.issuer,
        jti: randomUUID(),
        exp: party.seconds + 60,
      });
      const pushed = async (proof: string) => (await party.push(party.request(), { proof })).status;
      assert.equal(await pushed(await key.sign(claims())), 201);
      assert.equal(await pushed(await sign(claims())), 401);
      const code = await fapi2.party.code(fapi2.browser);
      const proof = await sign(claims());
      assert.equal(errorOf(await party.redeem(code, {}, { proof })), REFUSED);
    });

    test('ensure-client-assertion-with-exp-is-5-minutes-in-past-fails: an expired assertion is refused', async () => {
      const exp = fapi2.party.seconds - 300;
      assert.equal(await redeemWith({ assertion: { exp } }), REFUSED);
    });

    test('ensure-client-assertion-with-wrong-aud-fails: an assertion for another audience is refused', async () => {
      const aud = 'https://other1.example.com';
      assert.equal(await redeemWith({ assertion: { aud } }), REFUSED);
    });

    test('ensure-client-assertion-with-no-sub-fails: an assertion without sub is refused', async () => {
      assert.equal(await redeemWith({ assertion: { sub: undefined } }), REFUSED);
    });

    test('par-test-array-as-audience-fails: an assertion with a list as aud is refused, even if only the issuer is in it', async () => {
      assert.equal(await pushWith({ aud: [fapi2.party.issuer] }), REFUSED);
      const both = [fapi2.party.issuer, 'https://other1.example.com'];
      assert.equal(await pushWith({ aud: both }), REFUSED);
    });

    test('par-test-par-endpoint-url-as-audience-fails: an assertion with the PAR endpoint as aud is refused', async () => {
      assert.equal(await pushWith({ aud: `${fapi2.party.issuer}/oauth/par` }), REFUSED);
    });

    test('par-test-token-endpoint-url-as-audience-fails: an assertion with the token endpoint as aud is refused', async () => {
      for (const aud of [TOKEN_ENDPOINT, `${fapi2.party.issuer}/auth/token`]) {
        assert.equal(await pushWith({ aud }), REFUSED, aud);
        assert.equal(await redeemWith({ assertion: { aud } }), REFUSED, aud);
      }
    });

    test('par-ensure-jwt-client-assertions-nbf-8-seconds-in-the-future-is-accepted: a small clock skew is tolerated', async () => {
      const time = fapi2.party.seconds + 8;
      const assertion = { iat: time, nbf: time };
      expectStatus(201, await fapi2.party.push(fapi2.party.request(), { assertion }));
    });

    test('par-ensure-jwt-client-assertions-nbf-over-60-seconds-in-the-future-fails: a large clock skew is not tolerated', async () => {
      const time = fapi2.party.seconds + 61;
      assert.equal(await pushWith({ iat: time, nbf: time, exp: time + 60 }), REFUSED);
      for (const name of ['iat', 'nbf']) assert.equal(await pushWith({ [name]: time }), REFUSED);
    });

    test('A client assertion is the only way to authenticate under FAPI 2.0, even for agents (§5.3.2.1 item 6)', async () => {
      const { agent, key } = await fapi2.tenant.createAgent({ scopes: ['read:users'] });
      const fields = { grant_type: 'client_credentials', client_id: agent.id, client_secret: key };
      const answer = await fapi2.party.postToken(fields, { proof: null });
      assert.equal(errorOf(answer), REFUSED);
    });
  });
}
