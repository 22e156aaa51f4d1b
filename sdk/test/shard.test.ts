import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ChangeLog } from '../src/status/change-log.ts';
import { EventParser } from '../src/status/server-sent-events.ts';
import { Shard } from '../src/status/shard.ts';
import type { Change } from '../src/status/status-change.ts';
import { ProblemError } from '../src/verifier/problem.ts';

const change = (from: number, version: number, ...indices: number[]): Change => ({
  kind: 'change',
  iat: 1,
  from,
  version,
  revoked: new Map([[0, indices]]),
});

const list = (version: number, ...bytes: number[]) => ({
  bits: new Uint8Array(bytes),
  version,
  iat: 1,
  exp: undefined,
  ttlSeconds: 10,
});

describe('a list', () => {
  test('A list that is replaced by one of unknown age keeps revoked bits', () => {
    const shard = new Shard(0, 0, 1000);
    shard.accept(list(5, 0b1), undefined);
    shard.apply(change(5, 10, 3));
    shard.accept(list(7, 0b10), new ChangeLog(10));
    assert.deepEqual(
      [0, 1, 2, 3].map((index) => shard.isRevoked(index)),
      [true, true, false, true],
    );
    assert.equal(shard.upTo, 10);
  });

  test('A list that is replaced by a later one takes over its bits, including cleared ones', () => {
    const shard = new Shard(0, 0, 1000);
    shard.accept(list(5, 0b1), undefined);
    shard.accept(list(6, 0b10), undefined);
    assert.equal(shard.isRevoked(0), false);
    assert.equal(shard.isRevoked(1), true);
    assert.equal(shard.isRevoked(8), undefined);
  });

  test('A list takes the bits of a change after a gap, and reports the gap', () => {
    const shard = new Shard(0, 0, 1000);
    shard.accept(list(5, 0), undefined);
    assert.equal(shard.apply(change(6, 7, 1)), false);
    assert.equal(shard.isRevoked(1), true);
    assert.equal(shard.upTo, 5);
  });
});

describe('the log of changes', () => {
  test('The log of changes returns the changes after a version, and nothing for one before its start', () => {
    const log = new ChangeLog(5);
    log.append(change(5, 6, 1));
    log.append(change(6, 6));
    log.append(change(6, 8, 2));
    assert.deepEqual(log.since(6), [change(6, 8, 2)]);
    assert.deepEqual(log.since(8), []);
    assert.equal(log.since(5)?.length, 2);
    assert.equal(log.since(4), undefined);
  });

  test('The log of changes drops the oldest changes when there are many, and no longer covers them', () => {
    const log = new ChangeLog(0);
    for (let version = 0; version < 5000; version += 1) log.append(change(version, version + 1, 1));
    assert.equal(log.since(3000), undefined);
    assert.equal(log.since(4999)?.length, 1);
    assert.ok((log.since(4000)?.length ?? 0) === 1000);
    log.append(change(5000, 5001, ...Array.from({ length: 70_000 }, (_, index) => index)));
    assert.equal(log.since(5000), undefined);
    assert.equal(log.version, 5001);
  });
});

describe('an event stream', () => {
  const text = [
    ': a comment\n\n',
    'id: 5\r\nevent: status\r\ndata: one\r\n\r\n',
    'data:two\ndata: and a half\n\n',
    'event: nothing\n\n',
    'retry: 10\ndata: drei – ü\n\n',
    'data: unfinished',
  ].join('');
  const expected = [
    { event: 'status', data: 'one' },
    { event: 'message', data: 'two\nand a half' },
    { event: 'message', data: 'drei – ü' },
  ];

  test('An event stream is parsed regardless of chunk boundaries', () => {
    const bytes = new TextEncoder().encode(text);
    for (const size of [1, 2, 3, 7, 64, bytes.length]) {
      const parser = new EventParser();
      const events = [];
      for (let at = 0; at < bytes.length; at += size) {
        events.push(...parser.push(bytes.slice(at, at + size)));
      }
      assert.deepEqual(events, expected, `in pieces of ${size}`);
    }
  });

  test('An event stream is parsed with any line endings', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const parser = new EventParser();
      const bytes = new TextEncoder().encode(`data: one${end}${end}data: two${end}${end}:`);
      assert.deepEqual(
        parser.push(bytes).map(({ data }) => data),
        ['one', 'two'],
      );
    }
  });

  test('An event stream whose event never ends is aborted, with many lines or a single one', () => {
    for (const piece of [`data: ${'x'.repeat(1000)}\n`, 'x'.repeat(1000)]) {
      const parser = new EventParser();
      const bytes = new TextEncoder().encode(piece);
      assert.throws(() => {
        for (let time = 0; time < 3000; time += 1) parser.push(bytes);
      }, ProblemError);
    }
  });
});
