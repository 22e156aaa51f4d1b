import assert from 'node:assert/strict';
import { it } from 'node:test';
import { providerCreate, providerUpdate } from '../../generated/facts.ts';
import { factsOfChange, factsOfCreation, PROVIDER_TYPES } from './kinds.ts';

const namesOf = (type: (typeof PROVIDER_TYPES)[number]) =>
  factsOfCreation(type).map(({ name }) => name);
const neededBy = (type: (typeof PROVIDER_TYPES)[number]) =>
  factsOfCreation(type).flatMap(({ name, required }) => (required ? [name] : []));

it('A form has the fields of its kind of provider, and requires those that the kind needs', () => {
  assert.deepEqual(neededBy('google'), ['client_id', 'client_secret']);
  assert.deepEqual(neededBy('apple'), ['client_id', 'client_secret', 'team_id', 'key_id']);
  assert.deepEqual(neededBy('oidc'), ['name', 'client_id', 'issuer']);
  assert.ok(namesOf('microsoft').includes('allowed_tenants'));
  assert.ok(!namesOf('google').includes('issuer'));
  assert.ok(namesOf('oidc').includes('trust_mfa') && !namesOf('oauth2').includes('trust_mfa'));
});

it('Every field of a provider is in the form of some kind', () => {
  const shown = new Set(PROVIDER_TYPES.flatMap(namesOf));
  const hidden = providerCreate.map(({ name }) => name).filter((name) => !shown.has(name));
  assert.deepEqual(hidden, []);
  const changed = providerUpdate.map(({ name }) => name).filter((name) => !shown.has(name));
  assert.deepEqual(changed, ['skip_test']);
});

it('A provider form offers a change without a test only for an active provider', () => {
  for (const type of PROVIDER_TYPES) {
    const offers = (is_active: boolean) =>
      factsOfChange({ type, is_active }).some(({ name }) => name === 'skip_test');
    assert.deepEqual([offers(true), offers(false)], [true, false], type);
  }
});

it('A provider secret is typed in several lines only if it is a key file', () => {
  const secretOf = (type: (typeof PROVIDER_TYPES)[number]) =>
    factsOfCreation(type).find(({ name }) => name === 'client_secret');
  assert.equal(secretOf('apple')?.isLong, true);
  assert.equal(secretOf('google')?.isLong, undefined);
});
