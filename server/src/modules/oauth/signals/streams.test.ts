import type { AuditEntry } from '@keywright/contract/records/audit-entry';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { SignalStreamRecord } from '@keywright/contract/records/signal-stream';
import { DELIVERY_METHODS, SIGNAL_NAMES, SIGNALS } from '@keywright/contract/signals';
import { expectStatus, type JsonBody } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { RelyingParty } from '@keywright/tests/harness/relying-party';
import { SignalClient } from '@keywright/tests/harness/signals';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';
import { postToken, oauthError } from '@keywright/tests/harness/token-endpoint';

const PUSH = 'https://receiver.example.com/events?key=secret';
const ALL = SIGNAL_NAMES.map((name) => SIGNALS[name]);

let keywright: Keywright;
let tenant: TestTenant;
let receiver: SignalClient;

before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('signalling');
  receiver = await SignalClient.register(tenant);
});
after(() => keywright.close());

const asAdmin = async <Body = JsonBody>(method: string, path: string, body?: object) =>
  tenant.request<Body>(method, path, { token: await tenant.adminToken(), ...(body && { body }) });

describe('the metadata of a transmitter', () => {
  test('The transmitter metadata lists what is supported, at the address of its issuer and of the host', async () => {
    const issuer = `https://id.example.com/t/${tenant.id}`;
    const expected = {
      spec_version: '1_0',
      issuer,
      jwks_uri: `${issuer}/.well-known/jwks.json`,
      delivery_methods_supported: ['urn:ietf:rfc:8935', 'urn:ietf:rfc:8936'],
      configuration_endpoint: `${issuer}/oauth/ssf/streams`,
      status_endpoint: `${issuer}/oauth/ssf/status`,
      verification_endpoint: `${issuer}/oauth/ssf/verify`,
      critical_subject_members: ['user'],
      authorization_schemes: [{ spec_urn: 'urn:ietf:rfc:6749' }],
      default_subjects: 'ALL',
    };
    for (const path of ['', `/t/${tenant.id}`]) {
      const answer = await tenant.request('GET', `/.well-known/ssf-configuration${path}`);
      assert.deepEqual(expectStatus(200, answer), expected);
    }
  });
});

describe('which client may have streams', () => {
  test('No client can have streams unless an administrator allows it', async () => {
    const { client } = await RelyingParty.register(tenant);
    assert.equal(client.shared_signals, 'none');
    const answer = await postToken(tenant, {
      grant_type: 'client_credentials',
      client_id: client.id,
      client_secret: client.client_secret ?? '',
    });
    assert.equal(oauthError(answer), '400 unauthorized_client CLIENT_UNAUTHORIZED');
  });

  test('No client without a secret or a key can have streams', async () => {
    const answer = await asAdmin('POST', '/clients', {
      name: 'public',
      kind: 'spa',
      redirect_uris: ['https://app.example.com/callback'],
      grant_types: ['authorization_code', 'client_credentials'],
      shared_signals: 'own_users',
    });
    assert.equal(answer.status, 400);
  });

  test('A stream token is valid for the streams alone, and for ten minutes', async () => {
    const token = await receiver.token();
    const claims = claimsOf(token);
    assert.equal(claims['aud'], `https://id.example.com/t/${tenant.id}/ssf`);
    assert.equal(claims['scope'], 'ssf.manage ssf.read');
    assert.equal(claims.exp - claims.iat, 600);
    for (const path of ['/me', '/users', '/oauth/userinfo']) {
      assert.equal((await tenant.request('GET', path, { token })).status, 401);
    }
  });

  test('A stream token that was issued earlier is refused once the client can have no streams', async () => {
    const client = await SignalClient.register(tenant);
    const token = await client.token();
    const path = `/t/${tenant.id}/oauth/ssf/streams`;
    const read = () => tenant.request('GET', path, { token });
    expectStatus(200, await read());
    const { id } = client.client;
    const grants = ['authorization_code'];
    await asAdmin('PATCH', `/clients/${id}`, { shared_signals: 'none', grant_types: grants });
    const refused = await read();
    assert.deepEqual([refused.status, refused.body['code']], [403, 'SIGNALS_REFUSED']);
    await asAdmin('PATCH', `/clients/${id}`, { is_active: false });
    assert.equal((await read()).status, 401);
  });

  test('A caller without access gets only that error, whatever the request lacks (Shared Signals Framework §8.1.1)', async () => {
    const scope = 'ssf.read';
    const reader = await receiver.token(scope);
    for (const [method, path] of [
      ['PUT', '/streams'],
      ['PATCH', '/streams'],
      ['POST', '/status'],
      ['POST', '/verify'],
    ] as const) {
      const callWith = (token: string) => receiver.call<ErrorBody>(method, path, {}, { token });
      const [unknown, weak] = [await callWith('invalid:token'), await callWith(reader)];
      assert.deepEqual([unknown.status, unknown.body.code], [401, 'TOKEN_INVALID'], path);
      assert.deepEqual([unknown.body.errors, weak.status], [undefined, 403], path);
      const fields = (await receiver.call<ErrorBody>(method, path, {})).body.errors;
      assert.equal(fields?.[0]?.path, '/stream_id', path);
    }
    const unnamed = await receiver.call('DELETE', '/streams', undefined, {
      token: 'invalid:token',
    });
    assert.equal(unnamed.status, 401);
  });

  test('A client needs ssf.read or ssf.manage to read its streams, and ssf.manage for everything else', async () => {
    const token = await receiver.token('ssf.read');
    const options = { token };
    expectStatus(200, await receiver.call('GET', '/streams', undefined, options));
    const refused = await receiver.call('POST', '/streams', {}, options);
    assert.equal(refused.status, 403);
    assert.match(String(refused.headers['www-authenticate']), /insufficient_scope.*ssf\.manage/);
    const parameters = { grant_type: 'client_credentials', client_id: receiver.client.id };
    const secret = receiver.client.client_secret ?? '';
    const unknown = { ...parameters, client_secret: secret, scope: 'ssf.read read:users' };
    assert.equal(oauthError(await postToken(tenant, unknown)), '400 invalid_scope SCOPE_INVALID');
  });

  test('No token other than a stream token can manage streams', async () => {
    const user = await tenant.createUser();
    const login = await receiver.app.logIn(receiver.app.browser(), user);
    const others = [user.token, await tenant.adminToken(), login.accessToken, login.idToken, 'x'];
    for (const token of others) {
      assert.equal((await receiver.call('GET', '/streams', undefined, { token })).status, 401);
    }
  });
});

describe('a stream', () => {
  const first = async (client: SignalClient) =>
    expectStatus(200, await client.call<SignalStreamRecord[]>('GET', '/streams'))[0];

  test('A stream is created with what the receiver requests, and shown without its secret', async () => {
    const client = await SignalClient.register(tenant);
    const created = await client.stream(undefined, {
      delivery: {
        method: DELIVERY_METHODS.push,
        endpoint_url: PUSH,
        authorization_header: 'Bearer 2YotnFZFEjr1',
      },
      events_requested: [SIGNALS['session-revoked'], 'urn:example:unknown'],
      description: 'Sessions',
    });
    assert.deepEqual(created, {
      stream_id: created.stream_id,
      iss: `https://id.example.com/t/${tenant.id}`,
      aud: client.client.id,
      delivery: { method: DELIVERY_METHODS.push, endpoint_url: PUSH },
      events_supported: ALL,
      events_requested: [SIGNALS['session-revoked'], 'urn:example:unknown'],
      events_delivered: [SIGNALS['session-revoked']],
      description: 'Sessions',
      min_verification_interval: 10,
    });
    assert.deepEqual(await first(client), created);
    const read = await client.call('GET', `/streams?stream_id=${created.stream_id}`);
    assert.deepEqual(expectStatus(200, read), created);
    const [row] = await keywright.database.query<{ authorization_header: Buffer }>(
      'SELECT authorization_header FROM signal_streams WHERE id = $1',
      [created.stream_id],
    );
    assert.ok(row && !row.authorization_header.includes('2YotnFZFEjr1'));
  });

  test('A stream is polled at a stream-specific address by default', async () => {
    const client = await SignalClient.register(tenant);
    const { delivery, stream_id: id, events_delivered: delivered } = await client.stream();
    assert.deepEqual(delivery, {
      method: DELIVERY_METHODS.poll,
      endpoint_url: `https://id.example.com/t/${tenant.id}/oauth/ssf/poll/${id}`,
    });
    assert.deepEqual(delivered, ALL);
  });

  test('A client can create at most five streams', async () => {
    const client = await SignalClient.register(tenant);
    const made = await Promise.all(
      Array.from({ length: 8 }, () => client.call('POST', '/streams', {})),
    );
    const statuses = made.map(({ status }) => status).toSorted((status, other) => status - other);
    assert.deepEqual(statuses, [201, 201, 201, 201, 201, 400, 400, 400]);
  });

  test('PATCH changes what it names, and PUT all', async () => {
    const client = await SignalClient.register(tenant);
    const { stream_id } = await client.stream(PUSH, { description: 'first' });
    const patched = await client.call<SignalStreamRecord>('PATCH', '/streams', {
      stream_id,
      events_requested: [SIGNALS['account-disabled']],
    });
    const changed = expectStatus(200, patched);
    assert.deepEqual(changed.events_delivered, [SIGNALS['account-disabled']]);
    assert.deepEqual([changed.description, changed.delivery.endpoint_url], ['first', PUSH]);
    // Sends back the record as it was read.
    const body = { ...changed, description: 'second' };
    const put = expectStatus(200, await client.call<SignalStreamRecord>('PUT', '/streams', body));
    assert.deepEqual(put, { ...changed, description: 'second' });
    const bare = await client.call<SignalStreamRecord>('PUT', '/streams', { stream_id });
    const { description, delivery, events_delivered: delivered } = expectStatus(200, bare);
    assert.deepEqual(
      [description, delivery.method, delivered],
      [undefined, DELIVERY_METHODS.poll, ALL],
    );
  });

  test('A stream update that changes what the transmitter supplies is refused', async () => {
    const client = await SignalClient.register(tenant);
    const { stream_id } = await client.stream();
    for (const field of [
      { iss: 'https://evil.example.com' },
      { aud: receiver.client.id },
      { events_delivered: [] },
      { min_verification_interval: 0 },
    ]) {
      const answer = await client.call('PATCH', '/streams', { stream_id, ...field });
      assert.equal(answer.status, 400, JSON.stringify(field));
    }
  });

  test('A stream keeps its header for the same address, and requires it again for another address', async () => {
    const client = await SignalClient.register(tenant);
    const method = DELIVERY_METHODS.push;
    const authorization_header = 'Bearer first';
    const { stream_id } = await client.stream(undefined, {
      delivery: { method, endpoint_url: PUSH, authorization_header },
    });
    const has = async () => {
      const [row] = await keywright.database.query<{ has: boolean }>(
        'SELECT authorization_header IS NOT NULL AS has FROM signal_streams WHERE id = $1',
        [stream_id],
      );
      return row?.has;
    };
    const change = async (delivery: object) =>
      expectStatus(200, await client.call('PATCH', '/streams', { stream_id, delivery }));
    await change({ method, endpoint_url: PUSH });
    assert.equal(await has(), true);
    const delivery = { method, endpoint_url: 'https://elsewhere.example.com/' };
    assert.equal((await client.call('PUT', '/streams', { stream_id, delivery })).status, 400);
    await change({ ...delivery, authorization_header: '' });
    assert.equal(await has(), false);
    await change({ method, endpoint_url: PUSH, authorization_header });
    assert.equal(await has(), true);
    await change({ method, endpoint_url: PUSH, authorization_header: '' });
    assert.equal(await has(), false);
  });

  test('A stream is enabled, paused or disabled', async () => {
    const client = await SignalClient.register(tenant);
    const { stream_id } = await client.stream();
    const path = `/status?stream_id=${stream_id}`;
    assert.deepEqual(expectStatus(200, await client.call('GET', path)), {
      stream_id,
      status: 'enabled',
    });
    for (const status of ['paused', 'disabled', 'enabled']) {
      const update = { stream_id, status, reason: 'maintenance' };
      assert.deepEqual(expectStatus(200, await client.call('POST', '/status', update)), update);
      assert.deepEqual(expectStatus(200, await client.call('GET', path)), update);
    }
    assert.equal((await client.call('POST', '/status', { stream_id, status: 'off' })).status, 400);
  });

  test('A stream is deleted with its waiting events, with its client, and with its tenant', async () => {
    const doomed = await keywright.tenant('doomed');
    const client = await SignalClient.register(doomed);
    const { stream_id } = await client.stream();
    await client.call('POST', '/verify', { stream_id });
    const count = async () => {
      const [row] = await keywright.database.query<{ streams: number; signals: number }>(
        `SELECT (SELECT count(*)::integer FROM signal_streams WHERE tenant_id = $1) AS streams,
                (SELECT count(*)::integer FROM signal_deliveries WHERE tenant_id = $1) AS signals`,
        [doomed.id],
      );
      return row;
    };
    assert.deepEqual(await count(), { streams: 1, signals: 1 });
    const gone = await client.call('DELETE', `/streams?stream_id=${stream_id}`);
    assert.deepEqual([gone.status, await count()], [204, { streams: 0, signals: 0 }]);
    assert.equal((await client.call('DELETE', `/streams?stream_id=${stream_id}`)).status, 404);
    await client.stream();
    const token = await doomed.adminToken();
    expectStatus(200, await doomed.request('DELETE', `/clients/${client.client.id}`, { token }));
    assert.deepEqual(await count(), { streams: 0, signals: 0 });
  });

  test('A stream belongs to its client: any other client gets the answer for an unknown stream', async () => {
    const client = await SignalClient.register(tenant);
    const { stream_id } = await client.stream();
    const elsewhere = await SignalClient.register(await keywright.tenant('elsewhere'));
    for (const other of [receiver, elsewhere]) {
      const calls = [
        ['GET', `/streams?stream_id=${stream_id}`],
        ['PATCH', '/streams', { stream_id, description: 'mine' }],
        ['PUT', '/streams', { stream_id, description: 'mine' }],
        ['DELETE', `/streams?stream_id=${stream_id}`],
        ['GET', `/status?stream_id=${stream_id}`],
        ['POST', '/status', { stream_id, status: 'disabled' }],
        ['POST', '/verify', { stream_id }],
        ['POST', `/poll/${stream_id}`, { returnImmediately: true }],
      ] as const;
      for (const [method, path, body] of calls) {
        const answer = await other.call<{ code: string }>(method, path, body);
        assert.deepEqual(
          [answer.status, answer.body.code],
          [404, 'NOT_FOUND'],
          `${method} ${path}`,
        );
      }
    }
    const { status } = expectStatus(
      200,
      await client.call<{ status: string }>('GET', `/status?stream_id=${stream_id}`),
    );
    assert.equal(status, 'enabled');
  });

  test('The changes of a stream are in the audit log, without the query of an address', async () => {
    const client = await SignalClient.register(tenant);
    const { stream_id } = await client.stream(PUSH);
    const path = '/audit?action=signals.stream_created&limit=100';
    const { items } = expectStatus(200, await asAdmin<{ items: AuditEntry[] }>('GET', path));
    const entry = items.find(({ details }) => details['stream_id'] === stream_id);
    assert.deepEqual([entry?.actor.kind, entry?.actor.id], ['app', client.client.id]);
    assert.equal(entry?.details['url'], 'https://receiver.example.com/events');
  });
});

describe('administrators', () => {
  interface Listed {
    readonly items: readonly { readonly created_at: string }[];
  }

  test('An administrator sees the streams of a client, without the authorization header that is sent there', async () => {
    const client = await SignalClient.register(tenant);
    const { stream_id } = await client.stream(undefined, {
      delivery: {
        method: DELIVERY_METHODS.push,
        endpoint_url: PUSH,
        authorization_header: 'Bearer hidden',
      },
      events_requested: [SIGNALS['session-revoked']],
    });
    const answer = await asAdmin<Listed>('GET', `/clients/${client.client.id}/signal-streams`);
    const { items } = expectStatus(200, answer);
    assert.ok(!answer.text.includes('hidden'));
    assert.equal(items.length, 1);
    assert.deepEqual(items[0], {
      created_at: items[0]?.created_at,
      id: stream_id,
      tenant_id: tenant.id,
      client_id: client.client.id,
      method: 'push',
      endpoint_url: PUSH,
      events: ['session-revoked'],
      description: null,
      status: 'enabled',
      status_reason: null,
      failing_since: null,
    });
  });

  test('Administrators can pause and delete the streams of a client, and get 404 for a stream of another client', async () => {
    const client = await SignalClient.register(tenant);
    const { stream_id } = await client.stream();
    const path = `/clients/${client.client.id}/signal-streams/${stream_id}`;
    const elsewhere = `/clients/${receiver.client.id}/signal-streams/${stream_id}`;
    const body = { status: 'paused', reason: 'They asked us to' };
    assert.equal((await asAdmin('PATCH', elsewhere, body)).status, 404);
    assert.equal((await asAdmin('DELETE', elsewhere)).status, 404);
    assert.equal(expectStatus(200, await asAdmin('PATCH', path, body))['status'], 'paused');
    const status = await client.call('GET', `/status?stream_id=${stream_id}`);
    assert.deepEqual(expectStatus(200, status), { stream_id, ...body });
    assert.deepEqual(expectStatus(200, await asAdmin('DELETE', path)), {
      id: stream_id,
      deleted: true,
    });
    assert.deepEqual(expectStatus(200, await client.call('GET', '/streams')), []);
  });
});
