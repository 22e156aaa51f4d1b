// Every error body names the page that explains its code. The URL depends only on the code and on settings of the
// operator, so that it discloses nothing about a tenant.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { OAuthErrorBody } from '@keywright/contract/oauth-error';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { sendRaw } from './raw-http.ts';

let keywright: Keywright;

before(async () => {
  keywright = await startKeywright({ env: { KEYWRIGHT_TRUSTED_PROXIES: '127.0.0.1' } });
});
after(() => keywright.close());

/** Of the harness's public address. */
const docs = 'https://id.example.com/docs';
const HEADERS = { 'x-tenant-id': 'org_default' };

test('An error of the API has the URL of the page that explains its code', async () => {
  const { body } = await keywright.request<ErrorBody>('GET', '/me', { headers: HEADERS });
  assert.equal(body.doc, `${docs}/errors/token_invalid`);
  const unknown = await keywright.request<ErrorBody>('GET', '/nowhere', { headers: HEADERS });
  assert.equal(unknown.body.doc, `${docs}/errors/route_not_found`);
});

test('The URL in an error does not depend on the tenant, the host or a proxy header', async () => {
  const tenant = await keywright.tenant('docs', { domains: ['docs.example.com'] });
  const requests: readonly Readonly<Record<string, string>>[] = [
    HEADERS,
    { 'x-tenant-id': tenant.id },
    { host: 'docs.example.com' },
    { host: 'evil.example.net', 'x-tenant-id': tenant.id },
    { ...HEADERS, 'x-forwarded-host': 'evil.example.net', 'x-forwarded-proto': 'https' },
  ];
  for (const { host, ...headers } of requests) {
    const options = host === undefined ? { headers } : { headers, host };
    const { body } = await keywright.request<ErrorBody>('GET', '/me', options);
    assert.equal(body.doc, `${docs}/errors/token_invalid`);
  }
});

test('An OAuth error has the same URL as its error_uri (RFC 6749 §5.2)', async () => {
  const { body } = await keywright.request<OAuthErrorBody>('POST', '/auth/token', {
    headers: HEADERS,
    contentType: 'application/x-www-form-urlencoded',
    rawBody: 'grant_type=none',
  });
  const page = `${docs}/errors/${body.code.toLowerCase()}`;
  assert.deepEqual([body.doc, body.error_uri], [page, page]);
});

test('Errors of invalid HTTP have a URL, although no route sends them', async () => {
  const heads = [
    'GET /api/sso/v1/me HTTP/1.1\r\nHost: a\r\nHost: b\r\n',
    'GET / HTTP/1.1\r\nHost: localhost\r\nExpect: a-miracle\r\n',
    'NOT HTTP\r\n',
  ];
  for (const head of heads) {
    const answer = await sendRaw(keywright.url, `${head}Connection: close\r\n\r\n`);
    assert.equal((JSON.parse(answer.text) as ErrorBody).doc, `${docs}/errors/request_malformed`);
  }
});

test('The setting KEYWRIGHT_DOCS_URL replaces the place of the documentation', async (t) => {
  const other = await startKeywright({
    env: {
      KEYWRIGHT_BASE_URL: 'https://id.example.com',
      KEYWRIGHT_DOCS_URL: 'https://docs.example.com/keywright',
    },
  });
  t.after(() => other.close());
  const { body } = await other.request<ErrorBody>('GET', '/me', { headers: HEADERS });
  assert.equal(body.doc, 'https://docs.example.com/keywright/errors/token_invalid');
});

test('The documentation is at the public address of the service by default', async (t) => {
  const other = await startKeywright({ env: { KEYWRIGHT_BASE_URL: 'https://id.example.com/kw' } });
  t.after(() => other.close());
  const { body } = await other.request<ErrorBody>('GET', '/me', { headers: HEADERS });
  assert.equal(body.doc, 'https://id.example.com/kw/docs/errors/token_invalid');
});

test('The URL in an error is ASCII if the public address is not (RFC 6749 §5.2)', async (t) => {
  const env = { KEYWRIGHT_BASE_URL: 'https://bücher.example/"é' };
  const other = await startKeywright({ env });
  t.after(() => other.close());
  const { body } = await other.request<ErrorBody>('GET', '/me', { headers: HEADERS });
  assert.equal(body.doc, 'https://xn--bcher-kva.example/%22%C3%A9/docs/errors/token_invalid');
});
