import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type ErrorCode, ERRORS } from '@keywright/contract/errors';
import { EN } from './en.ts';
import { formatMessage } from './format.ts';
import { reasonOf } from './problems.ts';

const say = (key: keyof typeof EN) => formatMessage('en', EN[key]);
const find = (key: string) => (key in EN ? say(key as keyof typeof EN) : undefined);
const reasonIn = (status: number, code: string) => reasonOf({ status, code }, { say, find });

it('Every error code has a reason in the texts of the console', () => {
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    assert.match(reasonIn(ERRORS[code].status, code), /^[A-Z].*\.$/, code);
  }
  assert.equal(reasonIn(400, 'LAST_ADMINISTRATOR'), EN['problem.last_administrator']);
  assert.equal(reasonIn(400, 'TOO_MANY_WEBHOOKS'), EN['problem.too_many']);
  assert.equal(reasonIn(429, 'TOO_MANY_MESSAGES'), EN['problem.wait']);
  assert.equal(reasonIn(502, 'UNEXPECTED_ANSWER'), EN['problem.internal']);
});

it('A text for an error code belongs to a code that the service returns', () => {
  const ours = ['too_many', 'wait', 'denied', 'rejected'];
  const keys = Object.keys(EN).filter((key) => key.startsWith('problem.'));
  for (const key of keys.map((name) => name.slice('problem.'.length))) {
    assert.ok(ours.includes(key) || key.toUpperCase() in ERRORS, key);
  }
});
