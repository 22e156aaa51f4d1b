import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { it } from 'node:test';
import { COLORS } from '../../../../server/src/platform/http/pages/look.ts';

const TOKENS = readFileSync(new URL('tokens.css', import.meta.url), 'utf8');

it('The console has the colors of the hosted pages', () => {
  for (const [name, { light, dark }] of Object.entries(COLORS)) {
    const declaration = `--${name}: light-dark(${light}, ${dark});`;
    assert.ok(TOKENS.includes(declaration), `tokens.css lacks ${declaration}`);
  }
});

it('No style of the console names a left or right side, as it is also read from right to left', () => {
  const names = globSync('*.css', { cwd: import.meta.dirname });
  assert.ok(names.length > 10);
  for (const name of names) {
    const css = readFileSync(new URL(name, import.meta.url), 'utf8');
    assert.doesNotMatch(css, /\b(left|right)\b|\b(margin|padding|border)-(top|bottom)\b/, name);
  }
});
