import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { SIGNALS, STREAM_SIGNALS } from '../../contract/src/signals.ts';
import { startReceiver } from '../../tests/harness/receiver.ts';
import { until } from '../../tests/harness/until.ts';
import { createSignalReceiver, type SignalReceiverOptions } from '../src/signals/receiver.ts';
import { SignalError, type SignalErrorCode } from '../src/signals/signal-error.ts';
import type { Signal } from '../src/signals/signal.ts';
import { TestIssuer } from './issuer.ts';
import { Signer, signJws } from './signer.ts';

const NOW = 1_800_000_000;
const AUDIENCE = 'client_1';
const HEADER = { typ: 'secevent+jwt' };

function claimsOf(issuer: TestIssuer, more: object = {}) {
  return {
    iss: issuer.name,
    aud: AUDIENCE,
    iat: NOW,
    jti: 'set_1',
    txn: 'txn_1',
    sub_id: {
      format: 'complex',
      user: { format: 'iss_sub', iss: issuer.name, sub: 'user:1' },
      session: { format: 'opaque', id: 'session:1' },
    },
    events: {
      [SIGNALS['session-revoked']]: {
        event_timestamp: NOW - 2,
        initiating_entity: 'admin',
        reason_admin: { en: 'The session was ended.' },
      },
    },
    ...more,
  };
}

async function start(t: TestContext, options: Partial<SignalReceiverOptions> = {}) {
  const issuer = await TestIssuer.start(t);
  const handled: Signal[] = [];
  const receiver = createSignalReceiver({
    issuer: issuer.name,
    audience: AUDIENCE,
    handle: (signal) => void handled.push(signal),
    now: () => NOW * 1000,
    ...options,
  });
  const set = (more: object = {}, header: object = HEADER, signer: Signer = issuer.signer) =>
    signJws(signer, { ...header }, claimsOf(issuer, more));
  return { issuer, handled, receiver, set };
}

async function assertRejected(verification: Promise<unknown>, code: SignalErrorCode) {
  const error = await verification.then(
    () => assert.fail('it was accepted'),
    (refused: unknown) => refused,
  );
  assert.ok(error instanceof SignalError, String(error));
  assert.equal(error.code, code, error.message);
  return error;
}

describe('a verified event', () => {
  test('A verified event names the user, the session, the time, the initiator and the reason', async (t) => {
    const { receiver, set } = await start(t);
    assert.deepEqual(await receiver.verify(set()), {
      type: 'session-revoked',
      jti: 'set_1',
      txn: 'txn_1',
      issuedAt: new Date(NOW * 1000),
      occurredAt: new Date((NOW - 2) * 1000),
      initiatedBy: 'admin',
      reason: 'The session was ended.',
      sub: 'user:1',
      sid: 'session:1',
    });
  });

  const user = { format: 'iss_sub', iss: 'x', sub: 'user:1' };
  const stream = { format: 'opaque', id: 'stream_1' };
  for (const [uri, sub_id, event, expected] of [
    [
      SIGNALS['credential-change'],
      user,
      { credential_type: 'password', change_type: 'update' },
      { sub: 'user:1', credentialType: 'password', changeType: 'update' },
    ],
    [SIGNALS['account-disabled'], user, {}, { type: 'account-disabled', sub: 'user:1' }],
    [SIGNALS['account-enabled'], user, {}, { type: 'account-enabled', sub: 'user:1' }],
    [SIGNALS['account-purged'], user, {}, { type: 'account-purged', sub: 'user:1' }],
    [SIGNALS['session-revoked'], user, {}, { sub: 'user:1', sid: undefined }],
    [
      STREAM_SIGNALS.verification,
      stream,
      { state: 'abc' },
      { type: 'verification', streamId: 'stream_1', state: 'abc' },
    ],
    [
      STREAM_SIGNALS['stream-updated'],
      stream,
      { status: 'paused' },
      { type: 'stream-updated', streamId: 'stream_1', status: 'paused' },
    ],
    ['urn:unknown', user, { a: 1 }, { type: 'other', uri: 'urn:unknown', event: { a: 1 } }],
  ] as const) {
    test(`A verified event of the type ${uri} is typed`, async (t) => {
      const { receiver, set } = await start(t);
      const signal = await receiver.verify(set({ sub_id, events: { [uri]: event } }));
      assert.deepEqual({ ...signal, ...expected }, signal);
    });
  }
});

describe('an event is rejected', () => {
  const event = { [SIGNALS['account-disabled']]: {} };
  const cases: Readonly<Record<string, readonly [SignalErrorCode, object, object?]>> = {
    'of another issuer': ['invalid_issuer', { iss: 'https://elsewhere.example.com' }],
    'for another receiver': ['invalid_audience', { aud: 'client_2' }],
    'that is no SET': ['invalid_request', {}, { typ: 'at+jwt' }],
    'without a type': ['invalid_request', {}, {}],
    'with exp, as other tokens have': ['invalid_request', { exp: NOW + 60 }],
    'with sub, as other tokens have': ['invalid_request', { sub: 'user:1' }],
    'of the future': ['invalid_request', { iat: NOW + 61 }],
    'without a jti': ['invalid_request', { jti: undefined }],
    'without an event': ['invalid_request', { events: {} }],
    'with two events': ['invalid_request', { events: { ...event, 'urn:another': {} } }],
    'without a user': ['invalid_request', { sub_id: { format: 'opaque', id: 'x' } }],
    'with a text for its events': ['invalid_request', { events: 'x' }],
    'with a credential that is not named': [
      'invalid_request',
      { events: { [SIGNALS['credential-change']]: {} } },
    ],
  };
  for (const [name, [code, more, header]] of Object.entries(cases)) {
    test(name, async (t) => {
      const { receiver, handled, set } = await start(t);
      const token = set(more, header);
      await assertRejected(receiver.verify(token), code);
      const answer = await receiver.receive(token);
      assert.equal(answer.status, 400);
      assert.equal((JSON.parse(answer.body) as { err: string }).err, code);
      assert.deepEqual(handled, []);
    });
  }

  test('An event with the signature of another key, or an unknown one, is rejected', async (t) => {
    const { receiver, issuer, set } = await start(t);
    await assertRejected(receiver.verify(set({}, HEADER, new Signer())), 'invalid_key');
    const forger = new Signer(issuer.signer.kid);
    await assertRejected(receiver.verify(set({}, HEADER, forger)), 'invalid_key');
  });

  test('An event that has no signature, or is no token at all, is rejected', async (t) => {
    const { receiver, issuer, set } = await start(t);
    const [, payload = ''] = set().split('.');
    const head = Buffer.from('{"alg":"none","typ":"secevent+jwt"}').toString('base64url');
    for (const token of [`${head}.${payload}.`, 'x', '', 'a.b.c', 'a'.repeat(100_000)]) {
      const error = await receiver.verify(token).catch((refused: unknown) => refused);
      assert.ok(error instanceof SignalError && error.httpStatus === 400, token.slice(0, 50));
    }
    assert.ok(issuer.keySetRequests <= 1);
  });

  test('An event is rejected for now while the keys cannot be fetched', async (t) => {
    const { receiver, issuer, set } = await start(t);
    await issuer.goDown();
    const token = set();
    await assertRejected(receiver.verify(token), 'unavailable');
    assert.equal((await receiver.receive(token)).status, 503);
  });
});

describe('a pushed event', () => {
  test('A rejected pushed event is answered with the reason, in English, and a retryable one without a language (RFC 8935 §2.3)', async (t) => {
    const { receiver, issuer, set } = await start(t);
    const token = set();
    const json = { 'content-type': 'application/json', 'cache-control': 'no-store' };
    const rejected = await receiver.receive(set({ aud: 'client_2' }));
    assert.equal(rejected.status, 400);
    assert.deepEqual(rejected.headers, { ...json, 'content-language': 'en' });
    const { err, description } = JSON.parse(rejected.body) as Record<string, string>;
    assert.equal(err, 'invalid_audience');
    assert.ok(description);
    await issuer.goDown();
    const { receiver: another } = await start(t, { issuer: issuer.name });
    const later = await another.receive(token);
    assert.deepEqual([later.status, later.headers], [503, json]);
  });

  test('A pushed event is handled once, and answered with 202 each time', async (t) => {
    const { receiver, handled, set } = await start(t);
    const token = set();
    for (const body of [token, new TextEncoder().encode(token)]) {
      const answer = await receiver.receive(body);
      assert.deepEqual([answer.status, answer.body], [202, '']);
    }
    assert.equal(handled.length, 1);
  });

  test('The methods of a receiver can be passed on as functions', async (t) => {
    const { receiver, handled, set } = await start(t);
    const { receive, verify } = receiver;
    assert.equal((await verify(set())).jti, 'set_1');
    assert.equal((await receive(set())).status, 202);
    assert.equal(handled.length, 1);
  });

  test('A pushed event is remembered by the store once it was handled', async (t) => {
    const seen = new Set<string>();
    const store = { has: (jti: string) => seen.has(jti), add: (jti: string) => void seen.add(jti) };
    let fails = true;
    const handled: string[] = [];
    const handle = ({ jti }: Signal) => {
      if (fails) throw new Error('the database is down');
      handled.push(jti);
    };
    const { receiver, set } = await start(t, { store, handle });
    const failed = await receiver.receive(set());
    assert.deepEqual([failed.status, seen.size], [500, 0]);
    assert.ok(!failed.body.includes('database'));
    fails = false;
    for (const _ of [1, 2]) assert.equal((await receiver.receive(set())).status, 202);
    assert.deepEqual([handled, [...seen]], [['set_1'], ['set_1']]);
  });
});

describe('polling', () => {
  interface Poll {
    readonly authorization: string | undefined;
    readonly body: {
      readonly maxEvents: number;
      readonly ack: string[];
      readonly setErrs: Record<string, { err: string }>;
      readonly returnImmediately?: boolean;
    };
  }

  /** A transmitter that responds to one poll after the other, and then no longer responds. */
  async function transmitter(t: TestContext, answers: (object | number)[]) {
    const polls: Poll[] = [];
    const server = await startReceiver((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        const { authorization } = request.headers;
        polls.push({ authorization, body: JSON.parse(text) as Poll['body'] });
        const answer = answers.shift() ?? { sets: {} };
        if (typeof answer === 'number') return void response.writeHead(answer).end();
        return void response.end(JSON.stringify(answer));
      });
    });
    t.after(() => server.close());
    return { polls, url: `http://127.0.0.1:${server.port}/poll` };
  }

  test('A polling receiver handles and acknowledges the events it gets, and reports those it cannot use', async (t) => {
    const { receiver, handled, set } = await start(t);
    const bad = set({ jti: 'set_bad', aud: 'client_2' });
    const { polls, url } = await transmitter(t, [
      { sets: { set_1: set(), set_bad: bad } },
      { sets: { set_2: set({ jti: 'set_2' }) } },
    ]);
    const errors: unknown[] = [];
    const stopping = new AbortController();
    const polling = receiver.poll({
      url,
      accessToken: () => 'token',
      signal: stopping.signal,
      onError: (error) => errors.push(error),
    });
    await until('both are acknowledged', () => polls.length >= 3);
    stopping.abort();
    await polling;
    assert.deepEqual(
      handled.map(({ jti }) => jti),
      ['set_1', 'set_2'],
    );
    const [first, second, third] = polls;
    assert.equal(first?.authorization, 'Bearer token');
    assert.deepEqual(first?.body, { maxEvents: 100, ack: [], setErrs: {} });
    assert.deepEqual(second?.body.ack, ['set_1']);
    assert.equal(second?.body.setErrs['set_bad']?.err, 'invalid_audience');
    assert.deepEqual(third?.body.ack, ['set_2']);
    assert.equal(errors.length, 1);
  });

  test('A polling receiver does not acknowledge an event that was not handled, and continues after a failure', async (t) => {
    let fails = true;
    const handled: string[] = [];
    const stopping = new AbortController();
    const { receiver, set } = await start(t, {
      handle: ({ jti }) => {
        if (fails) throw new Error('not now');
        handled.push(jti);
        stopping.abort();
      },
    });
    const sets = { set_1: set() };
    const { polls, url } = await transmitter(t, [{ sets }, 503, { sets }]);
    const polling = receiver.poll({
      url,
      accessToken: () => 'token',
      signal: stopping.signal,
      onError: () => (fails = false),
    });
    await polling;
    assert.deepEqual(handled, ['set_1']);
    assert.deepEqual(polls[1]?.body.ack, []);
    // The last request acknowledges, and waits for nothing.
    const last = polls.at(-1)?.body;
    assert.deepEqual([last?.ack, last?.maxEvents, last?.returnImmediately], [['set_1'], 0, true]);
  });
});

test('A transmitter that answers immediately without events is polled again after a pause', async (t) => {
  const { receiver } = await start(t);
  const stopping = new AbortController();
  let pollCount = 0;
  const answered = new Promise<void>((resolve) => {
    void receiver.poll({
      url: 'https://id.example.com/poll',
      accessToken: () => 'token',
      signal: stopping.signal,
      fetch: async () => {
        pollCount += 1;
        // A poll without a pause would start before this turn of the event loop ends.
        setImmediate(() => setImmediate(resolve));
        return Response.json({ sets: {} });
      },
    });
  });
  await answered;
  stopping.abort();
  assert.equal(pollCount, 1);
});

test('An issuer without TLS on another machine is refused', () => {
  const options = { audience: AUDIENCE, handle: () => {} };
  assert.throws(
    () => createSignalReceiver({ ...options, issuer: 'http://id.example.com' }),
    TypeError,
  );
  createSignalReceiver({ ...options, issuer: 'http://id.example.com', allowHttp: true });
});
