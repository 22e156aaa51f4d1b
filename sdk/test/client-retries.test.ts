import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test, type TestContext } from 'node:test';
import { ROUTES } from '@keywright/contract/routes';
import { type ClientOptions, createClient } from '../src/client/client.ts';
import { ApiError } from '../src/client/api-error.ts';
import { OPERATIONS } from '../src/generated/operations.ts';
import { failure } from './failure.ts';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

const USER = { id: 'user:1' };

const ok: Handle = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(USER));
};
const cut: Handle = (request) => request.socket.destroy();
const busy =
  (status: number, retryAfter?: string): Handle =>
  (_, response) => {
    const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
    response
      .writeHead(status, { ...headers, 'content-type': 'application/json' })
      .end(JSON.stringify({ error: 'Busy', detail: 'Come back.', code: 'TOO_BUSY' }));
  };

/** A client of a service that responds to calls with these responses in order, and then repeats the last one. */
async function clientOf(
  t: TestContext,
  answers: readonly Handle[],
  options: Partial<ClientOptions> = {},
) {
  const times: number[] = [];
  const server = createServer((request, response) => {
    const handle = answers[Math.min(times.length, answers.length - 1)] ?? ok;
    times.push(performance.now());
    handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}/`, token: 'x', ...options });
  return { client, times };
}

const newUser = { identifier: 'ada@example.com', password: 'correct horse battery' };

describe('a call is retried', () => {
  test('A call is retried after 429, when Retry-After has passed', async (t) => {
    const { client, times } = await clientOf(t, [busy(429, '1'), ok]);
    assert.deepEqual(await client.users.update('user:1', {}), USER);
    const [first = 0, second = 0] = times;
    assert.ok(second - first >= 1000, `after ${second - first} ms`);
  });

  test('A call is retried when Retry-After is a date', async (t) => {
    const later: Handle = (request, response) =>
      busy(503, new Date(Date.now() + 2000).toUTCString())(request, response);
    const { client, times } = await clientOf(t, [later, ok]);
    await client.users.get('user:1');
    const [first = 0, second = 0] = times;
    assert.ok(second - first >= 500, `after ${second - first} ms`);
  });

  test('A call is retried after 503 if it can be repeated safely', async (t) => {
    for (const call of ['get', 'delete'] as const) {
      const { client, times } = await clientOf(t, [busy(503), busy(503), ok]);
      assert.deepEqual(await client.users[call]('user:1'), USER);
      assert.equal(times.length, 3);
    }
    const { client } = await clientOf(t, [busy(503), cut, ok]);
    assert.deepEqual(await client.users.create(newUser), USER);
  });

  test('A call without a response is retried if it is safe to repeat', async (t) => {
    const { client, times } = await clientOf(t, [cut, ok]);
    assert.deepEqual(await client.users.get('user:1'), USER);
    assert.equal(times.length, 2);
  });

  test('A call is retried three times, or as often as configured', async (t) => {
    const usual = await clientOf(t, [busy(503)]);
    assert.equal((await failure(usual.client.users.get('user:1'))).status, 503);
    assert.equal(usual.times.length, 4);
    const never = await clientOf(t, [busy(429)], { maxRetries: 0 });
    assert.equal((await failure(never.client.users.get('user:1'))).code, 'TOO_BUSY');
    assert.equal(never.times.length, 1);
  });
});

describe('a call is not retried', () => {
  test('A call is not retried when Retry-After exceeds the limit', async (t) => {
    const { client, times } = await clientOf(t, [busy(429, '31'), ok]);
    const error = await failure(client.users.get('user:1'));
    assert.deepEqual([error.status, error.retryAfterSeconds], [429, 31]);
    assert.equal(times.length, 1);
  });

  test('A call is not retried when it could take effect twice', async (t) => {
    const { client, times } = await clientOf(t, [busy(503), ok]);
    const into = { tenant_id: 'org_acme', reason: 'support' };
    assert.equal((await failure(client.auth.impersonate(into))).status, 503);
    assert.equal(times.length, 1);
    const broken = await clientOf(t, [cut, ok]);
    await assert.rejects(broken.client.users.delete('user:1'), TypeError);
    assert.equal(broken.times.length, 1);
  });

  test('A call is not retried when the error is permanent', async (t) => {
    for (const status of [400, 403, 404, 500, 502]) {
      const { client, times } = await clientOf(t, [busy(status), ok]);
      assert.equal((await failure(client.users.get('user:1'))).status, status);
      assert.equal(times.length, 1);
    }
  });

  test('A call is not retried when it was aborted', async (t) => {
    const { client, times } = await clientOf(t, [busy(503, '20'), ok]);
    const controller = new AbortController();
    const call = client.users.get('user:1', { signal: controller.signal });
    setImmediate(() => controller.abort(new Error('Enough.')));
    await assert.rejects(call, /Enough/);
    assert.ok(times.length <= 1);
  });
});

test('A response that takes too long is an error', async (t) => {
  const { client } = await clientOf(t, [() => {}], { timeoutSeconds: 0.05, maxRetries: 0 });
  await assert.rejects(client.users.get('user:1'), /took too long/);
});

test('A redirect is not followed, since the token is for one address', async (t) => {
  const away: Handle = (_, response) =>
    response.writeHead(302, { location: 'https://evil.example.com/' }).end();
  const { client, times } = await clientOf(t, [away]);
  const error = await failure(client.users.get('user:1'));
  assert.deepEqual([error.status, error.code], [302, 'UNEXPECTED_ANSWER']);
  assert.equal(times.length, 1);
});

test("A response that is not Keywright's is an error that says so", async (t) => {
  const page: Handle = (_, response) => response.writeHead(502).end('<h1>Bad Gateway</h1>');
  const { client } = await clientOf(t, [page]);
  const error = await failure(client.users.get('user:1'));
  assert.deepEqual([error.status, error.code], [502, 'UNEXPECTED_ANSWER']);
});

test('An error has the URL of the page that explains its code', async (t) => {
  const doc = 'https://id.example.com/docs/errors/not_found';
  const missing: Handle = (_, response) =>
    response
      .writeHead(404, { 'content-type': 'application/json' })
      .end(JSON.stringify({ error: 'Not Found', detail: 'No.', code: 'NOT_FOUND', doc }));
  const { client } = await clientOf(t, [missing]);
  const error = await failure(client.users.get('user:1'));
  assert.deepEqual([error.code, error.doc], ['NOT_FOUND', doc]);
});

test('An error has no link to a URL that is not a web page', () => {
  const docs = ['javascript:alert(1)', 'data:text/html,hello', '/docs/errors/not_found', 7];
  const links = docs.map((doc) => new ApiError(404, new Headers(), { doc }).doc);
  assert.deepEqual(links, [undefined, undefined, undefined, undefined]);
});

test('An OAuth error has its code and description', async (t) => {
  const oauth: Handle = (_, response) =>
    response
      .writeHead(400, { 'content-type': 'application/json' })
      .end(JSON.stringify({ error: 'invalid_scope', error_description: 'Too much.' }));
  const { client } = await clientOf(t, [oauth]);
  const error = await failure(client.users.get('user:1'));
  assert.deepEqual([error.code, error.message], ['invalid_scope', 'Too much.']);
});

test('A token is not sent over an insecure connection', () => {
  for (const baseUrl of ['http://id.example.com', 'ftp://localhost', 'id.example.com']) {
    assert.throws(() => createClient({ baseUrl }), TypeError);
  }
  createClient({ baseUrl: 'http://keywright:8080', allowHttp: true });
  for (const host of ['localhost:8080', '127.0.0.1', '[::1]:1', 'keywright.localhost']) {
    createClient({ baseUrl: `http://${host}` });
  }
});

test('Every route of the service has a client method that calls it', async (t) => {
  const requests: string[] = [];
  const { client } = await clientOf(t, [
    (request, response) => {
      requests.push(`${request.method} ${request.url}`);
      const shownOnce = { key: 'x', secret: 'x', client_secret: 'x', registration_token: 'x' };
      const page = { items: [], meta: { page: 1, limit: 20, total: 0 }, ...shownOnce };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page));
    },
  ]);
  for (const [group, operations] of Object.entries(OPERATIONS)) {
    const methods = Reflect.get(client, group) as Record<string, (...args: unknown[]) => unknown>;
    for (const [name, { path, list }] of Object.entries(operations)) {
      const ids = [...path.matchAll(/:\w+/g)].map(() => 'x');
      const result = methods[name]?.(...ids);
      await (list ? (result as { page(): Promise<unknown> }).page() : result);
    }
  }
  assert.deepEqual(
    requests.toSorted(),
    ROUTES.filter((route) => (route.ok.kind ?? 'json') === 'json')
      .map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, 'x')}`)
      .toSorted(),
  );
});
