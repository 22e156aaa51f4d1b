// Link targets in emails: anyone who has the token of a link knows that a user is logging in.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';

let keywright: Keywright;
let tenant: TestTenant;
let token: string;

before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('link-address');
  token = await tenant.adminToken();
});
after(() => keywright.close());

const change = (magic_link_url: string) => {
  const body = { config: { magic_link_url } };
  return tenant.request<ErrorBody>('PATCH', `/tenants/${tenant.id}`, { token, body });
};

test('magic_link_url: an address that browsers and people read alike is accepted', async () => {
  for (const url of [
    'https://app.example.com',
    'https://app.example.com/log-in?from=mail&lang=de',
    'https://app.example.com:8443/login',
    'http://localhost:3000/login',
    'http://127.0.0.1:3000/login',
  ]) {
    expectStatus(200, await change(url));
    // The parser adds nothing to the host.
    assert.ok(new URL(url).href.startsWith(url));
  }
});

test('magic_link_url: one that they could read differently is rejected', async () => {
  for (const url of [
    'https://app.example.com@evil.example/login',
    'https://app.example.com:x@evil.example/',
    'https://app.example.com\\@evil.example/',
    'https:\\\\evil.example/login',
    'https:evil.example/login',
    'https:///evil.example/login',
    '//evil.example/login',
    '/login',
    'javascript://app.example.com/%0aalert(1)',
    'data:text/html,x',
    'http://app.example.com/login',
    'http://localhost.evil.example/login',
    'http://127.0.0.1.evil.example/login',
    'http://evil.example/localhost',
    'https://app.example.com:443443/login',
    'https://app.example.com:80:80/login',
    'https://app.example.com/login#link_token=x',
    'https://app.example.com/login ',
    ' https://app.example.com/login',
    'https://app.example.com/\nlogin',
    'https://APP.example.com/login',
    'https://app.ex\u0430mple.com/login',
    'https://app.example.com\uff0fevil.example/',
    'https://',
  ]) {
    const { code, errors } = expectStatus(400, await change(url));
    assert.equal(code, 'VALIDATION_FAILED', url);
    assert.deepEqual(
      errors?.map(({ path }) => path),
      ['/config/magic_link_url'],
      url,
    );
  }
});
