import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { History, type Outcome } from './history.ts';

function outcomeOf(changes: Partial<Outcome> = {}): Outcome {
  return { stored: new Set(), reported: new Set(), generations: new Map(), ...changes };
}

describe('the history of client responses', () => {
  test('The history of client responses reports nothing when it is correct', () => {
    const history = new History();
    history.rotated('s1', 'a', 'b');
    history.rotated('s1', 'a', 'b');
    history.rotated('s1', 'b', 'c');
    const startedAt = history.turn();
    history.acknowledged('w1');
    history.revoked('s1');
    history.accepted('s1', startedAt, 'a token');
    const delivery = { event: 'evt_1', write: 'w1', body: '{}' };
    const outcome = outcomeOf({
      stored: new Set(['w1']),
      reported: new Set(['w1']),
      generations: new Map([['s1', 2]]),
      deliveries: [delivery, delivery],
    });
    assert.deepEqual(history.violations(outcome), []);
    assert.deepEqual(history.counts, { rotations: 2, revocations: 1, uses: 1, writes: 1 });
  });

  test('The history of client responses reveals two successors of one token', () => {
    const history = new History();
    history.rotated('s1', 'a', 'b');
    history.rotated('s1', 'a', 'c');
    assert.deepEqual(history.violations(outcomeOf()), ['2 successors of the token …a']);
  });

  test('The history of client responses reveals a rotation unknown to all clients', () => {
    const history = new History();
    history.rotated('s1', 'a', 'b');
    const outcome = outcomeOf({ generations: new Map([['s1', 2]]) });
    assert.deepEqual(history.violations(outcome), ['s1: rotated 2 times, 1 known']);
  });

  test('The history of client responses reveals a use that started after the response to the revocation', () => {
    const history = new History();
    history.revoked('s1');
    history.accepted('s1', history.turn(), 'a token');
    assert.deepEqual(history.violations(outcomeOf()), ['a token of the revoked s1 was taken']);
  });

  test('The history of client responses reveals a lost acknowledged write', () => {
    const history = new History();
    history.acknowledged('w1');
    assert.deepEqual(history.violations(outcomeOf()), ['lost w1']);
  });

  test('The history of client responses reveals a write without its event, and an event without its write', () => {
    const found = new History().violations(
      outcomeOf({ stored: new Set(['w1']), reported: new Set(['w2']) }),
    );
    assert.deepEqual(found, ['no event about w1', 'an event about what is not there: w2']);
  });

  test('The history of client responses reveals a missing delivery, and two versions of one', () => {
    const found = new History().violations(
      outcomeOf({
        stored: new Set(['w1', 'w2']),
        reported: new Set(['w1', 'w2']),
        deliveries: [
          { event: 'evt_1', write: 'w1', body: '{}' },
          { event: 'evt_1', write: 'w1', body: '{"a":1}' },
        ],
      }),
    );
    assert.deepEqual(found, ['evt_1 was delivered with another body', 'not delivered: w2']);
  });

  test('The history of client responses reveals a client that is stuck', () => {
    const history = new History();
    history.stranded('client 1: 401');
    assert.deepEqual(history.violations(outcomeOf()), ['stranded: client 1: 401']);
  });
});
