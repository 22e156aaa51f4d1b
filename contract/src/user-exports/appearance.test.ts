import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appearanceOf } from './source.ts';
import { SOURCES } from './sources.ts';

const ADA = { name: 'Ada Lovelace', picture: 'https://cdn.example.com/ada.png' };
const address = { email: 'ada@example.com' };

/** Users as the products export them. */
const RECORDS: Readonly<Record<string, object>> = {
  auth0: { ...address, name: 'Ada Lovelace', picture: ADA.picture },
  keycloak: {
    ...address,
    firstName: 'Ada',
    lastName: 'Lovelace',
    attributes: { picture: [ADA.picture] },
  },
  firebase: { ...address, displayName: 'Ada Lovelace', photoUrl: ADA.picture },
  supabase: {
    ...address,
    raw_user_meta_data: { full_name: 'Ada Lovelace', avatar_url: ADA.picture },
  },
  'better-auth': { ...address, name: 'Ada Lovelace', image: ADA.picture },
  logto: { primary_email: address.email, name: 'Ada Lovelace', avatar: ADA.picture },
};

test('Every product with a list of users has a record in this test', () => {
  const products = Object.keys(SOURCES).filter((product) => product !== 'ndjson');
  assert.deepEqual(Object.keys(RECORDS).toSorted(), products.toSorted());
});

for (const [product, record] of Object.entries(RECORDS)) {
  test(`Users of ${product} keep their names and pictures`, () => {
    const user = SOURCES[product]?.convert({ ...record }, { hashConfig: undefined });
    assert.deepEqual({ name: user?.name, picture: user?.picture }, ADA);
  });
}

test('A user whose name in Auth0 is their email address is imported without a name', () => {
  const user = SOURCES['auth0']?.convert(
    { ...address, name: address.email },
    { hashConfig: undefined },
  );
  assert.equal(user?.name, undefined);
});

test('Names lose what the service rejects, and pictures that it rejects are left out', () => {
  for (const [name, expected] of [
    ['  Ada\n Lovelace\u0000 ', 'Ada Lovelace'],
    ['Ada \u202Egnp.exe', 'Ada gnp.exe'],
    [`${'x'.repeat(127)}\u{1F600}`, 'x'.repeat(127)],
    ['\u200B\uFEFF', undefined],
  ]) {
    assert.equal(appearanceOf([name], undefined).name, expected);
  }
  assert.equal(appearanceOf([undefined, 'Ada', undefined], undefined).name, 'Ada');
  for (const picture of [
    'http://cdn.example.com/a.png',
    'javascript:alert(1)',
    'https://10.0.0.1/a.png',
    'https://localhost/a.png',
    'https://wiki.internal/a.png',
    'https://user@cdn.example.com/a.png',
    `https://cdn.example.com/${'x'.repeat(2048)}`,
  ]) {
    assert.equal(appearanceOf([], picture).picture, undefined, picture);
  }
});
