import assert from 'node:assert/strict';
import { it } from 'node:test';
import { tenantConfig } from '../../generated/facts.ts';
import { GROUPS, settingsOf } from './groups.ts';

it('Every setting is in one group', () => {
  const shown = GROUPS.flatMap((group) => settingsOf(group));
  assert.deepEqual(shown.toSorted(), tenantConfig.map(({ name }) => name).toSorted());
});
