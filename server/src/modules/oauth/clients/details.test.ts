import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type {
  CreatedOAuthClient,
  OAuthClientRecord,
} from '@keywright/contract/records/oauth-client';
import {
  CALLBACK,
  newClient,
  redeem,
  refreshWith,
  requestOf,
  UserBrowser,
} from '@keywright/tests/harness/code-login';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { watchStatements } from '@keywright/tests/harness/statements';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';
import { until } from '@keywright/tests/harness/until';

const HOUR_SECONDS = 3600;

let keywright: Keywright;
let tenant: TestTenant;
let user: TestUser;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  tenant = await keywright.tenant('details', { config: { session_timeout: 86_400 } });
  user = await tenant.createUser();
});
after(() => keywright.close());

const newBrowser = () => new UserBrowser(tenant, `https://id.example.com/t/${tenant.id}`, user);

async function patch(id: string, body: object) {
  const options = { token: await tenant.adminToken(), body };
  return tenant.request<OAuthClientRecord & ErrorBody>('PATCH', `/clients/${id}`, options);
}

async function read(id: string): Promise<OAuthClientRecord> {
  const token = await tenant.adminToken();
  const path = `/clients/${id}`;
  return expectStatus(200, await tenant.request<OAuthClientRecord>('GET', path, { token }));
}

describe('policy_uri, tos_uri and contacts', () => {
  const ABOUT = {
    policy_uri: 'https://app.example.com/privacy',
    tos_uri: 'https://app.example.com/terms?a=1&b="2"',
    contacts: ['help@app.example.com', "o{x&y}'s@app.example.com"],
  };
  const metadata = { ...ABOUT, contacts: ABOUT.contacts.slice(0, 1) };

  test('The policy_uri, tos_uri and contacts of a client are shown on the consent page, and only what there is', async () => {
    const client = await newClient(tenant, metadata);
    const browser = newBrowser();
    await browser.authorize(requestOf(client));
    const { identifier, password: secret } = user;
    const { text } = await browser.press('login', { identifier, secret });
    assert.ok(text.includes('<h2>About <bdi>Invoices</bdi></h2>'), text);
    assert.ok(text.includes('href="https://app.example.com/privacy"'));
    assert.ok(text.includes('href="https://app.example.com/terms?a=1&amp;b=&quot;2&quot;"'));
    assert.ok(text.includes('<a href="mailto:help@app.example.com"'));
    const nothing = { policy_uri: null, tos_uri: null, contacts: [] };
    expectStatus(200, await patch(client.id, nothing));
    const again = newBrowser();
    await again.authorize(requestOf(client));
    const shown = await again.press('login', { identifier, secret });
    assert.ok(shown.actions.includes('allow') && !shown.text.includes('<h2>About '));
  });

  for (const [what, body] of Object.entries({
    http: { policy_uri: 'http://app.example.com/' },
    'a script': { tos_uri: 'javascript:alert(1)' },
    'another host in front': { policy_uri: 'https://bank.example@evil.example/' },
    'no host': { tos_uri: 'https://:443/' },
    'no address': { contacts: ['help'] },
    'fields of a message': { contacts: ['a?bcc=all@app.example.com'] },
    'too many': {
      contacts: ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}@app.example.com`),
    },
    'the same twice': { contacts: ['a@app.example.com', 'a@app.example.com'] },
    'what mail programs read otherwise': { contacts: ABOUT.contacts },
  })) {
    test(`A client with an invalid policy_uri, tos_uri or contacts is refused: ${what}`, async () => {
      const { id } = await newClient(tenant);
      const { status, body: answer } = await patch(id, body);
      assert.deepEqual([status, answer.code], [400, 'VALIDATION_FAILED']);
      const [name = ''] = Object.keys(body);
      assert.ok(answer.errors?.[0]?.path.startsWith(`/${name}`));
    });
  }
});

describe('default_max_age', () => {
  test('default_max_age is the max_age of requests that have none', async () => {
    const client = await newClient(tenant, { first_party: true, default_max_age: 600 });
    const browser = newBrowser();
    const hasCode = async (more = {}) => {
      const request = requestOf(client, { prompt: 'none', ...more });
      return (await browser.authorize(request)).redirectsTo?.searchParams.has('code');
    };
    const code = await browser.codeFor(client);
    const tokens = expectStatus(200, await redeem(tenant, client, code));
    assert.ok('auth_time' in claimsOf(String(tokens.id_token)));
    keywright.clock.advance(600);
    assert.deepEqual([await hasCode(), await hasCode({ max_age: '599' })], [true, false]);
    keywright.clock.advance(1);
    assert.deepEqual([await hasCode(), await hasCode({ max_age: '900' })], [false, true]);
    assert.ok((await browser.authorize(requestOf(client))).actions.includes('login'));
    expectStatus(200, await patch(client.id, { default_max_age: null }));
    assert.equal(await hasCode(), true);
  });
});

describe('require_pkce', () => {
  /** The outcomes of a request without PKCE, with and without a nonce. */
  async function outcomesFor(require_pkce: boolean | null): Promise<unknown[]> {
    const client = await newClient(tenant, { require_pkce });
    const { code_challenge: _, code_challenge_method: __, ...bare } = requestOf(client);
    const found: unknown[] = [];
    for (const request of [{ ...bare, nonce: 'n-1' }, bare]) {
      const { redirectsTo, title } = await newBrowser().authorize(request);
      found.push(redirectsTo?.searchParams.get('error') ?? title);
    }
    return found;
  }

  test('require_pkce decides whether a confidential client can omit PKCE: with a nonce, never or always', async () => {
    const refused = 'invalid_request';
    assert.deepEqual(await outcomesFor(null), ['Sign in', refused]);
    assert.deepEqual(await outcomesFor(true), [refused, refused]);
    assert.deepEqual(await outcomesFor(false), ['Sign in', 'Sign in']);
  });

  test('require_pkce cannot be false for a public client', async () => {
    const expected = [
      { path: '/require_pkce', message: 'cannot be false: the client does not authenticate' },
    ];
    const body = { name: 'Page', kind: 'spa', redirect_uris: [CALLBACK], require_pkce: false };
    const token = await tenant.adminToken();
    const created = await tenant.request<ErrorBody>('POST', '/clients', { token, body });
    assert.deepEqual(expectStatus(400, created).errors, expected);
    const { id } = await newClient(tenant, { ...body, require_pkce: true, grant_types: undefined });
    const changed = await patch(id, { require_pkce: false });
    assert.deepEqual(expectStatus(400, changed).errors, expected);
    assert.equal(expectStatus(200, await patch(id, { require_pkce: null })).require_pkce, null);
  });
});

async function sentBy(work: () => Promise<void>): Promise<readonly string[]> {
  const watched = watchStatements();
  await work().finally(() => watched.stop());
  return watched.sent;
}

describe('last_used_at', () => {
  const hour = () => {
    const now = new Date(keywright.clock.now());
    now.setUTCMinutes(0, 0, 0);
    return now.toISOString();
  };
  const scope = { scope: 'openid offline_access', prompt: 'consent' };
  const isWritten = (client: CreatedOAuthClient, at: string) =>
    until('the use is written', async () => (await read(client.id)).last_used_at === at);

  test('last_used_at is the hour in which a client got tokens, and is written once an hour', async () => {
    const client = await newClient(tenant);
    assert.equal(client.last_used_at, null);
    const browser = newBrowser();
    const tokens = await browser.tokensFor(client, scope);
    const first = hour();
    await isWritten(client, first);
    const writes = await sentBy(async () => {
      const again = expectStatus(200, await refreshWith(tenant, client, tokens.refresh_token));
      await browser.tokensFor(client);
      keywright.clock.advance(HOUR_SECONDS);
      expectStatus(200, await refreshWith(tenant, client, again.refresh_token));
      await isWritten(client, hour());
    });
    const noted = writes.filter((statement) => statement.includes('kw_touch_client'));
    assert.equal(noted.length, 1);
    assert.notEqual(hour(), first);
  });

  test('An update of last_used_at is no change of the client: a code that was issued earlier can be redeemed', async () => {
    const client = await newClient(tenant);
    const browser = newBrowser();
    await browser.tokensFor(client, scope);
    const code = await browser.codeFor(client);
    await isWritten(client, hour());
    const statements = await sentBy(async () => {
      expectStatus(200, await redeem(tenant, client, code));
    });
    assert.ok(
      !statements.some((statement) => statement.includes('kw_find_clients')),
      statements.join('\n'),
    );
  });

  test('last_used_at does not change for a client that is refused', async () => {
    const client = await newClient(tenant);
    const wrong = await redeem(tenant, client, 'a-code');
    assert.equal(wrong.status, 400);
    const other = await newClient(tenant);
    await newBrowser().tokensFor(other);
    await isWritten(other, hour());
    assert.equal((await read(client.id)).last_used_at, null);
  });
});
