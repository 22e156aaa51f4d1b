import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, test, type TestContext } from 'node:test';
import { until } from '../../tests/harness/until.ts';
import type { VerifierOptions } from '../src/verifier/options.ts';
import type { Verifier } from '../src/verifier/verifier.ts';
import { answerError, TestIssuer } from './issuer.ts';
import { assertRefused } from './refused.ts';
import { Signer } from './signer.ts';
import { verifierOf } from './verifier-of.ts';

const STREAM = '/status/stream';

/** A clock on which no list ever becomes due, so revocations are learned only from the stream. */
const STANDING_STILL = { now: () => STARTED_AT } as const;
const STARTED_AT = Date.now();

async function start(t: TestContext, options: Partial<VerifierOptions> = {}) {
  const issuer = await TestIssuer.start(t);
  const { status } = issuer;
  const mint = (idx: number, shard = 0) => issuer.mint(status.claim(idx, shard));
  return { issuer, status, mint, ...verifierOf(t, issuer, options) };
}

const isConnected = (verifier: Verifier) => verifier.state().revocations?.isConnected;
const connected = (verifier: Verifier) => until('the stream is there', () => isConnected(verifier));

/** Waits until a token is rejected as revoked. */
async function refused(verifier: Verifier, token: string): Promise<void> {
  await until('the token is rejected', () =>
    verifier.verify(token).then(
      () => false,
      () => true,
    ),
  );
  await assertRefused(verifier.verify(token), 'revoked');
}

describe('a token with a set bit', () => {
  test('A token with a set bit is rejected, and its neighbors are not', async (t) => {
    const { status, mint, verifier } = await start(t);
    status.revoke(0, [0, 9, 131_071]);
    for (const idx of [0, 9, 131_071]) await assertRefused(verifier.verify(mint(idx)), 'revoked');
    for (const idx of [1, 7, 8, 10, 131_070]) await verifier.verify(mint(idx));
  });

  test('A cached token with a set bit is rejected as soon as the stream says so, without another request', async (t) => {
    const { issuer, status, mint, verifier } = await start(t, STANDING_STILL);
    const token = mint(5);
    await verifier.verify(token);
    await connected(verifier);
    status.revoke(0, [5]);
    await refused(verifier, token);
    for (let time = 0; time < 100; time += 1) await verifier.verify(mint(6));
    assert.deepEqual(issuer.requestedPaths.toSorted(), [
      '/.well-known/jwks.json',
      '/status/0',
      STREAM,
    ]);
  });

  test('A token with a set bit in a list that was not fetched yet is rejected', async (t) => {
    const { status, mint, verifier } = await start(t);
    status.bits.set(3, new Uint8Array(16_384));
    await verifier.verify(mint(1));
    await connected(verifier);
    status.revoke(3, [1]);
    status.revoke(0, [2]);
    await refused(verifier, mint(2));
    await assertRefused(verifier.verify(mint(1, 3)), 'revoked');
    await verifier.verify(mint(2, 3));
    assert.equal(verifier.state().revocations?.lists, 2);
  });

  test('A token with a set bit is rejected before its scopes are checked', async (t) => {
    const { status, mint, verifier } = await start(t);
    status.revoke(0, [1]);
    await assertRefused(verifier.verify(mint(1), { scopes: 'delete:everything' }), 'revoked');
  });
});

describe('when the stream breaks', () => {
  test('The stream resumes from its position after it breaks, and missed changes arrive', async (t) => {
    const { issuer, status, mint, verifier, codes } = await start(t, STANDING_STILL);
    const token = mint(5);
    await verifier.verify(token);
    await connected(verifier);
    status.revoke(0, [5], false);
    status.cut();
    await refused(verifier, token);
    assert.deepEqual(status.resumedFrom, ['1', '1']);
    assert.deepEqual(codes(), ['STREAM_LOST']);
    assert.equal(issuer.count('/status/0'), 1);
  });

  /** A verifier that could fetch its list again, missed a revocation, and reconnects. */
  async function reconnecting(t: TestContext, answer: (response: ServerResponse) => void) {
    const clock = { now: STARTED_AT };
    const started = await start(t, { now: () => clock.now });
    const { issuer, status, mint, verifier } = started;
    const token = mint(5);
    await verifier.verify(token);
    await connected(verifier);
    clock.now += 1000;
    issuer.instead.set(STREAM, (_, response) => answer(response));
    status.revoke(0, [5], false);
    status.cut();
    await until('it is noticed', () => !isConnected(verifier));
    return { ...started, clock, token };
  }

  test('No list is fetched while the stream reconnects, for less than two seconds', async (t) => {
    const { issuer, verifier, clock, token } = await reconnecting(t, () => {});
    await verifier.verify(token);
    await until('it reconnects', () => issuer.count(STREAM) === 2);
    clock.now += 1499;
    await verifier.verify(token);
    assert.equal(issuer.count('/status/0'), 1);
    clock.now += 301;
    await refused(verifier, token);
  });

  test('A list is fetched as soon as an attempt to reconnect the stream fails', async (t) => {
    const { verifier, token } = await reconnecting(t, (response) =>
      answerError(response, 503, 'UNAVAILABLE'),
    );
    await refused(verifier, token);
  });

  test('The stream reconnects after the service was unreachable', async (t) => {
    const { issuer, status, mint, verifier } = await start(t);
    const token = mint(5);
    await verifier.verify(token);
    await connected(verifier);
    await issuer.goDown();
    status.revoke(0, [5], false);
    await until('it is noticed', () => !isConnected(verifier));
    await verifier.verify(token);
    await issuer.goUp();
    await refused(verifier, token);
  });

  test('The lists are fetched again when the stream breaks and the service no longer has the missed changes', async (t) => {
    const { issuer, status, mint, verifier, codes } = await start(t);
    status.ttlSeconds = 300;
    const token = mint(5);
    await verifier.verify(token);
    await connected(verifier);
    status.revoke(0, [5], false);
    status.historyFrom = 2;
    status.cut();
    await refused(verifier, token);
    assert.deepEqual(codes(), ['STREAM_LOST', 'STREAM_GAP']);
    assert.equal(issuer.count('/status/0'), 2);
    await connected(verifier);
  });

  test('The lists of a service that restarts its versions are accepted although their version is lower', async (t) => {
    const { status, mint, verifier } = await start(t);
    status.version = 1000;
    const token = mint(5);
    await verifier.verify(token);
    await connected(verifier);
    status.version = 1;
    status.revoke(0, [5], false);
    status.notify({ version: status.version, reset: true }, 'reset');
    await refused(verifier, token);
  });

  test('A gap between two changes is detected, and the lists are fetched again', async (t) => {
    const { issuer, status, mint, verifier, codes } = await start(t);
    status.heartbeatMs = 3_600_000;
    status.ttlSeconds = 300;
    const token = mint(5);
    await verifier.verify(token);
    await connected(verifier);
    status.revoke(0, [5], false);
    status.revoke(0, [6]);
    await refused(verifier, token);
    assert.deepEqual(codes(), ['STREAM_GAP']);
    assert.equal(issuer.count('/status/0'), 2);
    await assertRefused(verifier.verify(mint(6)), 'revoked');
  });

  for (const answer of [404, 503] as const) {
    test(`The lists are fetched repeatedly, whatever they contain, when reconnecting to the stream gets ${answer}`, async (t) => {
      const { issuer, status, mint, verifier } = await start(t);
      status.ttlSeconds = 300;
      issuer.instead.set(STREAM, (_, response) => {
        response.setHeader('retry-after', '3600');
        answerError(response, answer, answer === 404 ? 'ROUTE_NOT_FOUND' : 'UNAVAILABLE');
      });
      const token = mint(5);
      await verifier.verify(token);
      const fetchCount = () => issuer.count('/status/0');
      await until('it is asked again', () => fetchCount() > 2);
      const before = fetchCount();
      status.revoke(0, [5]);
      await refused(verifier, token);
      assert.ok(fetchCount() <= before + 2, 'the next question tells');
      assert.equal(issuer.count(STREAM), 1, 'the stream is left alone for as long as it says');
    });
  }
});

describe('a list', () => {
  test('A list that a cache returned slightly late is brought up to date by the stream', async (t) => {
    const { issuer, status, mint, verifier } = await start(t);
    status.bits.set(1, new Uint8Array(16_384));
    const late = status.list(1);
    await verifier.verify(mint(1));
    await connected(verifier);
    status.revoke(1, [7]);
    status.revoke(0, [2]);
    await refused(verifier, mint(2));
    issuer.instead.set('/status/1', (_, response) => response.end(late));
    await assertRefused(verifier.verify(mint(7, 1)), 'revoked');
    await verifier.verify(mint(8, 1));
  });

  test('A list older than all known changes is brought up to date from its own version', async (t) => {
    const { issuer, status, mint, verifier } = await start(t);
    status.bits.set(1, new Uint8Array(16_384));
    const late = status.list(1);
    status.revoke(1, [7]);
    await verifier.verify(mint(1));
    await connected(verifier);
    issuer.instead.set('/status/1', (_, response) => response.end(late));
    const token = mint(7, 1);
    await verifier.verify(mint(8, 1));
    await refused(verifier, token);
    assert.deepEqual(status.resumedFrom, ['2', '1']);
  });

  test('A list is fetched once for all waiting callers', async (t) => {
    const { issuer, mint, verifier } = await start(t);
    await Promise.all(Array.from({ length: 50 }, (_, idx) => verifier.verify(mint(idx))));
    assert.equal(issuer.count('/status/0'), 1);
  });

  test('A list is fetched again before it expires, despite the stream', async (t) => {
    const { issuer, status, mint, verifier } = await start(t);
    status.lifeSeconds = 2;
    await verifier.verify(mint(1));
    await connected(verifier);
    await until('it is requested again', () => issuer.count('/status/0') > 1);
  });

  test('A list is dropped after an hour in which no token named it', async (t) => {
    const { mint, verifier, advance } = await start(t);
    await verifier.verify(mint(1));
    advance(3601);
    await until('it is gone', () => verifier.state().revocations?.lists === 0);
  });

  test('A list takes an eighth of a byte of memory per bit', async (t) => {
    const { status, mint, verifier } = await start(t);
    for (let shard = 0; shard < 8; shard += 1) {
      status.bits.set(
        shard,
        new Uint8Array(16_384).map(() => Math.random() * 256),
      );
      await verifier.verify(mint(1, shard)).catch(() => {});
    }
    assert.equal(verifier.state().revocations?.lists, 8);
    assert.equal(verifier.state().revocations?.bytes, 1_048_576 / 8);
  });
});

test('A revocation is known with the next list in polling mode', async (t) => {
  const { issuer, status, mint, verifier } = await start(t, { status: 'poll' });
  const token = mint(5);
  await verifier.verify(token);
  status.revoke(0, [5]);
  await refused(verifier, token);
  assert.equal(issuer.count(STREAM), 0);
});

test('A verifier whose status checks are switched off fetches only keys', async (t) => {
  const { issuer, status, mint, verifier } = await start(t, { status: 'off' });
  status.revoke(0, [5]);
  await verifier.verify(mint(5));
  assert.deepEqual(issuer.requestedPaths, ['/.well-known/jwks.json']);
});

test('A rotated key is accepted as the signer of lists and changes, as it is for tokens', async (t) => {
  const { issuer, status, mint, verifier, advance } = await start(t);
  await verifier.verify(mint(1));
  await connected(verifier);
  issuer.keys.push(new Signer());
  advance(6);
  const token = mint(5);
  await verifier.verify(token);
  status.revoke(0, [5]);
  await refused(verifier, token);
});
