import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, mock, test } from 'node:test';
import { route } from '@keywright/contract/route';
import { getDecisionPoint } from '@keywright/contract/routes/discovery';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';
import { Cacheable } from '../platform/http/replies.ts';
import { StoredResponses } from '../platform/http/stored-responses.ts';
import { defineModule } from './module.ts';

const APP = 'https://app.example.com';
const METHODS = '/api/sso/v1/auth/methods';
const KEY_SET = '/.well-known/jwks.json';
const OAUTH = '/.well-known/oauth-authorization-server';
const OPENID = '/.well-known/openid-configuration';
const ISSUER = '/t/org_stored';
const PATHS = [
  METHODS,
  KEY_SET,
  OAUTH,
  OPENID,
  `${ISSUER}${KEY_SET}`,
  `${ISSUER}${OAUTH}`,
  `${OAUTH}${ISSUER}`,
  `${ISSUER}${OPENID}`,
  `${OPENID}${ISSUER}`,
];

/** A line of the log. */
interface Line {
  readonly reqId?: string;
}

let keywright: Keywright;
let tenant: TestTenant;
const lines: Line[] = [];
const send = mock.method(StoredResponses.prototype, 'send');
const counted: (readonly string[])[] = [];
/** A route whose response is always in memory. */
const PROBE = '/.well-known/probe';
const getProbe = route({ ...getDecisionPoint, id: 'probe', path: PROBE });
const EMPTY = new Cacheable<never>('{}', 60);
const probeModule = defineModule('probe', ({ activity }) => {
  mock.method(activity, 'count', (...count: readonly string[]) => counted.push(count));
  return {
    routes(router) {
      router.addStored(
        [getProbe],
        () => EMPTY,
        () => EMPTY,
      );
    },
  };
});

before(async () => {
  keywright = await startKeywright({
    env: { KEYWRIGHT_METRICS_PORT: '0', KEYWRIGHT_LOG_LEVEL: 'info' },
    log: (line) => lines.push(JSON.parse(line) as Line),
    modules: [probeModule],
  });
  tenant = await keywright.tenant('stored', { config: { allowed_origins: [APP] } });
});
after(() => keywright.close());

/** Whether the last response came from memory. */
const isStored = () => send.mock.calls.at(-1)?.result;

/** Returns all bytes of a response, without the values that differ between any two responses. */
async function bytesOf(start: string, headers: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(keywright.url);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.on('data', (chunk) => (received += chunk.toString('latin1')));
  const closed = new Promise((resolve) => socket.on('close', resolve));
  socket.write([start, 'connection: close', ...headers, '', ''].join('\r\n'));
  await closed;
  assert.match(received, /\r\nx-request-id: [\w-]{22}\r\n/);
  return received.replace(/\r\n(x-request-id|Date): [^\r]+/g, '\r\n$1');
}

const HOST = 'host: stored.example.com';
const NAMED = 'x-tenant-id: org_stored';

for (const path of PATHS) {
  test(`Each response to ${path} from memory has the same bytes as that of its route`, async () => {
    const etag = await until('the response is in memory', async () => {
      const { headers } = await tenant.request('GET', path);
      return isStored() && headers.etag;
    });
    for (const more of [
      ['host: elsewhere.example', NAMED],
      [HOST],
      [HOST, `origin: ${APP}`],
      [HOST, 'origin: https://evil.example'],
      [HOST, 'if-none-match: "old"'],
      [HOST, 'if-none-match: *'],
      [HOST, `if-none-match: ${etag}`],
      [HOST, `if-none-match: "old", W/${etag}`],
    ]) {
      // With a query, even an empty one, the request is routed.
      const routed = await bytesOf(`GET ${path}? HTTP/1.1`, more);
      assert.equal(isStored(), false);
      assert.match(routed, /^HTTP\/1.1 (200|304) /);
      assert.equal(await bytesOf(`GET ${path} HTTP/1.1`, more), routed);
      assert.equal(isStored(), true);
    }
    const old = await bytesOf(`GET ${path}? HTTP/1.0`, [NAMED]);
    assert.equal(await bytesOf(`GET ${path} HTTP/1.0`, [NAMED]), old);
  });
}

test('A request that is not a plain GET is routed', async () => {
  const answer = (method: string, path: string, headers = {}) =>
    tenant.request(method, path, { headers });
  for (const [method, path, headers] of [
    ['HEAD', KEY_SET],
    ['POST', KEY_SET],
    ['GET', `${KEY_SET}?alg=EdDSA`],
    ['GET', `${KEY_SET}?alg=none`],
    ['GET', `/t/${tenant.id}x${KEY_SET}`],
    ['GET', '/t/:tenant_id/.well-known/jwks.json'],
    ['GET', `${ISSUER.replace('r', '%72')}${KEY_SET}`],
    ['GET', KEY_SET, { dpop: 'x' }],
  ] as const) {
    await answer(method, path, headers);
    assert.equal(isStored(), false, `${method} ${path}`);
  }
});

test('A request with two hosts or two credentials, or without a tenant, is rejected although its response is in memory', async () => {
  const start = `GET ${KEY_SET} HTTP/1.1`;
  const credential = 'authorization: Bearer x';
  assert.match(await bytesOf(start, [HOST, HOST]), /"REQUEST_MALFORMED"/);
  assert.match(await bytesOf(start, [HOST, credential, credential]), /"REQUEST_MALFORMED"/);
  assert.match(await bytesOf(start, ['host: unknown.example']), /"TENANT_NOT_FOUND"/);
  for (const wrong of ['org_unknown', 'stored', 'org_stored, org_stored', '']) {
    const more = [HOST, `x-tenant-id: ${wrong}`];
    assert.match(await bytesOf(start, more), /"TENANT_NOT_FOUND"/);
  }
});

test('A tenant that is deactivated or deleted gets no response from memory', async () => {
  const gone = await keywright.tenant('gone');
  const token = await keywright.adminToken();
  const change = async (is_active: boolean) =>
    expectStatus(
      200,
      await keywright.home.request('PATCH', `/tenants/${gone.id}`, { token, body: { is_active } }),
    );
  const read = async (path: string) => (await gone.request('GET', path)).body['code'] ?? isStored();
  for (const path of [METHODS, KEY_SET, OAUTH, OPENID, PROBE]) {
    await change(true);
    await until('the response is in memory', async () => (await read(path)) === true);
    await change(false);
    // The second request finds the inactive tenant in memory.
    assert.equal(await read(path), 'TENANT_INACTIVE');
    assert.equal(await read(path), 'TENANT_INACTIVE');
  }
  await change(true);
  await until('the response is in memory', async () => (await read(PROBE)) === true);
  const confirmed = { token, body: { confirm: gone.id } };
  await keywright.home.request('DELETE', `/tenants/${gone.id}`, confirmed);
  assert.equal(await read(PROBE), 'TENANT_NOT_FOUND');
});

test('A tenant without OAuth has no OpenID metadata in memory, although its other metadata is', async () => {
  const off = await keywright.tenant('off', { config: { oauth_enabled: false } });
  await until('the metadata is in memory', async () => {
    expectStatus(200, await off.request('GET', OAUTH));
    return isStored();
  });
  assert.equal((await off.request('GET', OPENID)).body['code'], 'OAUTH_OFF');
});

test('The log line, the metrics and the activity of a response from memory are those of a routed one', async () => {
  const port = keywright.nodes[0]?.metricsPort;
  const measured = async () => {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    return Number(
      /duration_seconds_count\{route="key_set.get",status="200"\} (\d+)/.exec(text)?.[1],
    );
  };
  const traceOf = async (path: string) => {
    const earlier = await measured();
    counted.length = 0;
    const { headers } = await tenant.request('GET', path);
    const line = await until('the request is logged', () =>
      lines.find(({ reqId }) => reqId === headers['x-request-id']),
    );
    assert.equal(await measured(), earlier + 1);
    return [{ ...line, reqId: '', time: '', ms: 0 }, [...counted]];
  };
  const routed = await traceOf(`${KEY_SET}?`);
  assert.deepEqual(routed[1], [[tenant.id, 'requests']]);
  assert.deepEqual(await traceOf(KEY_SET), routed);
  assert.equal(isStored(), true);
});
