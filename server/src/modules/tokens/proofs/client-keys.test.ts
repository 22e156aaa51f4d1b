import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import type { TenantId } from '@keywright/contract/ids';
import { type FakeClock, fakeClock } from '@keywright/tests/harness/clock';
import {
  answerJson,
  type OutsideIssuer,
  startOutsideIssuer,
} from '@keywright/tests/harness/outside-issuer';
import { parallel } from '@keywright/tests/harness/parallel';
import { newStatementKey, type StatementKey } from '@keywright/tests/harness/statement-key';
import { until } from '@keywright/tests/harness/until';
import { type OutsideToken, parseOutsideToken } from '../../../platform/crypto/outside-jws.ts';
import { parseEgressAllow } from '../../../platform/egress/operator-exceptions.ts';
import { LoadedEgress, type Egress } from '../../../platform/egress/egress.ts';
import { ClientKeys } from './remote-keys.ts';

const TENANT = 'org_one' as TenantId;
const OTHER_TENANT = 'org_other' as TenantId;
/** A busy machine responds in time with this limit. */
const TIMEOUT_MS = 60_000;

let key: StatementKey;
let token: OutsideToken;
/** Serves its key set at `/keys` and at every other path. */
let application: OutsideIssuer;
let egress: Egress;
let clock: FakeClock;
let clientKeys: ClientKeys;

before(async () => {
  key = await newStatementKey();
  token = await tokenOf(key);
  egress = new LoadedEgress({ allow: parseEgressAllow('127.0.0.1').allow });
});
after(() => egress.close());

beforeEach(async () => {
  application = await startOutsideIssuer([key]);
  clock = fakeClock();
  clientKeys = new ClientKeys(egress, clock, TIMEOUT_MS);
});
afterEach(() => application.close());

async function tokenOf(signer: StatementKey): Promise<OutsideToken> {
  const parsed = parseOutsideToken(await signer.sign({}));
  assert.ok(parsed);
  return parsed;
}

/** Finds the key of a token; the refusal when there is none. */
async function find(of = token, path = '/keys', tenantId = TENANT): Promise<string> {
  const address = path.startsWith('/') ? application.url + path : path;
  const found = await clientKeys.find(tenantId, address, of);
  return found.key ? 'found' : found.refusal;
}

describe('the keys at the jwks_uri of a client', () => {
  test('The keys at the jwks_uri of a client are fetched once for any number of requests, separately for each tenant', async () => {
    const answers = await parallel(20, () => find());
    assert.deepEqual(new Set(answers), new Set(['found']));
    assert.equal(application.requestCount, 1);
    assert.equal(await find(token, '/keys', OTHER_TENANT), 'found');
    assert.equal(application.requestCount, 2);
  });

  test('The keys at the jwks_uri of a client follow a rotation: the new key is found, and the old key is gone', async () => {
    assert.equal(await find(), 'found');
    const next = await newStatementKey('ES256');
    application.keys = [next];
    clock.advance(30);
    assert.equal(await find(await tokenOf(next)), 'found');
    assert.equal(await find(), 'kid');
    assert.equal(application.requestCount, 2);
  });

  test('The keys at the jwks_uri of a client are fetched at most every 30 seconds, whatever kids are sent', async () => {
    const strangers = await parallel(5, async () => tokenOf(await newStatementKey()));
    const flood = () => parallel(50, (index) => find(strangers[index % 5]));
    for (let round = 1; round <= 3; round += 1) {
      assert.deepEqual(new Set(await flood()), new Set(['kid']));
      assert.equal(application.requestCount, round);
      clock.advance(29);
      await flood();
      assert.equal(application.requestCount, round, 'not yet');
      clock.advance(1);
    }
    assert.equal(await find(), 'found');
  });

  test('The client keys of one tenant remain cached however many addresses another tenant has', async () => {
    assert.equal(await find(), 'found');
    for (let index = 0; index < 1100; index += 1) {
      assert.equal(await find(token, `/other-${index}`, OTHER_TENANT), 'found');
    }
    const { requestCount } = application;
    assert.equal(await find(), 'found');
    assert.equal(application.requestCount, requestCount);
  });
});

/** The responses at the `jwks_uri`, and their outcomes. */
const ANSWERS: Readonly<Record<string, readonly [(response: ServerResponse) => void, string]>> = {
  'is elsewhere': [
    (response) => response.writeHead(302, { location: `${application.url}/elsewhere` }).end(),
    'jwks: redirected',
  ],
  'is more than 64 KiB': [
    (response) => answerJson(response, { keys: [key.publicJwk], rest: 'x'.repeat(64 * 1024) }),
    'jwks: answer_too_large',
  ],
  'is no JSON': [(response) => response.end('<html>'), 'jwks: no JSON'],
  'is no key set': [(response) => answerJson(response, [key.publicJwk]), 'jwks: no keys'],
  'is not there': [(response) => response.writeHead(404).end('{}'), 'jwks: status 404'],
  'has private, symmetric and odd keys only': [
    (response) =>
      answerJson(response, { keys: [key.privateJwk, { kty: 'oct', k: 'AAAA' }, null, 7, []] }),
    'kid',
  ],
  'has two keys with the same kid': [
    (response) => answerJson(response, { keys: [key.publicJwk, key.publicJwk] }),
    'kid',
  ],
  'has the key behind ten others': [
    (response) => {
      const many = Array.from({ length: 10 }, (_, kid) => ({ ...key.publicJwk, kid: `${kid}` }));
      answerJson(response, { keys: [...many, key.publicJwk] });
    },
    'kid',
  ],
};

describe('a client authenticates with none of its keys where its jwks_uri', () => {
  for (const [what, [answer, refusal]] of Object.entries(ANSWERS)) {
    test(`${what}, and is asked again later`, async () => {
      application.jwks = (_request, response) => answer(response);
      assert.equal(await find(), refusal);
      application.jwks = undefined;
      assert.equal(await find(), refusal);
      assert.equal(application.requestCount, 1);
      clock.advance(30);
      assert.equal(await find(), 'found');
    });
  }

  test('A request times out if the jwks_uri of the client never answers, and further requests fail immediately', async () => {
    clientKeys = new ClientKeys(egress, clock, 150);
    application.jwks = () => {};
    const answers = await parallel(10, () => find());
    assert.deepEqual(new Set(answers), new Set(['jwks: timed_out']));
    assert.equal(await find(), 'jwks: timed_out');
    assert.equal(application.requestCount, 1);
  });

  test('A client cannot authenticate if its jwks_uri has a private address or is not https', async () => {
    const guarded = new LoadedEgress({ allow: parseEgressAllow('').allow });
    clientKeys = new ClientKeys(guarded, clock, TIMEOUT_MS);
    for (const [address, refusal] of [
      [`${application.url}/keys`, 'jwks: address_not_allowed'],
      ['https://[::ffff:10.0.0.1]/keys', 'jwks: address_not_allowed'],
      ['https://0x7f.1/keys', 'jwks: address_not_allowed'],
      ['http://app.example.com/keys', 'jwks: scheme_not_allowed'],
    ] as const) {
      assert.equal(await find(token, address), refusal);
    }
    assert.equal(application.requestCount, 0);
    await guarded.close();
  });
});

test('Silent addresses of one tenant delay no other tenant, and use a limited number of calls', async () => {
  const silent: ServerResponse[] = [];
  application.jwks = (_request, response) => silent.push(response);
  const pending = Array.from({ length: 16 }, (_, index) => find(token, `/silent-${index}`));
  await until('all are asked', () => silent.length === 16);
  assert.equal(await find(token, '/one-more'), 'too many fetches');
  application.jwks = undefined;
  assert.equal(await find(token, '/keys', OTHER_TENANT), 'found');
  for (const response of silent) answerJson(response, { keys: [key.publicJwk] });
  assert.deepEqual(new Set(await Promise.all(pending)), new Set(['found']));
  assert.equal(await find(token, '/one-more'), 'found');
});
