import assert from 'node:assert/strict';
import { it } from 'node:test';
import { clientUpdate } from '../../generated/facts.ts';
import { CLIENT_GROUPS } from './groups.ts';

it('Every field of a client is in one form', () => {
  const shown = CLIENT_GROUPS.flatMap(({ fields }) => fields);
  assert.deepEqual(shown.toSorted(), clientUpdate.map(({ name }) => name).toSorted());
});
