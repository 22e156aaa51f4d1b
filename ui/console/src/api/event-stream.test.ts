import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventParser } from './event-stream.ts';

const text = (id: string) => `id: ${id}\ndata: ${JSON.stringify({ id, note: 'a\nb' })}\n\n`;

test('The event parser reads events however the stream is cut, and no comments', () => {
  const whole = `retry: 2000\n\n${text('evt_1')}:\n\n${text('evt_2')}`;
  for (let size = 1; size < whole.length; size += 1) {
    const parser = new EventParser();
    const found: string[] = [];
    for (let at = 0; at < whole.length; at += size) {
      found.push(...parser.take(whole.slice(at, at + size)).map(({ id }) => id));
    }
    assert.deepEqual(found, ['evt_1', 'evt_2']);
  }
});
