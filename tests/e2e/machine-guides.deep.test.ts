// The guides to agents and their tokens, pasted block by block into one shell. The test provides the token of the
// external issuer.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { ClientTokenAnswer } from '@keywright/contract/records/tokens';
import { createDatabase, type TestDatabase } from '../harness/database.ts';
import { inheritedEnvironment } from '../harness/child-environment.ts';
import { type OutsideIssuer, startOutsideIssuer } from '../harness/outside-issuer.ts';
import { type ServerProcess, startServerProcess } from '../harness/process.ts';
import { newStatementKey } from '../harness/statement-key.ts';
import { temporaryDirectory } from '../harness/temporary.ts';
import { claimsOf } from '../harness/token.ts';
import { blocksOf, choicesIn } from './guide-page.ts';
import { LongShell } from './long-shell.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const [SUBJECT, AUDIENCE] = ['job:nightly', 'https://id.example.com'];
const ADMIN = { identifier: 'root@example.com', secret: randomBytes(15).toString('base64url') };

let database: TestDatabase;
let keywright: ServerProcess;
let issuer: OutsideIssuer;
let shell: LongShell;
let workloadToken: string;

before(async () => {
  database = await createDatabase();
  const key = await newStatementKey();
  issuer = await startOutsideIssuer([key]);
  keywright = await startServerProcess({
    env: {
      KEYWRIGHT_DATABASE_URL: database.url,
      KEYWRIGHT_MASTER_KEY: randomBytes(32).toString('base64'),
      KEYWRIGHT_ADMIN_IDENTIFIER: ADMIN.identifier,
      KEYWRIGHT_ADMIN_SECRET: ADMIN.secret,
      KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1',
    },
  });
  const workload = { sub: SUBJECT, aud: AUDIENCE };
  const exp = Math.floor(Date.now() / 1000) + 600;
  const { PATH = '', ...inherited } = inheritedEnvironment();
  const env = {
    ...inherited,
    PATH: `${ROOT}/node_modules/.bin:${PATH}`,
  };
  workloadToken = await key.sign({ ...workload, iss: issuer.url, exp });
  shell = new LongShell(env, await temporaryDirectory('guide'));
});

after(async () => {
  await shell.close();
  await keywright.interrupt();
  await issuer.close();
  await database.drop();
});

/** Pastes the commands of a page with these values. @returns the output of each block */
async function follow(page: string): Promise<string[]> {
  const [first, ...others] = blocksOf(page).filter(({ language }) => language === 'sh');
  const values = {
    KEYWRIGHT: `http://localhost:${new URL(keywright.url).port}`,
    IDENTIFIER: ADMIN.identifier,
    SECRET: ADMIN.secret,
  };
  await shell.run(choicesIn(first, values));
  const outputs: string[] = [];
  const workload = { ISSUER: issuer.url, AUDIENCE, SUBJECT, OIDC_TOKEN: workloadToken };
  for (const block of others) {
    const chooses = block.text.startsWith("ISSUER='");
    outputs.push(await shell.run(chooses ? choicesIn(block, workload) : block.text));
  }
  return outputs;
}

/** Follows a page. @returns the access tokens that its commands print */
async function tokensOf(page: string): Promise<string[]> {
  return (await follow(page))
    .filter((output) => output.startsWith('{"access_token"'))
    .map((output) => (JSON.parse(output) as ClientTokenAnswer).access_token);
}

async function valueOf(variable: string): Promise<string> {
  return (await shell.run(`echo "$${variable}"`)).trim();
}

describe('the guides to machines, followed from start to end', () => {
  test('An agent of the guides to machines gets a key, uses it, exchanges it for a token, and loses it', async () => {
    const [, , , me, verified, token, rotated, revoked, reported, ...rest] = (
      await follow('agents-and-api-keys.md')
    ).map((output) => (output === '' ? {} : (JSON.parse(output) as Record<string, unknown>)));
    const [agent, id] = [await valueOf('AGENT'), await valueOf('KEY_ID')];
    assert.equal(me?.['id'], agent);
    assert.deepEqual([verified?.['active'], verified?.['sub']], [true, agent]);
    assert.equal(token?.['scope'], 'read:invoices');
    assert.equal(claimsOf(String(token['access_token'])).sub, agent);
    assert.deepEqual(rotated?.['scopes'], null);
    assert.match(String(rotated?.['key']), /^svc_sk_/);
    assert.deepEqual(revoked, { id, revoked: true });
    assert.deepEqual(reported, { received: true });
    assert.deepEqual(rest, []);
  });

  test('An agent of the guides to machines gets a token with its own signature', async () => {
    const [token, ...others] = await tokensOf('key-pairs.md');
    assert.equal(claimsOf(token ?? '').sub, await valueOf('AGENT'));
    assert.deepEqual(others, []);
  });

  test('An agent of the guides to machines gets tokens with a token of an external issuer', async () => {
    const tokens = await tokensOf('workload-identity.md');
    const agent = await valueOf('AGENT');
    assert.deepEqual(
      tokens.map((token) => claimsOf(token).sub),
      [agent, agent],
    );
  });

  test('An agent of the guides to machines gets tokens for a user', async () => {
    const tokens = await tokensOf('delegation.md');
    const [agent, userToken] = [await valueOf('AGENT'), await valueOf('USER_TOKEN')];
    const user = claimsOf(userToken).sub;
    assert.deepEqual(
      tokens.map((token) => [claimsOf(token).sub, claimsOf(token).act?.sub]),
      [
        [user, agent],
        [user, agent],
      ],
    );
  });

  test('A resource of the guides to machines is registered, and an agent gets a token for it', async () => {
    const [made, ...rest] = (await follow('resources.md')).filter(Boolean);
    const uri = 'https://files.example.com/mcp';
    assert.equal((JSON.parse(made ?? '') as { uri: string }).uri, uri);
    const claims = claimsOf(await valueOf('FILE_TOKEN'));
    const agent = await valueOf('AGENT');
    assert.deepEqual([claims.aud, claims.sub, claims.scope], [uri, agent, 'files:list read:files']);
    assert.deepEqual(rest, []);
  });

  test('A service of the guides to machines introspects a token for its resource', async () => {
    const outputs = (await follow('introspection.md')).filter(Boolean);
    const [made, status, signed = '', ...rest] = outputs;
    const uri = 'https://reports.example.com';
    assert.equal((JSON.parse(made ?? '') as { uri: string }).uri, uri);
    const introspection = JSON.parse(status ?? '') as Record<string, unknown>;
    const { active, aud, sub, scopes } = introspection;
    const agent = await valueOf('AGENT');
    assert.deepEqual([active, aud, sub, scopes], [true, uri, agent, ['read:reports']]);
    const [, payload = ''] = signed.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { aud: string };
    assert.deepEqual(claims, {
      ...claims,
      aud: await valueOf('SERVER'),
      token_introspection: introspection,
    });
    assert.deepEqual(rest, []);
  });
});
