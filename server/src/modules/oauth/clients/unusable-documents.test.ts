// Client metadata documents that are rejected, and addresses that are never called.

import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, beforeEach, describe, test } from 'node:test';
import {
  browserOf,
  visitorOf,
  type DocumentHost,
  startDocumentHost,
} from '@keywright/tests/harness/document-host';
import { expectStatus } from '@keywright/tests/harness/http';
import { answerJson } from '@keywright/tests/harness/outside-issuer';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';

let host: DocumentHost;
let tenant: TestTenant;

before(async () => {
  host = await startDocumentHost();
  tenant = await host.tenantWith({});
});
after(() => host.close());

beforeEach(() => host.reset());

interface Flaw {
  readonly redirect_uris?: readonly string[];
  readonly [name: string]: unknown;
}

describe('a document is not used', () => {
  /** Fields in addition to the requested address, which is always present. */
  const FLAWS: Readonly<Record<string, Flaw>> = {
    'with another client_id': { client_id: 'https://localhost/another.json' },
    'with a secret': { client_secret: 'kwc_x' },
    'of a client that authenticates by a secret': {
      token_endpoint_auth_method: 'client_secret_basic',
    },
    'with an address at another host': { redirect_uris: ['https://evil.example.com/callback'] },
    'with an address on another port': { redirect_uris: ['https://localhost/callback'] },
    'with a scheme of its own': { redirect_uris: ['com.example.app:/callback'] },
    'without an address': { redirect_uris: [] },
    'for the implicit flow': { response_types: ['token'] },
    'for other grants': { grant_types: ['client_credentials'] },
    'with keys at a private address': {
      token_endpoint_auth_method: 'private_key_jwt',
      jwks_uri: 'https://10.0.0.1/jwks',
    },
    'with a name that is none': { client_name: 7 },
  };
  for (const [what, fields] of Object.entries(FLAWS)) {
    test(what, async () => {
      const { redirect_uris: uris = [] } = fields;
      const all = uris.length > 0 && { redirect_uris: [host.callback, ...uris] };
      host.answer = (response, request) =>
        answerJson(response, host.documentAt(request.url, { ...fields, ...all }));
      await assertUnusable(host.idAt(`/flawed-${encodeURIComponent(what)}.json`));
    });
  }

  const ANSWERS: Readonly<Record<string, (response: ServerResponse) => void>> = {
    'that is elsewhere (redirect)': (response) =>
      response.writeHead(302, { location: '/client.json' }).end(),
    'that is not there': (response) => response.writeHead(404).end(),
    'that is no JSON': (response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
    'that is a list': (response) => answerJson(response, []),
    'of more than 5 KiB': (response) => answerJson(response, { pad: 'x'.repeat(5 * 1024) }),
    'of 10 GB': (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const chunk = Buffer.alloc(64 * 1024, ' ');
      const write = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', write);
      write();
    },
  };
  for (const [what, respond] of Object.entries(ANSWERS)) {
    test(what, async () => {
      host.answer = respond;
      await assertUnusable(host.idAt(`/answer-${encodeURIComponent(what)}.json`));
    });
  }

  test('A metadata document that does not come within 5 seconds is not used', async () => {
    host.answer = (response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
    await assertUnusable(host.idAt('/slow.json'));
  });

  test('A metadata document that could not be used is not read again for a minute', async () => {
    host.answer = (response) => response.writeHead(404).end();
    const id = host.idAt('/late.json');
    await assertUnusable(id);
    host.answer = (response, request) => answerJson(response, host.documentAt(request.url));
    await assertUnusable(id, 0);
    host.keywright.clock.advance(60);
    const seen = await visitorOf(tenant).authorize(host.authorizationRequest(id));
    assert.ok(seen.actions.includes('login'), seen.text);
  });

  async function assertUnusable(id: string, calls = 1): Promise<void> {
    const earlier = host.requestedPaths.length;
    const seen = await visitorOf(tenant).authorize(host.authorizationRequest(id));
    assert.equal(seen.status, 400, seen.text);
    assert.equal(seen.redirectsTo, undefined);
    assert.equal(host.requestedPaths.length - earlier, calls);
  }
});

test('Client documents of one tenant that get no response delay no other tenant, and occupy only a limited number of calls', async () => {
  const silent: { readonly response: ServerResponse; readonly url: string | undefined }[] = [];
  host.answer = (response, { url }) => void silent.push({ response, url });
  const authorize = (of: TestTenant, path: string) =>
    visitorOf(of).authorize(host.authorizationRequest(host.idAt(path)));
  const pending = Array.from({ length: 16 }, (_, index) =>
    authorize(tenant, `/silent-${index}.json`),
  );
  await until('all are asked for', () => silent.length === 16);
  const { status, text } = await authorize(tenant, '/one-more.json');
  assert.equal(status, 400);
  assert.match(text, /Too many documents are being read\./);
  assert.equal(host.requestedPaths.length, 16);
  host.answer = (response, { url }) => answerJson(response, host.documentAt(url));
  const other = await authorize(await host.tenantWith({}), '/well.json');
  assert.ok(other.actions.includes('login'), other.text);
  for (const { response, url } of silent) answerJson(response, host.documentAt(url));
  for (const seen of await Promise.all(pending))
    assert.ok(seen.actions.includes('login'), seen.text);
  // A document that was not requested is not cached as failed.
  const next = await authorize(tenant, '/one-more.json');
  assert.ok(next.actions.includes('login'), next.text);
});

test('A client document is not requested at an invalid address, and no private address is called', async () => {
  const any = await host.tenantWith({ oauth_metadata_documents: 'any' });
  for (const id of [
    `http://${host.origin.slice(8)}/client.json`,
    `${host.origin}/`,
    host.origin,
    host.idAt('/client.json?a=b'),
    host.idAt('/client.json#a'),
    `https://user@${host.origin.slice(8)}/client.json`,
    host.idAt('/a/../client.json'),
    host.idAt('/./client.json'),
    host.idAt('/%2e%2e/client.json'),
    `https://LOCALHOST:${host.origin.slice(18)}/client.json`,
    `https://localhost.:${host.origin.slice(18)}/client.json`,
    'https://10.0.0.1/client.json',
    'https://[::ffff:127.0.0.1]/client.json',
    'https://169.254.169.254/latest/meta-data',
    'https://0x7f.1/client.json',
    `https://127.0.0.1:${host.origin.slice(18)}/client.json`,
    `${host.idAt('/')}${'a'.repeat(512)}`,
  ]) {
    const seen = await visitorOf(any).authorize(host.authorizationRequest(id));
    assert.equal(seen.status, 400, id);
    assert.equal(seen.redirectsTo, undefined);
    host.keywright.clock.advance(61);
  }
  assert.deepEqual(host.requestedPaths, []);
});

test('oauth_max_registered_clients: users bring no more clients than that by their documents', async () => {
  const full = await host.tenantWith({ oauth_max_registered_clients: 1 });
  const browser = browserOf(full, await full.createUser());
  const come = async (path: string) => {
    const { redirectsTo, text } = await browser.goThrough(
      host.authorizationRequest(host.idAt(path)),
    );
    return redirectsTo?.searchParams.has('code') === true ? 'code' : (redirectsTo?.href ?? text);
  };
  assert.equal(await come('/first.json'), 'code');
  assert.notEqual(await come('/second.json'), 'code');
  const rows = await host.keywright.database.query(
    'SELECT id FROM oauth_clients WHERE tenant_id = $1',
    [full.id],
  );
  assert.deepEqual(rows, [{ id: host.idAt('/first.json') }]);
  assert.equal(await come('/first.json'), 'code', 'what there is stays');
});

test('oauth_metadata_documents: off reads none, listed those of listed hosts, any one a minute of others', async () => {
  const says = async (at: TestTenant, id: string) => {
    const seen = await visitorOf(at).authorize(host.authorizationRequest(id));
    return seen.actions.includes('login') ? 'login' : seen.status;
  };
  const advertised = async (at: TestTenant) => {
    const path = '/.well-known/oauth-authorization-server';
    return expectStatus(200, await at.request('GET', path))[
      'client_id_metadata_document_supported'
    ];
  };
  const off = await host.tenantWith({ oauth_metadata_documents: 'off' });
  assert.equal(await says(off, host.idAt()), 400);
  assert.equal(await advertised(off), false);
  const others = await host.tenantWith({ oauth_client_domains: ['app.example.com'] });
  assert.equal(await says(others, host.idAt()), 400);
  const unlisted = await host.tenantWith({ oauth_client_domains: [] });
  assert.equal(await advertised(unlisted), false);
  assert.deepEqual(host.requestedPaths, []);
  const listed = await host.tenantWith({});
  assert.equal(await says(listed, host.idAt()), 'login');
  assert.equal(await advertised(listed), true);
  const any = await host.tenantWith({ oauth_metadata_documents: 'any', oauth_client_domains: [] });
  host.requestedPaths = [];
  assert.equal(await says(any, host.idAt('/one.json')), 'login');
  assert.equal(await says(any, host.idAt('/two.json')), 429);
  assert.equal(await says(any, host.idAt('/one.json')), 'login');
  assert.deepEqual(host.requestedPaths, ['/one.json']);
  host.keywright.clock.advance(60);
  assert.equal(await says(any, host.idAt('/two.json')), 'login');
});
