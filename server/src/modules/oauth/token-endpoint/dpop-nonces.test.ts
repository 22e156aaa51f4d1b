import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import { exchangeOf, newClient, proofOf, UserBrowser } from '@keywright/tests/harness/code-login';
import { type DpopKey, newDpopKey } from '@keywright/tests/harness/dpop';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import {
  postToken,
  oauthError,
  type TokenParameters,
} from '@keywright/tests/harness/token-endpoint';

const USERINFO = '/oauth/userinfo';
const INVALID = '400 invalid_dpop_proof DPOP_INVALID';
const NONCE_REQUIRED = '400 use_dpop_nonce DPOP_NONCE_REQUIRED';
const CHALLENGE = 'DPoP error="use_dpop_nonce", algs="EdDSA Ed25519 ES256"';
const ON = { config: { oauth_dpop_nonces: true } };

let keywright: Keywright;
let strict: TestTenant;
let person: TestUser;
let app: CreatedOAuthClient;
let key: DpopKey;

before(async () => {
  keywright = await startKeywright({ nodes: 2, clock: 'fake' });
  strict = await keywright.tenant('dpop-nonces', ON);
  person = await strict.createUser();
  app = await newClient(strict);
  key = await newDpopKey(() => keywright.clock.now());
});
after(() => keywright.close());

function requestToken(fields: TokenParameters, dpop: string, node = 0, of = strict) {
  return postToken(of, fields, { headers: { dpop }, node });
}

async function parameters(of = strict, by = person, at = app): Promise<TokenParameters> {
  const browser = new UserBrowser(of, `https://id.example.com/t/${of.id}`, by);
  const code = await browser.codeFor(at, { scope: 'openid' });
  return { ...exchangeOf(code), ...proofOf(at) };
}

const withNonce = (nonce: unknown) => key.prove({ claims: { nonce } });

async function nonceOf(of = strict): Promise<string> {
  const answer = await requestToken({ grant_type: 'authorization_code' }, await key.prove(), 0, of);
  return String(answer.headers['dpop-nonce']);
}

describe('oauth_dpop_nonces: a nonce of the service', () => {
  test('A nonce is sent when a proof lacks it, and with every response to a proof (RFC 9449 §8)', async () => {
    const fields = await parameters();
    const refused = await requestToken(fields, await key.prove());
    assert.equal(oauthError(refused), NONCE_REQUIRED);
    const nonce = refused.headers['dpop-nonce'];
    const answer = await requestToken(fields, await withNonce(nonce), 1);
    assert.equal(answer.status, 200, 'at another node, too');
    assert.equal(answer.headers['dpop-nonce'], nonce);
    assert.equal(refused.headers['access-control-expose-headers'], '*');
  });

  test('A nonce is valid for a minute or two, and only in its tenant', async () => {
    const elsewhere = await keywright.tenant('dpop-others', {
      config: { oauth_dpop_nonces: true },
    });
    const foreign = await nonceOf(elsewhere);
    const nonce = await nonceOf();
    for (const wrong of [
      foreign,
      `${nonce.slice(0, -1)}!`,
      '',
      nonce.slice(1),
      'AAAAAAAAAAAAAAAAAAAAAA',
    ]) {
      const answer = await requestToken(await parameters(), await withNonce(wrong));
      assert.equal(oauthError(answer), NONCE_REQUIRED, wrong);
    }
    assert.equal(oauthError(await requestToken(await parameters(), await withNonce(7))), INVALID);
    keywright.clock.advance(60);
    assert.equal((await requestToken(await parameters(), await withNonce(nonce))).status, 200);
    keywright.clock.advance(60);
    const stale = await requestToken(await parameters(), await withNonce(nonce));
    assert.equal(oauthError(stale), NONCE_REQUIRED);
    assert.notEqual(stale.headers['dpop-nonce'], nonce);
  });

  test('A nonce is required where a bound token is used', async () => {
    const nonce = await nonceOf();
    const { access_token: token } = expectStatus(
      200,
      await requestToken(await parameters(), await withNonce(nonce)),
    );
    const send = async (claims: object) =>
      strict.request('GET', USERINFO, {
        headers: {
          authorization: `DPoP ${token}`,
          dpop: await key.prove({
            htm: 'GET',
            htu: `https://id.example.com${USERINFO}`,
            accessToken: token,
            claims: { ...claims },
          }),
        },
      });
    const refused = await send({});
    assert.equal(refused.status, 401);
    assert.equal(refused.headers['www-authenticate'], CHALLENGE);
    assert.equal((await send({ nonce: refused.headers['dpop-nonce'] })).status, 200);
  });

  test('A nonce is neither sent nor checked in a tenant that does not require one', async () => {
    const calm = await keywright.tenant('dpop-calm');
    const fields = await parameters(calm, await calm.createUser(), await newClient(calm));
    const answer = await requestToken(fields, await withNonce('of another time'), 0, calm);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers['dpop-nonce'], undefined);
  });
});
