// Clients that third-party generators create from the running service's document compile and work.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { AgentRecord } from '@keywright/contract/records/agent';
import type { UserRecord } from '@keywright/contract/records/user';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { temporaryDirectory } from '../harness/temporary.ts';
import { compileTypeScriptClients, useGoClient, usePythonClient } from './generate.ts';
import { unlessMissing } from './tools.ts';

/** The output of each language's program. */
interface Result {
  readonly user: string;
  readonly listed: readonly string[];
  readonly agent: string;
  readonly has_jwks: boolean;
  readonly key: string;
  readonly last_used_at: null;
  readonly expires_at: number;
  readonly refusal: object;
}

let keywright: Keywright;
let document: string;

describe('a client generated from /openapi.json', () => {
  before(async () => {
    keywright = await startKeywright();
    const answer = await keywright.request('GET', '/openapi.json');
    document = join(await temporaryDirectory('openapi'), 'openapi.json');
    await writeFile(document, answer.text);
  });

  after(() => keywright.close());

  for (const [language, use] of Object.entries({ Go: useGoClient, Python: usePythonClient })) {
    test(`in ${language} compiles, logs in, creates, pages through lists, reads null and typed errors`, async (context) => {
      await unlessMissing(context, async () => {
        const { identifier, password } = keywright.admin;
        const person = newIdentifier();
        const result = (await use(document, {
          KEYWRIGHT_URL: keywright.url,
          KEYWRIGHT_IDENTIFIER: identifier,
          KEYWRIGHT_SECRET: password,
          KEYWRIGHT_PERSON: person,
          KEYWRIGHT_PASSWORD: newPassword(),
        })) as Result;
        await assertTrue(result, person);
      });
    });
  }

  test('by openapi-typescript and by hey-api compiles with the program that uses it', async (context) => {
    await unlessMissing(context, () => compileTypeScriptClients(document));
  });
});

/** The service has what a client reports to have written and read. */
async function assertTrue(result: Result, person: string): Promise<void> {
  const token = await keywright.adminToken();
  const ask = async <Body>(path: string) =>
    expectStatus(200, await keywright.home.request<Body>('GET', path, { token }));
  const user = await ask<UserRecord>(`/users/${result.user}`);
  assert.equal(user.identifiers[0]?.identifier, person);
  const { items } = await ask<{ items: UserRecord[] }>('/users?limit=100');
  assert.deepEqual(result.listed.toSorted(), items.map(({ id }) => id).toSorted());
  const agent = await ask<AgentRecord>(`/agents/${result.agent}`);
  assert.deepEqual([agent.jwks, result.has_jwks, result.last_used_at], [null, false, null]);
  const me = await keywright.home.request('GET', '/me', { token: result.key });
  assert.equal(expectStatus(200, me)['id'], result.agent);
  assert.ok(result.expires_at * 1000 > Date.now());
  const wanted = { status: 400, code: 'VALIDATION_FAILED', path: '/identifier' };
  assert.deepEqual(result.refusal, wanted);
}
