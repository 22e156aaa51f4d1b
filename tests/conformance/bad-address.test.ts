import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { expectStatus } from '../harness/http.ts';
import { sendRaw } from './raw-http.ts';
import { assertRefused } from './refusal.ts';
import { type BadRequest, Target } from './target.ts';

const users = (query: string) => `GET /users?${query}`;
const cursor = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
const after_ = (time: string) => users(`cursor=${cursor('-created_at', time, 'user:1')}`);
const OTHER_SORT = users(`sort=-identifier&cursor=${cursor('identifier', 'a', 'user:1')}`);

const QUERIES: readonly BadRequest[] = [
  ['page 0', users('page=0'), {}, '400 VALIDATION_FAILED', '/page'],
  ['page -1', users('page=-1'), {}, '400 VALIDATION_FAILED', '/page'],
  ['page abc', users('page=abc'), {}, '400 VALIDATION_FAILED', '/page'],
  ['page 1.5', users('page=1.5'), {}, '400 VALIDATION_FAILED', '/page'],
  ['page of nothing', users('page='), {}, '400 VALIDATION_FAILED', '/page'],
  ['limit 0', users('limit=0'), {}, '400 VALIDATION_FAILED', '/limit'],
  ['limit -1', users('limit=-1'), {}, '400 VALIDATION_FAILED', '/limit'],
  ['limit 0 of sessions', 'GET /sessions?limit=0', {}, '400 VALIDATION_FAILED', '/limit'],
  ['sort by password', users('sort=password'), {}, '400 VALIDATION_FAILED', '/sort'],
  ['sessions by user agent', 'GET /sessions?sort=user_agent', {}, '400 VALIDATION_FAILED', '/sort'],
  ['a page twice', users('page=1&page=1'), {}, '400 VALIDATION_FAILED', '/page'],
  ['an e-mail twice', users('email=a&email=b'), {}, '400 VALIDATION_FAILED', '/email'],
  ['an unknown field', users('admin=1'), {}, '400 VALIDATION_FAILED', '/admin'],
  ['__proto__', users('__proto__=1'), {}, '400 VALIDATION_FAILED', '/__proto__'],
  ['constructor', users('constructor=1'), {}, '400 VALIDATION_FAILED', '/constructor'],
  ['NUL in an e-mail', users('email=%00'), {}, '400 VALIDATION_FAILED', '/email'],
  ['NUL in a role', users('role=a%00'), {}, '400 VALIDATION_FAILED', '/role'],
  ['no user to end sessions of', 'DELETE /sessions', {}, '400 VALIDATION_FAILED', '/user_id'],
  ['garbage for a cursor', users('cursor=garbage'), {}, '400 VALIDATION_FAILED', '/cursor'],
  ['a huge cursor', users(`cursor=${'A'.repeat(8000)}`), {}, '400 VALIDATION_FAILED', '/cursor'],
  ['a cursor of another sort', OTHER_SORT, {}, '400 VALIDATION_FAILED', '/cursor'],
  ['a cursor after "1"', after_('1'), {}, '400 VALIDATION_FAILED', '/cursor'],
  ['a cursor after "May 1"', after_('May 1'), {}, '400 VALIDATION_FAILED', '/cursor'],
  ['a cursor after a NUL', after_('2026-01-01\0'), {}, '400 VALIDATION_FAILED', '/cursor'],
  [
    'a cursor after a day of the year 0',
    after_('0000-01-01T00:00:00.000Z'),
    {},
    '400 VALIDATION_FAILED',
    '/cursor',
  ],
  [
    'a cursor after the last day there is',
    after_('+275760-09-13T00:00:00.000Z'),
    {},
    '400 VALIDATION_FAILED',
    '/cursor',
  ],
];

const MIRACLE = { body: {}, headers: { expect: 'a miracle' } };

const PATHS: readonly BadRequest[] = [
  ['an unknown one', 'GET /nothing', {}, '404 ROUTE_NOT_FOUND'],
  ['the base alone', 'GET /api/sso/v1', {}, '404 ROUTE_NOT_FOUND'],
  ['another version', 'GET /api/sso/v2/me', {}, '404 ROUTE_NOT_FOUND'],
  ['a known one with an unknown method', 'PUT /users', {}, '405 METHOD_NOT_ALLOWED'],
  ['a known one with PROPFIND', 'PROPFIND /users', {}, '405 METHOD_NOT_ALLOWED'],
  ['a known one with QUERY', 'QUERY /users', { body: {} }, '405 METHOD_NOT_ALLOWED'],
  ['QUERY without a content type', 'QUERY /users', {}, '400 REQUEST_MALFORMED'],
  ['an Expect that cannot be met', 'POST /auth/login', MIRACLE, '400 REQUEST_MALFORMED'],
  ['percent-encoding that is none', 'GET /users/%zz', {}, '400 REQUEST_MALFORMED'],
  ['percent-encoding of no UTF-8', 'GET /users/%ff', {}, '400 REQUEST_MALFORMED'],
  ['an id of no form', 'GET /users/1', {}, '404 NOT_FOUND'],
  ['an id with NUL', 'DELETE /users/{user}%00', {}, '404 NOT_FOUND'],
  ['an id of 10,000 characters', `GET /users/${'x'.repeat(10_000)}`, {}, '404 NOT_FOUND'],
];

const HOST = 'host: localhost\r\n';
const LENGTH = 'content-length: 2\r\n';
const CHUNKED = 'transfer-encoding: chunked\r\n';
/** Bytes that are not a valid request. */
const BYTES: readonly (readonly [title: string, bytes: string])[] = [
  ['no HTTP at all', 'NONSENSE\r\n\r\n'],
  ['a method that is none', `FOO /api/sso/v1/me HTTP/1.1\r\n${HOST}\r\n`],
  ['a control character in the path', `GET /api/\x1b[31m HTTP/1.1\r\n${HOST}\r\n`],
  ['a control character in a header', `GET /api HTTP/1.1\r\n${HOST}x: \x1b[31m\r\n\r\n`],
  ['headers above 16 KiB', `GET /api HTTP/1.1\r\n${HOST}x: ${'x'.repeat(20_000)}\r\n\r\n`],
  ['two lengths', `POST /api HTTP/1.1\r\n${HOST}${LENGTH}content-length: 3\r\n\r\n{}`],
  ['no host', 'GET /api/sso/v1/me HTTP/1.1\r\nconnection: close\r\n\r\n'],
  [
    'two hosts',
    `GET /api/sso/v1/me HTTP/1.1\r\n${HOST}host: example.com\r\nconnection: close\r\n\r\n`,
  ],
  ['a length and chunks', `POST /api HTTP/1.1\r\n${HOST}${LENGTH}${CHUNKED}\r\n{}`],
];

let target: Target;

before(async () => {
  target = await Target.start();
});

after(() => target.close());

describe('a bad address gets the documented error, with a request id and no-store, and changes nothing (SPEC errors body 1, SPEC errors status 1)', () => {
  for (const request of QUERIES) {
    test(`query: ${request[0]}`, () => target.refuses(request));
  }

  for (const request of PATHS) {
    test(`path: ${request[0]}`, () => target.refuses(request));
  }

  for (const [title, bytes] of BYTES) {
    test(`bytes: ${title}`, () =>
      target.unchanged(async () => {
        const answer = await sendRaw(target.keywright.url, bytes);
        assertRefused(answer, '400 REQUEST_MALFORMED');
      }));
  }
});

test('A limit above 100 is reduced to 100', async () => {
  for (const limit of ['101', '1000000000', '99999999999999999999']) {
    const { meta } = expectStatus(200, await target.send(users(`limit=${limit}`)));
    assert.equal((meta as { limit: number }).limit, 100);
  }
});

test('An ID is accepted with its colon raw and percent-encoded', async () => {
  const { id } = target.existingUser.user;
  for (const written of [id, id.replace(':', '%3A'), id.replace(':', '%3a')]) {
    assert.equal(expectStatus(200, await target.send(`GET /users/${written}`))['id'], id);
  }
});
