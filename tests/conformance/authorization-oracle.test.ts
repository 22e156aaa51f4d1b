// Sends random requests to this provider and to oidc-provider, which is certified for OpenID Connect, and requires
// the same outcomes.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import Provider from 'oidc-provider';
import { newPassword } from '../harness/credentials.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { type Random, seededRandom } from '../harness/random.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { newPkce, type Seen, type Visitor } from '../harness/visitor.ts';
import { VerifyingParty } from './verifying-party.ts';

const CALLBACK = 'https://app.example.com/callback';
const SUBJECT = 'ada';
const REQUESTS = 200;

/** The outcome of a request: `page`, `login`, `code`, or the error that the application receives. */
type Outcome = string;
type Changes = ReadonlyMap<string, string | undefined>;

let keywright: Keywright;
let tenant: TestTenant;
let party: VerifyingParty;
let server: Server;
let oracle: URL;

before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('oracle');
  const scopes = ['openid', 'profile', 'email', 'offline_access'];
  party = await VerifyingParty.register(
    { keywright, tenant, mode: 'query' },
    {
      scopes,
      first_party: false,
      require_pkce: false,
    },
  );
  server = createServer();
  server.unref().listen(0, '127.0.0.1');
  await once(server, 'listening');
  oracle = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const provider = providerAt(oracle);
  const callback = provider.callback();
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/finish/')) {
      return void provider.interactionFinished(request, response, {
        login: { accountId: SUBJECT },
      });
    }
    if (request.url?.startsWith('/interaction/')) return void response.end('a page');
    return void callback(request, response);
  });
});
after(async () => {
  await keywright.close();
  server.closeAllConnections();
  server.close();
});

function providerAt({ origin }: URL): Provider {
  const provider = new Provider(origin, {
    clients: [
      {
        client_id: party.client.id,
        client_secret: newPassword(),
        redirect_uris: [CALLBACK],
        grant_types: ['authorization_code', 'refresh_token'],
        scope: 'openid profile email offline_access',
      },
    ],
    claims: { email: ['email'], profile: ['name'], acr: null },
    responseTypes: ['code'],
    acrValues: ['aal1', 'aal2', 'phr'],
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    features: {
      devInteractions: { enabled: false },
      claimsParameter: { enabled: true },
      requestObjects: { enabled: true },
    },
    pkce: { required: () => false },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({ clientId: party.client.id, accountId: SUBJECT });
      grant.addOIDCScope('openid profile email offline_access');
      grant.addOIDCClaims(['email', 'name']);
      await grant.save();
      return grant;
    },
  });
  return provider;
}

/** Each parameter with the values it can be changed to; undefined removes it. */
const CHANGES: Readonly<Record<string, readonly (string | undefined)[]>> = {
  client_id: [undefined, '', 'client_nobody'],
  redirect_uri: [undefined, `${CALLBACK}/`, `${CALLBACK}?x=1`, 'https://evil.example.com', 'x'],
  response_type: [undefined, '', 'token', 'id_token', 'code id_token', 'none', 'CODE'],
  response_mode: ['query', 'fragment', 'web_message', ''],
  scope: ['openid email', 'openid profile email', 'openid unknown', 'openid offline_access'],
  state: [undefined, '', 'a b"c', 'x'.repeat(300)],
  nonce: [undefined, '', 'n"&<'],
  prompt: ['none', 'login', 'consent', 'none login', 'nonsense', ''],
  max_age: ['0', '1000', '-1', 'x', '1.5', ''],
  code_challenge: [newPkce().challenge, 'short', ''],
  code_challenge_method: ['S256', 'plain', 'S512', ''],
  display: ['page', 'popup'],
  ui_locales: ['en', 'se fr', ''],
  login_hint: ['ada@example.com', ''],
  claims: [
    '{"userinfo":{"name":null}}',
    '{"id_token":{"email":{"essential":true}}}',
    '[]',
    '{',
    '1',
  ],
  request: ['eyJhbGciOiJub25lIn0.e30.', 'x'],
  request_uri: ['https://app.example.com/request', 'urn:example:request'],
  registration: ['{}'],
  id_token_hint: ['nonsense'],
  extra: ['1'],
};

/** One to three changes. */
function drawChanges(random: Random): Changes {
  const names = random.shuffled(Object.keys(CHANGES)).slice(0, random.between(1, 4));
  return new Map(
    names.map((name) => {
      const values = CHANGES[name] ?? [];
      return [name, values[random.between(0, values.length)]] as const;
    }),
  );
}

function requestWith(changes: Changes): Record<string, string> {
  const request = new Map<string, string | undefined>(Object.entries(party.request()));
  for (const [name, value] of changes) request.set(name, value);
  const defined = [...request].filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(defined);
}

/** Reads the outcome from a redirect URL whose query or fragment has the parameters. */
function outcomeAt(address: URL): Outcome {
  const parameters = new URLSearchParams(address.search || address.hash.slice(1));
  return parameters.has('code') ? 'code' : (parameters.get('error') ?? 'nothing');
}

function outcomeOf({ status, redirectsTo }: Seen): Outcome {
  if (redirectsTo) return outcomeAt(redirectsTo);
  return status === 200 ? 'login' : 'page';
}

/** A browser at the other provider. */
class OracleBrowser {
  readonly #cookies = new Map<string, string>();

  async authorize(request: Readonly<Record<string, string>>): Promise<Outcome> {
    const at = await this.#go(`/auth?${new URLSearchParams(request).toString()}`);
    if (at === undefined) return 'page';
    return at.origin === oracle.origin ? 'login' : outcomeAt(at);
  }

  async logIn(): Promise<void> {
    const page = await this.#go(`/auth?${new URLSearchParams(requestWith(new Map())).toString()}`);
    const resume = await this.#go(String(page?.pathname.replace('/interaction/', '/finish/')));
    assert.equal(outcomeAt(resume ?? oracle), 'code');
  }

  /** Follows redirects up to a page of an interaction. @returns undefined at an error page */
  async #go(path: string): Promise<URL | undefined> {
    const cookie = [...this.#cookies].map((pair) => pair.join('=')).join('; ');
    const answer = await fetch(new URL(path, oracle), { redirect: 'manual', headers: { cookie } });
    for (const setCookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(setCookie) ?? [];
      this.#cookies.set(name, value);
    }
    await answer.arrayBuffer();
    const location = answer.headers.get('location');
    if (location === null) return undefined;
    const next = new URL(location, oracle);
    if (next.origin !== oracle.origin || next.pathname.startsWith('/interaction/')) return next;
    return this.#go(next.pathname + next.search);
  }
}

/** Requests with a different outcome here. */
const OTHERWISE = new Map<string, Outcome>([
  // OpenID Connect Core §3.1.2.1 requires the parameter; the other provider uses the only registered redirect URI.
  ['redirect_uri undefined', 'page'],
  // A code in a fragment would be readable by scripts.
  ['response_mode fragment', 'invalid_request'],
  // The other provider's error code is not in any specification.
  ['response_mode web_message', 'invalid_request'],
  // The object is well-formed, but unsigned ones are not accepted.
  ['request eyJhbGciOiJub25lIn0.e30.', 'request_not_supported'],
]);

const nameOf = (changes: Changes) =>
  [...changes].map((change) => `${change[0]} ${change[1]}`).join(', ');
const isError = (outcome: Outcome) => !['page', 'login', 'code'].includes(outcome);

for (const who of ['no user', 'the user'] as const) {
  describe(`where ${who} is logged in`, () => {
    const theirs = new OracleBrowser();
    let ours: Visitor;

    before(async () => {
      ours = party.browser();
      if (who === 'no user') return;
      await theirs.logIn();
      const { identifier, password: secret } = await tenant.createUser();
      await ours.authorize(party.request({ scope: 'openid profile email offline_access' }));
      await ours.press('login', { identifier, secret });
      await ours.press('allow');
    });

    const both = async (changes: Changes) => {
      const request = requestWith(changes);
      return [outcomeOf(await ours.authorize(request)), await theirs.authorize(request)] as const;
    };

    test('An authorization request with one change is answered as another certified provider answers it', async () => {
      for (const [name, values] of Object.entries(CHANGES)) {
        for (const value of values) {
          const changes = new Map([[name, value]]);
          const [outcome, other] = await both(changes);
          const expected = OTHERWISE.get(`${name} ${value}`) ?? other;
          assert.equal(outcome, expected, nameOf(changes));
        }
      }
    });

    // With several errors, each implementation may choose which one it reports.
    test(`${REQUESTS} requests with several changes end at the same place`, async () => {
      const random = seededRandom();
      for (let n = 0; n < REQUESTS; n += 1) {
        const changes = drawChanges(random);
        if ([...changes].some((change) => OTHERWISE.has(`${change[0]} ${change[1]}`))) continue;
        const [outcome, other] = await both(changes);
        const place = `${nameOf(changes)} (seed ${random.seed}): ${outcome}, ${other}`;
        assert.deepEqual([isError(outcome) || outcome], [isError(other) || other], place);
      }
    });
  });
}
