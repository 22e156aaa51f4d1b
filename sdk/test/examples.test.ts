import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import { newIdentifier } from '../../tests/harness/credentials.ts';
import { expectStatus } from '../../tests/harness/http.ts';
import { type Keywright, startKeywright } from '../../tests/harness/keywright.ts';
import { startReceiver } from '../../tests/harness/receiver.ts';
import type { TestTenant } from '../../tests/harness/tenant.ts';
import { claimsOf } from '../../tests/harness/token.ts';
import { until } from '../../tests/harness/until.ts';
import { installSdk, packSdk, ROOT } from './packed.ts';

let keywright: Keywright;
let tenant: TestTenant;
let project: string;

/** A port that was free a moment ago: the base URL must be known before the service listens. */
async function freePort(): Promise<number> {
  const receiver = await startReceiver(() => {});
  await receiver.close();
  return receiver.port;
}

before(async () => {
  const port = String(await freePort());
  const env = {
    KEYWRIGHT_PORT: port,
    KEYWRIGHT_BASE_URL: `http://127.0.0.1:${port}`,
    KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1',
  };
  keywright = await startKeywright({ env });
  tenant = await keywright.tenant('examples');
  project = await installSdk(await packSdk(), [
    'express',
    'fastify',
    '@modelcontextprotocol/sdk',
    'zod',
  ]);
  await cp(join(ROOT, 'examples'), join(project, 'examples'), { recursive: true });
});

after(() => keywright.close());

interface Program {
  readonly child: ChildProcess;
  readonly output: { text: string };
  readonly exit: Promise<unknown>;
}

/** Runs an example as its `npm start` does, with an installed SDK. */
function start(
  t: TestContext,
  file: string,
  env: Record<string, string>,
  ...args: string[]
): Program {
  const child = spawn(process.execPath, [join(project, 'examples', file), ...args], {
    env: { PATH: process.env['PATH'], PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  const output = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => (output.text += chunk.toString()));
  }
  return { child, output, exit: once(child, 'close') };
}

async function listening(program: Program): Promise<string> {
  const port = await until('the example listens', () => {
    assert.equal(program.child.exitCode, null, program.output.text);
    return /listening at http:\/\/\S+:(\d+)/.exec(program.output.text)?.[1];
  });
  return `http://127.0.0.1:${port}`;
}

/** Stops the program as an operator does: it must exit by itself. */
async function end({ child, exit, output }: Program): Promise<void> {
  child.kill('SIGTERM');
  assert.deepEqual(await exit, [0, null], output.text);
}

interface Deliveries {
  readonly items: readonly { readonly id: string; readonly last_attempt_at: string | null }[];
}

const issuer = () => `${keywright.url}/t/${tenant.id}`;
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** The token of an agent with these scopes. */
async function agentToken(scopes: readonly string[]): Promise<string> {
  const token = await tenant.adminToken();
  const body = { name: 'Robot', scopes };
  const agent = expectStatus(201, await tenant.request('POST', '/agents', { token, body }));
  const forKey = { agent_id: agent['id'], name: 'key' };
  const key = expectStatus(201, await tenant.request('POST', '/apikeys', { token, body: forKey }));
  const granted = await tenant.request('POST', '/auth/token', {
    body: {
      grant_type: 'client_credentials',
      client_id: agent['id'],
      client_secret: key['key'],
    },
  });
  return String(expectStatus(200, granted)['access_token']);
}

describe('the example', () => {
  test('The Express API example admits callers with the scope until the agent is deactivated', async (t) => {
    const program = start(t, 'express-api/server.mjs', { ISSUER: issuer() });
    const url = await listening(program);
    const reader = await agentToken(['read:reports']);
    const writer = await agentToken(['*:reports']);
    const post = (token: string) =>
      fetch(`${url}/reports`, {
        method: 'POST',
        headers: { ...bearer(token), 'content-type': 'application/json' },
        body: JSON.stringify({ title: 'May' }),
      });
    assert.equal((await fetch(`${url}/reports`)).status, 401);
    assert.equal((await post(reader)).status, 403);
    assert.equal((await post(writer)).status, 201);
    const answer = await fetch(`${url}/reports`, { headers: bearer(reader) });
    const { items } = (await answer.json()) as { items: { title: string; author: string }[] };
    assert.equal(items[0]?.title, 'May');
    assert.match(items[0]?.author ?? '', /^service:/);
    const inactive = { token: await tenant.adminToken(), body: { is_active: false } };
    const path = `/agents/${claimsOf(writer).sub}`;
    expectStatus(200, await tenant.request('PATCH', path, inactive));
    await until('the agent is rejected', async () => (await post(writer)).status === 401);
    assert.equal((await fetch(`${url}/reports`, { headers: bearer(reader) })).status, 200);
    await end(program);
  });

  test('The Fastify API example in TypeScript distinguishes users from agents, and rejects users who logged out', async (t) => {
    const program = start(t, 'fastify-api/server.ts', { ISSUER: issuer() });
    const url = await listening(program);
    const { token: admin } = await tenant.createUser({ roles: ['admin'] });
    const agent = await agentToken(['read:invoices', 'write:invoices', 'delete:invoices']);
    const status = async (method: string, path: string, token: string) =>
      (await fetch(`${url}${path}`, { method, headers: bearer(token) })).status;
    assert.equal(await status('GET', '/invoices', agent), 200);
    assert.equal(await status('DELETE', '/invoices/2026-1', agent), 200);
    assert.equal(await status('DELETE', '/invoices/2020-1', agent), 403);
    assert.equal(await status('DELETE', '/invoices/2020-1', admin), 200);
    assert.equal(await status('POST', '/import', agent), 200);
    assert.equal(await status('POST', '/import', admin), 403);
    assert.equal((await fetch(`${url}/invoices`)).status, 401);
    assert.equal((await fetch(`${url}/health`)).status, 200);
    expectStatus(200, await tenant.request('POST', '/auth/logout', { token: admin }));
    const isRefused = async () => (await status('DELETE', '/invoices/2020-1', admin)) === 401;
    await until('the logged-out user is rejected', isRefused);
    await end(program);
  });

  test('The MCP server example admits no caller without a token, and says where to get one', async (t) => {
    const RESOURCE = 'http://localhost:3000/mcp';
    const program = start(t, 'mcp-server/server.mjs', { ISSUER: issuer(), RESOURCE });
    const url = await listening(program);
    const answer = await fetch(`${url}/mcp`, { method: 'POST' });
    assert.equal(answer.status, 401);
    const path = '/.well-known/oauth-protected-resource/mcp';
    const challenge = `Bearer scope="mcp:read", resource_metadata="http://localhost:3000${path}"`;
    assert.equal(answer.headers.get('www-authenticate'), challenge);
    const { resource, authorization_servers: servers } = (await (
      await fetch(`${url}${path}`)
    ).json()) as Record<string, unknown>;
    assert.deepEqual([resource, servers], [RESOURCE, [issuer()]]);
    await end(program);
  });

  test('The user management example makes the tenant match the list', async (t) => {
    const administrator = await tenant.createUser({ roles: ['admin'] });
    const stays = await tenant.createUser();
    const removed = await tenant.createUser();
    const joins = newIdentifier();
    const list = join(project, 'list.txt');
    await writeFile(list, `${stays.identifier.toUpperCase()}\n\n${joins}\n`);
    const env = {
      BASE_URL: keywright.url,
      TENANT: tenant.id,
      IDENTIFIER: administrator.identifier,
      SECRET: administrator.password,
    };
    const program = start(t, 'manage-users/users.mjs', env, list);
    assert.deepEqual(await program.exit, [0, null], program.output.text);
    const [, password = ''] =
      new RegExp(`created +${joins} +(\\S+)`).exec(program.output.text) ?? [];
    await tenant.login(joins, password);
    await tenant.login(stays.identifier, stays.password);
    await assert.rejects(tenant.login(removed.identifier, removed.password), /INVALID_CREDENTIALS/);
    const wrong = start(t, 'manage-users/users.mjs', { ...env, SECRET: 'wrong' }, list);
    assert.deepEqual(await wrong.exit, [1, null]);
    assert.match(wrong.output.text, /^INVALID_CREDENTIALS: .+ \(request \S+\)\n$/);
  });

  test('An example without its settings exits with their names', async (t) => {
    for (const [file, message] of [
      ['webhook-receiver/server.mjs', /^Set WEBHOOK_SECRET first: .+\n$/],
      ['manage-users/users.mjs', /^Set IDENTIFIER and SECRET first: .+\n$/],
    ] as const) {
      const program = start(t, file, {});
      assert.deepEqual(await program.exit, [1, null]);
      assert.match(program.output.text, message);
    }
  });

  test('The webhook receiver example accepts signed deliveries, and handles each once', async (t) => {
    const hooked = await keywright.tenant('hooked');
    const secret = 'the-secret-of-the-receiver';
    const program = start(t, 'webhook-receiver/server.mjs', { WEBHOOK_SECRET: secret });
    const url = `${await listening(program)}/webhooks`;
    const token = await hooked.adminToken();
    const body = { url, events: ['user.created'], secret };
    const made = await hooked.request('POST', '/webhooks', { token, body });
    const path = `/webhooks/${String(expectStatus(201, made)['id'])}/deliveries`;
    const { identifier } = await hooked.createUser();
    await until('the event is handled', () =>
      program.output.text.includes(`welcome ${identifier}`),
    );
    const deliveredAfter = (time: string) =>
      until('it is delivered', async () => {
        const { body: list } = await hooked.request<Deliveries>('GET', path, { token });
        return list.items.find((delivery) => (delivery.last_attempt_at ?? '') > time);
      });
    const { id, last_attempt_at: at } = await deliveredAfter('');
    expectStatus(200, await hooked.request('POST', `${path}/${id}/retry`, { token }));
    await deliveredAfter(at ?? '');
    assert.equal((await fetch(url, { method: 'POST', body: '{}' })).status, 401);
    await until('it is logged', () => program.output.text.includes('rejected: SIGNATURE_MISSING'));
    assert.equal(program.output.text.split('welcome').length, 2);
    await end(program);
  });
});
