import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Aaguid } from '@keywright/contract/records/origins';
import { Check } from 'typebox/value';
import { AUTHENTICATOR_NAMES, authenticatorName } from './authenticators.ts';

const NO_AAGUID = '00000000-0000-0000-0000-000000000000';
const MAX_ENTRIES = 100;

test('well-known authenticators have a short name, by ids as they are stored', () => {
  assert.equal(authenticatorName('fbfc3007-154e-4ecc-8c0b-6e020557d7bd'), 'Apple Passwords');
  assert.equal(authenticatorName('2fc0579f-8113-47ea-b116-bb5a8db9202a'), 'YubiKey 5 NFC');
  assert.ok(AUTHENTICATOR_NAMES.size <= MAX_ENTRIES);
  for (const [id, name] of AUTHENTICATOR_NAMES) {
    assert.ok(Check(Aaguid, id), id);
    assert.equal(id, id.toLowerCase());
    assert.match(name, /^[A-Z0-9][\w ]{3,31}$/);
  }
});

test('others have none, nor has one that does not say what it is', () => {
  for (const id of [NO_AAGUID, '', 'constructor', 'FBFC3007-154E-4ECC-8C0B-6E020557D7BD']) {
    assert.equal(authenticatorName(id), undefined, id);
  }
});
