import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, test, type TestContext } from 'node:test';
import { until } from '../../tests/harness/until.ts';
import type { VerifierOptions } from '../src/verifier/options.ts';
import { answerError, TestIssuer } from './issuer.ts';
import { assertRefused } from './refused.ts';
import { verifierOf } from './verifier-of.ts';

const HOUR = 3600;
const SDK = new URL('../src/sdk.ts', import.meta.url).href;

/** A verifier that knows the first list and follows the stream. */
async function start(t: TestContext, options: Partial<VerifierOptions> = {}) {
  const issuer = await TestIssuer.start(t);
  const { status } = issuer;
  status.revoke(0, [9]);
  const exp = Math.floor(Date.now() / 1000) + 100 * HOUR;
  const mint = (idx: number, shard = 0) => issuer.mint({ exp, ...status.claim(idx, shard) });
  const parts = { issuer, status, mint, ...verifierOf(t, issuer, options) };
  await parts.verifier.verify(mint(1));
  await until('the stream is there', () => parts.verifier.state().revocations?.isConnected);
  return parts;
}

describe('while the service is unreachable', () => {
  test('Tokens, seen before or not, are verified for 15 minutes without the service, and then rejected with 503', async (t) => {
    const { issuer, mint, verifier, advance } = await start(t);
    await issuer.goDown();
    advance(890);
    await verifier.verify(mint(1));
    await verifier.verify(mint(2));
    await assertRefused(verifier.verify(mint(9)), 'revoked');
    advance(15);
    const error = await assertRefused(verifier.verify(mint(1)), 'status_stale');
    assert.deepEqual([error.code, error.httpStatus], ['UNAVAILABLE', 503]);
    await assertRefused(verifier.verify(mint(9)), 'revoked');
  });

  test('A token is verified throughout an hour without the service if the policy allows it', async (t) => {
    const { issuer, mint, verifier, advance } = await start(t, { onStale: 'allow' });
    await issuer.goDown();
    const requestsBefore = issuer.requestedPaths.length;
    for (let minute = 0; minute < 60; minute += 1) {
      advance(60);
      await verifier.verify(mint(1));
      await assertRefused(verifier.verify(mint(9)), 'revoked');
    }
    assert.equal(issuer.requestedPaths.length, requestsBefore);
  });

  test('A token is verified for as long as configured while the service is unreachable', async (t) => {
    const { issuer, mint, verifier, advance } = await start(t, { maxStaleSeconds: 2 * HOUR });
    await issuer.goDown();
    advance(HOUR);
    await verifier.verify(mint(1));
    advance(HOUR + 10);
    await assertRefused(verifier.verify(mint(1)), 'status_stale');
  });

  test('A token of a list that was never fetched gets 503, or is accepted if the policy allows it', async (t) => {
    const strict = await start(t);
    const lenient = await start(t, { onStale: 'allow' });
    for (const { issuer } of [strict, lenient]) await issuer.goDown();
    await assertRefused(strict.verifier.verify(strict.mint(1, 1)), 'status_unavailable');
    await lenient.verifier.verify(lenient.mint(1, 1));
  });

  test('The service is called at most once a second while it does not respond', async (t) => {
    const { issuer, mint, verifier } = await start(t);
    issuer.instead.set('/status/1', (_, response) => answerError(response, 503, 'UNAVAILABLE'));
    const tokens = Array.from({ length: 30 }, (_, idx) => mint(idx, 1));
    for (const token of tokens) await assertRefused(verifier.verify(token), 'status_unavailable');
    assert.ok(issuer.count('/status/1') <= 2, String(issuer.count('/status/1')));
  });

  test('The verification of tokens works as before when an unreachable service returns', async (t) => {
    const { issuer, mint, status, verifier, advance } = await start(t);
    await issuer.goDown();
    advance(2000);
    await assertRefused(verifier.verify(mint(1)), 'keys_unavailable');
    await issuer.goUp();
    advance(-2000 + 30);
    await until('the stream is there', () => status.connections > 0);
    await verifier.verify(mint(1));
  });
});

describe('when the tenant is deactivated', () => {
  test('Every token is rejected when the stream reports the tenant deactivated, and accepted after reactivation', async (t) => {
    const { issuer, status, mint, verifier, codes, advance } = await start(t);
    const off = (_: unknown, response: Parameters<typeof answerError>[0]) =>
      answerError(response, 403, 'TENANT_INACTIVE');
    issuer.instead.set('/status/stream', off).set('/status/0', off);
    status.notify({ closed: true }, 'closed');
    await until('it is known', () => codes().includes('ISSUER_CLOSED'));
    await assertRefused(verifier.verify(mint(1)), 'issuer_closed');
    await assertRefused(verifier.verify(mint(2)), 'issuer_closed');
    issuer.instead.clear();
    advance(5);
    await until('it is accepted', () =>
      verifier.verify(mint(1)).then(
        () => true,
        () => false,
      ),
    );
  });

  for (const code of ['TENANT_INACTIVE', 'TENANT_NOT_FOUND']) {
    test(`A list response with ${code} is sufficient to reject the tokens of the tenant`, async (t) => {
      const { issuer, mint, verifier } = await start(t);
      issuer.instead.set('/status/1', (_, response) => answerError(response, 404, code));
      await assertRefused(verifier.verify(mint(1, 1)), 'issuer_closed');
      await assertRefused(verifier.verify(mint(1)), 'issuer_closed');
    });
  }

  test('An earlier list or change does not prove that a deactivated tenant is active again', async (t) => {
    const { issuer, status, mint, verifier, advance } = await start(t);
    status.bits.set(1, new Uint8Array(16_384));
    const earlier = status.list(1);
    advance(5);
    const answerClosed = (_: unknown, response: Parameters<typeof answerError>[0]) =>
      answerError(response, 403, 'TENANT_INACTIVE');
    issuer.instead.set('/status/2', answerClosed).set('/status/0', answerClosed);
    await assertRefused(verifier.verify(mint(1, 2)), 'issuer_closed');
    issuer.instead.set('/status/1', (_, response) => response.end(earlier));
    await assertRefused(verifier.verify(mint(1, 1)), 'issuer_closed');
    assert.equal(verifier.state().revocations?.lists, 2, 'the list itself was accepted');
    const version = (status.version += 1);
    status.notify({ from: version - 1, version });
    await until('the change was read', () => verifier.state().revocations?.version === version);
    await assertRefused(verifier.verify(mint(1)), 'issuer_closed');
    const later = status.list(1, { iat: Math.floor(Date.now() / 1000) + 8 });
    issuer.instead.set('/status/1', (_, response) => response.end(later));
    advance(1);
    await verifier.verify(mint(1, 1));
  });

  test('A response of an intermediary does not count as a deactivation of the tenant', async (t) => {
    const { issuer, mint, verifier } = await start(t);
    issuer.instead.set('/status/1', (_, response) => response.writeHead(403).end('Forbidden'));
    await assertRefused(verifier.verify(mint(1, 1)), 'status_unavailable');
    await verifier.verify(mint(1));
  });
});

describe('a closed verifier', () => {
  test('A closed verifier has no open connection', async (t) => {
    const { status, verifier, codes } = await start(t);
    assert.equal(status.connections, 1);
    verifier.close();
    await until('the connection ends', () => status.connections === 0);
    assert.deepEqual(codes(), []);
  });

  test('A closed verifier lets the process exit', async (t) => {
    const { issuer, mint } = await start(t);
    const program = `
      const { createVerifier } = await import(${JSON.stringify(SDK)});
      const verifier = createVerifier({ issuer: ${JSON.stringify(issuer.name)} });
      await verifier.verify(${JSON.stringify(mint(1))});
      verifier.close();`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
    t.after(() => child.kill('SIGKILL'));
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });
});
