import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { contrast } from './color.ts';
import { BACKGROUNDS, COLORS, type SchemeColor } from './look.ts';
import { palette } from './palette.ts';

const SCHEMES = ['light', 'dark'] as const;

/** Colors with sixteen values per channel. */
function* brandColors(): Generator<string> {
  for (let value = 0; value < 4096; value += 1) {
    const [red, green, blue] = value.toString(16).padStart(3, '0');
    yield `#${red}${red}${green}${green}${blue}${blue}`;
  }
}

function leastOn(color: SchemeColor, scheme: keyof SchemeColor): number {
  return Math.min(...BACKGROUNDS.map((background) => contrast(color[scheme], background[scheme])));
}

describe('the palette of a brand', () => {
  test('The palette of a brand is readable for each of 4,096 colors in both schemes: text at 4.5, edges and focus rings at 3', () => {
    const least = { text: 21, link: 21, edge: 21, focus: 21 };
    let count = 0;
    for (const primary of brandColors()) {
      const { solid, link, focus, 'on-solid': text, 'solid-edge': edge } = palette({ primary });
      for (const scheme of SCHEMES) {
        least.text = Math.min(least.text, contrast(text[scheme], solid[scheme]));
        least.link = Math.min(least.link, leastOn(link, scheme));
        least.edge = Math.min(least.edge, leastOn(edge, scheme));
        least.focus = Math.min(least.focus, leastOn(focus, scheme));
      }
      assert.deepEqual(solid, { light: primary, dark: primary });
      count += 1;
    }
    assert.equal(count, 4096);
    const report = JSON.stringify(least);
    assert.ok(least.text >= 4.5 && least.link >= 4.5, report);
    assert.ok(least.edge >= 3 && least.focus >= 3, report);
  });

  test('The palette of a brand keeps a readable color unchanged, and the hue of one that is not readable', () => {
    const { link } = palette({ primary: '#1d4ed8' });
    assert.equal(link.light, '#1d4ed8');
    const yellow = palette({ primary: '#ffe14d' }).link;
    assert.equal(yellow.dark, '#ffe14d');
    const [red, green, blue] = [1, 3, 5].map((at) =>
      Number.parseInt(yellow.light.slice(at, at + 2), 16),
    ) as [number, number, number];
    assert.ok(red > green && green > blue, `a dark yellow, not a gray: ${yellow.light}`);
  });
});

describe('the colors of the pages', () => {
  test('The colors of the pages are readable without a brand', () => {
    for (const scheme of SCHEMES) {
      for (const name of ['ink', 'muted', 'link', 'ok', 'bad'] as const) {
        assert.ok(leastOn(COLORS[name], scheme) >= 4.5, `${name} ${scheme}`);
      }
      for (const name of ['edge', 'focus', 'solid-edge'] as const) {
        assert.ok(leastOn(COLORS[name], scheme) >= 3, `${name} ${scheme}`);
      }
      for (const [text, on] of [
        ['on-solid', 'solid'],
        ['ok', 'ok-tint'],
        ['bad', 'bad-tint'],
      ] as const) {
        assert.ok(contrast(COLORS[text][scheme], COLORS[on][scheme]) >= 4.5, `${text} ${scheme}`);
      }
    }
  });
});
