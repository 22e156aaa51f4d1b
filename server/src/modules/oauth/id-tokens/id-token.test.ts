import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type OAuthClientId, parseUserId, type SessionId } from '@keywright/contract/ids';
import type { OAuthClientRecord } from '@keywright/contract/records/oauth-client';
import { KEY_ALGORITHMS } from '@keywright/contract/records/signing-key';
import { openApplicationJwts } from '@keywright/tests/harness/application-jwts';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { payloadOf } from '@keywright/tests/harness/token';
import { until } from '@keywright/tests/harness/until';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { IdTokens, SubjectIdentifiers } from './id-tokens.ts';

const MASTER_KEY = randomBytes(32);
const USER = parseUserId('user:01m817qnm0e599bza8yqh63kxq');
const SESSION = 'session:01m8184fs0eaf81caj1xgnzy8b' as SessionId;
const CLIENT = 'client_01m81ehc7wfj4r8d2n6y0s5t3b' as OAuthClientId;
const ACCESS_TOKEN = 'eyJhbGciOiJFZERTQSJ9.e30.x';

let keywright: Keywright;
let tenant: TestTenant;
let parts: Awaited<ReturnType<typeof openApplicationJwts>>;
let idTokens: IdTokens;

before(async () => {
  const env = { KEYWRIGHT_MASTER_KEY: MASTER_KEY.toString('base64') };
  keywright = await startKeywright({ env, clock: 'fake' });
  tenant = await keywright.tenant('id-tokens');
  const { clock, database } = keywright;
  parts = await openApplicationJwts(database.url, MASTER_KEY, clock);
  idTokens = new IdTokens(parts.jwts, new SubjectIdentifiers(parts.keys), clock);
});

after(async () => {
  await parts.close();
  await keywright.close();
});

function asTenant(): Tenant {
  return { id: tenant.id, issuer: `https://id.example.com/t/${tenant.id}` } as Tenant;
}

/** Issues an ID token, by default for a client that requested only `openid`. */
function mint(client: Partial<OAuthClientRecord> = {}, login: object = {}): Promise<string> {
  assert.ok(USER);
  return idTokens.issue({
    tenant: asTenant(),
    client: {
      id: CLIENT,
      redirect_uris: ['https://app.example.com/callback'],
      sector_identifier_uri: null,
      subject_type: 'public',
      id_token_signed_response_alg: 'RS256',
      id_token_claims: true,
      ...client,
    },
    user: {
      id: USER,
      identifiers: [{ type: 'email', identifier: 'ada@example.com', verified: true }],
      name: 'Ada',
      picture: null,
      metadata: { name: 'Countess', sub: 'user:root', acr: 'phr' },
      updated_at: 1_767_225_600,
    },
    sessionId: SESSION,
    nonce: 'n-0S6_WzA2Mj',
    authTime: new Date(keywright.clock.now().getTime() - 30_000),
    acr: 'aal1',
    amr: ['pwd'],
    accessToken: ACCESS_TOKEN,
    scopes: ['openid'],
    requestedClaims: [],
    ...login,
  });
}

function nowSeconds(): number {
  return Math.floor(keywright.clock.now().getTime() / 1000);
}

async function keySet() {
  const answer = await tenant.request<JSONWebKeySet>('GET', '/.well-known/jwks.json');
  return createLocalJWKSet(expectStatus(200, answer));
}

describe('an ID token', () => {
  for (const alg of KEY_ALGORITHMS) {
    test(`An ID token describes the user and the login, and the key set verifies it: ${alg} (OpenID Connect Core §2, §3.1.3.6)`, async () => {
      const jwt = await mint({ id_token_signed_response_alg: alg });
      const rules = {
        issuer: asTenant().issuer,
        audience: CLIENT,
        typ: 'JWT',
        algorithms: [alg],
        currentDate: keywright.clock.now(),
      };
      const { payload } = await until('the key is published', async () =>
        jwtVerify(jwt, await keySet(), rules).catch(() => undefined),
      );
      const digest = createHash(alg === 'EdDSA' ? 'sha512' : 'sha256')
        .update(ACCESS_TOKEN)
        .digest();
      const iat = nowSeconds();
      assert.deepEqual(payload, {
        iss: asTenant().issuer,
        sub: USER,
        aud: CLIENT,
        iat,
        exp: iat + 600,
        auth_time: iat - 30,
        nonce: 'n-0S6_WzA2Mj',
        acr: 'aal1',
        amr: ['pwd'],
        sid: SESSION,
        at_hash: digest.subarray(0, digest.length / 2).toString('base64url'),
      });
      const verified = await parts.jwts.verify(asTenant(), jwt, {
        kind: 'ID token',
        allowExpired: false,
        retiredToo: false,
      });
      assert.deepEqual(verified, payload);
      // The ID token is not accepted as an access token.
      expectStatus(401, await tenant.request('GET', '/me', { token: jwt }));
    });
  }

  test('An ID token has no nonce if the request had none', async () => {
    const claims = payloadOf(await mint({}, { nonce: undefined })) as object;
    assert.equal(Object.hasOwn(claims, 'nonce'), false);
  });

  test('An ID token has the claims of the scopes if its client is set so, and always those requested by name', async () => {
    const scopes = ['openid', 'profile', 'email'];
    const includedClaims = async (client: object, login: object) => {
      const all = payloadOf(await mint(client, login)) as Record<string, unknown>;
      assert.deepEqual([all['sub'], all['acr']], [USER, 'aal1'], 'metadata takes no place of them');
      return ['name', 'email', 'email_verified'].filter((name) => Object.hasOwn(all, name));
    };
    assert.deepEqual(await includedClaims({}, { scopes }), ['name', 'email', 'email_verified']);
    assert.deepEqual(await includedClaims({ id_token_claims: false }, { scopes }), []);
    const requestedClaims = ['name', 'sub', 'acr'];
    assert.deepEqual(
      await includedClaims({ id_token_claims: false }, { scopes, requestedClaims }),
      ['name'],
    );
    assert.deepEqual(await includedClaims({}, { requestedClaims }), ['name']);
  });

  test('An ID token of a pairwise client has the subject of that client (OpenID Connect Core §8)', async () => {
    const subjectAt = async (host: string) => {
      const redirect_uris = [`https://${host}/callback`];
      const jwt = await mint({ subject_type: 'pairwise', redirect_uris });
      return (payloadOf(jwt) as { sub: string }).sub;
    };
    const subject = await subjectAt('one.example.com');
    assert.match(subject, /^[\w-]{43}$/);
    assert.equal(await subjectAt('one.example.com'), subject);
    assert.notEqual(await subjectAt('two.example.com'), subject);
  });
});
