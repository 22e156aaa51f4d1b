import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commonScopes } from './resource-rules.ts';

for (const [requested, allowed, common] of [
  ['read:files tools', 'read:files tools', 'tools read:files'],
  ['*:files', 'read:files', 'read:files'],
  ['read:*', '*:files', 'read:files'],
  ['share:files', '*:files', ''],
  ['*:files', 'share:files', ''],
  ['*:files', 'share:*', ''],
] as const) {
  test(`"${requested}" and "${allowed}" have ${common === '' ? 'no scope' : `"${common}"`} in common: a wildcard contains no scope that a resource names itself`, () => {
    assert.equal(commonScopes(requested.split(' '), allowed.split(' ')).join(' '), common);
  });
}
