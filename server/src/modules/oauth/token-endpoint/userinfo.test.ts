import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import {
  type TestApplication,
  openApplication,
  registerClient,
} from '@keywright/tests/harness/application';
import { type Answer, type JsonBody, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { watchStatements } from '@keywright/tests/harness/statements';
import type { RequestToNode, TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { type JSONWebKeySet, createLocalJWKSet, jwtVerify } from 'jose';

const USERINFO = '/oauth/userinfo';
const FORM = 'application/x-www-form-urlencoded';
const INVALID = 'Bearer error="invalid_token"';

let keywright: Keywright;
let tenant: TestTenant;
let user: TestUser;
let clientId: string;

before(async () => {
  keywright = await startKeywright({ nodes: 2 });
  tenant = await keywright.tenant('userinfo');
  user = await tenant.createUser({ identifier: 'ada@example.com' });
  const body = {
    name: 'Ada Lovelace',
    picture: 'https://cdn.example.com/ada.png',
    metadata: {
      name: 'Countess',
      picture: 'https://example.com',
      given_name: 'Ada',
      locale: 7,
      plan: 'team',
    },
    user_metadata: { family_name: 'Byron' },
  };
  await change(`/users/${user.user.id}`, body);
  clientId = await registerClient(tenant);
});

after(() => keywright.close());

async function change(path: string, body: object, method = 'PATCH'): Promise<void> {
  expectStatus(200, await tenant.request(method, path, { token: await tenant.adminToken(), body }));
}

function open(scopes: readonly string[], more: object = {}): Promise<TestApplication> {
  return openApplication(keywright, tenant, { user, clientId, scopes, ...more });
}

function getUserinfo(
  token: string,
  options: RequestToNode = {},
): Promise<Answer<JsonBody & ErrorBody>> {
  return tenant.request('GET', USERINFO, { token, ...options });
}

async function assertRejected(
  answer: Answer<JsonBody & ErrorBody>,
  status: number,
  challenge: string | undefined,
): Promise<void> {
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.headers['www-authenticate'], challenge);
}

async function lastChange(): Promise<number> {
  const [row] = await keywright.database.query(
    'SELECT floor(extract(epoch FROM updated_at)) AS at FROM users WHERE id = $1',
    [user.user.id],
  );
  return Number(row?.['at']);
}

async function keySet(): Promise<JSONWebKeySet> {
  return expectStatus(200, await tenant.request<JSONWebKeySet>('GET', '/.well-known/jwks.json'));
}

describe('the userinfo endpoint', () => {
  const EMAIL = { email: 'ada@example.com', email_verified: false };
  const PROFILE = {
    name: 'Ada Lovelace',
    picture: 'https://cdn.example.com/ada.png',
    given_name: 'Ada',
  };

  test('Userinfo has the claims of the scopes, and none of a wrong type or written by users themselves (OpenID Connect Core §5.4)', async () => {
    const sub = user.user.id;
    const profile = { ...PROFILE, updated_at: await lastChange() };
    for (const [scopes, claims] of [
      [['openid'], {}],
      [['openid', 'email'], EMAIL],
      [['openid', 'profile'], profile],
      [['openid', 'profile', 'email', 'phone', 'offline_access'], { ...profile, ...EMAIL }],
    ] as const) {
      const { token } = await open(scopes);
      assert.deepEqual(expectStatus(200, await getUserinfo(token)), { sub, ...claims });
    }
  });

  test('Userinfo also has claims that the client requested by name (OpenID Connect Core §5.5)', async () => {
    const { token } = await open(['openid'], { claims: ['name', 'email_verified', 'plan'] });
    const { sub, ...claims } = expectStatus(200, await getUserinfo(token));
    assert.equal(sub, user.user.id);
    assert.deepEqual(claims, { name: 'Ada Lovelace', email_verified: false });
  });

  test('Userinfo accepts the token in the header, by GET and POST, or in a form, at both addresses (OpenID Connect Core §5.3.1)', async () => {
    const { token } = await open(['openid']);
    const form = { rawBody: `access_token=${token}`, contentType: FORM };
    const named = `/t/${tenant.id}${USERINFO}`;
    for (const path of [USERINFO, named]) {
      for (const [method, options] of [
        ['GET', { token }],
        ['GET', { headers: { authorization: `bearer ${token}` } }],
        ['POST', { token }],
        ['POST', { token, rawBody: '', contentType: FORM }],
        ['POST', form],
      ] as const) {
        const answer = await tenant.request(method, path, options);
        assert.deepEqual(expectStatus(200, answer), { sub: user.user.id }, `${method} ${path}`);
        assert.equal(answer.headers['access-control-allow-origin'], '*');
        assert.equal(answer.headers['cache-control'], 'no-store');
      }
    }
    const twice = await tenant.request<ErrorBody>('POST', USERINFO, { token, ...form });
    assert.equal(expectStatus(400, twice).code, 'VALIDATION_FAILED');
    const query = await tenant.request('GET', `${USERINFO}?access_token=${token}`);
    assert.equal(query.status, 401);
  });

  test('Userinfo takes one statement', async () => {
    const { token } = await open(['openid']);
    await getUserinfo(token);
    const statements = watchStatements({ untilAnswered: true });
    try {
      expectStatus(200, await getUserinfo(token));
      assert.deepEqual(statements.sent, ['kw_userinfo']);
    } finally {
      statements.stop();
    }
  });

  test('Userinfo rejects tokens without openid, of users themselves, and of agents', async () => {
    const lacking = 'Bearer error="insufficient_scope", scope="openid"';
    const app = await open(['openid', 'email']);
    const tokens = ['email', 'email openid2'].map((scope) => app.tokenFor(scope));
    for (const token of [...tokens, user.token]) {
      await assertRejected(await getUserinfo(token), 403, lacking);
    }
    const { key } = await tenant.createAgent();
    await assertRejected(await getUserinfo(key), 401, INVALID);
    await assertRejected(await getUserinfo(user.refreshToken), 401, INVALID);
    await assertRejected(await tenant.request('GET', USERINFO), 401, 'Bearer');
    const rawBody = `access_token=${user.refreshToken}`;
    const sent = await tenant.request<JsonBody & ErrorBody>('POST', USERINFO, {
      rawBody,
      contentType: FORM,
    });
    await assertRejected(sent, 401, INVALID);
  });

  test('Userinfo rejects tokens of another tenant', async () => {
    const other = await keywright.tenant('userinfo-elsewhere');
    const { token } = await open(['openid']);
    const answer = await other.request<JsonBody & ErrorBody>('GET', USERINFO, { token });
    await assertRejected(answer, 401, INVALID);
    assert.equal(answer.body.code, 'TENANT_MISMATCH');
  });
});

describe('an access token of an application is rejected immediately at the userinfo endpoint, on every node,', () => {
  const ENDS: Readonly<
    Record<
      string,
      (at: { sessionId: string; clientId: string; person: TestUser }) => Promise<unknown>
    >
  > = {
    'when its session is revoked': ({ sessionId }) =>
      change(`/sessions/${sessionId}`, {}, 'DELETE'),
    'when its user is deactivated': ({ person }) =>
      change(`/users/${person.user.id}`, { is_active: false }),
    'when the permissions of its user change': ({ person }) =>
      change(`/users/${person.user.id}`, { roles: ['admin'] }),
    'when its client is deactivated': ({ clientId: id }) =>
      change(`/clients/${id}`, { is_active: false }),
    'when its client is deleted': ({ clientId: id }) => change(`/clients/${id}`, {}, 'DELETE'),
  };
  for (const [when, end] of Object.entries(ENDS)) {
    test(when, async () => {
      const [person, id] = [await tenant.createUser(), await registerClient(tenant)];
      const { sessionId, token } = await open(['openid'], { user: person, clientId: id });
      for (const node of [0, 1]) expectStatus(200, await getUserinfo(token, { node }));
      await end({ sessionId, clientId: id, person });
      for (const node of [0, 1])
        await assertRejected(await getUserinfo(token, { node }), 401, INVALID);
    });
  }

  test('A token with another user, client or version of the session is rejected', async () => {
    const { token } = await open(['openid']);
    const [other, another] = [await tenant.createUser(), await registerClient(tenant)];
    const mine = await open(['openid'], { user: other, clientId: another });
    expectStatus(200, await getUserinfo(mine.token));
    // Validly signed: only the SQL statement can detect the mismatch.
    for (const difference of [
      `user_id = '${user.user.id}'`,
      `client_id = '${clientId}'`,
      'access_version = 7',
    ]) {
      const { sessionId, token: mismatched } = await open(['openid'], {
        user: other,
        clientId: another,
      });
      const set = `UPDATE sessions SET ${difference} WHERE id = $1`;
      await keywright.database.query(set, [sessionId]);
      await assertRejected(await getUserinfo(mismatched), 401, INVALID);
    }
    expectStatus(200, await getUserinfo(token));
  });
});

describe('a client that registered an algorithm', () => {
  for (const alg of ['RS256', 'ES256', 'EdDSA'] as const) {
    test(`A client that registered an algorithm gets a JWT for itself, which the key set verifies: ${alg} (OpenID Connect Core §5.3.2)`, async () => {
      const id = await registerClient(tenant, { userinfo_signed_response_alg: alg });
      const { token } = await open(['openid', 'email'], { clientId: id });
      const answers = await Promise.all([0, 1, 0, 1].map((node) => getUserinfo(token, { node })));
      for (const answer of answers) {
        assert.equal(answer.status, 200, answer.text);
        assert.equal(answer.headers['content-type'], 'application/jwt');
        const rules = {
          issuer: `https://id.example.com/t/${tenant.id}`,
          audience: id,
          typ: 'JWT',
          algorithms: [alg],
        };
        const { payload } = await jwtVerify(answer.text, createLocalJWKSet(await keySet()), rules);
        assert.deepEqual([payload.sub, payload['email']], [user.user.id, 'ada@example.com']);
        // The userinfo JWT is not accepted as an access token.
        expectStatus(401, await tenant.request('GET', '/me', { token: answer.text }));
      }
      // Both nodes needed the first key at the same time, and only one was created.
      const kids = (await keySet()).keys.filter((key) => key.alg === alg && key.kid);
      assert.equal(kids.length, alg === 'EdDSA' ? 2 : 1);
    });
  }
});

describe('a client with pairwise subjects', () => {
  const subjectOf = async (fields: object, person = user): Promise<string> => {
    const id = await registerClient(tenant, fields);
    const { token } = await open(['openid'], { user: person, clientId: id });
    return String(expectStatus(200, await getUserinfo(token))['sub']);
  };
  const at = (host: string) => ({
    subject_type: 'pairwise',
    redirect_uris: [`https://${host}/callback`, `https://${host}/other`],
  });

  test('A pairwise client knows a user by its own subject, which clients on one host share (OpenID Connect Core §8.1)', async () => {
    const subject = await subjectOf(at('one.example.com'));
    assert.match(subject, /^[\w-]{43}$/);
    assert.equal(await subjectOf(at('one.example.com')), subject);
    assert.notEqual(await subjectOf(at('two.example.com')), subject);
    assert.notEqual(await subjectOf(at('one.example.com'), await tenant.createUser()), subject);
    assert.equal(await subjectOf({}), user.user.id);
  });

  test('A pairwise client has all its redirect addresses on one host of its own', async () => {
    const token = await tenant.adminToken();
    for (const redirect_uris of [
      ['https://one.example.com/a', 'https://two.example.com/a'],
      ['http://127.0.0.1/a'],
    ]) {
      const body = { name: 'Odd', kind: 'native', subject_type: 'pairwise', redirect_uris };
      const answer = await tenant.request<ErrorBody>('POST', '/clients', { token, body });
      const { code, errors } = expectStatus(400, answer);
      assert.deepEqual([code, errors?.[0]?.path], ['VALIDATION_FAILED', '/subject_type']);
    }
  });
});
