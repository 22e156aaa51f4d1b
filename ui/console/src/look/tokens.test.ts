import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { it } from 'node:test';
import { COLORS } from '../../../../server/src/platform/http/pages/look.ts';

const TOKENS = readFileSync(new URL('tokens.css', import.meta.url), 'utf8');
const VALUES = new Map(
  [...TOKENS.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);/g)].map(
    ([, name = '', light = '', dark = '']) => [name, { light, dark }] as const,
  ),
);
/** Names that the hosted pages use for tokens of the console. */
const NAMES: Readonly<Record<string, string>> = {
  bg: 'canvas',
  muted: 'ink-2',
  'solid-edge': 'solid',
};
const BACKGROUNDS = ['canvas', 'rail', 'surface', 'raised', 'sunken', 'hover', 'press'];
const TINTS = ['brass-tint', 'ok-tint', 'warn-tint', 'bad-tint', 'info-tint'];

it('The console has the colors of the hosted pages', () => {
  const { raised, ...shared } = COLORS;
  assert.equal(raised.light, VALUES.get('sunken')?.light);
  assert.equal(raised.dark, VALUES.get('raised')?.dark);
  for (const [name, color] of Object.entries(shared)) {
    assert.deepEqual(VALUES.get(NAMES[name] ?? name), color, `tokens.css lacks ${name}`);
  }
});

it('The text and the focus ring of the console are readable on each background, in both color schemes', () => {
  const least = (names: readonly string[], backgrounds: readonly string[], ratio: number) => {
    for (const name of names) {
      for (const background of backgrounds) {
        for (const scheme of ['light', 'dark'] as const) {
          const found = contrast(valueOf(name)[scheme], valueOf(background)[scheme]);
          assert.ok(found >= ratio, `${name} on ${background}, ${scheme}: ${found.toFixed(2)}`);
        }
      }
    }
  };
  least(['ink', 'ink-2', 'ink-3', 'link', 'ok', 'warn', 'bad', 'info'], BACKGROUNDS, 4.5);
  least(['ink', 'ink-2', 'ink-3', 'ok', 'warn', 'bad', 'info'], TINTS, 4.5);
  least(['brass'], ['canvas', 'rail', 'surface', 'raised', 'brass-tint'], 4.5);
  least(['on-solid'], ['solid'], 4.5);
  least(['focus'], BACKGROUNDS, 3);
  least(['edge'], ['canvas', 'rail', 'surface', 'raised', 'sunken', 'hover'], 3);
});

it('No style of the console names a left or right side, as it is also read from right to left', () => {
  for (const [name, css] of styles()) {
    assert.doesNotMatch(css, /\b(left|right)\b|\b(margin|padding|border)-(top|bottom)\b/, name);
  }
});

it('Each style of the console uses only tokens that exist, and its parts use no other font', () => {
  for (const [name, css] of styles()) {
    for (const [, token = ''] of css.matchAll(/var\(--([\w-]+)\)/g)) {
      const isOfBaseUi = /^(available|anchor|transform)-/.test(token);
      const isSet = [TOKENS, css].some((source) => source.includes(`--${token}:`));
      assert.ok(isOfBaseUi || isSet, `${name} uses --${token}`);
    }
    if (name !== 'fonts.css') assert.doesNotMatch(css, /font-family: (?!var)/, name);
  }
});

function styles(): readonly (readonly [name: string, css: string])[] {
  const names = globSync('*.css', { cwd: import.meta.dirname });
  assert.ok(names.length > 10);
  return names.map((name) => [name, readFileSync(new URL(name, import.meta.url), 'utf8')]);
}

function valueOf(name: string) {
  const value = VALUES.get(name);
  assert.ok(value, name);
  return value;
}

/** WCAG 2.2 §1.4.3 */
function contrast(color: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(color), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
