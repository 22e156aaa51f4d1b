import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { AgentRecord } from '@keywright/contract/records/agent';
import type { IdentityProviderRecord } from '@keywright/contract/records/identity-provider';
import { ASSERTION_GRANT } from '@keywright/contract/records/client-grants';
import { type CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import { CLIENT_ASSERTION_TYPE } from '@keywright/contract/routes/client-authentication';
import { GRANT_TYPE } from '@keywright/contract/routes/token';
import { newClient, proofOf, UserBrowser } from '@keywright/tests/harness/code-login';
import { createUserWith } from '@keywright/tests/harness/delegation';
import { newDpopKey } from '@keywright/tests/harness/dpop';
import { API, change, newGuest, registerApi } from '@keywright/tests/harness/enterprise';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { type OutsideIssuer, startOutsideIssuer } from '@keywright/tests/harness/outside-issuer';
import { newStatementKey, type StatementKey } from '@keywright/tests/harness/statement-key';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';
import { postToken, oauthError } from '@keywright/tests/harness/token-endpoint';
import { enrollTotp } from '@keywright/tests/harness/totp';
import { addProvider } from '@keywright/tests/harness/upstream';
import { systemClock } from '../../../platform/clock.ts';

const NO_GRANT = '400 invalid_grant GRANT_INVALID';
const TYP = 'oauth-id-jag+jwt';
const SUBJECT = 'U019488227';

let keywright: Keywright;
let chat: TestTenant;
let user: TestUser;
let guest: CreatedOAuthClient;
let key: StatementKey;
let idp: OutsideIssuer;
let provider: IdentityProviderRecord;

before(async () => {
  keywright = await startKeywright({ nodes: 2, env: { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' } });
  chat = await keywright.tenant('chat');
  user = await createUserWith(chat, ['read:rooms']);
  key = await newStatementKey('RS256');
  idp = await startOutsideIssuer([key]);
  provider = await newProvider(idp, { trust_mfa: true });
  await registerApi(chat);
  guest = await newGuest(chat, [provider.id]);
});
after(async () => {
  await keywright.close();
  await idp.close();
});

const issuer = () => `https://id.example.com/t/${chat.id}`;

/** Adds an identity provider that vouches for users. */
async function newProvider({ url }: OutsideIssuer, fields = {}): Promise<IdentityProviderRecord> {
  const made = await addProvider(chat, { issuer: url, clientSecret: 'unused' }, fields);
  await keywright.database.query(
    `INSERT INTO user_credentials (tenant_id, user_id, type, provider, external_id)
     VALUES ($1, $2, 'oauth', $3, $4)`,
    [chat.id, user.user.id, made.id, SUBJECT],
  );
  return made;
}

function claimsWith(more: object = {}): object {
  const iat = Math.floor(Date.now() / 1000);
  return {
    iss: idp.url,
    sub: SUBJECT,
    aud: issuer(),
    client_id: guest.id,
    jti: randomUUID(),
    iat,
    exp: iat + 300,
    resource: API,
    scope: 'read:rooms',
    ...more,
  };
}

const assertionOf = (more: object = {}, by = key, header: object = {}) =>
  by.sign(claimsWith(more), { typ: TYP, ...header });

interface Sending {
  readonly by?: CreatedOAuthClient;
  readonly node?: number;
  readonly dpop?: string;
}

function redeem(assertion: string, { by = guest, node = 0, dpop }: Sending = {}) {
  const parameters = { grant_type: ASSERTION_GRANT, ...proofOf(by), assertion };
  return postToken(chat, parameters, { node, headers: dpop === undefined ? {} : { dpop } });
}

async function assertRefused(assertion: string, what: string, sending: Sending = {}) {
  assert.equal(oauthError(await redeem(assertion, sending)), NO_GRANT, what);
}

test('The keys of an issuer are fetched once for identity assertions and tokens of workloads', async () => {
  const issuing = await startOutsideIssuer([key]);
  const { id } = await newProvider(issuing);
  const by = await newGuest(chat, [id]);
  const trusts = [{ issuer: issuing.url, audience: issuer(), subject: SUBJECT }];
  const body = { name: 'deployer', scopes: [], trusts };
  const options = { token: await chat.adminToken(), body };
  const agent = expectStatus(201, await chat.request<AgentRecord>('POST', '/agents', options));
  const more = { iss: issuing.url, client_id: by.id };
  expectStatus(200, await redeem(await assertionOf(more), { by }));
  const parameters = {
    grant_type: GRANT_TYPE.jwtBearer,
    client_id: agent.id,
    assertion: await key.sign(claimsWith(more)),
  };
  expectStatus(200, await postToken(chat, parameters));
  await issuing.close();
  assert.equal(issuing.requestCount, 1);
});

describe('an assertion is good once', () => {
  test('An identity assertion is accepted once, on all nodes', async () => {
    const assertion = await assertionOf();
    expectStatus(200, await redeem(assertion));
    for (const node of [0, 1]) await assertRefused(assertion, `node ${node}`, { node });
  });

  test('An identity assertion is accepted once, even if it arrives on all nodes concurrently', async () => {
    const assertion = await assertionOf();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => redeem(assertion, { node: index % 2 })),
    );
    const good = answers.filter(({ status }) => status === 200);
    assert.equal(good.length, 1);
    assert.equal(answers.filter((answer) => oauthError(answer) === NO_GRANT).length, 19);
  });

  test('An assertion is accepted even if another provider has used the same assertion id', async () => {
    const otherKey = await newStatementKey('ES256');
    const other = await startOutsideIssuer([otherKey]);
    const { id } = await newProvider(other, { name: 'Other' });
    const twice = await newGuest(chat, [provider.id, id]);
    const jti = randomUUID();
    const fields = { jti, client_id: twice.id };
    expectStatus(200, await redeem(await assertionOf(fields), { by: twice }));
    const theirs = await assertionOf({ ...fields, iss: other.url }, otherKey);
    expectStatus(200, await redeem(theirs, { by: twice }));
    // Each signs for itself alone.
    const mixed = await assertionOf({ client_id: twice.id, iss: other.url });
    await assertRefused(mixed, 'the key of another provider', { by: twice });
    await other.close();
  });
});

describe('an assertion is refused', () => {
  test('A token of another kind is refused as an identity assertion', async () => {
    for (const typ of ['JWT', 'at+jwt', 'logout+jwt', 'application/jwt', '']) {
      await assertRefused(await assertionOf({}, key, { typ }), typ);
    }
    await assertRefused(await assertionOf({}, key, { typ: undefined }), 'no type');
  });

  test('An identity assertion for another audience, or for further ones, is refused', async () => {
    const other = await keywright.tenant('chat-2');
    for (const aud of [
      `https://id.example.com/t/${other.id}`,
      `${issuer()}/`,
      `${issuer()}/auth/token`,
      [issuer()],
      [issuer(), 'https://evil.example'],
      guest.id,
    ]) {
      await assertRefused(await assertionOf({ aud }), String(aud));
    }
  });

  test('An identity assertion for another client is refused, whichever client presents it', async () => {
    const other = await newGuest(chat, [provider.id]);
    await assertRefused(await assertionOf(), 'sent by another', { by: other });
    await assertRefused(await assertionOf({ client_id: other.id }), 'made for another');
    const { client_secret: _, ...nameless } = guest;
    const named = await redeem(await assertionOf(), { by: nameless });
    assert.equal(oauthError(named), '401 invalid_client CLIENT_INVALID');
  });

  test('An identity assertion is refused if its issuer is not allowed for this client or is turned off by the tenant', async () => {
    const other = await newGuest(chat, []);
    await assertRefused(await assertionOf({ client_id: other.id }), 'no provider', { by: other });
    const path = `/identity-providers/${provider.id}`;
    await change(chat, path, { is_active: false });
    await assertRefused(await assertionOf(), 'inactive');
    await change(chat, path, { is_active: true, skip_test: true });
    expectStatus(200, await redeem(await assertionOf()));
    await assertRefused(await assertionOf({ iss: 'https://evil.example' }), 'unknown');
    await assertRefused(await assertionOf({ iss: `${idp.url}/` }), 'nearly');
    const web = await newClient(chat);
    const refused = await redeem(await assertionOf({ client_id: web.id }), { by: web });
    assert.equal(oauthError(refused), '400 unauthorized_client CLIENT_UNAUTHORIZED');
  });

  test('An identity assertion that is unsigned or signed by another key is refused', async () => {
    const forger = await newStatementKey('RS256');
    const { kid } = key;
    await assertRefused(await assertionOf({}, forger), 'an unknown key');
    await assertRefused(await assertionOf({}, forger, { kid }), 'a borrowed name');
    await assertRefused(await assertionOf({}, forger, { kid, jwk: forger.publicJwk }), 'its own');
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = part(claimsWith());
    await assertRefused(`${part({ alg: 'none', typ: TYP, kid })}.${claims}.`, 'none');
    // RFC 8725 §2.1: the public key as the secret of a MAC.
    const input = `${part({ alg: 'HS256', typ: TYP, kid })}.${claims}`;
    const mac = createHmac('sha256', JSON.stringify(key.publicJwk)).update(input);
    await assertRefused(`${input}.${mac.digest('base64url')}`, 'a MAC');
    const [header = '', , signature = ''] = (await assertionOf()).split('.');
    await assertRefused(`${header}.${claims}.${signature}`, 'other claims');
  });

  test('An identity assertion that is too old, lives too long, or has no name is refused', async () => {
    const seconds = Math.floor(Date.now() / 1000);
    for (const more of [
      { exp: seconds - 60 },
      { exp: seconds + 3600 },
      { exp: undefined },
      { iat: seconds + 3600 },
      { iat: undefined },
      { jti: undefined },
      { sub: undefined },
      { sub: 'U-unlinked' },
      { sub: user.user.id },
    ]) {
      await assertRefused(await assertionOf(more), JSON.stringify(more));
    }
  });

  test('A token of the tenant itself is refused as an identity assertion', async () => {
    const app = await newClient(chat);
    const scope = 'openid offline_access';
    const tokens = await new UserBrowser(chat, issuer(), user).tokensFor(app, { scope });
    for (const token of [tokens.id_token, tokens.access_token, tokens.refresh_token, user.token]) {
      await assertRefused(token ?? '', 'a token of ours');
    }
  });
});

test('An identity assertion is neither a bearer token nor a proof of a client', async () => {
  const assertion = await assertionOf();
  expectStatus(401, await chat.request('GET', '/me', { token: assertion }));
  expectStatus(401, await chat.request('GET', '/oauth/userinfo', { token: assertion }));
  const asProof = {
    grant_type: ASSERTION_GRANT,
    client_id: guest.id,
    client_assertion: assertion,
    client_assertion_type: CLIENT_ASSERTION_TYPE,
    assertion,
  };
  assert.equal(oauthError(await postToken(chat, asProof)), '401 invalid_client CLIENT_INVALID');
});

test('Two factors at the provider count if the tenant trusts them', async () => {
  const set = (config: object) => change(chat, `/tenants/${chat.id}`, { config });
  await set({ require_mfa: true });
  await assertRefused(await assertionOf({ amr: ['pwd'] }), 'one factor');
  const answer = expectStatus(200, await redeem(await assertionOf({ amr: ['pwd', 'mfa'] })));
  const { acr, amr } = claimsOf(answer.access_token);
  assert.deepEqual([acr, amr], ['aal2', ['fed', 'mfa']]);
  const path = `/identity-providers/${provider.id}`;
  await change(chat, path, { trust_mfa: false });
  await assertRefused(await assertionOf({ amr: ['pwd', 'mfa'] }), 'not believed');
  await change(chat, path, { trust_mfa: true });
  await set({ require_mfa: false });
});

test('An assertion that is bound to a key needs a proof by that key, and so does its token', async () => {
  const [boundKey, other] = [await newDpopKey(), await newDpopKey()];
  const bound = () => assertionOf({ cnf: { jkt: boundKey.jkt } });
  await assertRefused(await bound(), 'no proof');
  await assertRefused(await bound(), 'another key', { dpop: await other.prove() });
  const assertion = await bound();
  const answer = expectStatus(200, await redeem(assertion, { dpop: await boundKey.prove() }));
  assert.equal(answer.token_type, 'DPoP');
  assert.deepEqual(claimsOf(answer.access_token).cnf, { jkt: boundKey.jkt });
});

test('Two factors at the provider do not replace the second factor of a user who holds scopes', async () => {
  const strong = await createUserWith(chat, ['read:rooms']);
  const sub = 'U-with-a-factor';
  await keywright.database.query(
    `INSERT INTO user_credentials (tenant_id, user_id, type, provider, external_id)
     VALUES ($1, $2, 'oauth', $3, $4)`,
    [chat.id, strong.user.id, provider.id, sub],
  );
  const amr = ['pwd', 'mfa'];
  expectStatus(200, await redeem(await assertionOf({ sub, amr })));
  await enrollTotp(chat, strong.token, systemClock);
  await assertRefused(await assertionOf({ sub, amr }), 'two factors');
  await assertRefused(await assertionOf({ sub }), 'one factor');
});

describe('an assertion for a user with addresses in captured domains', () => {
  test('An identity assertion for a user in captured domains is accepted only from each captor, as a login is', async () => {
    const elsewhere = await addProvider(
      chat,
      { issuer: 'https://id.elsewhere.example', clientSecret: 'unused' },
      { name: 'Elsewhere' },
    );
    const identifiers = ['here', 'there'].map((name) => ({
      identifier: `ada@${name}.example.org`,
      verified: true,
    }));
    await change(chat, `/users/${user.user.id}`, { identifiers });
    const capture = async (domain: string, { id, name }: IdentityProviderRecord) => {
      await keywright.database.query(
        `INSERT INTO provider_domains (tenant_id, domain, provider_id, challenge, created_at, verified_at)
         VALUES ($1, $2, $3, 'unused', now(), now())`,
        [chat.id, domain, id],
      );
      // Makes the node reload the providers.
      await change(chat, `/identity-providers/${id}`, { name: `${name} of ${domain}` });
    };
    await capture('there.example.org', elsewhere);
    await assertRefused(await assertionOf(), 'of a provider that captured no domain of theirs');
    await capture('here.example.org', provider);
    expectStatus(200, await redeem(await assertionOf()));
  });
});
