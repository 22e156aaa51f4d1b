import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { STAGE } from './stage.ts';
import { animate, readAnimation } from './webp.ts';

const IMAGES = join(import.meta.dirname, '../../../docs/images');
const MOST_BYTES = 2_000_000;
/** One gray pixel, as a still WebP. */
const PIXEL = Buffer.from('UklGRh4AAABXRUJQVlA4TBEAAAAvAAAAAAfQ//73v/+BiOh/AAA=', 'base64');

describe('the recording of the README', () => {
  test('The recording is an animation of at most 2 MB and 20 seconds, with a still picture', () => {
    const film = readFileSync(join(IMAGES, 'revocation.webp'));
    assert.ok(film.length <= MOST_BYTES, `${film.length} bytes`);
    const { durations, size } = readAnimation(film);
    const seconds = durations.reduce((sum, duration) => sum + duration, 0) / 1000;
    assert.ok(durations.length > 10 && seconds > 5 && seconds <= 20, `${seconds} s`);
    assert.deepEqual(size, STAGE);
    const still = readFileSync(join(IMAGES, 'revocation.png'));
    assert.equal(still.toString('latin1', 1, 4), 'PNG');
  });

  test('The README shows the recording and its still picture', () => {
    const readme = readFileSync(join(IMAGES, '../../README.md'), 'utf8');
    for (const name of ['revocation.webp', 'revocation.png'])
      assert.ok(readme.includes(`docs/images/${name}`), name);
  });

  test('An animation keeps the order and the durations of its frames', () => {
    const frames = [100, 250].map((milliseconds) => ({ picture: PIXEL, milliseconds }));
    const { durations, size } = readAnimation(animate(frames, { width: 1, height: 1 }));
    assert.deepEqual(durations, [100, 250]);
    assert.deepEqual(size, { width: 1, height: 1 });
  });
});
