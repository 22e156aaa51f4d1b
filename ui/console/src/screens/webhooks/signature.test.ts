import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { it } from 'node:test';
import { checkSignature, headersIn } from './signature.ts';

const KEY = Buffer.from('a key of thirty-two bytes, or so.');
const SECRET = `whsec_${KEY.toString('base64')}`;
const BODY = '{"name":"Zoë"}';
const SENT = 1_800_000_000;
const NOW = (SENT + 60) * 1000;

function headers(key: Buffer | string = KEY, id = 'evt_1'): string {
  const standard = createHmac('sha256', key).update(`${id}.${SENT}.${BODY}`).digest('base64');
  const service = createHmac('sha256', SECRET).update(BODY).digest('hex');
  return [
    `Webhook-Id: ${id}`,
    `webhook-timestamp:${SENT}`,
    `webhook-signature: v1,${Buffer.alloc(32).toString('base64')} v1,${standard}`,
    `X-Service-Signature: ${service.toUpperCase()}`,
  ].join('\r\n');
}
const check = (more: Partial<Record<'secret' | 'headers' | 'body', string>> = {}, now = NOW) =>
  checkSignature({ secret: SECRET, headers: headers(), body: BODY, ...more }, now);

it('A delivery that is signed with the secret is verified by both headers', async () => {
  assert.deepEqual(await check(), { standard: true, service: true, age: 60, isOld: false });
  for (const plain of ['a secret in plain text', 'whsec_it-is-not-base64']) {
    assert.equal((await check({ secret: plain, headers: headers(plain) })).standard, true);
  }
});

it('A delivery that was changed, or signed with another secret, is found', async () => {
  const wrong = { standard: false, service: false, age: 60, isOld: false };
  assert.deepEqual(await check({ body: `${BODY}\n` }), wrong);
  assert.deepEqual(await check({ secret: `whsec_${Buffer.alloc(32).toString('base64')}` }), wrong);
  assert.deepEqual(await check({ secret: 'whsec_%' }), wrong);
  assert.equal((await check({ secret: '' })).service, false);
  const another = headers().replace('evt_1', 'evt_2');
  assert.equal((await check({ headers: another })).standard, false);
  assert.equal(
    (await check({ headers: headers().replace('v1,', 'v2,').replace(' v1,', ' v2,') })).standard,
    false,
  );
});

it('A signature that was not given is not judged, and an old one is reported', async () => {
  const nothing = { standard: undefined, service: undefined, age: undefined, isOld: false };
  assert.deepEqual(await check({ headers: '' }), nothing);
  assert.deepEqual(await check({ headers: 'webhook-timestamp: soon' }), nothing);
  assert.equal((await check({}, NOW + 600_000)).isOld, true);
  assert.equal((await check({}, NOW - 600_000)).isOld, true);
});

it('The headers of a delivery are read as logs and curl write them', () => {
  const text = '> X-Service-Signature: ab\nnothing\n - webhook-id :  evt_1 \n';
  assert.deepEqual(
    [...headersIn(text)],
    [
      ['x-service-signature', 'ab'],
      ['webhook-id', 'evt_1'],
    ],
  );
});
