import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '../../tests/harness/until.ts';
import { Flight } from '../src/flight.ts';
import { TestIssuer } from './issuer.ts';
import { assertRefused } from './refused.ts';
import { verifierOf } from './verifier-of.ts';

describe('shared work', () => {
  test('The shared work is done once for all waiting callers, and again for later ones', async () => {
    const flight = new Flight(10_000);
    let times = 0;
    const work = async () => void (times += 1);
    await Promise.all([flight.run(work), flight.run(work), flight.run(work)]);
    assert.equal(times, 1);
    await flight.run(work);
    assert.equal(times, 2);
  });

  test('The shared work fails for all waiting callers', async () => {
    const flight = new Flight(10_000);
    const work = () => Promise.reject(new Error('No.'));
    const all = await Promise.allSettled([flight.run(work), flight.run(work)]);
    assert.ok(all.every(({ status }) => status === 'rejected'));
    assert.equal(flight.isUnderWay, false);
  });

  test('The shared work that died with the request that started it does not block others forever', async () => {
    const flight = new Flight(20);
    void flight.run(() => new Promise(() => {}));
    await flight.run(() => assert.fail('it was not joined'));
    await until('it is given up', () => !flight.isUnderWay);
    let isDone = false;
    await flight.run(async () => void (isDone = true));
    assert.ok(isDone);
  });
});

describe('where nothing runs between requests', () => {
  test('One request waits for a newer status list, and the others use the known one', async (t) => {
    const issuer = await TestIssuer.start(t);
    const { status } = issuer;
    const { verifier, advance } = verifierOf(t, issuer, { status: 'poll', timeoutSeconds: 60 });
    const mint = (idx: number) => issuer.mint(status.claim(idx));
    await verifier.verify(mint(1));
    status.revoke(0, [1]);
    const pending: (() => void)[] = [];
    issuer.instead.set('/status/0', (request, response) => {
      pending.push(() => status.answer('/status/0', request, response));
    });
    advance(2);
    const waiting = verifier.verify(mint(1));
    await until('the list is requested', () => pending.length > 0);
    for (let time = 0; time < 10; time += 1) await verifier.verify(mint(1));
    assert.equal(pending.length, 1);
    pending[0]?.();
    await assertRefused(waiting, 'revoked');
    await assertRefused(verifier.verify(mint(1)), 'revoked');
  });

  test('One request waits for a newer key set, and the others use the known one', async (t) => {
    const issuer = await TestIssuer.start(t);
    const { verifier, advance } = verifierOf(t, issuer, { status: 'off', timeoutSeconds: 60 });
    const token = issuer.mint();
    await verifier.verify(token);
    const pending: (() => void)[] = [];
    issuer.instead.set('/.well-known/jwks.json', (_, response) => {
      pending.push(() => response.end(JSON.stringify({ keys: [] })));
    });
    advance(301);
    const waiting = verifier.verify(token);
    await until('the key set is requested', () => pending.length > 0);
    await verifier.verify(token);
    assert.equal(pending.length, 1);
    pending[0]?.();
    await assertRefused(waiting, 'key_unknown');
    await assertRefused(verifier.verify(token), 'key_unknown');
  });
});
