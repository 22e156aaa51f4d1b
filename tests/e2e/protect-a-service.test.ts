// The guide to protecting a service, pasted block by block into one shell; then its example service with requests that
// the guide does not send.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { STATUS_CODES } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { ErrorBody } from '@keywright/contract/errors';
import { GRANT_TYPE, TOKEN_TYPE } from '@keywright/contract/routes/token';
import { createDatabase, type TestDatabase } from '../harness/database.ts';
import { expectStatus } from '../harness/http.ts';
import { inheritedEnvironment } from '../harness/child-environment.ts';
import { type ServerProcess, startServerProcess } from '../harness/process.ts';
import { claimsOf } from '../harness/token.ts';
import { until } from '../harness/until.ts';
import { blocksOf, choicesIn } from './guide-page.ts';
import { LongShell } from './long-shell.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ADMIN = { identifier: 'root@example.com', secret: randomBytes(15).toString('base64url') };
/** A clock two hours ahead, on which a valid token has expired. */
const TOMORROW = `data:text/javascript,${encodeURIComponent(`
  const now = Date.now;
  globalThis.Date = class extends Date {
    constructor(...given) { given.length > 0 ? super(...given) : super(now() + 7_200_000); }
    static now() { return now() + 7_200_000; }
  };`)}`;

const blocks = blocksOf('protect-a-service.md');

let database: TestDatabase;
let keywright: ServerProcess;
let shell: LongShell;
/** The issuer of the default tenant, which is also the address of its metadata. */
let issuer: string;
let service: string;
let adminToken: string;

before(async () => {
  database = await createDatabase();
  keywright = await startServerProcess({
    env: {
      KEYWRIGHT_DATABASE_URL: database.url,
      KEYWRIGHT_MASTER_KEY: randomBytes(32).toString('base64'),
      KEYWRIGHT_ADMIN_IDENTIFIER: ADMIN.identifier,
      KEYWRIGHT_ADMIN_SECRET: ADMIN.secret,
    },
  });
  issuer = `http://localhost:${new URL(keywright.url).port}`;
  service = `http://localhost:${await freePort()}`;
  const { PATH = '', ...inherited } = inheritedEnvironment();
  shell = new LongShell({ ...inherited, PATH: `${ROOT}/node_modules/.bin:${PATH}` }, ROOT);
});

after(async () => {
  await shell.close();
  await keywright.sigterm();
  await database.drop();
});

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await once(probe.close(), 'close');
  return port;
}

/** The first block of the guide, with these values. */
function choices(): string {
  return choicesIn(blocks[0], {
    KEYWRIGHT: issuer,
    IDENTIFIER: ADMIN.identifier,
    SECRET: ADMIN.secret,
  });
}

/** Pastes the commands of a section; the guide's first block gets the test's values. @returns the shell's output */
async function follow(section: number): Promise<string> {
  let output = '';
  for (const block of blocks.filter(
    (candidate) => candidate.section === section && candidate.language === 'sh',
  )) {
    const text = block.text.replace('SERVICE=http://localhost:3000', `SERVICE=${service}`);
    output += await shell.run(block === blocks[0] ? choices() : text);
  }
  return output;
}

/** The output shown in the guide, as one line. */
function shown(section: number): string {
  const block = blocks.find(
    (candidate) => candidate.section === section && candidate.language === 'json',
  );
  return JSON.stringify(JSON.parse(block?.text ?? ''));
}

/** The statuses that the guide writes behind its commands. */
function statusesIn(section: number): string[] {
  const text = blocks
    .flatMap((block) => (block.section === section ? [block.text] : []))
    .join('\n');
  return [...text.matchAll(/^status .*# (\d{3})/gm)].map(([, status = '']) => status);
}

async function valueOf(variable: string): Promise<string> {
  return (await shell.run(`echo "$${variable}"`)).trim();
}

interface Reply {
  readonly status: number;
  readonly code: string | undefined;
  readonly challenge: string | null;
}

async function call(token: string | undefined, at = service, method = 'GET'): Promise<Reply> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const answer = await fetch(`${at}/invoices`, { method, headers });
  const { code, ...rest } = (await answer.json()) as { code?: string; error?: string };
  if (!answer.ok) assert.equal(rest.error, STATUS_CODES[answer.status]);
  return { status: answer.status, code, challenge: answer.headers.get('www-authenticate') };
}

/** Sends a request to Keywright as the administrator of a tenant. */
async function administer<Body>(method: string, path: string, body?: object, tenant = HOME) {
  const options = { tenant: tenant.id, token: tenant.token ?? adminToken, ...(body && { body }) };
  const answer = await keywright.http.request<Body & ErrorBody>(method, path, options);
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
}

const HOME: { readonly id: string; readonly token?: string } = { id: 'org_default' };

interface Robot {
  readonly id: string;
  readonly key: string;
}

async function makeAgent(scopes: readonly string[], tenant = HOME): Promise<Robot> {
  const body = { name: 'caller', scopes };
  const { id } = await administer<{ id: string }>('POST', '/agents', body, tenant);
  const ofAgent = { agent_id: id, name: 'k' };
  const { key } = await administer<{ key: string }>('POST', '/apikeys', ofAgent, tenant);
  return { id, key };
}

async function tokenOf({ id, key }: Robot, tenant = HOME, more: object = {}): Promise<string> {
  const grant = { grant_type: GRANT_TYPE.clientCredentials, client_id: id, client_secret: key };
  const answer = await keywright.http.request<{ access_token: string }>('POST', '/auth/token', {
    tenant: tenant.id,
    body: { ...grant, ...more },
  });
  return expectStatus(200, answer).access_token;
}

/** Another instance of the example service, with other settings. @returns its URL */
async function startAnother(settings: Readonly<Record<string, string>>): Promise<string> {
  const port = await freePort();
  const all = Object.entries({
    ISSUER: issuer,
    KEYWRIGHT_URL: issuer,
    ...settings,
    PORT: String(port),
  });
  const assignments = all.map(([name, value]) => `${name}='${value}'`).join(' ');
  await shell.run(`${assignments} node examples/protected-service/server.mjs >/dev/null 2>&1 &`);
  const at = `http://localhost:${port}`;
  await until('the service answers', () =>
    fetch(at).then(
      () => true,
      () => false,
    ),
  );
  return at;
}

describe('the guide to protecting a service, followed from start to end', () => {
  test('The guide starts a service that rejects requests without a token', async () => {
    await follow(0);
    await follow(1);
    await follow(2);
    const output = await follow(3);
    assert.ok(output.includes(shown(3)), output);
    adminToken = await valueOf('ADMIN_TOKEN');
  });

  test('The service of the guide admits the agent, and no one else (SPEC authentication 5, SPEC errors 5)', async () => {
    const [answer, ...statuses] = (await follow(4)).trim().split('\n');
    assert.equal(answer, shown(4));
    assert.deepEqual(statuses, statusesIn(4));
    assert.deepEqual(statuses, ['401', '401', '401', '403', '403']);
  });

  test('The service of the guide applies a revocation immediately where it checks tokens with Keywright', async () => {
    const lines = (await follow(6)).split('\n').filter((line) => /^\d{3}$/.test(line));
    assert.deepEqual(lines, statusesIn(6));
    assert.deepEqual(lines, ['201', '401', '200']);
  });

  test('The guide explains denials', async () => {
    const [denial] = JSON.parse(await follow(7)) as Record<string, unknown>[];
    const [example] = JSON.parse(shown(7)) as Record<string, unknown>[];
    assert.deepEqual(Object.keys(denial ?? {}), Object.keys(example ?? {}));
    const { name, change } = denial as { name: string; change: { action: string; by: object } };
    assert.equal(name, await valueOf('AGENT'));
    assert.deepEqual(change.by, {
      kind: 'user',
      sub: claimsOf(adminToken).sub,
      on_behalf_of: null,
    });
  });
});

describe('the example service', () => {
  let reader: Robot;

  before(async () => {
    service = await startAnother({});
    reader = await makeAgent(['read:*']);
  });

  test('The example service accepts wildcards, and names a missing scope', async () => {
    const token = await tokenOf(reader);
    assert.equal((await call(token)).status, 200);
    assert.deepEqual(await call(token, service, 'POST'), {
      status: 403,
      code: 'SCOPE_REQUIRED',
      challenge: 'Bearer error="insufficient_scope", scope="write:invoices"',
    });
    const nothing = await tokenOf(await makeAgent([]));
    assert.equal((await call(nothing)).code, 'SCOPE_REQUIRED');
  });

  test('The example service rejects users, and agents that act for one, with 403 (SPEC errors 5)', async () => {
    const refused = { status: 403, code: 'AGENT_REQUIRED', challenge: null };
    assert.deepEqual(await call(adminToken), refused);
    const delegation = { agent_id: reader.id, scopes: ['read:invoices'] };
    await administer('POST', '/me/delegations', delegation);
    const token = await tokenOf(reader, HOME, {
      grant_type: GRANT_TYPE.tokenExchange,
      subject_token: adminToken,
      subject_token_type: TOKEN_TYPE.accessToken,
    });
    assert.match(claimsOf(token).sub, /^user:/);
    assert.deepEqual(await call(token), refused);
  });

  test('The example service rejects anything but a token of its tenant with 401', async () => {
    const body = { name: 'Elsewhere', slug: 'elsewhere' };
    const { id } = await administer<{ id: string }>('POST', '/tenants', body);
    const inside = { tenant_id: id, reason: 'a first agent' };
    const impersonation = await administer<{ access_token: string }>(
      'POST',
      '/auth/impersonate',
      inside,
    );
    const elsewhere = { id, token: impersonation.access_token };
    const stranger = await makeAgent(['*:*'], elsewhere);
    const foreign = await tokenOf(stranger, elsewhere);
    const token = await tokenOf(reader);
    const [header = '', payload = '', signature = ''] = token.split('.');
    const unsigned = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url');
    const widened = Buffer.from(JSON.stringify({ ...claimsOf(token), scopes: ['*:*'] })).toString(
      'base64url',
    );
    const login = await keywright.http.request<{ refresh_token: string }>('POST', '/auth/login', {
      body: ADMIN,
    });
    const refused = {
      status: 401,
      code: 'TOKEN_INVALID',
      challenge: 'Bearer error="invalid_token"',
    };
    for (const bad of [
      'garbage',
      foreign,
      stranger.key,
      reader.key,
      `${unsigned}.${payload}.`,
      `${header}.${widened}.${signature}`,
      expectStatus(200, login).refresh_token,
    ]) {
      assert.deepEqual(await call(bad), refused);
    }
    assert.deepEqual(await call(undefined), { ...refused, challenge: 'Bearer' });
    const ofElsewhere = await startAnother({ ISSUER: `${issuer}/t/${id}` });
    assert.equal((await call(foreign, ofElsewhere)).status, 200);
    assert.deepEqual(await call(token, ofElsewhere), refused);
  });

  test('The example service rejects an expired token, and one for another audience', async () => {
    const token = await tokenOf(reader);
    const late = await startAnother({ NODE_OPTIONS: `--import=${TOMORROW}` });
    const other = await startAnother({ AUDIENCE: 'https://other.example.com' });
    for (const at of [late, other]) {
      assert.equal((await call(token, at)).challenge, 'Bearer error="invalid_token"');
    }
  });

  test('The example service follows a rotation of the signing key, and still accepts tokens of the previous one (SPEC authentication 4)', async () => {
    const earlier = await tokenOf(reader);
    assert.equal((await call(earlier)).status, 200);
    await administer('POST', '/keys/rotate?immediately=true');
    const later = await tokenOf(reader);
    await until('the new key is known', async () => (await call(later)).status === 200);
    assert.equal((await call(earlier)).status, 200);
  });

  test('The example service rejects every caller while keys or Keywright are unavailable', async () => {
    const nowhere = `http://localhost:${await freePort()}`;
    const writer = await tokenOf(await makeAgent(['write:invoices']));
    const keyless = await startAnother({ ISSUER: nowhere });
    const unasked = await startAnother({ KEYWRIGHT_URL: nowhere, KEYWRIGHT_API_KEY: reader.key });
    for (const at of [keyless, unasked]) {
      assert.deepEqual(await call(writer, at, 'POST'), {
        status: 503,
        code: 'UNAVAILABLE',
        challenge: null,
      });
    }
  });
});
