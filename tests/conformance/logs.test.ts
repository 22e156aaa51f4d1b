import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { CreatedApiKey } from '@keywright/contract/records/api-key';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import type { DeliveryRecord } from '@keywright/contract/records/webhook';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { createDatabase, type TestDatabase } from '../harness/database.ts';
import { type Answer, expectStatus, type RequestOptions } from '../harness/http.ts';
import { type ServerProcess, startServerProcess } from '../harness/process.ts';
import { until } from '../harness/until.ts';
import { sendRaw } from './raw-http.ts';

const ESCAPES = '\x1b[31m';
/** A control character, of C0 or of C1. */
const CONTROL = /\p{Cc}/u;

interface Line {
  readonly msg: string;
  readonly time: string;
  readonly reqId?: string;
  readonly method?: string;
  readonly path?: string;
  readonly status?: number;
  readonly ms?: number;
  readonly address?: string;
  readonly tenant?: string;
  readonly subject?: string;
}

describe('the log of a running service', () => {
  const admin = { identifier: 'root@example.com', secret: newPassword() };
  const masterKey = randomBytes(32).toString('base64');
  /** Strings that must not be in the output. */
  const secrets = new Set([admin.secret, masterKey]);
  const answers: Answer<unknown>[] = [];
  let database: TestDatabase;
  let server: ServerProcess;
  let lines: Line[];
  let banner: string;

  function secret(): string {
    const made = newPassword();
    secrets.add(made);
    return made;
  }

  async function send<Body>(method: string, path: string, options?: RequestOptions) {
    const answer = await server.http.request<Body>(method, path, options);
    answers.push(answer);
    return answer;
  }

  async function logIn(body: object): Promise<TokenAnswer> {
    const tokens = expectStatus(200, await send<TokenAnswer>('POST', '/auth/login', { body }));
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      secrets.add(token).add(token.slice(token.lastIndexOf('.') + 1));
    }
    return tokens;
  }

  before(async () => {
    database = await createDatabase();
    secrets.add(database.url);
    server = await startServerProcess({
      env: {
        KEYWRIGHT_DATABASE_URL: database.url,
        KEYWRIGHT_MASTER_KEY: masterKey,
        KEYWRIGHT_ADMIN_IDENTIFIER: admin.identifier,
        KEYWRIGHT_ADMIN_SECRET: admin.secret,
        KEYWRIGHT_LOG_LEVEL: 'trace',
      },
    });
    await useIt();
    await abuseIt();
    await server.interrupt();
    const output = server.stdout.split('\n').filter((line) => line !== '');
    lines = output.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as Line);
    banner = output.filter((line) => !line.startsWith('{')).join('\n');
  });

  after(() => database.drop());

  async function useIt(): Promise<void> {
    const { access_token: token } = await logIn(admin);
    const [identifier, password] = [newIdentifier(), secret()];
    expectStatus(201, await send('POST', '/users', { token, body: { identifier, password } }));
    const user = await logIn({ identifier, secret: password });
    const refresh = { refresh_token: user.refresh_token };
    const renewed = expectStatus(
      200,
      await send<TokenAnswer>('POST', '/auth/refresh', { body: refresh }),
    );
    secrets.add(renewed.access_token).add(renewed.refresh_token);
    const body = { token: renewed.refresh_token };
    await send('POST', '/auth/verify-token', { token, body });
    await send('GET', '/me', { token: renewed.access_token });
    const change = { password: secret(), current_password: password };
    await send('PATCH', '/me', { token: renewed.access_token, body: change });
    await send('POST', '/auth/logout', { token: renewed.access_token });
    await send('GET', `/users?email=${identifier}`, { token });
    await useKeys(token);
    await useWebhooks(token);
  }

  async function useKeys(token: string): Promise<void> {
    const agent = { token, body: { name: 'robot' } };
    const { id } = expectStatus(201, await send<{ id: string }>('POST', '/agents', agent));
    const keyRequest = { token, body: { agent_id: id, name: 'a key' } };
    const made = expectStatus(201, await send<CreatedApiKey>('POST', '/apikeys', keyRequest));
    const path = `/apikeys/${made.id}/rotate`;
    const next = expectStatus(201, await send<CreatedApiKey>('POST', path, { token, body: {} }));
    const keys = [made.key ?? '', next.key ?? ''];
    for (const key of [...keys, ...keys.map((apiKey) => `${apiKey}x`)]) {
      secrets.add(key);
      await send('GET', '/me', { token: key });
      await send('POST', '/auth/verify-token', { token, body: { token: key } });
      await send('POST', '/apikeys/report', { body: { key } });
    }
  }

  /** Endpoints with secrets, and with credentials in their URLs. */
  async function useWebhooks(token: string): Promise<void> {
    const url = `https://hooks.invalid/in?key=${secret()}`;
    const body = { url, events: ['user.created'], secret: secret() };
    type Made = { id: string; secret: string };
    const made = expectStatus(201, await send<Made>('POST', '/webhooks', { token, body }));
    const drawn = { token, body: { url, events: ['user.created'] } };
    secrets.add(expectStatus(201, await send<Made>('POST', '/webhooks', drawn)).secret);
    const path = `/webhooks/${made.id}`;
    const rotated = expectStatus(
      200,
      await send<Made>('POST', `${path}/rotate`, { token, body: {} }),
    );
    secrets.add(rotated.secret);
    await send('POST', `${path}/test`, { token });
    await until('the attempt is over', async () => {
      const log = await send<{ items: DeliveryRecord[] }>('GET', `${path}/deliveries`, { token });
      return log.body.items[0]?.attempts === 1;
    });
    await send('PATCH', path, { token, body: { url: `https://u:${secret()}@hooks.invalid/` } });
    await send('POST', '/webhooks', { token, body: { ...body, secret: `whsec_${secret()}` } });
  }

  async function abuseIt(): Promise<void> {
    const { identifier } = admin;
    await send('POST', '/auth/login', { body: { identifier, secret: secret() } });
    await send('POST', '/auth/login', { body: { identifier: secret(), secret: secret() } });
    await send('POST', '/auth/login', {
      body: { identifier, secret: secret(), [secret()]: secret() },
    });
    await send('POST', '/auth/login', { rawBody: `{"secret":"${secret()}` });
    await send('POST', '/auth/login', { rawBody: secret(), contentType: 'text/plain' });
    await send('POST', '/auth/refresh', { body: { refresh_token: `${secret()}.${secret()}.x` } });
    await send('GET', '/me', { token: secret() });
    await send('GET', '/me', { headers: { authorization: secret() } });
    await send('GET', `/me?access_token=${secret()}`);
    await send('GET', '/me', { headers: { cookie: secret(), 'x-request-id': secret() } });
    await send('GET', '/me', { headers: { 'user-agent': `\x9b31m`, 'x-tenant-id': '\x9b31m' } });
    await send('GET', '/nothing%0a%1b%5b31m%c2%9b31m');
    await send('GET', '/users/%1b%zz');
    await sendRaw(server.url, `GET /${ESCAPES} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
    await sendRaw(server.url, `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${ESCAPES}\r\n\r\n`);
    await sendRaw(server.url, `${secret()}\r\n\r\n`);
  }

  test('The log of a running service is one JSON object per line, except for the output of the first start', () => {
    assert.equal(server.stderr, '');
    assert.ok(lines.length > answers.length);
    for (const { time, msg } of lines) {
      assert.equal(new Date(time).toISOString(), time);
      assert.notEqual(msg, '');
    }
    assert.match(banner, /^Paste these three commands[^]*\n  System administrator +\S+$/);
  });

  test('The log has one line for each request, with its id, tenant, subject, status and time', () => {
    for (const { headers, status } of answers) {
      const id = headers['x-request-id'];
      const requestLines = lines.filter(({ msg, reqId }) => msg === 'request' && reqId === id);
      assert.equal(requestLines.length, 1, String(id));
      assert.equal(requestLines[0]?.status, status);
      assert.equal(typeof requestLines[0]?.ms, 'number');
      assert.equal(requestLines[0]?.address, '127.0.0.1');
    }
  });

  test('The log line of a request names the tenant and the subject where they are known', () => {
    const of = (path: string, status: number) =>
      lines.find((line) => line.path === `/api/sso/v1${path}` && line.status === status);
    assert.equal(of('/auth/login', 401)?.tenant, 'org_default');
    assert.equal(of('/auth/login', 401)?.subject, undefined);
    assert.equal(of('/me', 200)?.tenant, 'org_default');
    assert.match(of('/me', 200)?.subject ?? '', /^user:/);
    assert.equal(of('/me', 400)?.tenant, undefined);
  });

  test('The log holds no secret, no token, no query, and no raw control character', () => {
    const output = server.stdout + server.stderr;
    for (const value of secrets) assert.ok(!output.includes(value), value);
    assert.ok(!output.includes('access_token='));
    assert.ok(!output.includes('email='));
    for (const line of output.split('\n')) assert.doesNotMatch(line, CONTROL);
  });
});
