// Tokens of receivers that are bound to a key (RFC 9449), at each endpoint of their streams, and tokens of other tenants.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import { POLL_ROUTES } from '@keywright/contract/routes/signal-polling';
import * as contract from '@keywright/contract/routes/signals';
import { proofOf } from '@keywright/tests/harness/code-login';
import { type DpopKey, newDpopKey } from '@keywright/tests/harness/dpop';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { SignalClient } from '@keywright/tests/harness/signals';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { postToken } from '@keywright/tests/harness/token-endpoint';

const challenge = (error: string) => `DPoP error="${error}", algs="EdDSA Ed25519 ES256"`;

let keywright: Keywright;
let tenant: TestTenant;
let receiver: SignalClient;
let key: DpopKey;
let other: DpopKey;
let streamId: string;

before(async () => {
  keywright = await startKeywright({ nodes: 2, clock: 'fake' });
  tenant = await keywright.tenant('bound-receivers');
  receiver = await SignalClient.register(tenant);
  key = await newDpopKey(() => keywright.clock.now());
  other = await newDpopKey(() => keywright.clock.now(), 'EdDSA');
  ({ stream_id: streamId } = await receiver.stream());
});
after(() => keywright.close());

async function boundToken(
  of = tenant,
  by = receiver,
  { nonce, scope }: { readonly nonce?: string; readonly scope?: string } = {},
): Promise<string> {
  const dpop = await key.prove({ claims: { nonce } });
  const parameters = {
    grant_type: 'client_credentials',
    ...proofOf(by.client),
    ...(scope && { scope }),
  };
  const answer = expectStatus(200, await postToken(of, parameters, { headers: { dpop } }));
  assert.equal(answer.token_type, 'DPoP');
  return answer.access_token;
}

interface Call {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body?: object;
}

const HERE = (of: TestTenant) => `/t/${of.id}/oauth/ssf`;

/** One call per endpoint. The call that deletes the stream is last. */
function calls(): readonly Call[] {
  const stream_id = streamId;
  return [
    { method: 'GET', path: '/streams' },
    { method: 'POST', path: '/streams', body: {} },
    { method: 'PATCH', path: '/streams', body: { stream_id, description: 'Bound' } },
    { method: 'PUT', path: '/streams', body: { stream_id } },
    { method: 'GET', path: `/status?stream_id=${stream_id}` },
    { method: 'POST', path: '/status', body: { stream_id, status: 'enabled' } },
    { method: 'POST', path: '/verify', body: { stream_id } },
    { method: 'POST', path: `/poll/${stream_id}`, body: { returnImmediately: true } },
    { method: 'DELETE', path: `/streams?stream_id=${stream_id}` },
  ];
}

function proofFor({ method, path }: Call, accessToken: string, by = key, claims: object = {}) {
  const [bare = ''] = path.split('?', 1);
  const htu = `https://id.example.com${HERE(tenant)}${bare}`;
  return by.prove({ htm: method, htu, accessToken, claims: { ...claims } });
}

interface Use {
  readonly scheme?: string;
  readonly dpop?: string;
  readonly node?: number;
}

function use({ method, path, body }: Call, token: string, usage: Use) {
  const { scheme = 'DPoP', dpop, node = 0 } = usage;
  const headers = { authorization: `${scheme} ${token}`, ...(dpop !== undefined && { dpop }) };
  const options = { headers, node, ...(body && { body }) };
  return tenant.request<ErrorBody>(method, `${HERE(tenant)}${path}`, options);
}

describe('a bound token of a receiver', () => {
  test('A bound token of a receiver is accepted at every endpoint only with a new proof by its key (RFC 9449 §7)', async () => {
    const token = await boundToken();
    for (const call of calls()) {
      const dpop = await proofFor(call, token);
      for (const [what, usage, error] of [
        ['as a bearer token', { scheme: 'Bearer' }, 'invalid_token'],
        ['with the scheme of others', { scheme: 'Bearer', dpop }, 'invalid_token'],
        ['no proof', {}, 'invalid_dpop_proof'],
        ['by another key', { dpop: await proofFor(call, token, other) }, 'invalid_token'],
        ['of another token', { dpop: await proofFor(call, `${token}x`) }, 'invalid_dpop_proof'],
        [
          'of another endpoint',
          { dpop: await proofFor({ ...call, path: '/other' }, token) },
          'invalid_dpop_proof',
        ],
        [
          'of another method',
          { dpop: await proofFor({ ...call, method: 'HEAD' }, token) },
          'invalid_dpop_proof',
        ],
      ] as const) {
        const answer = await use(call, token, usage);
        const place = `${call.method} ${call.path} ${what}`;
        assert.deepEqual([answer.status, answer.body.code], [401, 'TOKEN_INVALID'], place);
        assert.equal(answer.headers['www-authenticate'], challenge(error), place);
      }
      const used = await use(call, token, { dpop });
      assert.ok(used.status < 300, `${call.method} ${call.path} ${used.text}`);
      for (const node of [0, 1]) {
        const again = await use(call, token, { dpop, node });
        assert.equal(again.status, 401, `${call.method} ${call.path} again`);
      }
    }
  });

  test('A bound token of a receiver that lacks a scope gets a challenge with the DPoP scheme (RFC 9449 §7.1)', async () => {
    const token = await boundToken(tenant, receiver, { scope: 'ssf.read' });
    const call = { method: 'POST', path: '/streams', body: {} };
    const answer = await use(call, token, { dpop: await proofFor(call, token) });
    assert.deepEqual([answer.status, answer.body.code], [403, 'SCOPE_REQUIRED']);
    assert.equal(
      answer.headers['www-authenticate'],
      `DPoP error="insufficient_scope", scope="ssf.manage", algs="EdDSA Ed25519 ES256"`,
    );
  });

  test('The calls with a bound token of a receiver cover every endpoint that there is', () => {
    const named = [...Object.values(contract).flat(), ...POLL_ROUTES]
      .filter(({ path }) => path.startsWith('/t/'))
      .map(({ method, path }) => `${method} ${path}`);
    const covered = calls().map(({ method, path }) => {
      const [bare = ''] = path.replace(streamId, ':stream_id').split('?', 1);
      return `${method} /t/:tenant_id/oauth/ssf${bare}`;
    });
    assert.deepEqual(new Set(covered), new Set(named));
  });

  test('A bound token of a receiver needs the nonce of a tenant that requires one (RFC 9449 §9)', async () => {
    const strict = await keywright.tenant('bound-with-nonces', {
      config: { oauth_dpop_nonces: true },
    });
    const strictReceiver = await SignalClient.register(strict);
    const refused = await postToken(
      strict,
      { grant_type: 'client_credentials', ...proofOf(strictReceiver.client) },
      { headers: { dpop: await key.prove() } },
    );
    const token = await boundToken(strict, strictReceiver, {
      nonce: String(refused.headers['dpop-nonce']),
    });
    const read = async (nonce?: string) => {
      const htu = `https://id.example.com${HERE(strict)}/streams`;
      const dpop = await key.prove({ htm: 'GET', htu, accessToken: token, claims: { nonce } });
      const headers = { authorization: `DPoP ${token}`, dpop };
      return strict.request('GET', `${HERE(strict)}/streams`, { headers });
    };
    const first = await read();
    assert.deepEqual(
      [first.status, first.headers['www-authenticate']],
      [401, challenge('use_dpop_nonce')],
    );
    expectStatus(200, await read(String(first.headers['dpop-nonce'])));
  });
});

test('An unbound stream token is not accepted with the DPoP scheme (RFC 9449 §7.1)', async () => {
  const token = await receiver.token();
  const [call] = calls();
  assert.ok(call);
  for (const usage of [{}, { dpop: await proofFor(call, token) }]) {
    const answer = await use(call, token, usage);
    assert.equal(answer.status, 401);
    assert.equal(answer.headers['www-authenticate'], challenge('invalid_token'));
  }
});

test('A client that must prove its key gets no bearer token for its streams', async () => {
  const fields = { dpop_bound_access_tokens: true };
  const { client } = await SignalClient.register(tenant, { fields });
  const parameters = { grant_type: 'client_credentials', ...proofOf(client) };
  const answer = await postToken(tenant, parameters);
  assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_dpop_proof']);
});

test('A stream token of another tenant is refused with TENANT_MISMATCH', async () => {
  const another = await SignalClient.register(await keywright.tenant('other-receivers'));
  const options = { token: await another.token() };
  const answer = await receiver.call<ErrorBody>('GET', '/streams', undefined, options);
  assert.deepEqual([answer.status, answer.body.code], [401, 'TENANT_MISMATCH']);
});
