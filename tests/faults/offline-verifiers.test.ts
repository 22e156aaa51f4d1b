import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import assert from 'node:assert/strict';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { createDatabase, type TestDatabase } from '../harness/database.ts';
import { type ServiceProxy, startServiceProxy } from '../harness/service-proxy.ts';
import { expectStatus } from '../harness/http.ts';
import { type ServerProcess, startServerProcess } from '../harness/process.ts';
import { until } from '../harness/until.ts';
import { type RemoteVerifier, startVerifiers, type VerifierProcess } from '../harness/verifiers.ts';

const BASE_URL = 'https://id.example.com';
/** Shorter than a verifier's refetch interval. */
const NOTIFIED_WITHIN_MS = 5000;
const admin = { identifier: newIdentifier(), secret: newPassword() };

let database: TestDatabase;
let env: Readonly<Record<string, string>>;
let nodes: ServerProcess[];
let proxy: ServiceProxy;
let others: VerifierProcess;
let verifier: RemoteVerifier;

before(async () => {
  database = await createDatabase();
  env = {
    KEYWRIGHT_BASE_URL: BASE_URL,
    KEYWRIGHT_DATABASE_URL: database.url,
    KEYWRIGHT_MASTER_KEY: randomBytes(32).toString('base64'),
    KEYWRIGHT_ADMIN_IDENTIFIER: admin.identifier,
    KEYWRIGHT_ADMIN_SECRET: admin.secret,
  };
  nodes = [await startServerProcess({ env }), await startServerProcess({ env })];
  proxy = await startServiceProxy(nodeAt(0).url);
  others = startVerifiers();
  verifier = await others.create({ issuer: BASE_URL, address: proxy.url });
});

after(async () => {
  await others.close();
  await proxy.goDown();
  for (const node of nodes) if (!node.hasExited) await node.interrupt();
  await database.drop();
});

function nodeAt(place: number): ServerProcess {
  const node = nodes[place];
  if (!node) throw new Error(`There is no node ${place}.`);
  return node;
}

async function logIn(node: ServerProcess): Promise<string> {
  const answer = await node.http.request<TokenAnswer>('POST', '/auth/login', { body: admin });
  return expectStatus(200, answer).access_token;
}

/** Revokes a token on this node, and waits until the verifier is notified. */
async function revoke(node: ServerProcess, token: string): Promise<void> {
  assert.deepEqual(await verifier.verify(token), ['good']);
  expectStatus(200, await node.http.request('POST', '/auth/logout', { token }));
  const isRefused = async () => (await verifier.verify(token))[0] === 'TOKEN_INVALID revoked';
  await until('it is notified', isRefused, NOTIFIED_WITHIN_MS);
}

test('A verifier whose node is killed gets revocations from the other one, including missed ones', async () => {
  const stays = await logIn(nodeAt(0));
  const early = await logIn(nodeAt(0));
  const meanwhile = await logIn(nodeAt(0));
  const late = await logIn(nodeAt(1));
  assert.deepEqual(await verifier.verify(stays, meanwhile), ['good', 'good']);
  await revoke(nodeAt(1), early);
  // The proxy does not forward to the other node yet.
  await nodeAt(0).kill9();
  const logout = { token: meanwhile };
  expectStatus(200, await nodeAt(1).http.request('POST', '/auth/logout', logout));
  proxy.service = nodeAt(1).url;
  const isNotified = async () => (await verifier.verify(meanwhile))[0] === 'TOKEN_INVALID revoked';
  await until('it is notified of what it missed', isNotified, NOTIFIED_WITHIN_MS);
  await revoke(nodeAt(1), late);
  assert.deepEqual(await verifier.verify(stays), ['good']);
});

test('A verifier whose node is restarted gets revocations from the restarted one', async () => {
  const token = await logIn(nodeAt(1));
  assert.deepEqual(await verifier.verify(token), ['good']);
  await nodeAt(1).interrupt();
  nodes[1] = await startServerProcess({ env });
  proxy.service = nodeAt(1).url;
  await revoke(nodeAt(1), token);
});
