import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findSubjectProblems } from './commits.ts';

test('A subject with a verb and an object in at most 72 characters is accepted', () => {
  const longest = `Add ${'x'.repeat(68)}`;
  assert.deepEqual(findSubjectProblems(['Reject rotated refresh tokens', longest]), []);
});

test('A subject that is too long, or that has no verb or no object, is a problem', () => {
  const subjects = [
    `Add ${'x'.repeat(69)}`,
    'wip',
    'Say what a start saves by waiting while it loads',
    'passkeys: fix the domain',
    'Fix',
    'Fix the domain of passkeys.',
  ];
  const problems = findSubjectProblems(subjects);
  assert.equal(problems.length, subjects.length, problems.join('\n'));
  assert.match(problems[0] ?? '', /73 characters, at most 72/);
  assert.match(problems[2] ?? '', /starts with "Say"/);
});
