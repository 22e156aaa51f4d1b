import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Compile } from 'typebox/compile';
import { AppError, docOf, ErrorBody, type ErrorCode, errorBody, ERRORS, fail } from './errors.ts';
import { GRANT_TYPE } from './routes/token.ts';

/** The statuses of the specification, and the five that `docs/decisions/requests-and-responses.md` adds. */
const STATUSES = [400, 401, 403, 404, 500, 405, 413, 415, 429, 503];
const DOCS = 'https://id.example.com/docs';
const CODES = Object.keys(ERRORS) as ErrorCode[];

describe('the catalog of errors', () => {
  test('The error catalog has the documented statuses and no others', () => {
    assert.ok(CODES.length > 20);
    for (const code of CODES) assert.ok(STATUSES.includes(ERRORS[code].status), code);
    assert.deepEqual(
      new Set(CODES.map((code) => ERRORS[code].status)),
      new Set(STATUSES),
      'each of them is in use',
    );
  });

  for (const code of CODES) {
    test(`${code} has a body of a short name, a sentence, the code and the URL of its page`, () => {
      assert.match(code, /^[A-Z]+(_[A-Z]+)*$/);
      const body = errorBody(code, DOCS);
      assert.ok(Compile(ErrorBody).Check(body));
      assert.deepEqual(Object.keys(body), ['error', 'detail', 'code', 'doc']);
      assert.equal(body.code, code);
      assert.equal(body.doc, docOf(code, DOCS));
      assert.match(body.doc, /^https:\/\/id\.example\.com\/docs\/errors\/[a-z]+(_[a-z]+)*$/);
      assert.match(body.error, /^[A-Z][a-z]+( [A-Z][a-z]+)*$/);
      assert.match(body.detail, /^\S.+\.$/);
    });
  }

  test('The error messages say in plain words what is expected, with all values if there are few', () => {
    for (const code of CODES) {
      const { detail } = errorBody(code, DOCS);
      assert.doesNotMatch(
        detail,
        /can not|\bschema\b|\bpattern\b|of the .*form|is not right/,
        code,
      );
    }
    const { detail } = errorBody('GRANT_TYPE_UNSUPPORTED', DOCS);
    for (const type of Object.values(GRANT_TYPE)) assert.ok(detail.includes(type), type);
  });

  test('An unknown tenant is reported as not found', () => {
    assert.match(errorBody('TENANT_NOT_FOUND', DOCS).detail, /tenant was not found/);
  });
});

describe('a failure', () => {
  test('An error body has the specific message of its place, and the field errors', () => {
    const errors = [{ path: '/name', message: 'is required' }];
    assert.deepEqual(errorBody('VALIDATION_FAILED', DOCS, { detail: 'Not so.', errors }), {
      error: 'Bad Request',
      detail: 'Not so.',
      code: 'VALIDATION_FAILED',
      doc: 'https://id.example.com/docs/errors/validation_failed',
      errors,
    });
  });

  test('An error never discloses its internal cause', () => {
    const error = new AppError('INTERNAL', { internal: new Error('password of the database') });
    assert.equal(error.message, ERRORS.INTERNAL.detail);
    const text = JSON.stringify(errorBody(error.code, DOCS, error.options));
    assert.equal(text.includes('password'), false);
  });

  test('The fail function throws an error with the given code', () => {
    assert.throws(
      () => fail('NOT_FOUND'),
      (error) => error instanceof AppError && error.code === 'NOT_FOUND',
    );
  });
});
