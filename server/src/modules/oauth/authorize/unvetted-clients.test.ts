// RFC 9700 §4.11.2: a client that anyone can register cannot redirect users from our address to its own.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { CALLBACK, exchangeOf, newClient, requestOf } from '@keywright/tests/harness/code-login';
import {
  browserOf,
  type DocumentHost,
  issuerOf,
  startDocumentHost,
  visitorOf,
} from '@keywright/tests/harness/document-host';
import { expectStatus } from '@keywright/tests/harness/http';
import { register } from '@keywright/tests/harness/registration';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { postToken } from '@keywright/tests/harness/token-endpoint';
import type { Seen, Visitor } from '@keywright/tests/harness/visitor';

type Parameters = Readonly<Record<string, string>>;

const BYE = 'https://app.example.com/bye';
const MODES = [undefined, 'query', 'form_post', 'jwt', 'query.jwt', 'form_post.jwt'];

/** Requests that end in an error. Some errors depend on whether the user is logged in. */
const ERRORS: Readonly<Record<string, Parameters>> = {
  invalid_scope: { scope: 'nothing' },
  unsupported_response_type: { response_type: 'token' },
  invalid_target: { resource: 'https://unknown.example.com/' },
  request_not_supported: { request: 'e30.e30.' },
  invalid_request: { code_challenge: '' },
  'invalid_request by its hint': { id_token_hint: 'forged' },
  'login_required or consent_required': { prompt: 'none' },
};

interface UnvettedClient {
  readonly id: string;
  readonly callback: string;
}

let host: DocumentHost;
let tenant: TestTenant;

before(async () => {
  host = await startDocumentHost();
  tenant = await host.tenantWith({
    oauth_registration: 'open',
    login_attempts_limit: 10_000,
  });
});
after(() => host.close());

const clients: Readonly<Record<string, () => Promise<UnvettedClient>>> = {
  'registered itself': async () => {
    const metadata = { client_name: 'Prize', token_endpoint_auth_method: 'none' };
    const { client_id: id } = expectStatus(201, await register(tenant, metadata));
    return { id, callback: CALLBACK };
  },
  'is known by its document': async () => ({
    id: host.idAt(`/${crypto.randomUUID()}.json`),
    callback: host.callback,
  }),
};

function requestFrom({ id, callback }: UnvettedClient, more: Parameters): Parameters {
  return requestOf({ id }, { redirect_uri: callback, state: 'kept', ...more });
}

/** The page names the client's host, and the user leaves it only by following a link. */
function assertStays(seen: Seen, { callback }: UnvettedClient, context: string): void {
  const { host: named } = new URL(callback);
  assert.equal(seen.redirectsTo, undefined, `${context}: leads to ${String(seen.redirectsTo)}`);
  assert.doesNotMatch(seen.text, /<script|http-equiv="refresh"/, context);
  assert.match(seen.text, new RegExp(`id="unverified"[^]*<b><bdi>${named}`), context);
  assert.match(seen.text, /id="leave"/, context);
}

async function loggedIn(): Promise<Visitor> {
  const browser = browserOf(tenant, await tenant.createUser());
  await browser.goThrough(requestOf(await newClient(tenant)));
  return browser;
}

for (const [title, createClient] of Object.entries(clients)) {
  describe(`a client that ${title}`, () => {
    for (const [error, more] of Object.entries(ERRORS)) {
      test(`An unvetted client cannot redirect browsers automatically with ${error}, in any response mode`, async () => {
        const client = await createClient();
        for (const [who, browser] of [
          ['logged out', visitorOf(tenant)],
          ['logged in', await loggedIn()],
        ] as const) {
          for (const mode of MODES) {
            const request = requestFrom(client, { ...more, ...(mode && { response_mode: mode }) });
            const context = `${who}, ${mode ?? 'by default'}`;
            assertStays(await browser.authorize(request), client, context);
            assert.equal(browser.seen.status, 400, context);
            assertStays(await browser.authorizeByForm(request), client, `${context}, POST`);
          }
        }
      });
    }

    test('An unvetted client cannot redirect browsers automatically when the user denies the consent', async () => {
      const client = await createClient();
      for (const mode of MODES) {
        const browser = await loggedIn();
        await browser.authorize(requestFrom(client, mode ? { response_mode: mode } : {}));
        const seen = await browser.press('deny');
        assertStays(seen, client, mode ?? 'by default');
        assert.match(seen.text, /access_denied/);
      }
    });

    test('An unvetted client gets the errors of later requests of a user who authorized it, until they withdraw the consent', async () => {
      const client = await createClient();
      const user = await tenant.createUser();
      const browser = browserOf(tenant, user);
      const { redirectsTo } = await browser.goThrough(requestFrom(client, {}));
      assert.ok(redirectsTo?.searchParams.has('code'));
      const silent = await browser.authorize(requestFrom(client, { prompt: 'none' }));
      assert.ok(silent.redirectsTo?.searchParams.has('code'));
      const wrong = requestFrom(client, { scope: 'nothing' });
      const { searchParams } = (await browser.authorize(wrong)).redirectsTo ?? new URL(BYE);
      assert.deepEqual(
        [searchParams.get('error'), searchParams.get('state'), searchParams.get('iss')],
        ['invalid_scope', 'kept', issuerOf(tenant)],
      );
      assertStays(await visitorOf(tenant).authorize(wrong), client, 'another browser');
      const { token } = user;
      const path = '/me/consents';
      const { items } = expectStatus(
        200,
        await tenant.request<{ items: { id: string }[] }>('GET', path, { token }),
      );
      const id = items[0]?.id ?? '';
      expectStatus(200, await tenant.request('DELETE', `${path}/${id}`, { token }));
      assertStays(await browser.authorize(wrong), client, 'after the consent was taken back');
    });

    test('An unvetted client gets the error if the user chooses to continue', async () => {
      const client = await createClient();
      const { text } = await visitorOf(tenant).authorize(requestFrom(client, { prompt: 'none' }));
      const [, address = ''] = /<a id="leave" href="([^"]+)"/.exec(text) ?? [];
      const { origin, searchParams } = new URL(address.replaceAll('&amp;', '&'));
      assert.equal(origin, new URL(client.callback).origin);
      assert.equal(searchParams.get('error'), 'login_required');
      const posted = requestFrom(client, { prompt: 'none', response_mode: 'form_post' });
      const seen = await visitorOf(tenant).authorize(posted);
      assert.equal(seen.formTarget?.href, client.callback);
      assert.equal(seen.hidden['error'], 'login_required');
    });
  });
}

test('A client that an administrator created gets each error immediately', async () => {
  const { id } = await newClient(tenant);
  for (const more of Object.values(ERRORS)) {
    const request = requestFrom({ id, callback: CALLBACK }, more);
    const { redirectsTo } = await visitorOf(tenant).authorize(request);
    assert.ok(redirectsTo?.searchParams.has('error'), JSON.stringify(more));
  }
});

describe('a logout for a client that registered itself', () => {
  /** An ID token issued to the attacker who registered the client. */
  async function hintedLogout() {
    const fields = { post_logout_redirect_uris: [BYE], token_endpoint_auth_method: 'none' };
    const by = { token: await tenant.adminToken() };
    const { client_id: id } = expectStatus(201, await register(tenant, fields, by));
    // Logins are limited per address and time.
    host.keywright.clock.advance(3600);
    const browser = browserOf(tenant, await tenant.createUser());
    const code = await browser.codeFor({ id });
    const tokens = expectStatus(
      200,
      await postToken(tenant, { ...exchangeOf(code), client_id: id }),
    );
    const query = new URLSearchParams({
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: BYE,
    });
    return {
      browser,
      path: `${new URL(issuerOf(tenant)).pathname}/oauth/logout?${query.toString()}`,
    };
  }

  test('A logout does not redirect other browsers automatically', async () => {
    const { path } = await hintedLogout();
    const out = await visitorOf(tenant).open(path);
    assert.equal(out.redirectsTo, undefined);
    assert.match(out.text, /<a id="leave" href="https:\/\/app\.example\.com\/bye"/);
    const victim = await loggedIn();
    await victim.open(path);
    const done = await victim.press('logout');
    assert.equal(done.redirectsTo, undefined);
    assert.match(done.text, /<a id="leave"/);
  });

  test('A logout redirects the browser that was logged in there', async () => {
    const { browser, path } = await hintedLogout();
    assert.equal((await browser.open(path)).redirectsTo?.href, BYE);
  });
});
