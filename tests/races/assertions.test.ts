// One client assertion of an application, presented concurrently at every endpoint where clients authenticate.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { CLIENT_ASSERTION_TYPE } from '@keywright/contract/routes/client-authentication';
import { registerClient } from '../harness/application.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { parallel } from '../harness/parallel.ts';
import type { PostgresServer } from '../harness/postgres.ts';
import { raceServers } from '../harness/race-servers.ts';
import { newStatementKey, type StatementKey } from '../harness/statement-key.ts';
import type { TestTenant } from '../harness/tenant.ts';

const NODES = 3;
/** One request per endpoint and node. More failures would be throttled. */
const AT_ONCE = 9;
const CALLBACK = 'https://app.example.com/callback';

/** The request to each endpoint, which returns 401 without an authenticated client. */
const ENDPOINTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/oauth/introspect': { token: 'none' },
  '/oauth/revoke': { token: 'none' },
  '/oauth/par': {
    response_type: 'code',
    redirect_uri: CALLBACK,
    scope: 'openid',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  },
};

for (const { name, isThorough, start } of raceServers()) {
  describe(`the assertion of an application in a race, on ${name}`, () => {
    const rounds = isThorough ? 8 : 2;
    let server: PostgresServer | undefined;
    let keywright: Keywright;
    let tenant: TestTenant;
    let key: StatementKey;

    before(async () => {
      server = await start();
      keywright = await startKeywright({ server, nodes: NODES });
      tenant = await keywright.tenant('assertions');
      key = await newStatementKey('ES256');
    });
    after(async () => {
      await keywright.close();
      await server?.close();
    });

    test('A client assertion authenticates its client once, whichever endpoint of whichever node it reaches first', async () => {
      const endpoints = Object.entries(ENDPOINTS);
      for (let round = 0; round < rounds; round += 1) {
        const jwks = { keys: [key.publicJwk] };
        const method = { token_endpoint_auth_method: 'private_key_jwt', jwks };
        const clientId = await registerClient(tenant, method);
        const iat = Math.floor(Date.now() / 1000);
        const aud = `https://id.example.com/t/${tenant.id}`;
        const claims = { iss: clientId, sub: clientId, aud, jti: randomUUID(), iat, exp: iat + 60 };
        const proof = {
          client_assertion_type: CLIENT_ASSERTION_TYPE,
          client_assertion: await key.sign(claims),
        };
        const answers = await parallel(AT_ONCE, (index) => {
          const [path = '', fields = {}] = endpoints[Math.floor(index / NODES)] ?? [];
          return tenant.request('POST', path, {
            rawBody: new URLSearchParams({ ...fields, ...proof }).toString(),
            contentType: 'application/x-www-form-urlencoded',
            node: index % NODES,
          });
        });
        const refused = answers.filter(({ status }) => status === 401);
        const good = answers.filter(({ status }) => status === 200 || status === 201);
        assert.deepEqual([good.length, refused.length], [1, AT_ONCE - 1]);
      }
    });
  });
}
