// Clients without knowledge of Keywright: the standards are sufficient for them.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { PROOF_ALGORITHMS } from '@keywright/contract/records/agent-proofs';
import { GRANT_TYPE, issueToken, TOKEN_TYPE } from '@keywright/contract/routes/token';
import { createRemoteJWKSet, exportJWK, generateKeyPair, jwtVerify } from 'jose';
import * as oauth from 'openid-client';
import { openApplication, registerClient } from '../harness/application.ts';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { newStatementKey } from '../harness/statement-key.ts';
import { startOutsideIssuer } from '../harness/outside-issuer.ts';
import type { TestAgent, TestUser } from '../harness/tenant.ts';
import { claimsOf } from '../harness/token.ts';

const ISSUER = 'https://id.example.com';
const WELL_KNOWN = '/.well-known/oauth-authorization-server';
const OPENID = '/.well-known/openid-configuration';

const PROVEN = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'];

let keywright: Keywright;
let robot: TestAgent;
let user: TestUser;

before(async () => {
  keywright = await startKeywright({ env: { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' } });
  robot = await keywright.home.createAgent({ scopes: ['read:users', 'write:notes'] });
  user = await keywright.createUser({ roles: ['admin'] });
});

after(() => keywright.close());

/** Discovers the token endpoint of an issuer as a client does; the unresolvable base URL is replaced by this server. */
async function discover(
  issuer: string,
  id: string,
  key: string | undefined,
  algorithm: 'oauth2' | 'oidc' = 'oauth2',
) {
  const here: oauth.CustomFetch = (address, { body, ...options }) =>
    fetch(address.replace(ISSUER, keywright.url), {
      ...options,
      ...(body === undefined ? {} : { body }),
    });
  const authentication = key === undefined ? oauth.None() : oauth.ClientSecretBasic(key);
  return oauth.discovery(new URL(issuer), id, undefined, authentication, {
    algorithm,
    execute: [oauth.allowInsecureRequests],
    [oauth.customFetch]: here,
  });
}

/** A client of the default tenant, identified by the host. */
function clientOf(authentication: oauth.ClientAuth): oauth.Configuration {
  const server = { issuer: ISSUER, token_endpoint: `${keywright.url}${issueToken.path}` };
  const config = new oauth.Configuration(server, robot.agent.id, undefined, authentication);
  oauth.allowInsecureRequests(config);
  return config;
}

async function change(body: object): Promise<void> {
  const path = `/agents/${robot.agent.id}`;
  const token = await keywright.adminToken();
  expectStatus(200, await keywright.home.request('PATCH', path, { token, body }));
}

async function assertIs(token: string, id: string): Promise<void> {
  expectStatus(200, await keywright.home.request('GET', '/me', { token }));
  assert.equal(claimsOf(token).sub, id);
}

describe('openid-client, by the issuer alone,', () => {
  async function assertFinds(config: oauth.Configuration, sub: string, iss: string) {
    const { access_token: token } = await oauth.clientCredentialsGrant(config);
    const claims = claimsOf(token);
    assert.deepEqual([claims.sub, claims.iss], [sub, iss]);
    const { jwks_uri: address } = config.serverMetadata();
    const keys = createRemoteJWKSet(new URL(String(address).replace(ISSUER, keywright.url)));
    await jwtVerify(token, keys, { issuer: iss });
  }

  test('The openid-client library finds the default tenant by its issuer and gets a token there (RFC 8414 §3)', async () => {
    const config = await discover(ISSUER, robot.agent.id, robot.key);
    await assertFinds(config, robot.agent.id, ISSUER);
  });

  test('The openid-client library finds any other tenant by its issuer and gets a token there (RFC 8414 §3.1)', async () => {
    const tenant = await keywright.tenant('found');
    const { agent, key } = await tenant.createAgent();
    const issuer = `${ISSUER}/t/${tenant.id}`;
    await assertFinds(await discover(issuer, agent.id, key), agent.id, issuer);
  });

  test('The openid-client library finds the userinfo endpoint and its claims (OpenID Connect Discovery §4, OpenID Connect Core §5.3)', async () => {
    const [tenant, issuer] = [keywright.home, ISSUER];
    const other = await keywright.tenant('discovered');
    for (const [at, iss] of [
      [tenant, issuer],
      [other, `${ISSUER}/t/${other.id}`],
    ] as const) {
      for (const alg of [null, 'RS256']) {
        const clientId = await registerClient(at, { userinfo_signed_response_alg: alg });
        const subject = await at.createUser();
        const opened = { user: subject, clientId, scopes: ['openid', 'email'] };
        const { token } = await openApplication(keywright, at, opened);
        const config = await discover(iss, clientId, 'none', 'oidc');
        const userinfo = await oauth.fetchUserInfo(config, token, subject.user.id);
        assert.equal(userinfo.email, subject.identifier);
      }
    }
  });

  test('The openid-client library finds where tokens are introspected and revoked (RFC 7662, RFC 7009)', async () => {
    const agent = await discover(ISSUER, robot.agent.id, robot.key);
    const { active, sub } = await oauth.tokenIntrospection(agent, robot.key);
    assert.deepEqual([active, sub], [true, robot.agent.id]);
    const clientId = await registerClient(keywright.home, { kind: 'spa' });
    const opened = { user: await keywright.home.createUser(), clientId };
    const { token } = await openApplication(keywright, keywright.home, opened);
    const config = await discover(ISSUER, clientId, undefined, 'oidc');
    expectStatus(200, await keywright.home.request('GET', '/oauth/userinfo', { token }));
    await oauth.tokenRevocation(config, token);
    expectStatus(401, await keywright.home.request('GET', '/oauth/userinfo', { token }));
  });

  test('The authorization server metadata lists existing features only, and is the same at each address', async () => {
    const tenant = await keywright.tenant('told');
    const at = (path: string, headers = {}) =>
      keywright.request('GET', path, { tenant: [], host: 'unknown.example.com', headers });
    const tenantPath = `/t/${tenant.id}`;
    const answer = await at(`${WELL_KNOWN}${tenantPath}`);
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, {
      issuer: `${ISSUER}${tenantPath}`,
      token_endpoint: `${ISSUER}${tenantPath}/auth/token`,
      userinfo_endpoint: `${ISSUER}${tenantPath}/oauth/userinfo`,
      revocation_endpoint: `${ISSUER}${tenantPath}/oauth/revoke`,
      introspection_endpoint: `${ISSUER}${tenantPath}/oauth/introspect`,
      pushed_authorization_request_endpoint: `${ISSUER}${tenantPath}/oauth/par`,
      authorization_challenge_endpoint: `${ISSUER}${tenantPath}/oauth/authorize-challenge`,
      device_authorization_endpoint: `${ISSUER}${tenantPath}/oauth/device_authorization`,
      registration_endpoint: `${ISSUER}${tenantPath}/oauth/register`,
      client_id_metadata_document_supported: false,
      identity_chaining_requested_token_types_supported: [TOKEN_TYPE.idJag],
      authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
      require_pushed_authorization_requests: false,
      jwks_uri: `${ISSUER}${tenantPath}/.well-known/jwks.json`,
      authorization_endpoint: `${ISSUER}${tenantPath}/oauth/authorize`,
      end_session_endpoint: `${ISSUER}${tenantPath}/oauth/logout`,
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
      response_types_supported: ['code'],
      response_modes_supported: ['query', 'form_post', 'query.jwt', 'form_post.jwt', 'jwt'],
      code_challenge_methods_supported: ['S256'],
      prompt_values_supported: ['none', 'login', 'consent', 'select_account', 'create'],
      acr_values_supported: ['aal1', 'aal2', 'phr'],
      scopes_supported: ['openid', 'profile', 'email', 'phone', 'offline_access'],
      ui_locales_supported: ['en', 'de', 'fr', 'es', 'ja', 'ar'],
      id_token_signing_alg_values_supported: ['EdDSA', 'RS256', 'ES256'],
      claims_parameter_supported: true,
      request_parameter_supported: true,
      request_object_signing_alg_values_supported: [...PROOF_ALGORITHMS],
      authorization_signing_alg_values_supported: ['EdDSA', 'RS256', 'ES256'],
      request_uri_parameter_supported: false,
      authorization_response_iss_parameter_supported: true,
      grant_types_supported: Object.values(GRANT_TYPE),
      token_endpoint_auth_methods_supported: [...PROVEN, 'none'],
      token_endpoint_auth_signing_alg_values_supported: [...PROOF_ALGORITHMS],
      revocation_endpoint_auth_methods_supported: [...PROVEN, 'none'],
      revocation_endpoint_auth_signing_alg_values_supported: [...PROOF_ALGORITHMS],
      introspection_endpoint_auth_methods_supported: PROVEN,
      introspection_endpoint_auth_signing_alg_values_supported: [...PROOF_ALGORITHMS],
      introspection_signing_alg_values_supported: ['EdDSA', 'RS256', 'ES256'],
      dpop_signing_alg_values_supported: ['EdDSA', 'Ed25519', 'ES256'],
      resource_indicators_supported: true,
      subject_types_supported: ['public', 'pairwise'],
      userinfo_signing_alg_values_supported: ['EdDSA', 'RS256', 'ES256'],
      claims_supported: [
        'sub',
        'name',
        'picture',
        'given_name',
        'middle_name',
        'family_name',
        'nickname',
        'preferred_username',
        'profile',
        'website',
        'gender',
        'birthdate',
        'locale',
        'zoneinfo',
        'updated_at',
        'email',
        'email_verified',
        'phone_number',
        'phone_number_verified',
        'iss',
        'aud',
        'iat',
        'exp',
        'auth_time',
        'nonce',
        'acr',
        'amr',
        'sid',
        'at_hash',
      ],
      service_documentation: `${ISSUER}/reference`,
    });
    assert.equal(answer.headers['cache-control'], 'public, max-age=300');
    const { etag = '' } = answer.headers;
    for (const path of [
      `${tenantPath}${WELL_KNOWN}`,
      `${tenantPath}${OPENID}`,
      `${OPENID}${tenantPath}`,
    ]) {
      assert.equal((await at(path)).text, answer.text, path);
    }
    for (const path of [WELL_KNOWN, OPENID]) {
      const named = await keywright.request('GET', path, { tenant: tenant.id });
      assert.deepEqual([named.text, named.headers.vary], [answer.text, 'X-Tenant-ID, Host']);
    }
    const again = await at(`${WELL_KNOWN}${tenantPath}`, { 'if-none-match': etag });
    assert.deepEqual([again.status, again.text], [304, '']);
    const options = {
      token: await keywright.adminToken(),
      body: { issuer: 'https://own.example.com' },
    };
    expectStatus(200, await keywright.home.request('PATCH', `/tenants/${tenant.id}`, options));
    const { issuer, userinfo_endpoint: userinfo } = (await at(`${tenantPath}${OPENID}`)).body;
    assert.deepEqual(
      [issuer, userinfo],
      ['https://own.example.com', `${ISSUER}${tenantPath}/oauth/userinfo`],
    );
    const elsewhere = await at(`${WELL_KNOWN}/t/org_nobody`);
    assert.deepEqual([elsewhere.status, elsewhere.body['code']], [400, 'TENANT_NOT_FOUND']);
  });
});

describe('openid-client, without extensions,', () => {
  for (const [name, authentication] of Object.entries({
    client_secret_post: () => oauth.ClientSecretPost(robot.key),
    client_secret_basic: () => oauth.ClientSecretBasic(robot.key),
  })) {
    test(`The openid-client library gets a token by client credentials with ${name} (RFC 6749 §4.4)`, async () => {
      const config = clientOf(authentication());
      const answer = await oauth.clientCredentialsGrant(config, { scope: 'read:users' });
      assert.deepEqual([answer.token_type, answer.scope], ['bearer', 'read:users']);
      await assertIs(answer.access_token, robot.agent.id);
    });
  }

  for (const alg of ['Ed25519', 'ES256', 'RS256', 'PS256']) {
    test(`The openid-client library gets a token with private_key_jwt in ${alg} (RFC 7523)`, async () => {
      const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
      await change({ jwks: { keys: [{ ...(await exportJWK(publicKey)), kid: 'own' }] } });
      const config = clientOf(oauth.PrivateKeyJwt({ key: privateKey, kid: 'own' }));
      const answer = await oauth.clientCredentialsGrant(config);
      await assertIs(answer.access_token, robot.agent.id);
    });
  }

  test('The openid-client library gets a token for the token of another issuer (RFC 7523 §2.1)', async () => {
    const key = await newStatementKey('RS256');
    const issuer = await startOutsideIssuer([key]);
    await change({ trusts: [{ issuer: issuer.url, audience: ISSUER, subject: 'job' }] });
    const exp = Math.floor(Date.now() / 1000) + 60;
    const assertion = await key.sign({ iss: issuer.url, sub: 'job', aud: ISSUER, exp });
    const config = clientOf(oauth.None());
    const answer = await oauth.genericGrantRequest(config, GRANT_TYPE.jwtBearer, { assertion });
    await assertIs(answer.access_token, robot.agent.id);
    await issuer.close();
  });

  test('The openid-client library gets a token that acts for a user by token exchange (RFC 8693)', async () => {
    const body = { agent_id: robot.agent.id, scopes: ['read:users'] };
    const options = { token: user.token, body };
    expectStatus(201, await keywright.home.request('POST', '/me/delegations', options));
    const config = clientOf(oauth.ClientSecretBasic(robot.key));
    const answer = await oauth.genericGrantRequest(config, GRANT_TYPE.tokenExchange, {
      subject_token: user.token,
      subject_token_type: TOKEN_TYPE.accessToken,
    });
    assert.equal(answer['issued_token_type'], TOKEN_TYPE.accessToken);
    await assertIs(answer.access_token, user.user.id);
  });

  test('The openid-client library recognizes OAuth errors (RFC 6749 §5.2)', async () => {
    const tooWide = oauth.clientCredentialsGrant(clientOf(oauth.ClientSecretPost(robot.key)), {
      scope: 'write:users',
    });
    await assert.rejects(tooWide, (error) => {
      assert.ok(error instanceof oauth.ResponseBodyError);
      assert.deepEqual([error.status, error.error], [400, 'invalid_scope']);
      assert.equal(error.error_description, 'These scopes cannot be granted: write:users.');
      return true;
    });
    const refused = oauth.clientCredentialsGrant(clientOf(oauth.ClientSecretBasic('wrong')));
    await assert.rejects(refused, (error) => {
      assert.ok(error instanceof oauth.WWWAuthenticateChallengeError);
      assert.deepEqual([error.status, error.cause[0]?.scheme], [401, 'basic']);
      return true;
    });
  });
});
