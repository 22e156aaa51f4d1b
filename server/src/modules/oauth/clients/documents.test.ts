// Clients that describe themselves in a metadata document at their client_id URL.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import {
  browserOf,
  issuerOf,
  visitorOf,
  type DocumentHost,
  startDocumentHost,
} from '@keywright/tests/harness/document-host';
import {
  addBank,
  PAY,
  detailsParameter,
  TYPES,
} from '@keywright/tests/harness/authorization-details';
import { exchangeOf } from '@keywright/tests/harness/code-login';
import { expectStatus } from '@keywright/tests/harness/http';
import { answerJson } from '@keywright/tests/harness/outside-issuer';
import { newStatementKey } from '@keywright/tests/harness/statement-key';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';
import { postToken } from '@keywright/tests/harness/token-endpoint';
import { Visitor } from '@keywright/tests/harness/visitor';

let host: DocumentHost;
let tenant: TestTenant;
let user: TestUser;

before(async () => {
  host = await startDocumentHost();
  tenant = await host.tenantWith({});
  user = await tenant.createUser();
});
after(() => host.close());

beforeEach(() => host.reset());

describe('an application with a document', () => {
  test('An application with a metadata document logs users in without registration, and is a client from the first consent on', async () => {
    const id = host.idAt('/first.json');
    const browser = browserOf(tenant, user);
    const seen = await browser.goThrough(host.authorizationRequest(id));
    const code = seen.redirectsTo?.searchParams.get('code') ?? '';
    assert.equal(seen.redirectsTo?.origin, host.origin, seen.text);
    const tokens = expectStatus(
      200,
      await postToken(tenant, {
        ...exchangeOf(code),
        redirect_uri: host.callback,
        client_id: id,
      }),
    );
    assert.equal(claimsOf(tokens.id_token ?? '').aud, id);
    const read = await tenant.request('GET', `/clients/${encodeURIComponent(id)}`, {
      token: await tenant.adminToken(),
    });
    assert.equal(expectStatus(200, read)['created_by'], 'metadata_document');
    const again = {
      grant_type: 'refresh_token',
      client_id: id,
      refresh_token: tokens.refresh_token ?? '',
    };
    expectStatus(200, await postToken(tenant, again));
    assert.deepEqual(host.requestedPaths, ['/first.json']);
  });

  test('The consent page names an application with a metadata document by the host of the document', async () => {
    const browser = browserOf(tenant, await tenant.createUser());
    await browser.authorize(host.authorizationRequest(host.idAt('/host.json')));
    const { identifier, password: secret } = await tenant.createUser();
    const page = await browser.press('login', { identifier, secret });
    assert.match(page.text, new RegExp(`id="verified-host"><bdi>${host.origin.slice(8)}<`));
    assert.doesNotMatch(page.text, /Not verified/);
  });

  test('An application with a metadata document can request no type of authorization details, whatever the document says', async () => {
    await addBank(tenant);
    const types = { authorization_details_types: TYPES };
    host.answer = (response, request) =>
      answerJson(response, { ...host.documentAt(request.url), ...types });
    const id = host.idAt('/particular.json');
    const parameters = host.authorizationRequest(id, detailsParameter([PAY]));
    const { text } = await browserOf(tenant, user).goThrough(parameters);
    assert.match(text, /invalid_authorization_details/);
    await browserOf(tenant, user).goThrough(host.authorizationRequest(id));
    const options = { token: await tenant.adminToken(), body: types };
    const path = `/clients/${encodeURIComponent(id)}`;
    expectStatus(400, await tenant.request<ErrorBody>('PATCH', path, options));
  });

  test('An application with a metadata document can return to any port of the loopback address', async () => {
    const redirect_uri = 'http://127.0.0.1:49152/callback';
    const seen = await browserOf(tenant, user).goThrough(
      host.authorizationRequest(host.idAt('/native.json'), { redirect_uri }),
    );
    assert.equal(seen.redirectsTo?.port, '49152');
  });

  test('A metadata document is read once for many simultaneous requests, and again when it has aged', async () => {
    const id = host.idAt('/cached.json');
    host.answer = (response, request) => {
      response.setHeader('cache-control', 'max-age=600');
      answerJson(response, host.documentAt(request.url));
    };
    const authorize = async () => visitorOf(tenant).authorize(host.authorizationRequest(id));
    await Promise.all(Array.from({ length: 16 }, authorize));
    assert.equal(host.requestedPaths.length, 1);
    host.keywright.clock.advance(599);
    await authorize();
    assert.equal(host.requestedPaths.length, 1);
    host.keywright.clock.advance(2);
    await authorize();
    assert.equal(host.requestedPaths.length, 2);
  });

  for (const [header, seconds] of Object.entries({
    'no-store': 300,
    'max-age=1': 300,
    'max-age=999999': 86_400,
    '': 300,
  })) {
    test(`A metadata document is cached for ${seconds} seconds with the header Cache-Control: ${header}`, async () => {
      const id = host.idAt(`/kept-${encodeURIComponent(header)}.json`);
      host.answer = (response, request) => {
        if (header !== '') response.setHeader('cache-control', header);
        answerJson(response, host.documentAt(request.url));
      };
      const authorize = async () => visitorOf(tenant).authorize(host.authorizationRequest(id));
      await authorize();
      host.keywright.clock.advance(seconds - 1);
      await authorize();
      assert.equal(host.requestedPaths.length, 1);
      host.keywright.clock.advance(1);
      await authorize();
      assert.equal(host.requestedPaths.length, 2);
    });
  }

  test('An application authenticates with the keys its metadata document names, and its login can span two nodes', async () => {
    const key = await newStatementKey('EdDSA');
    const id = host.idAt('/signing.json');
    const auth = { token_endpoint_auth_method: 'private_key_jwt' };
    host.answer = (response, request) => {
      const isKeys = request.url === '/keys.json';
      const metadata = host.documentAt(request.url, {
        ...auth,
        jwks_uri: `${host.origin}/keys.json`,
      });
      answerJson(response, isKeys ? { keys: [key.publicJwk] } : metadata);
    };
    const browser = browserOf(tenant, user);
    const seen = await browser.goThrough(host.authorizationRequest(id));
    const code = seen.redirectsTo?.searchParams.get('code') ?? '';
    const exchange = { ...exchangeOf(code), redirect_uri: host.callback, client_id: id };
    assert.equal((await postToken(tenant, exchange)).status, 401);
    const exp = Math.floor(host.keywright.clock.now().getTime() / 1000) + 30;
    const claims = { iss: id, sub: id, aud: issuerOf(tenant), jti: randomUUID(), exp };
    const proof = {
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await key.sign(claims),
    };
    expectStatus(200, await postToken(tenant, { ...exchange, ...proof }, { node: 1 }));
  });

  test('An application is known on a node that has not read its metadata document, where its user gives consent', async () => {
    const id = host.idAt('/elsewhere.json');
    const browser = browserOf(tenant, user);
    const loginPage = await browser.authorize(host.authorizationRequest(id));
    const { identifier, password: secret } = user;
    const path = loginPage.postsTo;
    const elsewhere = new Visitor(
      {
        request: (method, at, options) => tenant.request(method, at, { ...options, node: 1 }),
      },
      issuerOf(tenant),
    );
    for (const [name, value] of browser.cookies) elsewhere.keep(name, value);
    const page = await elsewhere.post(path, {
      ...loginPage.hidden,
      identifier,
      secret,
      action: 'login',
    });
    assert.ok(page.actions.includes('allow'), page.text);
    const left = await elsewhere.press('allow');
    assert.ok(left.redirectsTo?.searchParams.has('code'), left.text);
  });

  test('An application with a metadata document can push requests before any user has allowed it anything', async () => {
    const body = host.authorizationRequest(host.idAt('/pushed.json'));
    expectStatus(201, await tenant.request('POST', '/oauth/par', { body }));
    const refused = await tenant.request<{ error: string }>('POST', '/oauth/par', {
      body: host.authorizationRequest('https://elsewhere.example.com/client.json'),
    });
    assert.deepEqual([refused.status, refused.body.error], [401, 'invalid_client']);
  });
});

describe('a document that changes', () => {
  /** A code that was issued before the document changed. */
  async function codeBefore(id: string) {
    const seen = await browserOf(tenant, user).goThrough(host.authorizationRequest(id));
    const code = seen.redirectsTo?.searchParams.get('code') ?? '';
    return { ...exchangeOf(code), redirect_uri: host.callback, client_id: id };
  }

  async function readAgain(id: string, fields: object): Promise<void> {
    host.answer = (response, request) => answerJson(response, host.documentAt(request.url, fields));
    host.keywright.clock.advance(301);
    await browserOf(tenant, await tenant.createUser()).authorize(host.authorizationRequest(id));
  }

  test('A code for a redirect URI that the client document dropped before the exchange is refused', async () => {
    const id = host.idAt('/moving.json');
    const exchange = await codeBefore(id);
    // Changed within the one-minute lifetime of the code; this node drops its cached copy.
    await host.keywright.database.query(
      `UPDATE oauth_clients SET redirect_uris = ARRAY[$1] WHERE tenant_id = $2 AND id = $3`,
      [`${host.origin}/other`, tenant.id, id],
    );
    for (const node of [0, 1]) {
      const refused = await postToken(tenant, exchange, { node });
      assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_grant']);
    }
  });

  test('No user is sent to an address that was removed from the metadata document during the login', async () => {
    const id = host.idAt('/moved.json');
    const browser = browserOf(tenant, await tenant.createUser());
    await browser.authorize(host.authorizationRequest(id));
    host.answer = (response, request) => {
      const moved = { redirect_uris: [`${host.origin}/other`] };
      answerJson(response, host.documentAt(request.url, moved));
    };
    host.keywright.clock.advance(301);
    const { identifier, password: secret } = user;
    const page = await browser.press('login', { identifier, secret });
    assert.equal(page.status, 400, page.text);
    assert.equal(page.redirectsTo, undefined);
  });

  test('A changed name in a client document appears in the client record and in its log', async () => {
    const id = host.idAt('/renamed.json');
    await codeBefore(id);
    await readAgain(id, { client_name: 'Notes 2' });
    const token = await tenant.adminToken();
    const path = `/clients/${encodeURIComponent(id)}`;
    assert.equal(
      expectStatus(200, await tenant.request('GET', path, { token }))['name'],
      'Notes 2',
    );
    const entries = await host.keywright.database.query<{ action: string }>(
      'SELECT action FROM audit_entries WHERE target_id = $1 ORDER BY id',
      [id],
    );
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['client.created', 'client.updated'],
    );
    const patch = { token, body: { name: 'Ours', is_active: false } };
    const { errors } = expectStatus(400, await tenant.request<ErrorBody>('PATCH', path, patch));
    assert.deepEqual(
      errors?.map((error) => error.path),
      ['/name'],
    );
  });

  test('A client whose metadata document changes remains inactive where an administrator deactivated it', async () => {
    const id = host.idAt('/stopped.json');
    await codeBefore(id);
    const token = await tenant.adminToken();
    const path = `/clients/${encodeURIComponent(id)}`;
    expectStatus(200, await tenant.request('PATCH', path, { token, body: { is_active: false } }));
    await readAgain(id, { client_name: 'Notes 3' });
    const seen = await browserOf(tenant, user).authorize(host.authorizationRequest(id));
    assert.equal(seen.status, 400);
    assert.equal(
      expectStatus(200, await tenant.request('GET', path, { token }))['is_active'],
      false,
    );
  });
});

test('oauth_client_domains: an application at a host that is no longer listed gets no tokens', async () => {
  const listedTenant = await host.tenantWith({});
  const who = await listedTenant.createUser();
  const id = host.idAt('/delisted.json');
  const seen = await browserOf(listedTenant, who).goThrough(host.authorizationRequest(id));
  const code = seen.redirectsTo?.searchParams.get('code') ?? '';
  const exchanged = await postToken(listedTenant, {
    ...exchangeOf(code),
    redirect_uri: host.callback,
    client_id: id,
  });
  const { refresh_token = '' } = expectStatus(200, exchanged);
  const body = { config: { oauth_client_domains: [] } };
  expectStatus(
    200,
    await listedTenant.request('PATCH', `/tenants/${listedTenant.id}`, {
      token: await listedTenant.adminToken(),
      body,
    }),
  );
  const refresh = { grant_type: 'refresh_token', client_id: id, refresh_token };
  const refused = await postToken(listedTenant, refresh);
  assert.deepEqual([refused.status, refused.body.error], [401, 'invalid_client']);
  assert.equal(
    (await browserOf(listedTenant, who).authorize(host.authorizationRequest(id))).status,
    400,
  );
});
