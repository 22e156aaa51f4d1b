// Requests without a valid redirect URI, of clients with an initiate_login_uri (OpenID Connect Core §4).

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newClient, proofOf, requestOf } from '@keywright/tests/harness/code-login';
import {
  browserOf,
  type DocumentHost,
  issuerOf,
  startDocumentHost,
  visitorOf,
} from '@keywright/tests/harness/document-host';
import { expectStatus } from '@keywright/tests/harness/http';
import { answerJson } from '@keywright/tests/harness/outside-issuer';
import { refusalOf, register } from '@keywright/tests/harness/registration';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { type Seen, unescape } from '@keywright/tests/harness/visitor';

type Parameters = Readonly<Record<string, string>>;

const START = 'https://app.example.com/login?from=keywright';

let host: DocumentHost;
let tenant: TestTenant;

before(async () => {
  host = await startDocumentHost();
  tenant = await host.tenantWith({ oauth_registration: 'open' });
});
after(() => host.close());

/** The target of the page's link, if it has one. */
function linkOn({ text }: Seen): string | undefined {
  const [, link] = /<a id="leave" href="([^"]+)"/.exec(text) ?? [];
  return link && unescape(link);
}

/** The initiate_login_uri with the issuer as its `iss` parameter. */
function startAt(uri: string): string {
  const start = new URL(uri);
  start.searchParams.set('iss', issuerOf(tenant));
  return start.href;
}

const authorize = (request: Parameters) => visitorOf(tenant).authorize(request);

describe('a client with an initiate_login_uri', () => {
  test('The page of a pushed request that was opened too late links to the client, with iss', async () => {
    const client = await newClient(tenant, { initiate_login_uri: START });
    const pushed = await tenant.request('POST', `/t/${tenant.id}/oauth/par`, {
      rawBody: new URLSearchParams({ ...requestOf(client), ...proofOf(client) }).toString(),
      contentType: 'application/x-www-form-urlencoded',
    });
    const request_uri = String(expectStatus(201, pushed)['request_uri']);
    host.keywright.clock.advance(61);
    const seen = await authorize({ client_id: client.id, request_uri });
    assert.deepEqual([seen.status, seen.redirectsTo], [400, undefined]);
    assert.equal(linkOn(seen), startAt(START));
    assert.doesNotMatch(seen.text, /id="unverified"/);
  });

  test('A login page that is opened without a request, or with an address that is not registered, links to the client', async () => {
    const client = await newClient(tenant, { initiate_login_uri: START });
    const elsewhere = requestOf(client, { redirect_uri: 'https://evil.example/callback' });
    for (const request of [{ client_id: client.id }, elsewhere]) {
      const seen = await authorize(request);
      assert.deepEqual([seen.status, linkOn(seen)], [400, startAt(START)]);
      assert.doesNotMatch(seen.text, /evil/);
    }
  });

  test('A client is linked only while it is active, and has an initiate_login_uri', async () => {
    const [none, inactive] = [
      await newClient(tenant),
      await newClient(tenant, { initiate_login_uri: START }),
    ];
    const options = { token: await tenant.adminToken(), body: { is_active: false } };
    expectStatus(200, await tenant.request('PATCH', `/clients/${inactive.id}`, options));
    for (const { id } of [none, inactive, { id: 'client_unknown' }]) {
      const seen = await authorize({ client_id: id });
      assert.deepEqual([seen.status, linkOn(seen)], [400, undefined]);
    }
  });

  test('A link to a client that no administrator created warns and names the host, unless the user has authorized it there', async () => {
    const metadata = { token_endpoint_auth_method: 'none', initiate_login_uri: START };
    const { client_id } = expectStatus(201, await register(tenant, metadata));
    const browser = browserOf(tenant, await tenant.createUser());
    const first = await browser.authorize({ client_id });
    assert.match(first.text, /id="unverified"[^]*<b><bdi>app\.example\.com/);
    assert.deepEqual([first.redirectsTo, linkOn(first)], [undefined, startAt(START)]);
    await browser.codeFor({ id: client_id });
    assert.doesNotMatch((await browser.authorize({ client_id })).text, /id="unverified"/);
  });
});

describe('an initiate_login_uri', () => {
  test('An initiate_login_uri is registered and returned by dynamic registration', async () => {
    const answer = await register(tenant, { initiate_login_uri: START });
    assert.equal(expectStatus(201, answer).initiate_login_uri, START);
  });

  test('An initiate_login_uri is refused if it has no https, or a pattern', async () => {
    for (const uri of [
      'http://app.example.com/',
      'com.example.app:/login',
      'https://*.example.com/',
    ]) {
      const refused = await register(tenant, { initiate_login_uri: uri });
      assert.equal(refusalOf(refused), '400 invalid_client_metadata /initiate_login_uri');
    }
  });

  test('An initiate_login_uri of a document is at the host of the document', async () => {
    const id = host.idAt('/start.json');
    const at = (uri: string) => {
      host.answer = (response, { url }) =>
        answerJson(response, host.documentAt(url, { initiate_login_uri: uri }));
      host.keywright.clock.advance(24 * 60 * 60);
      return authorize({ client_id: id });
    };
    assert.equal(linkOn(await at(`${host.origin}/login`)), startAt(`${host.origin}/login`));
    assert.match((await at(START)).text, /initiate_login_uri must be on the host of the document/);
  });
});
