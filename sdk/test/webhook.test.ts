import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type Inbox, openInbox } from '../../tests/harness/inbox.ts';
import { type Keywright, startKeywright } from '../../tests/harness/keywright.ts';
import { createClient, type KeywrightClient } from '../src/client/client.ts';
import {
  verifyWebhook,
  WebhookError,
  type WebhookErrorCode,
  type WebhookHeaders,
  type WebhookOptions,
} from '../src/webhook.ts';

const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const PLAIN_SECRET = 'a secret of a tenant, with ümlaut';
/** They look like base64, and are used as text. */
const UNENCODED = ['whsec_', 'whsec_abc', 'whsec_it-is-not-base64', 'whsec_AB==', 'whsec_ YWJj'];
const NOW = 1_800_000_000;
const EVENT = {
  id: 'evt_1',
  type: 'user.deleted',
  created_at: '2027-01-15T08:00:00.000Z',
  data: { tenant_id: 'org_a', user_id: 'user:1', name: 'Zoë – 李' },
};
const BODY = JSON.stringify(EVENT);

function keyOf(secret: string): Buffer {
  return secret === SECRET ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret);
}

/** The headers of a delivery as Standard Webhooks describes them. */
function standard(secrets: readonly string[], body = BODY, at = NOW, id = 'evt_1') {
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', keyOf(secret)).update(`${id}.${at}.${body}`);
    return `v1,${hmac.digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(at),
    'webhook-signature': signatures.join(' '),
  };
}

const bare = (secret: string, body = BODY) => ({
  'x-service-signature': createHmac('sha256', secret).update(body).digest('hex'),
});

const verify = (
  headers: WebhookHeaders,
  {
    body = BODY,
    secret = SECRET,
    ...options
  }: WebhookOptions & {
    readonly body?: string | Uint8Array | ArrayBuffer;
    readonly secret?: string | readonly string[];
  } = {},
) => verifyWebhook(body, headers, secret, { now: () => NOW * 1000, ...options });

async function assertRefused(verification: Promise<unknown>, code: WebhookErrorCode) {
  const error = await verification.then(
    () => assert.fail(`accepted instead of ${code}`),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof WebhookError, String(error));
  assert.equal(error.code, code);
  assert.equal(error.httpStatus, code === 'BODY_INVALID' ? 400 : 401);
}

describe('a delivery is accepted', () => {
  test('A delivery with a valid signature is accepted, whatever the secret and the type of body and headers', async () => {
    for (const secret of [SECRET, PLAIN_SECRET, ...UNENCODED]) {
      const headers = standard([secret]);
      const upper = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]);
      for (const form of [
        headers,
        new Headers(headers),
        Object.fromEntries(upper) as typeof headers,
      ]) {
        const bytes = new TextEncoder().encode(BODY);
        for (const body of [BODY, bytes, bytes.buffer, Buffer.from(BODY)]) {
          assert.deepEqual(await verify(form, { body, secret }), EVENT);
        }
      }
    }
  });

  test('A delivery is accepted with either secret during a rotation', async () => {
    const headers = { ...standard([SECRET, PLAIN_SECRET]), ...bare(PLAIN_SECRET) };
    for (const secret of [SECRET, PLAIN_SECRET, ['another', SECRET]]) {
      await verify(headers, { secret });
    }
  });

  test('A delivery is accepted within five minutes of its timestamp, or the configured tolerance', async () => {
    for (const at of [NOW - 300, NOW + 300]) await verify(standard([SECRET], BODY, at));
    await verify(standard([SECRET], BODY, NOW - 3600), { toleranceSeconds: 3600 });
  });

  test('A delivery with X-Service-Signature alone is accepted only if that is allowed', async () => {
    const headers = bare(SECRET);
    await assertRefused(verify(headers), 'SIGNATURE_MISSING');
    assert.deepEqual(await verify(headers, { allowUndated: true }), EVENT);
  });
});

describe('a delivery is rejected (SPEC events 14)', () => {
  test('A delivery without a signature is rejected', async () => {
    await assertRefused(verify({}), 'SIGNATURE_MISSING');
    await assertRefused(verify({}, { allowUndated: true }), 'SIGNATURE_MISSING');
  });

  test('A delivery whose body, id or timestamp differs from the signed one is rejected', async () => {
    const headers = standard([SECRET]);
    const changed = [
      verify(headers, { body: BODY.replace('user:1', 'user:2') }),
      verify(headers, { body: `${BODY} ` }),
      verify({ ...headers, 'webhook-id': 'evt_2' }),
      verify({ ...headers, 'webhook-timestamp': String(NOW + 1) }),
    ];
    await Promise.all(
      changed.map((verification) => assertRefused(verification, 'SIGNATURE_INVALID')),
    );
    const undated = verify(bare(SECRET, `${BODY} `), { allowUndated: true });
    await assertRefused(undated, 'SIGNATURE_INVALID');
  });

  test('A delivery signed with another secret is rejected, although its other signature is valid', async () => {
    const headers = { ...standard(['another']), ...bare(SECRET) };
    await assertRefused(verify(headers, { allowUndated: true }), 'SIGNATURE_INVALID');
  });

  test('A delivery whose signature is truncated, or of another version or format, is rejected', async () => {
    const { 'webhook-signature': right, ...rest } = standard([SECRET]);
    const hex = Buffer.from(right.slice(3), 'base64').toString('hex');
    const wrong = [
      right.slice(3),
      right.replace('v1', 'v1a'),
      right.slice(0, -4),
      'v1,',
      '',
      `v1,${hex}`,
    ];
    for (const signature of [...wrong, `${'v1,AAAA '.repeat(20)}${right}`]) {
      await assertRefused(verify({ ...rest, 'webhook-signature': signature }), 'SIGNATURE_INVALID');
    }
    const { 'x-service-signature': bareRight } = bare(SECRET);
    for (const signature of [
      bareRight.toUpperCase(),
      bareRight.slice(2),
      `sha256=${bareRight}`,
      '',
    ]) {
      const headers = { 'x-service-signature': signature };
      await assertRefused(verify(headers, { allowUndated: true }), 'SIGNATURE_INVALID');
    }
  });

  test('A delivery that was signed too long ago, in the future, or without a timestamp is rejected', async () => {
    for (const at of [NOW - 301, NOW + 301]) {
      await assertRefused(verify(standard([SECRET], BODY, at)), 'TIMESTAMP_INVALID');
    }
    for (const at of ['', 'x', '-1', '1e9', ' 1']) {
      const headers = { ...standard([SECRET]), 'webhook-timestamp': at };
      await assertRefused(verify(headers), 'TIMESTAMP_INVALID');
    }
  });

  test('A delivery that is signed but not an event is rejected', async () => {
    for (const body of ['', '{', 'null', '[]', '{"id": "evt_1"}', BODY.replace('evt_1', 'evt_2')]) {
      await assertRefused(verify(standard([SECRET], body), { body }), 'BODY_INVALID');
    }
  });

  test('A parsed body or an empty secret is reported as an error of the receiver, not of the delivery', async () => {
    await assert.rejects(verify(standard([SECRET]), { body: EVENT as never }), TypeError);
    await assert.rejects(verify(standard([SECRET]), { secret: '' }), TypeError);
    await assert.rejects(verify(standard([SECRET]), { secret: [] }), WebhookError);
  });
});

describe('what Keywright delivers', () => {
  let keywright: Keywright;
  let inbox: Inbox;
  let client: KeywrightClient;

  before(async () => {
    inbox = await openInbox();
    keywright = await startKeywright({ env: { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' } });
    const tenant = await keywright.tenant('hooks');
    const token = await tenant.adminToken();
    client = createClient({ baseUrl: keywright.url, tenant: tenant.id, token });
  });
  after(async () => {
    await keywright.close();
    await inbox.close();
  });

  test('A delivery by Keywright is accepted with the secret of the endpoint, and not with another', async () => {
    for (const chosenSecret of [undefined, 'a-secret-of-our-own-choice']) {
      const path = chosenSecret === undefined ? '/made' : '/given';
      const { id, secret } = await client.webhooks.create({
        url: `${inbox.url}${path}`,
        events: ['user.created'],
        ...(chosenSecret === undefined ? {} : { secret: chosenSecret }),
      });
      await client.webhooks.test(id);
      const [delivery] = await inbox.wait(1, path);
      assert.ok(delivery);
      const event = await verifyWebhook(delivery.body, delivery.headers, secret);
      assert.equal(event.type, 'webhook.test');
      if (event.type === 'webhook.test') assert.equal(event.data.webhook_id, id);
      const wrong = verifyWebhook(delivery.body, delivery.headers, SECRET);
      await assertRefused(wrong, 'SIGNATURE_INVALID');
      const { 'x-service-signature': signature } = delivery.headers;
      const headers = { 'x-service-signature': signature };
      await verifyWebhook(delivery.body, headers, secret, { allowUndated: true });
    }
  });

  test('A delivery by Keywright is accepted with the old and the new secret during a rotation', async () => {
    const path = '/changing';
    const { id, secret } = await client.webhooks.create({
      url: `${inbox.url}${path}`,
      events: ['user.created'],
    });
    const next = await client.webhooks.rotate(id, {});
    await client.webhooks.test(id);
    const [delivery] = await inbox.wait(1, path);
    assert.ok(delivery);
    assert.notEqual(next.secret, secret);
    for (const validSecret of [secret, next.secret ?? '']) {
      await verifyWebhook(delivery.body, delivery.headers, validSecret);
    }
  });
});
