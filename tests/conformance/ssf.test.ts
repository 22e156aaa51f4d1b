// The requirements for a transmitter in the OpenID Foundation's conformance suite: the plans
// openid-ssf-transmitter-test-plan and openid-ssf-transmitter-caep-test-plan (CAEP Interoperability Profile). The
// suite itself is not run here; its conditions, as of August 2026, are checked against the service.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { SIGNALS, STREAM_SIGNALS } from '@keywright/contract/signals';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import {
  type PolledSets,
  SignalClient,
  type SignalReceiver,
  setClaims,
  startSignalReceiver,
} from '../harness/signals.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { postToken } from '../harness/token-endpoint.ts';

const PUSH_HEADER = 'Bearer push_token_3f2b0c4f';
const REQUIRED = ['stream_id', 'iss', 'aud', 'events_delivered', 'delivery'];
/** CAEP 1.0 §2. */
const ENTITIES = ['admin', 'user', 'policy', 'system'];

let keywright: Keywright;
let tenant: TestTenant;
let receiver: SignalReceiver;
let client: SignalClient;
let issuer: string;
let keys: ReturnType<typeof createLocalJWKSet>;

interface Stream {
  readonly stream_id: string;
  readonly iss: string;
  readonly events_delivered: string[];
  readonly events_supported: string[];
  readonly min_verification_interval: number;
  readonly delivery: { readonly method: string; readonly endpoint_url: string };
}

before(async () => {
  receiver = await startSignalReceiver();
  keywright = await startKeywright({
    clock: 'fake',
    env: { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' },
  });
  tenant = await keywright.tenant('suite');
  issuer = `https://id.example.com/t/${tenant.id}`;
  client = await SignalClient.register(tenant, { reach: 'all_users' });
  await client.stream();
  const set = await tenant.request<JSONWebKeySet>('GET', '/.well-known/jwks.json');
  keys = createLocalJWKSet(expectStatus(200, set));
});
after(async () => {
  await keywright.close();
  await receiver.close();
});

test('A client cannot have ssf.manage and ssf.read among its scopes: the suite requests them at the token endpoint', async () => {
  const body = { scopes: ['ssf.manage', 'ssf.read'] };
  const token = await tenant.adminToken();
  const refused = await tenant.request('PATCH', `/clients/${client.client.id}`, { token, body });
  assert.deepEqual([refused.status, refused.body['code']], [400, 'VALIDATION_FAILED']);
});

const METHODS = { push: 'urn:ietf:rfc:8935', poll: 'urn:ietf:rfc:8936' } as const;
type Mode = keyof typeof METHODS;

const deliveryOf = (mode: Mode, path: string) =>
  mode === 'poll'
    ? { method: METHODS.poll }
    : {
        method: METHODS.push,
        endpoint_url: `${receiver.url}${path}`,
        authorization_header: PUSH_HEADER,
      };

/** Creates a stream like the start of a module: all previous streams are deleted. */
async function create(mode: Mode, path = '/ssf-push'): Promise<Stream> {
  const list = expectStatus(200, await client.call<Stream[]>('GET', '/streams'));
  for (const { stream_id } of list) await client.call('DELETE', `/streams?stream_id=${stream_id}`);
  const body = {
    delivery: deliveryOf(mode, path),
    events_requested: [SIGNALS['session-revoked'], SIGNALS['credential-change']],
    description: 'Stream for Receiver OIDF Conformance Test-Suite',
  };
  const answer = await client.call<Stream>('POST', '/streams', body);
  return expectStatus(201, answer);
}

async function trigger({ stream_id }: Stream, state: string): Promise<void> {
  const answer = await client.call('POST', '/verify', { stream_id, state });
  assert.equal(answer.status, 204);
  assert.equal(answer.text, '');
}

/** The received tokens, by either delivery method. Polled tokens are not acknowledged. */
async function receive(mode: Mode, stream: Stream, path = '/ssf-push'): Promise<string[]> {
  if (mode === 'push') {
    await keywright.nodes[0]?.signals.runDue();
    for (const pushed of receiver.at(path)) {
      assert.equal(pushed.authorization, PUSH_HEADER);
      assert.equal(pushed.contentType, 'application/secevent+jwt');
    }
    return receiver.at(path).map(({ token }) => token);
  }
  return Object.values((await client.poll(stream.stream_id)).sets);
}

/** Checks the requirements of every event. */
async function requireSet(token: string) {
  const options = { issuer, audience: client.client.id, typ: 'secevent+jwt' };
  const { payload, protectedHeader } = await jwtVerify(token, keys, options);
  assert.equal(protectedHeader.alg, 'RS256');
  for (const name of ['exp', 'sub']) assert.ok(!(name in payload), name);
  // The service's clock is ahead here, while triggers use the database's clock.
  const latest = Math.max(keywright.clock.now().getTime(), Date.now());
  assert.ok(payload.iat !== undefined && payload.iat * 1000 <= latest);
  const claims = setClaims(token);
  assert.equal(Object.keys(claims.events).length, 1);
  return claims;
}

test('The transmitter passes openid-ssf-transmitter-metadata', async () => {
  const path = `/.well-known/ssf-configuration/t/${tenant.id}`;
  const answer = await tenant.request<Record<string, unknown>>('GET', path);
  const metadata = expectStatus(200, answer);
  assert.match(String(answer.headers['content-type']), /^application\/json/);
  assert.equal(metadata['issuer'], issuer);
  for (const name of [
    'jwks_uri',
    'configuration_endpoint',
    'status_endpoint',
    'verification_endpoint',
  ]) {
    assert.match(String(metadata[name]), /^https:\/\//, name);
  }
  assert.equal(metadata['spec_version'], '1_0');
  assert.deepEqual(metadata['delivery_methods_supported'], Object.values(METHODS));
  assert.deepEqual(metadata['authorization_schemes'], [{ spec_urn: 'urn:ietf:rfc:6749' }]);
  assert.ok(['ALL', 'NONE'].includes(String(metadata['default_subjects'])));
  // Claims with zero elements are left out.
  for (const value of Object.values(metadata)) assert.ok(!Array.isArray(value) || value.length > 0);
});

test('An access token is obtained by client credentials, and is short-lived (CAEP Interop §2.7.1)', async () => {
  const { id, client_secret: secret = '' } = client.client;
  const basic = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  const answer = await postToken(
    tenant,
    { grant_type: 'client_credentials', client_id: id, scope: 'ssf.read ssf.manage' },
    { headers: { authorization: basic } },
  );
  const { expires_in: seconds, scope, token_type: type } = expectStatus(200, answer);
  assert.ok(seconds <= 3600);
  assert.deepEqual([type, scope], ['Bearer', 'ssf.manage ssf.read']);
});

for (const mode of ['push', 'poll'] as const) {
  describe(`with ${mode}`, () => {
    test('The transmitter passes openid-ssf-stream-control-happy-path', async () => {
      const stream = await create(mode);
      for (const name of REQUIRED) assert.ok(name in stream, name);
      assert.deepEqual([stream.iss, stream.delivery.method], [issuer, METHODS[mode]]);
      const { stream_id } = stream;
      const query = `?stream_id=${stream_id}`;
      const read = expectStatus(200, await client.call<Stream>('GET', `/streams${query}`));
      assert.equal(read.iss, issuer);
      const signalTypes: readonly string[] = Object.values(SIGNALS);
      assert.ok(read.events_supported.every((type) => signalTypes.includes(type)));
      const updated = await client.call<Stream>('PATCH', '/streams', {
        stream_id,
        description: 'Updated Stream',
      });
      assert.equal(expectStatus(200, updated).iss, issuer);
      const replaced = await client.call<Stream>('PUT', '/streams', {
        delivery: deliveryOf(mode, '/ssf-push'),
        events_requested: stream.events_delivered,
        stream_id,
        description: 'Replaced Stream',
      });
      assert.equal(expectStatus(200, replaced).iss, issuer);
      expectStatus(200, await client.call('GET', `/status${query}`));
      for (const status of ['enabled', 'paused', 'disabled']) {
        // The suite also sends the stream ID in the query.
        const body = { stream_id, status, reason: `Updated Stream status to ${status}` };
        const answer = await client.call<{ status: string }>('POST', `/status${query}`, body);
        assert.equal(expectStatus(200, answer).status, status);
      }
      const deleted = await client.call('DELETE', `/streams${query}`);
      assert.deepEqual([deleted.status, deleted.text], [204, '']);
    });

    test('The transmitter passes openid-ssf-stream-control-error-…: broken input, invalid tokens, unknown streams, a second stream', async () => {
      const { stream_id } = await create(mode);
      const broken = { rawBody: ';{ broken', contentType: 'application/json' };
      for (const method of ['POST', 'PATCH', 'PUT']) {
        assert.equal((await client.call(method, '/streams', undefined, broken)).status, 400);
      }
      const second = await client.call('POST', '/streams', { delivery: deliveryOf(mode, '/two') });
      assert.ok([201, 409].includes(second.status));
      const body = { stream_id, description: 'changed' };
      const calls = [
        ['POST', '', {}],
        ['GET', `?stream_id=${stream_id}`],
        ['PATCH', '', body],
        ['PUT', '', body],
        ['DELETE', `?stream_id=${stream_id}`],
      ] as const;
      for (const [method, query, sent] of calls) {
        const answer = await client.call(method, `/streams${query}`, sent, { token: 'invalid' });
        assert.equal(answer.status, 401, method);
      }
      expectStatus(200, await client.call('GET', `/streams?stream_id=${stream_id}`));
      await client.call('DELETE', `/streams?stream_id=${stream_id}`);
      for (const [method, query, sent] of calls.slice(1)) {
        assert.equal((await client.call(method, `/streams${query}`, sent)).status, 404, method);
      }
    });

    test('The transmitter passes openid-ssf-transmitter-stream-verification-…', async () => {
      const path = `/verification-${mode}`;
      const stream = await create(mode, path);
      await trigger(stream, 'state-1');
      const [token = '', ...others] = await receive(mode, stream, path);
      const { events, sub_id, jti } = await requireSet(token);
      assert.deepEqual(others, []);
      assert.deepEqual(sub_id, { format: 'opaque', id: stream.stream_id });
      assert.deepEqual(events, { [STREAM_SIGNALS.verification]: { state: 'state-1' } });
      if (mode === 'push') return;
      // Acknowledge and poll in one request, then acknowledge alone.
      keywright.clock.advance(stream.min_verification_interval);
      await trigger(stream, 'state-2');
      const next = await client.poll(stream.stream_id, { maxEvents: 10, ack: [jti] });
      const [second = ''] = Object.values(next.sets);
      const claims = await requireSet(second);
      assert.deepEqual(claims.events, { [STREAM_SIGNALS.verification]: { state: 'state-2' } });
      const last: PolledSets = await client.poll(stream.stream_id, {
        maxEvents: 0,
        ack: [claims.jti],
      });
      assert.deepEqual(last.sets, {});
      assert.deepEqual((await client.poll(stream.stream_id)).sets, {});
    });

    test('The transmitter passes openid-ssf-transmitter-stream-caep-interop', async () => {
      const path = `/caep-${mode}`;
      const stream = await create(mode, path);
      assert.deepEqual(
        new Set(stream.events_delivered),
        new Set(Object.values(SIGNALS).slice(0, 2)),
      );
      const { user } = await tenant.createUser();
      const token = await tenant.adminToken();
      const body = { password: 'quite another password 42' };
      expectStatus(200, await tenant.request('PATCH', `/users/${user.id}`, { token, body }));
      const types: string[] = [];
      for (const set of await receive(mode, stream, path)) {
        const { events } = await requireSet(set);
        const [type, event] = Object.entries(events)[0] ?? ['', {}];
        types.push(type);
        assert.equal(typeof event['event_timestamp'], 'number');
        assert.ok(ENTITIES.includes(String(event['initiating_entity'])));
        const reasons = Object.values(event['reason_admin'] as object) as unknown[];
        assert.ok(reasons.length > 0 && reasons.every((text) => typeof text === 'string' && text));
        if (type !== SIGNALS['credential-change']) continue;
        assert.deepEqual([event['credential_type'], event['change_type']], ['password', 'update']);
      }
      assert.deepEqual(new Set(types), new Set(stream.events_delivered));
    });
  });
}
