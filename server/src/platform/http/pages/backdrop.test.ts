import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { backdropReport, backdropRules, type BackdropSettings } from './backdrop.ts';

const LAYOUTS = ['card', 'plain', 'split-start', 'split-end'] as const;
const BACKGROUNDS = ['none', 'color', 'gradient', 'image'] as const;

/** Colors with four values per channel. */
const COLORS = Array.from({ length: 64 }, (_, index) => {
  const part = (shift: number) => (((index >> shift) & 3) * 85).toString(16).padStart(2, '0');
  return `#${part(4)}${part(2)}${part(0)}`;
});

const settings = (more: Partial<BackdropSettings>): BackdropSettings => ({
  image: '/brand/0a',
  ...more,
});

describe('the background of the pages', () => {
  test('Text on the background has a contrast of at least 4.5 in each layout, on each kind of background, for each color', () => {
    let count = 0;
    for (const layout of LAYOUTS) {
      for (const background of BACKGROUNDS) {
        for (const color of COLORS) {
          const chosen = { layout, background, primary_color: color, background_color: color };
          for (const { ratio, required } of backdropReport(settings(chosen))) {
            assert.ok(ratio >= required, JSON.stringify({ ...chosen, ratio }));
            count += 1;
          }
        }
      }
    }
    assert.ok(count > 1500, `${count} checked`);
  });

  test('An image under a form without a card is washed out until the form is readable on white and black pixels', () => {
    const [light, dark] = backdropReport(settings({ layout: 'plain', background: 'image' }));
    assert.ok(light && dark && light.ratio >= 4.5 && dark.ratio >= 4.5);
    const rules = backdropRules(settings({ layout: 'plain', background: 'image' }));
    assert.match(rules, /light-dark\(#fbfaf8[0-9a-f]{2},#0e1012[0-9a-f]{2}\) 0 0\),url/);
  });

  test('An image that is not stored is replaced by the gradient', () => {
    const missing = settings({ layout: 'split-end', background: 'image', image: undefined });
    assert.equal(backdropRules(missing), backdropRules(settings({ layout: 'split-end' })));
  });

  test('A card without a background has no rules', () => {
    assert.deepEqual([backdropRules(settings({})), backdropReport(settings({}))], ['', []]);
  });
});
