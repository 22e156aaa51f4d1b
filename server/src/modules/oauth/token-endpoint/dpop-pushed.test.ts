// Authorization requests that are pushed with a proof of a key, which binds the code to it.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import {
  exchangeOf,
  newClient,
  proofOf,
  requestOf,
  UserBrowser,
} from '@keywright/tests/harness/code-login';
import { type DpopKey, newDpopKey } from '@keywright/tests/harness/dpop';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import {
  postToken,
  oauthError,
  type TokenParameters,
} from '@keywright/tests/harness/token-endpoint';

const SCOPES = 'openid email offline_access read:users';
const REFUSED = '400 invalid_grant GRANT_INVALID';

let keywright: Keywright;
let tenant: TestTenant;
let browser: UserBrowser;
let client: CreatedOAuthClient;
let key: DpopKey;
let other: DpopKey;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  tenant = await keywright.tenant('dpop-pushed');
  const user = await tenant.createUser({ roles: ['admin'] });
  browser = new UserBrowser(tenant, `https://id.example.com/t/${tenant.id}`, user);
  client = await newClient(tenant, { scopes: SCOPES.split(' ') });
  key = await newDpopKey(() => keywright.clock.now());
  other = await newDpopKey(() => keywright.clock.now(), 'EdDSA');
});
after(() => keywright.close());

function requestToken(parameters: TokenParameters, dpop: string | undefined) {
  return postToken(tenant, parameters, { headers: dpop === undefined ? {} : { dpop } });
}

describe('a proof with a pushed request', () => {
  const path = () => `/t/${tenant.id}/oauth/par`;
  const prove = (by: DpopKey) => by.prove({ htu: `https://id.example.com${path()}` });

  async function push(dpop: string, more: Readonly<Record<string, string>> = {}) {
    return tenant.request<ErrorBody & { request_uri: string; error: string }>('POST', path(), {
      rawBody: new URLSearchParams({
        ...requestOf(client),
        ...proofOf(client),
        ...more,
      }).toString(),
      contentType: 'application/x-www-form-urlencoded',
      headers: { dpop },
    });
  }

  test('A proof with a pushed request binds the code to its key (RFC 9449 §10.1)', async () => {
    const proof = await prove(key);
    const { request_uri } = expectStatus(201, await push(proof));
    const seen = await browser.goThrough({ client_id: client.id, request_uri });
    const code = seen.redirectsTo?.searchParams.get('code') ?? '';
    const parameters = { ...exchangeOf(code), ...proofOf(client) };
    assert.equal(oauthError(await requestToken(parameters, await other.prove())), REFUSED);
    assert.equal(oauthError(await requestToken(parameters, undefined)), REFUSED);
    assert.equal((await requestToken(parameters, await key.prove())).status, 200);
    assert.equal((await push(proof)).body.code, 'DPOP_INVALID');
  });

  test('A proof with a pushed request must be by the key that the request names, and for this endpoint', async () => {
    assert.equal((await push(await prove(key), { dpop_jkt: key.jkt })).status, 201);
    const refused = await push(await prove(key), { dpop_jkt: other.jkt });
    assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_request']);
    assert.equal((await push(await key.prove())).body.code, 'DPOP_INVALID');
  });
});
