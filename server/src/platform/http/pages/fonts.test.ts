import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { PAGE_FONTS } from '@keywright/contract/records/branding';
import { FONTS, familyOf } from './fonts.ts';

const FOLDER = new URL('../../../../fonts/', import.meta.url);

test('Each font that a tenant can choose has a file whose name contains its digest, and its license', () => {
  for (const [name, { file }] of Object.entries(FONTS)) {
    const bytes = readFileSync(new URL(file, FOLDER));
    const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 10);
    assert.equal(file, `${name}-${digest}.woff2`);
    assert.equal(bytes.toString('latin1', 0, 4), 'wOF2');
    const license = readFileSync(new URL(`${name}-LICENSE.txt`, FOLDER), 'utf8');
    assert.match(license, /SIL Open Font License, Version 1\.1/);
  }
});

test('Each font has a fallback on the device', () => {
  for (const name of PAGE_FONTS) assert.match(familyOf(name), /system-ui,sans-serif$/);
});
