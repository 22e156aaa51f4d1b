import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import type { TenantId } from '@keywright/contract/ids';
import { Authority } from '@keywright/tests/harness/certificate';
import { type FakeClock, fakeClock } from '@keywright/tests/harness/clock';
import {
  answerJson,
  type OutsideIssuer,
  startOutsideIssuer,
} from '@keywright/tests/harness/outside-issuer';
import { parallel } from '@keywright/tests/harness/parallel';
import { startReceiver } from '@keywright/tests/harness/receiver';
import { newStatementKey, type StatementKey } from '@keywright/tests/harness/statement-key';
import { until } from '@keywright/tests/harness/until';
import { parseOutsideToken } from '../../../platform/crypto/outside-jws.ts';
import { parseEgressAllow } from '../../../platform/egress/operator-exceptions.ts';
import { LoadedEgress, type Egress } from '../../../platform/egress/egress.ts';
import { IssuerKeys } from './remote-keys.ts';

const TENANT = 'org_one' as TenantId;
const OTHER_TENANT = 'org_other' as TenantId;
/** A busy machine responds in time with this limit. */
const TIMEOUT_MS = 60_000;
/** For issuers that never answer. */
const SHORT_TIMEOUT_MS = 150;

let key: StatementKey;
let issuer: OutsideIssuer;
let egress: Egress;
let clock: FakeClock;
let issuerKeys: IssuerKeys;

before(async () => {
  key = await newStatementKey();
  egress = new LoadedEgress({ allow: parseEgressAllow('127.0.0.1').allow });
});

after(() => egress.close());

beforeEach(async () => {
  issuer = await startOutsideIssuer([key]);
  clock = fakeClock();
  issuerKeys = new IssuerKeys(egress, clock, TIMEOUT_MS);
});

afterEach(() => issuer.close());

/** Finds the key of a token that this key signed; the refusal when there is none. */
async function find(signer = key, from = issuer.url, tenantId = TENANT): Promise<string> {
  const token = parseOutsideToken(await signer.sign({}));
  assert.ok(token);
  const found = await issuerKeys.find(tenantId, from, token);
  return found.key ? 'found' : found.refusal;
}

describe('the keys of an external issuer', () => {
  test('The keys of an external issuer are fetched once, and again when they expire', async () => {
    issuer.headers = { 'cache-control': 'public, max-age=120' };
    assert.deepEqual(
      await parallel(5, () => find()),
      Array.from({ length: 5 }, () => 'found'),
    );
    assert.equal(issuer.requestCount, 1);
    clock.advance(119);
    await find();
    assert.equal(issuer.requestCount, 1);
    clock.advance(1);
    await find();
    assert.equal(issuer.requestCount, 2);
  });

  for (const [header, seconds] of [
    ['max-age=1', 60],
    ['no-store', 60],
    ['', 300],
    ['max-age=31536000, immutable', 900],
    ['max-age=99999999999999999999', 900],
  ] as const) {
    test(`The keys of an external issuer are cached for ${seconds} s if the issuer sends “${header}”`, async () => {
      issuer.headers = { 'cache-control': header };
      await find();
      clock.advance(seconds - 1);
      await find();
      assert.equal(issuer.requestCount, 1);
      clock.advance(1);
      await find();
      assert.equal(issuer.requestCount, 2);
    });
  }

  test('The keys of an external issuer are fetched separately for each tenant', async () => {
    await find();
    await find(key, issuer.url, OTHER_TENANT);
    assert.equal(issuer.requestCount, 2);
  });

  test('The keys of an external issuer are fetched again when it uses a new key, but not on every request', async () => {
    await find();
    const next = await newStatementKey();
    issuer.keys = [next];
    assert.equal(await find(next), 'kid');
    assert.equal(issuer.requestCount, 1, 'just asked');
    clock.advance(30);
    assert.deepEqual(
      await parallel(5, () => find(next)),
      Array.from({ length: 5 }, () => 'found'),
    );
    assert.equal(issuer.requestCount, 2);
    // The old key was removed by the refresh.
    assert.equal(await find(), 'kid');
    assert.equal(issuer.requestCount, 2);
  });

  test('The keys of an external issuer that are still fresh survive an outage of the issuer', async () => {
    await find();
    issuer.jwks = (_request, response) => response.writeHead(500).end();
    clock.advance(30);
    assert.equal(await find(await newStatementKey()), 'kid');
    assert.equal(await find(), 'found');
    assert.equal(issuer.requestCount, 2);
    clock.advance(270);
    assert.equal(await find(), 'jwks: status 500');
  });
});

const DISCOVERY: Readonly<Record<string, readonly [(response: ServerResponse) => void, string]>> = {
  'of another issuer': [
    (response) =>
      answerJson(response, { issuer: 'https://other.example.com', jwks_uri: `${issuer.url}/keys` }),
    'discovery: another issuer',
  ],
  'of an issuer that differs by a slash': [
    (response) =>
      answerJson(response, { issuer: `${issuer.url}/`, jwks_uri: `${issuer.url}/keys` }),
    'discovery: another issuer',
  ],
  'without an address of keys': [
    (response) => answerJson(response, { issuer: issuer.url }),
    'discovery: jwks_uri',
  ],
  'with keys at a private address': [
    (response) => answerJson(response, { issuer: issuer.url, jwks_uri: 'https://10.0.0.1/keys' }),
    'jwks: address_not_allowed',
  ],
  'with keys at a file': [
    (response) => answerJson(response, { issuer: issuer.url, jwks_uri: 'file:///etc/passwd' }),
    'jwks: scheme_not_allowed',
  ],
  'that is no JSON': [(response) => response.end('<html>'), 'discovery: no JSON'],
  'that is not there': [(response) => response.writeHead(404).end('{}'), 'discovery: status 404'],
  'that is elsewhere': [
    (response) => response.writeHead(302, { location: `${issuer.url}/elsewhere` }).end(),
    'discovery: redirected',
  ],
  'of more than 64 KiB': [
    (response) => {
      const rest = 'x'.repeat(64 * 1024);
      answerJson(response, { issuer: issuer.url, jwks_uri: `${issuer.url}/keys`, rest });
    },
    'discovery: answer_too_large',
  ],
  'of 100 MB': [
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      flood(response, 100);
    },
    'discovery: answer_too_large',
  ],
};

/** Documents that are not there in time. */
const ENDLESS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'that never comes': () => {},
  'that comes drop by drop': (response) => {
    const timer = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(timer));
  },
};

/** Writes this many MB, as fast as they are read, until the connection ends. */
function flood(response: ServerResponse, megabytes: number): void {
  const chunk = Buffer.alloc(1024 * 1024, 0x20);
  let left = megabytes;
  const pour = () => {
    while (left > 0 && !response.destroyed) {
      left -= 1;
      if (!response.write(chunk)) return void response.once('drain', pour);
    }
    response.end();
  };
  pour();
}

describe('an issuer is not trusted if its document is one', () => {
  for (const [what, [answer, refusal]] of Object.entries(DISCOVERY)) {
    test(what, async () => {
      issuer.discovery = (_request, response) => answer(response);
      assert.equal(await find(), refusal);
      // The issuer is not called for a while, and then called again.
      issuer.discovery = undefined;
      assert.equal(await find(), refusal);
      clock.advance(10);
      assert.equal(await find(), 'found');
    });
  }

  for (const [what, answer] of Object.entries(ENDLESS)) {
    test(what, async () => {
      issuerKeys = new IssuerKeys(egress, clock, SHORT_TIMEOUT_MS);
      issuer.discovery = (_request, response) => answer(response);
      assert.equal(await find(), 'discovery: timed_out');
      issuer.discovery = undefined;
      assert.equal(await find(), 'discovery: timed_out', 'it is left alone for a while');
      // With so little time, even an issuer that answers may be late.
      await until('it is asked again, and found', async () => {
        clock.advance(10);
        return (await find()) === 'found';
      });
    });
  }

  test('An issuer is not trusted if its document is served over TLS but its keys are not', async () => {
    const authority = new Authority();
    let url = '';
    const receiver = await startReceiver(
      (_request, response) => answerJson(response, { issuer: url, jwks_uri: `${issuer.url}/keys` }),
      { certificate: authority.issue(['127.0.0.1']) },
    );
    url = `https://127.0.0.1:${receiver.port}`;
    const { allow } = parseEgressAllow('127.0.0.1');
    const trusting = new LoadedEgress({ allow, ca: authority.ca });
    issuerKeys = new IssuerKeys(trusting, clock, TIMEOUT_MS);
    assert.equal(await find(key, url), 'discovery: jwks_uri');
    await trusting.close();
    await receiver.close();
  });

  test('An issuer whose discovery document cannot be reached is not trusted', async () => {
    const guarded = new LoadedEgress({ allow: parseEgressAllow('').allow });
    issuerKeys = new IssuerKeys(guarded, clock, TIMEOUT_MS);
    assert.equal(await find(), 'discovery: address_not_allowed');
    assert.equal(await find(key, 'http://issuer.example.com'), 'discovery: scheme_not_allowed');
    await guarded.close();
  });
});

describe('of the published keys of an issuer', () => {
  test('The published keys of an issuer that are of other types are ignored', async () => {
    const odd = [null, 7, [], {}, { kty: 'oct', k: 'AAAA', kid: key.kid }, key.privateJwk];
    issuer.jwks = (_request, response) => answerJson(response, { keys: [...odd, key.publicJwk] });
    assert.equal(await find(), 'found');
  });

  test('No more than 50 published keys of an issuer are read', async () => {
    const many = Array.from({ length: 50 }, (_, index) => ({ ...key.publicJwk, kid: `${index}` }));
    issuer.jwks = (_request, response) => answerJson(response, { keys: [...many, key.publicJwk] });
    assert.equal(await find(), 'kid');
  });

  test('Two published keys of an issuer with the same kid are both ignored', async () => {
    const twin = { ...(await newStatementKey()).publicJwk, kid: key.kid };
    issuer.jwks = (_request, response) => answerJson(response, { keys: [twin, key.publicJwk] });
    assert.equal(await find(), 'kid');
  });

  test('No published key of an issuer is used if there is no list of keys', async () => {
    issuer.jwks = (_request, response) => answerJson(response, { keys: key.publicJwk });
    assert.equal(await find(), 'jwks: no keys');
  });
});
