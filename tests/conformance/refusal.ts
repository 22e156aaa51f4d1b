import assert from 'node:assert/strict';
import type { ErrorBody } from '@keywright/contract/errors';
import type { Answer } from '../harness/http.ts';

/** The short name of each status (RFC 9110 §15). */
const SHORT_NAME: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/**
 * Asserts exactly the documented error response.
 * @param expected status and code, such as `400 JSON_INVALID`
 * @param at the paths of a validation error, if known
 */
export function assertRefused(
  answer: Answer<unknown>,
  expected: string,
  at: readonly string[] = [],
): void {
  const { error, detail, code, doc, errors, ...further } = answer.body as ErrorBody;
  assert.equal(`${answer.status} ${code}`, expected, answer.text.slice(0, 500));
  const { headers } = answer;
  assert.equal(headers['content-type'], 'application/json; charset=utf-8');
  assert.equal(headers['cache-control'], 'no-store');
  assert.match(String(headers['x-request-id']), /^\S+$/);
  assert.equal(error, SHORT_NAME[answer.status]);
  assert.equal(typeof detail, 'string');
  assert.notEqual(detail, '');
  assert.ok(doc.endsWith(`/docs/errors/${code.toLowerCase()}`), doc);
  assert.deepEqual(further, {});
  if (code !== 'VALIDATION_FAILED') return assert.equal(errors, undefined);
  assert.ok(errors !== undefined && errors.length > 0, 'a validation error says what is wrong');
  for (const fieldError of errors) {
    assert.deepEqual(Object.keys(fieldError).toSorted(), ['message', 'path']);
    assert.notEqual(fieldError.message, '');
  }
  if (at.length > 0) {
    assert.deepEqual(errors.map(({ path }) => path).toSorted(), [...at].toSorted());
  }
}
