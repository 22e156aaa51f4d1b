import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, afterEach, before, describe, test } from 'node:test';
import { createRemoteJWKSet, customFetch, jwtVerify } from 'jose';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { bitOf, bitsSetIn, followStatus, type StatusStream } from '@keywright/tests/harness/status';
import { watchStatements } from '@keywright/tests/harness/statements';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { headerOf } from '@keywright/tests/harness/token';
import { until } from '@keywright/tests/harness/until';

const BASE_URL = 'https://id.example.com';

let keywright: Keywright;
let tenant: TestTenant;
let issuer: string;
let open: StatusStream[] = [];

before(async () => {
  keywright = await startKeywright({ nodes: 2 });
  tenant = await keywright.tenant('radio');
  issuer = `${BASE_URL}/t/${tenant.id}`;
});

afterEach(async () => {
  for (const stream of open) stream.close();
  open = [];
  await until('the nodes have noticed', () => openStreams() === 0);
});

after(() => keywright.close());

interface Following {
  readonly node?: number;
  readonly since?: number | string;
  readonly of?: TestTenant;
}

/** The open streams on all nodes. A client notices its disconnect before the node does. */
function openStreams(): number {
  return keywright.nodes.reduce((sum, node) => sum + node.openStreams(), 0);
}

async function follow({ node = 0, since, of = tenant }: Following = {}) {
  const headers: Record<string, string> =
    since === undefined ? {} : { 'last-event-id': String(since) };
  const url = keywright.nodes[node]?.url ?? '';
  const stream = await followStatus(url, `/t/${of.id}/status/stream`, headers);
  open.push(stream);
  return stream;
}

function logOut(token: string, node = 0, at = tenant) {
  return at.request('POST', '/auth/logout', { token, node });
}

async function first(stream: StatusStream) {
  return stream.find('the first event', () => true);
}

/** Requests a tenant's status stream and disconnects before the response. */
async function hangUp(of: TestTenant, node: number): Promise<void> {
  const { port, host } = new URL(keywright.nodes[node]?.url ?? '');
  const socket = connect(Number(port), '127.0.0.1');
  socket.end(`GET /t/${of.id}/status/stream HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
  socket.destroySoon();
  await once(socket, 'close');
}

/** Revokes a token and waits for the event on every stream. @returns the bit and the new version */
async function revokeToken(): Promise<{ bit: number; version: number }> {
  const stream = await follow();
  await first(stream);
  const { token } = await tenant.createUser();
  await logOut(token);
  const event = await stream.revocationOf(bitOf(token));
  return { bit: bitOf(token), version: event.claims.version ?? 0 };
}

describe('the stream of changes', () => {
  test('The status stream starts with the current version, signed with a published key of the tenant', async () => {
    const { event, id, token, claims } = await first(await follow());
    const options = { issuer, typ: 'statusdelta+jwt', algorithms: ['EdDSA'] };
    const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`), {
      [customFetch]: (url, init) => fetch(url.replace(BASE_URL, keywright.url), init),
    });
    await jwtVerify(token, keys, options);
    const { from, version, iat } = claims;
    assert.equal(event, 'status');
    assert.deepEqual(claims, { iss: issuer, iat, from: version, version });
    assert.equal(from, version);
    assert.equal(id, String(version));
  });

  test('The status stream reports a logout on every node, and nothing else', async () => {
    const { token } = await tenant.createUser();
    const other = await keywright.tenant('silence');
    const theirs = await other.createUser();
    const streams = [await follow(), await follow({ node: 1 })];
    for (const stream of streams) await first(stream);
    await logOut(theirs.token, 0, other);
    expectStatus(200, await logOut(token));
    const events = await Promise.all(streams.map((stream) => stream.revocationOf(bitOf(token))));
    for (const { claims } of events) {
      assert.deepEqual(claims.revoked, { '0': [bitOf(token)] });
      assert.ok((claims.from ?? 0) < (claims.version ?? 0));
    }
    assert.equal(events[0]?.claims.version, events[1]?.claims.version);
  });

  test('The status stream has no gap between events', async () => {
    const stream = await follow({ node: 1 });
    const people = [];
    for (let turn = 0; turn < 5; turn += 1) people.push(await tenant.createUser());
    for (const [turn, { token }] of people.entries()) await logOut(token, turn % 2);
    for (const { token } of people) await stream.revocationOf(bitOf(token));
    const changes = stream.events.map(({ claims }) => claims);
    for (const [index, { from = 0, version = 0 }] of changes.entries()) {
      const previous = changes[index - 1]?.version ?? from;
      // Two results of the database can overlap, so a bit can be set twice.
      assert.ok(from <= previous && previous <= version, `${previous}, then ${from} to ${version}`);
    }
  });

  test('The status stream sends a heartbeat every five seconds', async () => {
    const stream = await follow();
    const { claims } = await first(stream);
    const next = await until('a second event', () => stream.events[1], 60_000);
    assert.equal(next.claims.from, claims.version);
    assert.equal(next.claims.version, claims.version);
    assert.equal(next.claims.revoked, undefined);
  });

  test("The status stream is the same at the tenant's own address", async () => {
    const [host = ''] = tenant.domains;
    const stream = await followStatus(keywright.url, '/status/stream', { host });
    open.push(stream);
    assert.equal((await first(stream)).claims.iss, issuer);
  });
});

describe('a reconnecting client', () => {
  test('A reconnecting client gets missed changes from any node', async () => {
    const { version } = await revokeToken();
    const missed = [await revokeToken(), await revokeToken()];
    for (const node of [0, 1]) {
      const { claims } = await first(await follow({ node, since: version }));
      assert.ok((claims.from ?? Infinity) <= version, 'nothing is left out');
      assert.equal(claims.version, missed[1]?.version);
      const bits = claims.revoked?.['0'] ?? [];
      assert.ok(missed.every(({ bit }) => bits.includes(bit)));
    }
  });

  test('A reconnecting client gets missed changes from a node that has just started', async () => {
    const late = await keywright.tenant('late');
    const { token } = await late.createUser();
    const stream = await follow({ of: late });
    const { claims } = await first(stream);
    await logOut(token, 0, late);
    await stream.revocationOf(bitOf(token));
    // The other node has not served this tenant yet.
    const again = await first(await follow({ of: late, node: 1, since: claims.version ?? 0 }));
    assert.deepEqual(again.claims.revoked, { '0': [bitOf(token)] });
    assert.equal(again.claims.from, claims.version);
  });

  test('Clients that reconnect from a failed node share one query for missed changes', async () => {
    const orphans = await keywright.tenant('orphans');
    const { token } = await orphans.createUser();
    const stream = await follow({ of: orphans });
    const since = (await first(stream)).claims.version ?? 0;
    await logOut(token, 0, orphans);
    await stream.revocationOf(bitOf(token));
    const statements = watchStatements();
    try {
      const again = () => follow({ of: orphans, node: 1, since });
      const together = await Promise.all(Array.from({ length: 20 }, again));
      for (const resumed of [...together, await again()]) {
        assert.deepEqual((await first(resumed)).claims.revoked, { '0': [bitOf(token)] });
      }
      const queried = statements
        .valuesOf('kw_status_changes')
        .flatMap(([, versions]) => versions as readonly (number | null)[]);
      assert.equal(queried.filter((version) => version === since).length, 1);
    } finally {
      statements.stop();
    }
  });

  test('A reconnecting client that missed nothing gets an empty change', async () => {
    const { version } = await revokeToken();
    const { claims } = await first(await follow({ node: 1, since: version }));
    assert.deepEqual([claims.from, claims.version, claims.revoked], [version, version, undefined]);
  });

  test('A reconnecting client with a future version must start over', async () => {
    const { version } = await revokeToken();
    const { event, claims } = await first(await follow({ since: version + 1_000_000 }));
    assert.equal(event, 'reset');
    assert.deepEqual([claims.reset, claims.version], [true, version]);
  });

  test('A reconnecting client with an invalid version starts at the current version', async () => {
    const { version } = await revokeToken();
    for (const since of ['x', '-1', '1e3', '9'.repeat(400)]) {
      const { event, claims } = await first(await follow({ since }));
      assert.deepEqual([event, claims.version], ['status', version], since);
    }
  });

  test('A reconnecting client that missed more than is retained must start over, like connected clients', async () => {
    const crowd = await keywright.tenant('crowd');
    const { token, user } = await crowd.createUser();
    const stream = await follow({ of: crowd });
    const { claims } = await first(stream);
    await keywright.database.query(
      `INSERT INTO sessions (tenant_id, id, user_id, workspace_id, ip_address, created_at, expires_at,
                             absolute_expires_at, refresh_hash, refresh_kid, refresh_issued_at, status_idx,
                             status_version, kind, auth_time, acr, amr)
       SELECT tenant_id, 'session:many' || n, user_id, workspace_id, ip_address, created_at, expires_at,
              absolute_expires_at, refresh_hash, refresh_kid, refresh_issued_at, 10000 + n, 0, kind,
              auth_time, acr, amr
         FROM sessions, generate_series(1, 6000) AS n WHERE tenant_id = $1 AND user_id = $2`,
      [crowd.id, user.id],
    );
    const admin = await crowd.adminToken();
    const path = `/sessions?user_id=${user.id}`;
    expectStatus(200, await crowd.request('DELETE', path, { token: admin }));
    const reset = await stream.find('a reset', ({ event }) => event === 'reset');
    const later = await first(await follow({ of: crowd, node: 1, since: claims.version ?? 0 }));
    assert.equal(later.event, 'reset');
    assert.equal(later.claims.version, reset.claims.version);
    const list = await crowd.request('GET', '/status/0');
    assert.equal(bitsSetIn(list.text).length, 1 + 1 + 6000);
    assert.ok(bitsSetIn(list.text).includes(bitOf(token)));
  });
});

describe('a stream ends', () => {
  test('A status stream ends with a closed event when the tenant is deactivated or deleted', async () => {
    for (const [slug, method, body] of [
      ['paused', 'PATCH', { is_active: false }],
      ['removed', 'DELETE', undefined],
    ] as const) {
      const doomed = await keywright.tenant(slug);
      const streams = [await follow({ of: doomed }), await follow({ of: doomed, node: 1 })];
      for (const stream of streams) await first(stream);
      const token = await keywright.adminToken();
      const options = { token, ...(body && { body }) };
      expectStatus(200, await keywright.home.request(method, `/tenants/${doomed.id}`, options));
      for (const stream of streams) {
        const { claims, token: signed } = await stream.find(
          'the end',
          (message) => message.event === 'closed',
        );
        assert.deepEqual([claims.closed, claims.iss], [true, `${BASE_URL}/t/${doomed.id}`]);
        assert.equal(headerOf(signed).typ, 'statusdelta+jwt');
        await until('it has ended', () => stream.isOver);
      }
      await assert.rejects(follow({ of: doomed }), /answered with 40[03]/);
    }
  });
});

describe('a node', () => {
  test('A node releases the stream slot of a client that disconnected before the response started', async () => {
    // The client disconnects while the node loads the tenant.
    for (let count = 0; count < 8; count += 1) {
      await hangUp(await keywright.tenant(`fickle-${count}`), 1);
    }
    // A new client is accepted after them. A leaked slot is detected below, when every stream has ended.
    await first(await follow({ of: await keywright.tenant('steady'), node: 1 }));
    await until('every other place is free again', () => openStreams() === 1);
  });

  test('A node answers a HEAD request for the status stream without a stream', async () => {
    const answer = await keywright.request('HEAD', `/t/${tenant.id}/status/stream`);
    assert.equal(answer.status, 200);
  });
});
