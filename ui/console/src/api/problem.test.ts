import assert from 'node:assert/strict';
import { it } from 'node:test';
import { asProblem, isPassing, Problem, UNREACHABLE } from './problem.ts';

it('An error of the service keeps its code, its fields and its request', () => {
  const headers = new Headers({ 'x-request-id': 'req1', 'retry-after': '7' });
  const errors = [{ path: '/name', message: 'must be text' }];
  const doc = 'https://id.example.com/docs/errors/validation_failed';
  const body = { code: 'VALIDATION_FAILED', detail: 'No.', doc, errors };
  const problem = new Problem(400, body, headers);
  assert.equal(problem.message, 'No.');
  assert.equal(problem.code, 'VALIDATION_FAILED');
  assert.equal(problem.doc, doc);
  assert.deepEqual(problem.errors, errors);
  assert.equal(problem.requestId, 'req1');
  assert.equal(problem.retryAfter, 7);
});

it('A response that is not from the service still has an error code', () => {
  for (const body of [undefined, null, 'text', { code: 7, errors: 'x' }]) {
    const problem = new Problem(502, body);
    assert.equal(problem.code, 'UNEXPECTED_ANSWER');
    assert.deepEqual(problem.errors, []);
    assert.equal(problem.retryAfter, undefined);
  }
  assert.equal(asProblem(new TypeError('fetch failed')).code, UNREACHABLE);
});

it('The documentation of an error is linked only over http and https', () => {
  const docs = ['javascript:alert(1)', 'data:text/html,x', '/docs', 7, undefined].map(
    (doc) => new Problem(400, { doc }).doc,
  );
  assert.deepEqual(new Set(docs), new Set([undefined]));
});

it('No problem is retried unless it can pass by itself', () => {
  const passing = [0, 400, 401, 403, 404, 429, 500, 503].filter((status) =>
    isPassing(new Problem(status, undefined)),
  );
  assert.deepEqual(passing, [0, 429, 503]);
});
