import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { OAuthErrorBody } from '@keywright/contract/oauth-error';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import {
  newClient,
  proofOf,
  redeem,
  requestOf,
  UserBrowser,
} from '@keywright/tests/harness/code-login';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { oauthError } from '@keywright/tests/harness/token-endpoint';
import type { Seen } from '@keywright/tests/harness/visitor';

type Parameters = Readonly<Record<string, string>>;
interface Pushed extends OAuthErrorBody {
  readonly request_uri: string;
  readonly expires_in: number;
}

let keywright: Keywright;
let tenant: TestTenant;
let user: TestUser;
let client: CreatedOAuthClient;

before(async () => {
  keywright = await startKeywright({ nodes: 2, clock: 'fake' });
  tenant = await keywright.tenant('pushed');
  user = await tenant.createUser();
  client = await newClient(tenant);
});
after(() => keywright.close());

const browser = (of = tenant) =>
  new UserBrowser(of, `${keywright.nodes[0]?.baseUrl}/t/${of.id}`, user);

function push(parameters: Parameters, of = tenant) {
  return of.request<Pushed>('POST', `/t/${of.id}/oauth/par`, {
    rawBody: new URLSearchParams(parameters).toString(),
    contentType: 'application/x-www-form-urlencoded',
  });
}

async function pushed(more: Parameters = {}, of = client): Promise<Parameters> {
  const answer = await push({ ...requestOf(of), ...proofOf(of), ...more });
  const { request_uri: uri, expires_in: seconds } = expectStatus(201, answer);
  assert.equal(seconds, 60);
  return { client_id: of.id, request_uri: uri };
}

const LONG_STATE = 'long'.repeat(200);
/** The `request_uri` of a short request is the sealed request. A long request is stored. */
const KINDS: readonly (readonly [string, Parameters])[] = [
  ['sealed', {}],
  ['stored', { state: LONG_STATE }],
];

const PREFIX = 'urn:ietf:params:oauth:request_uri:';

function storedWith(part: string) {
  return keywright.database.query(
    `SELECT parameters, encode(id, 'hex') AS id FROM pushed_requests WHERE parameters LIKE $1`,
    [`%${part}%`],
  );
}

const returned = ({ redirectsTo }: Seen, name: string) => redirectsTo?.searchParams.get(name);

function assertUnknown({ status, text, redirectsTo }: Seen): void {
  assert.deepEqual([status, redirectsTo], [400, undefined]);
  assert.ok(text.includes('request_uri must be one that this client pushed'), text);
}

describe('a pushed request', () => {
  test('A pushed request is all that counts, whatever else the browser sends (RFC 9126 §4)', async () => {
    const request = await pushed({ state: 'as-pushed', scope: 'openid email' });
    const visitor = browser();
    const seen = await visitor.goThrough({ ...request, state: 'forged', scope: 'profile' });
    assert.equal(returned(seen, 'state'), 'as-pushed');
    const answer = await redeem(tenant, client, returned(seen, 'code') ?? '');
    assert.equal(expectStatus(200, answer).scope, 'openid email');
  });

  test('A pushed request can omit PKCE only if it contains the nonce itself (OAuth 2.1 §7.5.1)', async () => {
    const { code_challenge: _, code_challenge_method: __, ...bare } = requestOf(client);
    const refused = await push({ ...bare, ...proofOf(client) });
    assert.equal(expectStatus(400, refused).error, 'invalid_request');
    const answer = expectStatus(201, await push({ ...bare, ...proofOf(client), nonce: 'n-1' }));
    const request = { client_id: client.id, request_uri: answer.request_uri };
    assert.ok(returned(await browser().goThrough(request), 'code'));
  });

  for (const [kind, more] of KINDS) {
    test(`A pushed request that is ${kind} leads to one code, however often its page is opened before`, async () => {
      const request = await pushed(more);
      const [first, other] = [browser(), browser()];
      for (const visitor of [first, other, first]) {
        assert.equal((await visitor.authorize(request)).title, 'Sign in');
      }
      assert.ok(returned(await first.goThrough(request), 'code'));
      assert.equal(returned(await other.goThrough(request), 'error'), 'invalid_request_uri');
      assert.equal(returned(await first.authorize(request), 'error'), 'invalid_request_uri');
    });

    test(`A pushed request that is ${kind} leads to one code, even if many browsers complete their logins at the same time`, async () => {
      const visitors = Array.from({ length: 6 }, () => browser());
      for (const visitor of visitors) await visitor.goThrough(requestOf(client));
      const request = await pushed(more);
      const answers = await Promise.all(visitors.map((visitor) => visitor.authorize(request)));
      const codes = answers.filter((seen) => returned(seen, 'code'));
      const refused = answers.filter((seen) => returned(seen, 'error') === 'invalid_request_uri');
      assert.deepEqual([codes.length, refused.length], [1, 5]);
    });

    test(`A pushed request that is ${kind} must be opened within a minute, and completed within an hour`, async () => {
      const request = await pushed(more);
      const early = browser();
      await early.authorize(request);
      keywright.clock.advance(61);
      assertUnknown(await browser().authorize(request));
      const { identifier, password: secret } = user;
      const login = await early.press('login', { identifier, secret });
      assert.ok(returned(await early.press('allow'), 'code') ?? returned(login, 'code'));

      const late = browser();
      await late.authorize(await pushed(more));
      for (const _ of [1, 2, 3]) {
        keywright.clock.advance(25 * 60);
        await late.press('begin_code');
        await late.press('restart');
      }
      const answer = await late.press('login', { identifier, secret });
      const seen = answer.redirectsTo ? answer : await late.press('allow');
      assert.equal(returned(seen, 'error'), 'invalid_request_uri');
    });

    test(`A pushed request that is ${kind} is unknown for another client or another tenant, like one that was made up`, async () => {
      const request = await pushed(more);
      const other = await newClient(tenant);
      const elsewhere = await keywright.tenant(`pushed-elsewhere-${kind}`);
      const stranger = await newClient(elsewhere);
      const uri = request['request_uri'] ?? '';
      assertUnknown(await browser().authorize({ ...request, client_id: other.id }));
      assertUnknown(await browser(elsewhere).authorize({ ...request, client_id: stranger.id }));
      const middle = (PREFIX.length + uri.length) >> 1;
      const replaced = uri[middle] === 'A' ? 'B' : 'A';
      for (const forged of [
        `${uri.slice(0, -4)}AAAA`,
        `${uri.slice(0, middle)}${replaced}${uri.slice(middle + 1)}`,
        `${uri}A`,
        uri.slice(0, -1),
        PREFIX,
      ]) {
        assertUnknown(await browser().authorize({ ...request, request_uri: forged }));
      }
      assert.ok(returned(await browser().goThrough(request), 'code'), 'it is unharmed');
    });
  }

  test('A short request is not stored: its request_uri is the request, which no one can read', async () => {
    const { request_uri: uri = '' } = await pushed({ state: 'found-by-this' });
    assert.ok(uri.startsWith(PREFIX) && uri.length <= 1024, uri);
    const sealed = Buffer.from(uri.slice(PREFIX.length), 'base64url').toString('latin1');
    assert.ok(sealed.length > 'found-by-this'.length);
    assert.ok(!sealed.includes('found-by-this'));
    assert.deepEqual(await storedWith('found-by-this'), []);
  });

  test('The same request has another request_uri each time it is pushed', async () => {
    const [first, second] = [await pushed(), await pushed()];
    assert.ok(returned(await browser().goThrough(first), 'code'));
    assert.ok(returned(await browser().goThrough(second), 'code'));
  });

  test('A long request is stored without the secret of the client, under a hash of its reference', async () => {
    const request = await pushed({ state: LONG_STATE, nonce: 'found-by-that' });
    const stored = await storedWith('found-by-that');
    assert.equal(stored.length, 1);
    const text = JSON.stringify(stored);
    assert.ok(!text.includes(client.client_secret ?? '-'));
    assert.ok(!text.includes((request['request_uri'] ?? '').slice(-43)));
  });
});

describe('a request that is refused when it is pushed', () => {
  for (const [name, wrong, error] of [
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['an unknown scope', { scope: 'nothing' }, 'invalid_scope'],
    ['an unknown resource', { resource: 'https://other.example.com' }, 'invalid_target'],
    ['no challenge', { code_challenge: '' }, 'invalid_request'],
    [
      'an address that is not registered',
      { redirect_uri: 'https://evil.example.com' },
      'invalid_request',
    ],
    ['a reference to another one', { request_uri: 'urn:example:request' }, 'invalid_request'],
    [
      'a requirement that no login meets',
      { claims: '{"id_token":{"acr":{"essential":true,"value":"gold"}}}' },
      'unmet_authentication_requirements',
    ],
  ] as const) {
    test(`The client learns that its pushed request has ${name}`, async () => {
      const answer = await push({ ...requestOf(client), ...proofOf(client), ...wrong });
      assert.deepEqual([answer.status, answer.body.error], [400, error], answer.text);
    });
  }

  test('A pushed request is not read unless the client authenticates', async () => {
    for (const proof of [{}, { client_secret: 'x' }]) {
      const answer = await push({ ...requestOf(client), response_type: 'token', ...proof });
      assert.equal(oauthError(answer as never), '401 invalid_client CLIENT_INVALID');
    }
  });

  test('A pushed request of a public client is refused at the limit of an address, because anyone can name the client', async () => {
    const open = await newClient(tenant, { kind: 'spa', token_endpoint_auth_method: 'none' });
    const statuses: number[] = [];
    for (let round = 0; round < 11; round += 1) {
      const batch = Array.from({ length: 30 }, () => push(requestOf(open)));
      statuses.push(...(await Promise.all(batch)).map(({ status }) => status));
    }
    const counts = [201, 429].map((code) => statuses.filter((status) => status === code).length);
    assert.deepEqual(counts, [300, 30]);
    await pushed();
  });
});

describe('a client that must push its requests', () => {
  test('A client that must push can use only pushed requests', async () => {
    const strict = await newClient(tenant, { require_pushed_authorization_requests: true });
    const seen = await browser().authorize(requestOf(strict));
    assert.equal(returned(seen, 'error'), 'invalid_request');
    const request = await pushed({}, strict);
    assert.ok(returned(await browser().goThrough(request), 'code'));
  });

  test('oauth_require_pushed_requests: every client of the tenant must push, and the metadata says so', async () => {
    const config = { oauth_require_pushed_requests: true };
    const strict = await keywright.tenant('pushed-only', { config });
    const of = await newClient(strict);
    const direct = await browser(strict).authorize(requestOf(of));
    assert.equal(returned(direct, 'error'), 'invalid_request');
    const path = `/t/${strict.id}/.well-known/openid-configuration`;
    const { body } = await strict.request<Record<string, unknown>>('GET', path);
    assert.equal(body['require_pushed_authorization_requests'], true);
    const endpoint = String(body['pushed_authorization_request_endpoint']);
    assert.ok(endpoint.endsWith(`/t/${strict.id}/oauth/par`));
  });
});
