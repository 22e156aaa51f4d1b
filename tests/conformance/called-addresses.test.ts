// Addresses that strangers make the service call: a client's sector list, key set and metadata document, each behind
// malicious names and hosts. Receivers of events and logouts have separate tests.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { after, before, beforeEach, describe, test } from 'node:test';
import { CLIENT_ASSERTION_TYPE } from '@keywright/contract/routes/client-authentication';
import { GRANT_TYPE } from '@keywright/contract/routes/token';
import { registerClient } from '../harness/application.ts';
import { Authority } from '../harness/certificate.ts';
import { requestOf } from '../harness/code-login.ts';
import { type DnsServer, startDnsServer } from '../harness/dns-server.ts';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { answerJson } from '../harness/outside-issuer.ts';
import { pour } from '../harness/pour.ts';
import { type Receiver, startReceiver } from '../harness/receiver.ts';
import { refusalOf, register } from '../harness/registration.ts';
import { newStatementKey, type StatementKey } from '../harness/statement-key.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { postToken } from '../harness/token-endpoint.ts';
import { until } from '../harness/until.ts';
import { Visitor } from '../harness/visitor.ts';

// Represents the public Internet in these tests; 127.0.0.1 the internal network.
const PUBLIC = '127.0.0.2';
const INSIDE = '127.0.0.1';
const NAMES = ['out', 'inside', 'mapped', 'link-local', 'both', 'flips'] as const;
type Name = (typeof NAMES)[number];
const hostOf = (name: Name) => `${name}.example.com`;
const CALLBACK = 'https://app.example.com/callback';
const MIB = 1024 * 1024;

let keywright: Keywright;
let tenant: TestTenant;
let key: StatementKey;
let dns: DnsServer;
let outside: Receiver;
let inside: Receiver;
/** The requested paths. */
let requestedPaths: string[];
let insideCalls = 0;
let answer: (response: ServerResponse, path: string) => void;
const flipped = new Map<string, number>();

before(async () => {
  const authority = new Authority();
  const certificate = authority.issue(NAMES.map(hostOf));
  // Started first because many ports are taken at this address, and hardly any at the other one.
  inside = await startReceiver((_request, response) => response.end('{}'), {
    address: INSIDE,
    certificate,
  });
  outside = await startReceiver(
    ({ url = '' }, response) => {
      requestedPaths.push(url);
      answer(response, url);
    },
    { address: PUBLIC, port: inside.port, certificate },
  );
  dns = await startDnsServer(({ name, type }) => {
    if (name === hostOf('inside')) return [INSIDE];
    if (name === hostOf('mapped')) return ['::ffff:7f00:1'];
    if (name === hostOf('link-local')) return ['169.254.169.254'];
    if (name === hostOf('both')) return [INSIDE, PUBLIC];
    if (name !== hostOf('flips')) return [PUBLIC];
    if (type === 'AAAA') return [];
    const times = (flipped.get(name) ?? 0) + 1;
    flipped.set(name, times);
    return [times % 2 === 1 ? PUBLIC : INSIDE];
  });
  keywright = await startKeywright({
    env: { KEYWRIGHT_EGRESS_ALLOW: PUBLIC },
    outside: { ca: authority.ca, dnsServers: [dns.address] },
  });
  key = await newStatementKey('ES256');
});
after(async () => {
  await keywright.close();
  await dns.close();
  await outside.close();
  await inside.close();
});

beforeEach(async () => {
  requestedPaths = [];
  insideCalls = inside.connections;
  flipped.clear();
  // Rate limits of an address are per tenant, so each test gets a new tenant.
  tenant = await keywright.tenant(`called-${randomUUID()}`, {
    config: { oauth_registration: 'open', oauth_client_domains: NAMES.map(hostOf) },
  });
});

const addressOf = (name: Name, path: string) => `https://${hostOf(name)}:${outside.port}${path}`;

/** Makes the service call an address. @returns whether it could use what is there */
type Call = (url: string) => Promise<boolean>;

const CALLS: Readonly<
  Record<string, { readonly call: Call; readonly good: (url: string) => unknown }>
> = {
  'the list of a sector': {
    async call(url) {
      const metadata = { subject_type: 'pairwise', redirect_uris: [CALLBACK] };
      const answered = await register(tenant, { ...metadata, sector_identifier_uri: url });
      if (answered.status === 201) return true;
      assert.equal(refusalOf(answered), '400 invalid_client_metadata /sector_identifier_uri');
      return false;
    },
    good: () => [CALLBACK],
  },
  'the keys of a client': {
    async call(url) {
      const fields = { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: url };
      const id = await registerClient(tenant, fields);
      const iat = Math.floor(Date.now() / 1000);
      const aud = `https://id.example.com/t/${tenant.id}`;
      const stated = { iss: id, sub: id, aud, jti: randomUUID(), iat, exp: iat + 60 };
      const { body } = await postToken(tenant, {
        grant_type: GRANT_TYPE.authorizationCode,
        code: 'none',
        redirect_uri: CALLBACK,
        client_assertion_type: CLIENT_ASSERTION_TYPE,
        client_assertion: await key.sign(stated),
      });
      assert.match(body.error, /^invalid_(client|grant)$/);
      return body.error === 'invalid_grant';
    },
    good: () => ({ keys: [key.publicJwk] }),
  },
  'the document of an application': {
    async call(url) {
      const visitor = new Visitor(tenant, `https://id.example.com/t/${tenant.id}`);
      const redirect_uri = new URL('/callback', url).href;
      const { status } = await visitor.authorize(requestOf({ id: url }, { redirect_uri }));
      assert.ok(status === 200 || status === 400, String(status));
      return status === 200;
    },
    good: (url) => ({
      client_id: url,
      client_name: 'Notes',
      redirect_uris: [new URL('/callback', url).href],
    }),
  },
};

for (const [what, { call, good }] of Object.entries(CALLS)) {
  describe(`${what} is asked for`, () => {
    const serve = (name: Name) => {
      answer = (response, path) => answerJson(response, good(addressOf(name, path)));
    };

    test('A document at a public address is fetched', async () => {
      serve('out');
      assert.equal(await call(addressOf('out', '/well.json')), true);
      assert.deepEqual(requestedPaths, ['/well.json']);
    });

    for (const name of ['inside', 'mapped', 'link-local'] as const) {
      test(`A document at a name with a private address is not fetched: ${name}`, async () => {
        serve(name);
        assert.equal(await call(addressOf(name, '/private.json')), false);
        assert.deepEqual([requestedPaths, inside.connections], [[], insideCalls]);
      });
    }

    for (const name of ['both', 'flips'] as const) {
      test(`A document is fetched only at the public address of a name that also has a private one, always or at times: ${name}`, async () => {
        serve(name);
        assert.equal(await call(addressOf(name, '/checked.json')), true);
        assert.deepEqual([requestedPaths, inside.connections], [['/checked.json'], insideCalls]);
      });
    }

    test('A document is not fetched from the target of a redirect', async () => {
      answer = (response) =>
        response.writeHead(302, { location: addressOf('out', '/instead.json') }).end();
      assert.equal(await call(addressOf('out', '/moved.json')), false);
      assert.deepEqual(requestedPaths, ['/moved.json']);
    });

    test('An endless response is cut off after little of it is read', async () => {
      let poured = 0;
      answer = (response) => pour(response, (bytes) => (poured = bytes));
      assert.equal(await call(addressOf('out', '/endless.json')), false);
      await until('it is cut off', () => poured > 0);
      assert.ok(poured < 16 * MIB, `${poured} bytes`);
    });

    test('A response that trickles in is abandoned', async () => {
      const drops = new Set<NodeJS.Timeout>();
      answer = (response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        drops.add(setInterval(() => response.write(' '), 200));
      };
      assert.equal(await call(addressOf('out', '/drip.json')), false);
      for (const drop of drops) clearInterval(drop);
      assert.deepEqual(requestedPaths, ['/drip.json']);
    });
  });
}

test('The logo_uri, client_uri, policy_uri and tos_uri of an application are never fetched', async () => {
  answer = (response) => response.end();
  const names = ['logo_uri', 'client_uri', 'policy_uri', 'tos_uri'];
  const fields = names.map((name) => [name, addressOf('out', `/${name}`)]);
  expectStatus(201, await register(tenant, Object.fromEntries(fields) as object));
  assert.deepEqual(requestedPaths, []);
});
