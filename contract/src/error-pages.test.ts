import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import { Compile } from 'typebox/compile';
import { Check } from 'typebox/schema';
import { exampleBody, exampleCommand, routeOf } from './error-example.ts';
import { ERROR_PAGES } from './error-pages.ts';
import { ErrorBody, type ErrorCode, ERRORS } from './errors.ts';
import { OAuthErrorBody } from './oauth-error.ts';
import { impliedErrors } from './route.ts';
import { ROUTES } from './routes.ts';

const DOCS = new URL('../../docs/', import.meta.url);
const CODES = Object.keys(ERRORS) as ErrorCode[];
/** Errors that requests get before, or regardless of, what their route declares. */
const GENERAL: readonly ErrorCode[] = [
  'BROWSER_SESSION_REQUIRED',
  'IMPERSONATION_REQUIRED',
  'INTERNAL',
  'METHOD_NOT_ALLOWED',
  'REQUEST_MALFORMED',
  'ROUTE_NOT_FOUND',
  'TOO_MANY_INCOMPLETE_REQUESTS',
  'UNAVAILABLE',
];
const isErrorBody = Compile(ErrorBody);
const isOAuthErrorBody = Compile(OAuthErrorBody);

describe('the page of an error code', () => {
  test('Every error code has a page, and there are no other pages', () => {
    assert.deepEqual(Object.keys(ERROR_PAGES).toSorted(), CODES.toSorted());
  });

  for (const code of CODES) {
    const page = ERROR_PAGES[code];
    const texts = [...page.causes, ...page.fixes];

    test(`The page of ${code} names causes and fixes in 40 to 220 words`, () => {
      assert.ok(page.causes.length > 0 && page.fixes.length > 0);
      const words = texts.join(' ').split(/\s+/).length;
      assert.ok(words >= 40 && words <= 220, String(words));
    });

    test(`The texts about ${code} are sentences whose only markup is code`, () => {
      for (const text of texts) {
        assert.match(text, /^[A-Z`].*[.:]$/);
        const [first = '', ...rest] = text.split('`');
        assert.equal(rest.length % 2, 0, text);
        const prose = [first, ...rest.filter((_, index) => index % 2 === 1)].join('');
        assert.doesNotMatch(prose, /[*_[\]<>#]/, text);
      }
    });

    test(`The example of ${code} is a request to a route that returns it, with a valid response`, () => {
      const route = routeOf(page.example, ROUTES);
      const declared: readonly ErrorCode[] = route
        ? [...route.errors, ...impliedErrors(route)]
        : [];
      assert.ok(declared.includes(code) || GENERAL.includes(code), page.example.request);
      assert.match(
        exampleCommand(page, ROUTES),
        /^curl (-X [A-Z]+ )?'https:\/\/id\.example\.com\//,
      );
      const { form, body: sent = form } = page.example;
      const isWhole = typeof sent === 'object' && code !== 'VALIDATION_FAILED';
      if (route?.body && isWhole) assert.ok(Check(route.body, sent), JSON.stringify(sent));
      const body = exampleBody(code, page, ROUTES);
      if (body === undefined) return;
      assert.equal(body.code, code);
      assert.ok('error_uri' in body ? isOAuthErrorBody.Check(body) : isErrorBody.Check(body));
    });

    test(`The page of ${code} links to guides that exist`, () => {
      assert.ok(page.guides.length > 0);
      for (const guide of page.guides) assert.ok(existsSync(new URL(guide, DOCS)), guide);
    });
  }
});
