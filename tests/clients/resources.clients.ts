// Spring's resource server verifies access tokens of a resource, as docs/guide/libraries.md shows.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { clientParameters } from '../harness/delegation.ts';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import type { TestAgent, TestTenant } from '../harness/tenant.ts';
import { getToken } from '../harness/token-endpoint.ts';
import { BUILDS } from './toolchains.ts';
import { run, unlessMissing } from './tools.ts';

const FILES = 'https://files.example.com/';
const MAIL = 'https://mail.example.com/';

let keywright: Keywright;
let tenant: TestTenant;
let agent: TestAgent;

before(async () => {
  keywright = await startKeywright({ env: { KEYWRIGHT_BASE_URL: undefined } });
  tenant = await keywright.tenant('spring');
  agent = await tenant.createAgent();
});
after(() => keywright.close());

async function register(uri: string, access_token_typ: 'at+jwt' | 'JWT'): Promise<void> {
  const body = { name: uri, uri, access_token_signing_alg: 'ES256', access_token_typ };
  const options = { token: await tenant.adminToken(), body };
  expectStatus(201, await tenant.request('POST', '/resources', options));
}

function tokenFor(resource: string): Promise<string> {
  const grant = { grant_type: 'client_credentials', ...clientParameters(agent) };
  return getToken(tenant, { ...grant, resource });
}

describe('Spring Security (Java)', () => {
  test('Spring Security (Java) accepts access tokens of a resource: with three lines those of the type at+jwt, without them those of the type JWT', async (context) => {
    await unlessMissing(context, async () => {
      await register(FILES, 'at+jwt');
      await register(MAIL, 'JWT');
      const tokens = [await tokenFor(FILES), await tokenFor(MAIL)];
      const [program, ...args] = await BUILDS.Java('spring-security');
      const issuer = `${keywright.nodes[0]?.baseUrl}/t/${tenant.id}`;
      const verdicts = async (...more: string[]) => {
        const all = [...args.slice(0, -1), 'VerifyForResource', issuer, FILES, ...more];
        const output = await run(program, all, { cwd: '.' }, `${tokens.join('\n')}\n`);
        return output.trim().split('\n');
      };
      const [matching, other] = await verdicts();
      assert.equal(matching, `accepted: ${agent.agent.id}`);
      assert.match(other ?? '', /^refused: /);
      const [typed, plain] = await verdicts('default');
      assert.match(typed ?? '', /^refused: .*the given typ value/);
      assert.equal(plain, `accepted: ${agent.agent.id}`);
    });
  });
});
