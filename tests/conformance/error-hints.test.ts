// Errors that explain common mistakes of a first request. The explanations depend only on the form of the request, so
// they disclose nothing about a tenant.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import { type Keywright, startKeywright } from '../harness/keywright.ts';

let keywright: Keywright;
let token: string;

before(async () => {
  keywright = await startKeywright();
  token = await keywright.adminToken();
});
after(() => keywright.close());

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string;
  readonly body?: object;
  readonly rawBody?: string;
}

async function refusal(method: string, path: string, sent: Sent = {}) {
  const headers = { 'x-tenant-id': 'org_default', ...sent.headers };
  const answer = await keywright.request<ErrorBody>(method, path, { ...sent, headers });
  const { code, detail, errors = [] } = answer.body;
  const challenge = answer.headers['www-authenticate'];
  return { is: `${answer.status} ${code}`, detail, errors, challenge };
}

test('The error for a missing Authorization header describes the header', async () => {
  const { is, detail, challenge } = await refusal('GET', '/users');
  assert.equal(is, '401 TOKEN_INVALID');
  assert.match(
    detail,
    /^The request has no Authorization header\. Send Authorization: Bearer <token>/,
  );
  // RFC 6750 §3.1: no error code where no token was sent.
  assert.equal(challenge, 'Bearer');
});

test('The error for an Authorization header without Bearer shows the required form', async () => {
  const headers = { authorization: token };
  const { is, detail } = await refusal('GET', '/users', { headers });
  assert.equal(is, '401 TOKEN_INVALID');
  assert.match(detail, /^The Authorization header does not have the form Bearer <token>\./);
});

test('The error for an invalid token does not say why the token is invalid', async () => {
  const { is, detail, challenge } = await refusal('GET', '/users', { token: 'none' });
  assert.equal(is, '401 TOKEN_INVALID');
  assert.equal(detail, 'The token is malformed, expired or revoked.');
  assert.equal(challenge, 'Bearer error="invalid_token"');
});

test('The error for a missing scope names the scope, also in WWW-Authenticate (RFC 6750 section 3.1)', async () => {
  const { token: member } = await keywright.createUser();
  const { is, detail, challenge } = await refusal('GET', '/users', { token: member });
  assert.equal(is, '403 SCOPE_REQUIRED');
  assert.equal(detail, 'The token lacks: read:users.');
  assert.equal(challenge, 'Bearer error="insufficient_scope", scope="read:users"');
});

test('The error for X-Tenant-ID without the prefix org_ suggests the ID', async () => {
  const { is, detail } = await refusal('GET', '/users', {
    token,
    headers: { 'x-tenant-id': 'acme' },
  });
  assert.equal(is, '400 TENANT_NOT_FOUND');
  assert.equal(
    detail,
    'The tenant was not found. Tenant IDs start with org_. Did you mean org_acme?',
  );
});

test('The error for an unknown host name shows the address of the service', async () => {
  const headers = { host: 'wrong.example.net' };
  const answer = await keywright.request<ErrorBody>('GET', '/users', { token, headers });
  assert.equal(`${answer.status} ${answer.body.code}`, '400 TENANT_NOT_FOUND');
  assert.match(answer.body.detail, /Use https:\/\/id\.example\.com, or send X-Tenant-ID\.$/);
});

test('The error for invalid JSON shows line and column, and none of the content', async () => {
  const rawBody = '{\n  "identifier": "ada@example.com",\n  "secret": "a secret",\n}';
  const { is, detail } = await refusal('POST', '/auth/login', { rawBody });
  assert.equal(is, '400 JSON_INVALID');
  assert.equal(detail, 'The body is not valid JSON: unexpected character in line 4, column 1.');
  const cut = await refusal('POST', '/auth/login', { rawBody: rawBody.slice(0, 20) });
  assert.equal(cut.detail, 'The body is not valid JSON: it ends too early, at line 2, column 19.');
});

test('The error for a path that ends with a slash reports an unknown route', async () => {
  const { is, detail } = await refusal('GET', '/users/', { token });
  assert.equal(is, '404 ROUTE_NOT_FOUND');
  assert.equal(detail, 'Unknown route: user_id is empty in the path.');
});

test('The error for an ID without its prefix shows the form of the ID', async () => {
  const { user } = await keywright.createUser();
  for (const [path, form] of [
    [`/users/${user.id.replace('user:', '')}`, 'user_id must be an ID of the form user:<id>'],
    ['/agents/robot', 'agent_id must be an ID of the form service:<id>'],
    ['/workspaces/sales', 'workspace_id must be an ID of the form ws_<slug>'],
  ] as const) {
    const { is, detail } = await refusal('GET', path, { token });
    assert.equal(is, '404 NOT_FOUND');
    assert.equal(detail, `The record was not found. ${form}.`);
  }
});

test('An unknown ID and an ID of another tenant get the same error', async () => {
  const other = await keywright.tenant('hints');
  const { user } = await other.createUser();
  const [unknown, foreign] = [
    await refusal('GET', '/users/user:01m7yb63nce1a9jabkbvw2mncd', { token }),
    await refusal('GET', `/users/${user.id}`, { token }),
  ];
  assert.deepEqual(unknown, foreign);
  assert.equal(unknown.detail, 'The record was not found.');
});

test('The error for a misspelled field suggests the nearest name, and for a misplaced setting its object', async () => {
  const identifer = 'ada@example.com';
  const created = await refusal('POST', '/users', { token, body: { identifer } });
  assert.equal(created.is, '400 VALIDATION_FAILED');
  assert.deepEqual(
    created.errors.find(({ path }) => path === '/identifer')?.message,
    'is not a known field. Did you mean "identifier"?',
  );
  const body = { session_timeout: 600, config: { sesion_timeout: 600 } };
  const changed = await refusal('PATCH', '/tenants/org_default', { token, body });
  assert.deepEqual(
    changed.errors.map(({ path, message }) => `${path} ${message}`),
    [
      '/config/sesion_timeout is not a known field. Did you mean "session_timeout"?',
      '/session_timeout is a field of config: send it there',
    ],
  );
});

test('The error for a webhook at a private address names KEYWRIGHT_EGRESS_ALLOW', async () => {
  const body = { url: 'http://localhost:3000/hooks', events: ['user.created'] };
  const { is, errors } = await refusal('POST', '/webhooks', { token, body });
  assert.equal(is, '400 VALIDATION_FAILED');
  assert.match(JSON.stringify(errors), /KEYWRIGHT_EGRESS_ALLOW/);
});
