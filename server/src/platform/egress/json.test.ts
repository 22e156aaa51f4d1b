import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { after, before, describe, test } from 'node:test';
import { type Receiver, startReceiver } from '@keywright/tests/harness/receiver';
import { parseEgressAllow } from './operator-exceptions.ts';
import { LoadedEgress, type Egress } from './egress.ts';
import { getJson } from './json.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

describe('a JSON document', () => {
  let receiver: Receiver;
  let egress: Egress;
  let next: { status: number; headers: Record<string, string>; body: string | Buffer };
  before(async () => {
    receiver = await startReceiver((_request, response) => {
      response.writeHead(next.status, next.headers).end(next.body);
    });
    egress = new LoadedEgress({ allow: parseEgressAllow('127.0.0.1').allow });
  });
  after(async () => {
    await egress.close();
    await receiver.close();
  });

  function get(answer: Partial<typeof next>, maxBytes = 1000) {
    next = { status: 200, headers: JSON_TYPE, body: '{"keys":[]}', ...answer };
    const url = `http://127.0.0.1:${receiver.port}/jwks.json`;
    return getJson(egress, { url, timeoutMs: 5000, maxBytes });
  }

  const types = [
    'application/json',
    'application/jwk-set+json',
    'Application/JSON ; charset=utf-8',
  ];
  for (const type of types) {
    test(`A JSON document is accepted as ${type}`, async () => {
      const got = await get({ headers: { 'content-type': type, 'cache-control': 'max-age=60' } });
      assert.ok(got.outcome === 'answered');
      assert.deepEqual(got.value, { keys: [] });
      assert.equal(got.headers['cache-control'], 'max-age=60');
    });
  }

  test('A JSON document can be any value', async () => {
    for (const body of ['null', 'false', '0', '""', '\uFEFF[]']) {
      assert.equal((await get({ body })).outcome, 'answered', body);
    }
  });

  const refused: readonly (readonly [
    what: string,
    answer: Partial<typeof next>,
    reason: string,
  ])[] = [
    ['HTML', { headers: { 'content-type': 'text/html' } }, 'not_json'],
    ['of no type', { headers: {} }, 'not_json'],
    [
      'of a type that only looks so',
      { headers: { 'content-type': 'application/json5' } },
      'not_json',
    ],
    ['empty', { body: '' }, 'not_json'],
    ['broken', { body: '{"keys":[' }, 'not_json'],
    ['not in UTF-8', { body: Buffer.from([0x22, 0xff, 0x22]) }, 'not_json'],
    [
      'compressed',
      { body: gzipSync('{}'), headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } },
      'not_json',
    ],
    ['an error', { status: 404 }, 'status_not_ok'],
    ['of another status of success', { status: 202 }, 'status_not_ok'],
    ['elsewhere', { status: 302, headers: { location: '/other' } }, 'redirected'],
    ['too large', { body: `"${'a'.repeat(999)}"` }, 'answer_too_large'],
  ];
  for (const [what, answer, reason] of refused) {
    test(`A response that is ${what} is rejected where a JSON document is expected`, async () => {
      const got = await get(answer);
      assert.ok(got.outcome === 'failed');
      assert.equal(got.reason, reason);
      assert.equal(got.status, answer.status ?? 200);
    });
  }

  test('A JSON document that is deeply nested is read or rejected without a crash', async () => {
    assert.equal((await get({ body: '['.repeat(200_000) }, 300_000)).outcome, 'failed');
    const body = '['.repeat(100_000) + ']'.repeat(100_000);
    assert.equal((await get({ body }, 300_000)).outcome, 'answered');
  });

  test('A JSON document at an address that is not public is not fetched', async () => {
    const strict = new LoadedEgress({ allow: parseEgressAllow('').allow });
    const url = `http://127.0.0.1:${receiver.port}/`;
    const got = await getJson(strict, { url, timeoutMs: 5000, maxBytes: 1000 });
    assert.deepEqual(got.outcome === 'refused' && got.reason, 'address_not_allowed');
  });
});
