import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { AgentRecord } from '@keywright/contract/records/agent';
import type { AgentTrust } from '@keywright/contract/records/agent-proofs';
import { GRANT_TYPE, TOKEN_TYPE } from '@keywright/contract/routes/token';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import {
  answerJson,
  type OutsideIssuer,
  startOutsideIssuer,
} from '@keywright/tests/harness/outside-issuer';
import { newStatementKey, type StatementKey } from '@keywright/tests/harness/statement-key';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';
import { postToken, oauthError } from '@keywright/tests/harness/token-endpoint';
import { until } from '@keywright/tests/harness/until';

const REFUSED = '400 invalid_grant GRANT_INVALID';
const AUDIENCE = 'https://id.example.com';
const SUBJECT = 'repo:octo/garden:ref:refs/heads/main';

let keywright: Keywright;
let tenant: TestTenant;
let key: StatementKey;
let issuer: OutsideIssuer;
let agent: AgentRecord;

before(async () => {
  keywright = await startKeywright({
    clock: 'fake',
    env: { KEYWRIGHT_EGRESS_ALLOW: 'localhost' },
  });
  tenant = await keywright.tenant('garden');
  key = await newStatementKey('RS256');
  issuer = await startOutsideIssuer([key], 'localhost');
  agent = await newAgent([trust()]);
});

// Earlier failures no longer count.
beforeEach(() => keywright.clock.advance(61));

after(async () => {
  await keywright.close();
  await issuer.close();
});

function trust(changed: Partial<AgentTrust> = {}): AgentTrust {
  return { issuer: issuer.url, audience: AUDIENCE, subject: SUBJECT, ...changed };
}

async function newAgent(trusts: readonly AgentTrust[], at = tenant): Promise<AgentRecord> {
  const body = { name: 'deployer', scopes: ['read:users', 'write:releases'], trusts };
  const token = await at.adminToken();
  return expectStatus(201, await at.request<AgentRecord>('POST', '/agents', { token, body }));
}

async function change(id: string, body: object) {
  const token = await tenant.adminToken();
  return tenant.request<ErrorBody & AgentRecord>('PATCH', `/agents/${id}`, { token, body });
}

function nowSeconds(): number {
  return Math.floor(keywright.clock.now().getTime() / 1000);
}

function claims(changed: object = {}): object {
  return {
    iss: issuer.url,
    sub: SUBJECT,
    aud: AUDIENCE,
    jti: randomUUID(),
    iat: nowSeconds(),
    exp: nowSeconds() + 300,
    repository: 'octo/garden',
    ...changed,
  };
}

/** By RFC 7523. */
function present(assertion: string, clientId: string = agent.id, more: object = {}) {
  const parameters = { grant_type: GRANT_TYPE.jwtBearer, client_id: clientId, assertion, ...more };
  return postToken(tenant, parameters);
}

/** By RFC 8693. */
function exchange(token: string, type: string, more: object = {}) {
  const subject = { subject_token: token, subject_token_type: type };
  const grant = { grant_type: GRANT_TYPE.tokenExchange, client_id: agent.id };
  return postToken(tenant, { ...grant, ...subject, ...more });
}

describe('a workload with the token of an issuer that the agent trusts', () => {
  test('A workload with a token of a trusted issuer gets a token of the agent, without any secret', async () => {
    const answer = await present(await key.sign(claims()), agent.id, { scope: 'write:releases' });
    const { access_token: token, ...rest } = expectStatus(200, answer);
    assert.deepEqual(rest, { token_type: 'Bearer', expires_in: 3600, scope: 'write:releases' });
    const { sub, client_id: clientId, key_id: keyId, workspace_id: workspace } = claimsOf(token);
    assert.deepEqual(
      [sub, clientId, keyId, workspace],
      [agent.id, agent.id, undefined, 'ws_default'],
    );
    assert.equal((await tenant.request('GET', '/me', { token })).body['id'], agent.id);
    const wide = await present(await key.sign(claims()), agent.id, { scope: 'write:users' });
    assert.equal(oauthError(wide), '400 invalid_scope SCOPE_INVALID');
  });

  test('A workload can also get a token of the agent by token exchange (RFC 8693)', async () => {
    for (const type of [TOKEN_TYPE.jwt, TOKEN_TYPE.idToken]) {
      const answer = expectStatus(200, await exchange(await key.sign(claims()), type));
      assert.equal(answer.issued_token_type, TOKEN_TYPE.accessToken);
      assert.equal(claimsOf(answer.access_token).sub, agent.id);
    }
    const stranger = await newStatementKey('RS256');
    const refused = await exchange(await stranger.sign(claims(), { kid: key.kid }), TOKEN_TYPE.jwt);
    assert.equal(oauthError(refused), '400 invalid_request EXCHANGE_REFUSED');
  });

  test('A workload gets a token of the agent if other claims identify it', async () => {
    const claimRules = { repository: ['octo/lawn', 'octo/garden'], environment: 'production' };
    const { subject: _, ...anySubject } = trust();
    const { id } = await newAgent([
      trust({ subject: 'other' }),
      { ...anySubject, claims: claimRules },
    ]);
    const good = await key.sign(claims({ environment: 'production' }));
    expectStatus(200, await present(good, id));
    for (const changed of [{}, { environment: 'staging' }, { environment: ['production'] }]) {
      assert.equal(oauthError(await present(await key.sign(claims(changed)), id)), REFUSED);
    }
  });

  test('A workload can present its token once, unless the trust says otherwise', async () => {
    const once = await key.sign(claims());
    expectStatus(200, await present(once));
    assert.equal(oauthError(await present(once)), REFUSED);
    const { id } = await newAgent([trust({ single_use: false })]);
    const often = await key.sign(claims());
    for (let use = 0; use < 3; use += 1) expectStatus(200, await present(often, id));
    const nameless = await key.sign(claims({ jti: undefined }));
    for (let use = 0; use < 2; use += 1) expectStatus(200, await present(nameless));
  });

  test('A workload continues to get tokens when the issuer has new keys', async () => {
    const next = await newStatementKey('EdDSA');
    issuer.keys = [next, key];
    keywright.clock.advance(31);
    expectStatus(200, await present(await next.sign(claims())));
    expectStatus(200, await present(await key.sign(claims())));
  });

  test('A workload loses its tokens when it is no longer trusted', async () => {
    const { id } = await newAgent([trust()]);
    const { access_token: token } = expectStatus(200, await present(await key.sign(claims()), id));
    expectStatus(200, await change(id, { trusts: [] }));
    expectStatus(401, await tenant.request('GET', '/me', { token }));
    assert.equal(oauthError(await present(await key.sign(claims()), id)), REFUSED);
  });
});

describe('a token of an external issuer is rejected', () => {
  const wrong: Readonly<Record<string, () => object>> = {
    'of another issuer': () => ({ iss: 'https://other.example.com' }),
    'of an issuer with a slash more': () => ({ iss: `${issuer.url}/` }),
    'for another audience': () => ({ aud: 'https://id.example.org' }),
    'for other audiences besides': () => ({ aud: [AUDIENCE, 'https://id.example.org'] }),
    'without an audience': () => ({ aud: undefined }),
    'of another subject': () => ({ sub: 'repo:octo/garden:pull_request' }),
    'of no subject': () => ({ sub: undefined }),
    'that has expired': () => ({ exp: nowSeconds() - 11 }),
    'that never expires': () => ({ exp: undefined }),
    'of later': () => ({ nbf: nowSeconds() + 60 }),
    'made later': () => ({ iat: nowSeconds() + 60 }),
  };
  for (const [what, changed] of Object.entries(wrong)) {
    test(what, async () => {
      assert.equal(oauthError(await present(await key.sign(claims(changed())))), REFUSED);
    });
  }

  test('A token of an external issuer is rejected without a signature, with a MAC under the public key, or from another signer', async () => {
    const [header = '', payload = ''] = (await key.sign(claims())).split('.');
    const forged = (fields: object, sign: (input: string) => string) => {
      const head = { ...JSON.parse(Buffer.from(header, 'base64url').toString()), ...fields };
      const input = `${Buffer.from(JSON.stringify(head)).toString('base64url')}.${payload}`;
      return `${input}.${sign(input)}`;
    };
    const mac = (secret: string) => (input: string) =>
      createHmac('sha256', secret).update(input).digest('base64url');
    const stranger = await newStatementKey('RS256');
    const tokens = [
      forged({ alg: 'none' }, () => ''),
      forged({ alg: 'none' }, () => 'AA'),
      forged({ alg: 'HS256' }, mac(JSON.stringify(key.publicJwk))),
      forged({ alg: 'HS256' }, mac(key.publicJwk.n ?? '')),
      forged({ alg: 'RS256' }, mac(key.publicJwk.n ?? '')),
      await stranger.sign(claims(), { kid: key.kid }),
      await stranger.sign(claims()),
      await key.sign(claims(), { typ: 'at+jwt' }),
    ];
    for (const token of tokens) assert.equal(oauthError(await present(token)), REFUSED);
  });

  test('A token of an external issuer is rejected with the same response for every agent, whatever is wrong', async () => {
    const good = await key.sign(claims());
    const inactive = await newAgent([trust()]);
    expectStatus(200, await change(inactive.id, { is_active: false }));
    const foreign = await newAgent([trust()], await keywright.tenant('garden-2'));
    const trustless = await newAgent([]);
    const answers = [
      await present('x'),
      await present(await key.sign(claims({ iss: 'https://other.example.com' }))),
      await present(good, 'service:00000000000000000000000000'),
      await present(good, 'unknown'),
      await present(good, foreign.id),
      await present(good, inactive.id),
      await present(good, trustless.id),
    ];
    for (const answer of answers) {
      assert.equal(oauthError(answer), REFUSED);
      assert.equal(answer.text, answers[0]?.text);
    }
    expectStatus(200, await present(good));
  });

  test('A token of an external issuer is rejected together with other client authentication', async () => {
    const { key: secret } = await tenant.createApiKey(agent.id);
    const answer = await present(await key.sign(claims()), agent.id, { client_secret: secret });
    assert.equal(oauthError(answer), '400 invalid_request VALIDATION_FAILED');
    const nothing = { grant_type: GRANT_TYPE.jwtBearer, client_id: agent.id };
    const none = await postToken(tenant, nothing);
    assert.equal(oauthError(none), '400 invalid_request VALIDATION_FAILED');
  });
});

describe('an issuer', () => {
  test('An issuer that misbehaves delays only its own callers', async () => {
    const bad = await startOutsideIssuer([key], 'localhost');
    const { id } = await newAgent([trust({ issuer: bad.url })]);
    let giveUp: (() => void) | undefined;
    bad.discovery = (_request, response) => {
      giveUp = () => void response.destroy();
    };
    const slow = present(await key.sign(claims({ iss: bad.url })), id);
    await until('the issuer was asked', () => giveUp !== undefined);
    expectStatus(200, await present(await key.sign(claims())));
    giveUp?.();
    assert.equal(oauthError(await slow), REFUSED);
    await bad.close();
  });

  test('An issuer is not contacted for an agent that does not trust it', async () => {
    const unasked = await startOutsideIssuer([key], 'localhost');
    assert.equal(oauthError(await present(await key.sign(claims({ iss: unasked.url })))), REFUSED);
    assert.equal(unasked.requestCount, 0);
    await unasked.close();
  });

  test('An issuer supplies keys only for its own tokens, if an agent trusts several issuers', async () => {
    const second = await newStatementKey();
    const other = await startOutsideIssuer([second], 'localhost');
    const { id } = await newAgent([trust(), trust({ issuer: other.url })]);
    expectStatus(200, await present(await key.sign(claims()), id));
    expectStatus(200, await present(await second.sign(claims({ iss: other.url })), id));
    assert.equal(oauthError(await present(await second.sign(claims()), id)), REFUSED);
    await other.close();
  });

  test('An issuer cannot vouch for tokens of another issuer', async () => {
    const liar = await startOutsideIssuer([await newStatementKey()], 'localhost');
    liar.discovery = (_request, response) =>
      answerJson(response, { issuer: issuer.url, jwks_uri: `${issuer.url}/keys` });
    const { id } = await newAgent([trust({ issuer: liar.url })]);
    assert.equal(oauthError(await present(await key.sign(claims({ iss: liar.url })), id)), REFUSED);
    await liar.close();
  });
});

describe('the trusts of an agent', () => {
  test('The trusts of an agent are shown as they were configured', async () => {
    const { trusts } = await newAgent([trust({ single_use: false, claims: { ref: ['a', 'b'] } })]);
    assert.deepEqual(trusts, [trust({ single_use: false, claims: { ref: ['a', 'b'] } })]);
  });

  test('The trusts of an agent are rejected if they trust too many callers, or an unreachable issuer', async () => {
    const { subject: _, ...anySubject } = trust();
    const github = 'https://token.actions.githubusercontent.com';
    const cases: readonly (readonly [object, string])[] = [
      [anySubject, '/trusts/0'],
      [{ ...anySubject, claims: {} }, '/trusts/0/claims'],
      [{ ...anySubject, issuer: github, claims: { ref: 'refs/heads/main' } }, '/trusts/0'],
      [trust({ issuer: 'http://issuer.example.com' }), '/trusts/0/issuer'],
      [trust({ issuer: 'https://10.0.0.1' }), '/trusts/0/issuer'],
      [trust({ issuer: 'https://user:secret@issuer.example.com' }), '/trusts/0/issuer'],
      [trust({ issuer: 'https://issuer.example.com?tenant=1' }), '/trusts/0/issuer'],
      [trust({ issuer: 'file:///etc/passwd' }), '/trusts/0/issuer'],
      [trust({ audience: '' }), '/trusts/0/audience'],
      [{ ...trust(), anything: true }, '/trusts/0/anything'],
    ];
    for (const [invalidTrust, path] of cases) {
      const { code, errors = [] } = expectStatus(
        400,
        await change(agent.id, { trusts: [invalidTrust] }),
      );
      assert.equal(code, 'VALIDATION_FAILED');
      assert.ok(
        errors.some((error) => error.path === path),
        JSON.stringify([invalidTrust, errors]),
      );
    }
    const many = Array.from({ length: 11 }, () => trust());
    expectStatus(400, await change(agent.id, { trusts: many }));
  });
});
