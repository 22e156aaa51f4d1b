// Refresh tokens of applications are opaque. Those that were issued before are signed, and continue to work.

import assert from 'node:assert/strict';
import { createHmac, hash, randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import type { OAuthClientId, SessionId, UserId } from '@keywright/contract/ids';
import { openApplicationJwts } from '@keywright/tests/harness/application-jwts';
import { newClient, proofOf, refreshWith, UserBrowser } from '@keywright/tests/harness/code-login';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { watchStatements } from '@keywright/tests/harness/statements';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { MAC_BYTES, opaqueBytesOf, opaqueClaimsOf, opaqueOf } from '@keywright/tests/harness/token';
import {
  importPrivateKey,
  newSignatureKey,
  type SigningKey,
} from '../../../platform/crypto/jws.ts';
import { MasterKeys } from '../../../tenancy/data-keys.ts';
import {
  mintSignedToken,
  type RefreshTokenFields,
  successorJti,
} from '../../tokens/access-tokens/index.ts';

const SCOPE = { scope: 'openid email offline_access' };
const DAY_SECONDS = 86_400;
const masterKey = randomBytes(32);

let keywright: Keywright;
let signer: Awaited<ReturnType<typeof openApplicationJwts>>;
let tenants = 0;

before(async () => {
  const env = { KEYWRIGHT_MASTER_KEY: masterKey.toString('base64') };
  keywright = await startKeywright({ nodes: 2, clock: 'fake', env });
  signer = await openApplicationJwts(keywright.database.url, masterKey, keywright.clock);
});
after(async () => {
  await signer.close();
  await keywright.close();
});

const issuerOf = ({ id }: TestTenant) => `${keywright.nodes[0]?.baseUrl}/t/${id}`;

/** An application with the tokens of a new user. */
class Application {
  readonly tenant: TestTenant;
  readonly client: CreatedOAuthClient;
  readonly browser: UserBrowser;

  constructor(tenant: TestTenant, client: CreatedOAuthClient, browser: UserBrowser) {
    this.tenant = tenant;
    this.client = client;
    this.browser = browser;
  }

  static async start(of?: TestTenant): Promise<Application> {
    tenants += 1;
    const tenant = of ?? (await keywright.tenant(`opaque-${tenants}`));
    const client = await newClient(tenant);
    const user = await tenant.createUser();
    return new Application(tenant, client, new UserBrowser(tenant, issuerOf(tenant), user));
  }

  async logIn(): Promise<string> {
    return (await this.browser.tokensFor(this.client, SCOPE)).refresh_token ?? '';
  }

  refresh(token: string) {
    return refreshWith(this.tenant, this.client, token);
  }

  async refreshed(token: string): Promise<string> {
    return expectStatus(200, await this.refresh(token)).refresh_token ?? '';
  }

  async assertRefused(token: string): Promise<void> {
    const { status, body } = await this.refresh(token);
    assert.deepEqual([status, Object(body).error], [400, 'invalid_grant']);
  }

  /** Asserts that reuse of a refresh token ended the session of this one. */
  async assertEndedForReuse(token: string): Promise<void> {
    await this.assertRefused(token);
    const rows = await keywright.database.query(
      'SELECT end_reason FROM sessions WHERE tenant_id = $1 AND id = $2',
      [this.tenant.id, opaqueClaimsOf(token)['sid']],
    );
    assert.deepEqual(rows, [{ end_reason: 'refresh_token_reused' }]);
  }

  /** Issues a signed refresh token for the session of an opaque one, as the service formerly did. */
  async issueSigned(opaque: string, key: SigningKey, previous?: string): Promise<string> {
    const now = keywright.clock.now();
    const fields = { ...fieldsIn(opaque), issuedAt: now };
    const jti = previous === undefined ? fields.jti : successorJti(previous);
    const token = this.signed(key, { ...fields, jti });
    await keywright.database.query(
      `UPDATE sessions SET refresh_hash = $3, previous_refresh_hash = $4, refresh_kid = $5, refresh_issued_at = $6,
              expires_at = $7
        WHERE tenant_id = $1 AND id = $2`,
      [
        this.tenant.id,
        fields.sessionId,
        hash('sha256', token, 'buffer'),
        previous === undefined ? null : hash('sha256', previous, 'buffer'),
        key.kid,
        now,
        fields.expiresAt,
      ],
    );
    return token;
  }

  signed(key: SigningKey, fields: RefreshTokenFields): string {
    return mintSignedToken(key, { id: this.tenant.id, issuer: issuerOf(this.tenant) }, fields);
  }

  /** Rotates the signing key, and deletes the previous one. */
  async replaceSigningKey(): Promise<void> {
    const { kid } = await signer.keys.signer(this.tenant.id);
    keywright.clock.advance(1);
    const asAdmin = async (method: string, path: string) =>
      this.tenant.request(method, path, { token: await this.tenant.adminToken() });
    expectStatus(201, await asAdmin('POST', '/keys/rotate?immediately=true'));
    // Later requests need a token of the new key.
    const { token } = await this.tenant.createUser({ roles: ['admin'] });
    expectStatus(200, await this.tenant.request('DELETE', `/keys/${kid}`, { token }));
  }
}

function fieldsIn(token: string): RefreshTokenFields {
  const { jti, sub, sid, iat, exp, session_exp, client_id, scope } = opaqueClaimsOf(token);
  const dateOf = (seconds: unknown) => new Date(Number(seconds) * 1000);
  return {
    jti: String(jti),
    userId: sub as UserId,
    sessionId: sid as SessionId,
    issuedAt: dateOf(iat),
    expiresAt: dateOf(exp),
    sessionEndsAt: dateOf(session_exp),
    client: { id: client_id as OAuthClientId, scopes: String(scope).split(' '), targets: [] },
  };
}

describe('an opaque refresh token', () => {
  test('An opaque refresh token returns the same successor byte for byte within the retry window, and then ends the session', async () => {
    const app = await Application.start();
    const first = await app.logIn();
    const second = await app.refreshed(first);
    keywright.clock.advance(29);
    assert.equal(await app.refreshed(first), second);
    keywright.clock.advance(2);
    await app.assertRefused(first);
    await app.assertEndedForReuse(second);
  });

  test('An opaque refresh token that was used earlier ends the session however many tokens have followed it', async () => {
    const app = await Application.start();
    const first = await app.logIn();
    let last = await app.refreshed(first);
    for (let n = 0; n < 3; n += 1) last = await app.refreshed(last);
    await app.assertRefused(first);
    await app.assertEndedForReuse(last);
  });

  test('An opaque refresh token does not depend on signing keys: retries and the detection of reuse survive their deletion', async () => {
    const app = await Application.start();
    const first = await app.logIn();
    const second = await app.refreshed(first);
    await app.replaceSigningKey();
    assert.equal(await app.refreshed(first), second);
    const last = await app.refreshed(await app.refreshed(second));
    keywright.clock.advance(DAY_SECONDS);
    await app.assertRefused(first);
    await app.assertEndedForReuse(last);
  });

  test('An opaque refresh token has the same key after another master key wraps the data key of its tenant', async () => {
    const { id } = await keywright.tenant('opaque-rewrapped');
    const earlier = await signer.keys.refreshKey(id);
    const nextKey = randomBytes(32);
    const masterKeys = new MasterKeys([nextKey, masterKey]);
    const [row] = await keywright.database.query<{ wrapped_key: Buffer; master_key_id: string }>(
      'SELECT wrapped_key, master_key_id FROM tenant_data_keys WHERE tenant_id = $1',
      [id],
    );
    assert.ok(row);
    const dataKey = masterKeys.unwrap(id, row);
    const wrapped = masterKeys.wrap(id, dataKey, masterKeys.ids[0] ?? '');
    await keywright.database.query(
      'UPDATE tenant_data_keys SET wrapped_key = $2, master_key_id = $3 WHERE tenant_id = $1',
      [id, wrapped.wrapped_key, wrapped.master_key_id],
    );
    const later = await openApplicationJwts(keywright.database.url, nextKey, keywright.clock);
    assert.ok((await later.keys.refreshKey(id)).equals(earlier));
    await later.close();
  });

  test('An opaque refresh token of another client, or at the endpoint of direct logins, has no effect', async () => {
    const app = await Application.start();
    const other = await Application.start(app.tenant);
    const token = await app.logIn();
    await other.assertRefused(token);
    const body = { refresh_token: token };
    const direct = await app.tenant.request('POST', '/auth/refresh', { body });
    assert.equal(`${direct.status} ${Object(direct.body).code}`, '401 TOKEN_INVALID');
    await app.refreshed(token);
  });

  const ALTERATIONS: Readonly<Record<string, (bytes: Buffer) => Buffer | string>> = {
    'without its MAC': (bytes) => bytes.subarray(MAC_BYTES),
    'with nothing after the prefix': () => 'rft_',
    'with half a MAC': (bytes) => bytes.subarray(0, 16),
    'with an altered MAC': (bytes) =>
      Buffer.concat([Buffer.of((bytes[0] ?? 0) ^ 1), bytes.subarray(1)]),
    'with an altered scope': (bytes) =>
      Buffer.from(bytes.toString('latin1').replace('openid email', 'openid roles'), 'latin1'),
    'with the MAC of another key': (bytes) => {
      const claims = bytes.subarray(MAC_BYTES);
      return Buffer.concat([createHmac('sha256', 'another').update(claims).digest(), claims]);
    },
    'in another spelling': (bytes) => `${opaqueOf(bytes)}=`,
    'in capital letters': (bytes) => opaqueOf(bytes).toUpperCase(),
  };
  for (const [how, alter] of Object.entries(ALTERATIONS)) {
    test(`An opaque refresh token ${how} is rejected without a statement about its session, which it does not affect`, async () => {
      const app = await Application.start();
      const first = await app.logIn();
      const second = await app.refreshed(first);
      const statements = watchStatements();
      for (const token of [first, second]) {
        const altered = alter(opaqueBytesOf(token));
        await app.assertRefused(typeof altered === 'string' ? altered : opaqueOf(altered));
      }
      const sent = statements.sent.filter((name) => /refresh|sessions/.test(name));
      statements.stop();
      assert.deepEqual(sent, []);
      await app.refreshed(second);
    });
  }

  test('An opaque refresh token of one tenant is unknown in another tenant', async () => {
    const [app, other] = [await Application.start(), await Application.start()];
    const token = await app.logIn();
    await other.assertRefused(token);
    const body = new URLSearchParams({ token, ...proofOf(other.client) }).toString();
    const contentType = 'application/x-www-form-urlencoded';
    const options = { rawBody: body, contentType };
    const status = await other.tenant.request('POST', '/oauth/introspect', options);
    assert.deepEqual(expectStatus(200, status), { active: false });
    expectStatus(200, await other.tenant.request('POST', '/oauth/revoke', options));
    await app.refreshed(token);
  });
});

describe('a signed refresh token that was issued before', () => {
  async function signedLogin() {
    const app = await Application.start();
    const opaque = await app.logIn();
    const key = await signer.keys.signer(app.tenant.id);
    return { app, opaque, key, token: await app.issueSigned(opaque, key) };
  }

  test('A signed refresh token that was issued before rotates into an opaque one, which a retry returns byte for byte', async () => {
    const { app, token } = await signedLogin();
    const next = await app.refreshed(token);
    assert.equal(opaqueClaimsOf(next)['scope'], SCOPE.scope);
    keywright.clock.advance(29);
    assert.equal(await app.refreshed(token), next);
    await app.refreshed(next);
  });

  test('A signed refresh token that was issued before ends the session when it is used again after the retry window', async () => {
    const { app, token } = await signedLogin();
    const next = await app.refreshed(token);
    keywright.clock.advance(31);
    await app.assertRefused(token);
    await app.assertEndedForReuse(next);
  });

  test('A signed refresh token that was issued before ends the session however many opaque tokens have followed it, even if its key is deleted', async () => {
    const { app, token } = await signedLogin();
    const last = await app.refreshed(await app.refreshed(await app.refreshed(token)));
    await app.replaceSigningKey();
    await app.assertRefused(token);
    await app.assertEndedForReuse(last);
  });

  test('A signed refresh token that was issued before still returns its signed successor byte for byte', async () => {
    const { app, opaque, key, token } = await signedLogin();
    keywright.clock.advance(5);
    const successor = await app.issueSigned(opaque, key, token);
    assert.equal(await app.refreshed(token), successor);
    const next = await app.refreshed(successor);
    await app.assertRefused(token);
    await app.assertEndedForReuse(next);
  });

  test('A signed refresh token that another key forged is rejected and does not affect the session', async () => {
    const { app, opaque, key, token } = await signedLogin();
    const next = await app.refreshed(token);
    const another = importPrivateKey(newSignatureKey().privateKey);
    const fields = { ...fieldsIn(opaque), jti: 'AAAAAAAAAAAAAAAAAAAAAA' };
    await app.assertRefused(app.signed({ kid: key.kid, privateKey: another }, fields));
    await app.refreshed(next);
  });
});
