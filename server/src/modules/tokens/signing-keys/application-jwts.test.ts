// Two nodes with caches of their own, on one database.

import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { KEY_ALGORITHMS, type KeyAlgorithm } from '@keywright/contract/records/signing-key';
import { openApplicationJwts } from '@keywright/tests/harness/application-jwts';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { parallel } from '@keywright/tests/harness/parallel';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { headerOf } from '@keywright/tests/harness/token';
import { until } from '@keywright/tests/harness/until';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify, SignJWT, UnsecuredJWT } from 'jose';
import type { Tenant } from '../../../tenancy/tenant.ts';

const MASTER_KEY = randomBytes(32);
const OTHERS = ['RS256', 'ES256'] as const;
const HINT = { kind: 'ID token', allowExpired: true, retiredToo: true } as const;
const FRESH = { kind: 'ID token', allowExpired: false, retiredToo: false } as const;

type Node = Awaited<ReturnType<typeof startNode>>;

let keywright: Keywright;
let nodes: readonly [Node, Node];
let tenants = 0;

/** @param slowSeconds how far the node's clock is behind */
function startNode(slowSeconds: number) {
  const { clock } = keywright;
  const slow = { now: () => new Date(clock.now().getTime() - slowSeconds * 1000) };
  return openApplicationJwts(keywright.database.url, MASTER_KEY, slow);
}

before(async () => {
  const env = { KEYWRIGHT_MASTER_KEY: MASTER_KEY.toString('base64') };
  keywright = await startKeywright({ env, clock: 'fake' });
  nodes = [await startNode(0), await startNode(5)];
});

after(async () => {
  for (const node of nodes) await node.close();
  await keywright.close();
});

async function freshTenant(): Promise<TestTenant> {
  tenants += 1;
  return keywright.tenant(`jwts-${tenants}`);
}

function asTenant({ id }: TestTenant): Tenant {
  return { id, issuer: `https://id.example.com/t/${id}` } as Tenant;
}

function claimsAt({ id }: TestTenant) {
  const iat = Math.floor(keywright.clock.now().getTime() / 1000);
  return { iss: `https://id.example.com/t/${id}`, sub: 'user:1', aud: 'app', iat, exp: iat + 600 };
}

function sign(tenant: TestTenant, alg: KeyAlgorithm, claims: object = {}, node = nodes[0]) {
  const all = { ...claimsAt(tenant), ...claims };
  return node.jwts.sign(tenant.id, { alg, typ: 'JWT', claims: all });
}

async function rotate(tenant: TestTenant, algorithm: KeyAlgorithm): Promise<void> {
  keywright.clock.advance(1);
  const path = `/keys/rotate?immediately=true&algorithm=${algorithm}`;
  expectStatus(201, await tenant.request('POST', path, { token: await tenant.adminToken() }));
}

async function keySet(tenant: TestTenant) {
  const answer = await tenant.request<JSONWebKeySet>('GET', '/.well-known/jwks.json');
  return createLocalJWKSet(expectStatus(200, answer));
}

describe('the first JWT of an algorithm', () => {
  for (const algorithm of OTHERS) {
    test(`The first JWT of an algorithm creates its key once, however many nodes need it at the same time: ${algorithm}`, async () => {
      const tenant = await freshTenant();
      const signed = await parallel(16, (index) =>
        sign(tenant, algorithm, {}, nodes[index % nodes.length]),
      );
      const kids = new Set(signed.map((jwt) => headerOf(jwt).kid));
      const rows = await keywright.database.query<{ id: string }>(
        'SELECT id FROM signing_keys WHERE tenant_id = $1 AND algorithm = $2',
        [tenant.id, algorithm],
      );
      assert.deepEqual(
        [...kids],
        rows.map(({ id }) => id),
      );
      assert.equal(rows.length, 1);
      const published = await until('it is published', async () => {
        const set = await keySet(tenant);
        return jwtVerify(signed[0] ?? '', set, { currentDate: keywright.clock.now() }).catch(
          () => undefined,
        );
      });
      assert.deepEqual(published.protectedHeader, {
        alg: algorithm,
        typ: 'JWT',
        kid: [...kids][0],
      });
      const query = `/audit?action=key.rotated`;
      const log = await tenant.request('GET', query, { token: await tenant.adminToken() });
      const [entry] = expectStatus(200, log)['items'] as { actor: object; details: object }[];
      assert.deepEqual(entry?.details, { immediately: true, algorithm });
    });
  }
});

test('A node whose clock is a little slow signs with the key that another node has just created', async () => {
  const tenant = await freshTenant();
  const jwts = [await sign(tenant, 'ES256'), await sign(tenant, 'ES256', {}, nodes[1])];
  assert.equal(new Set(jwts.map((jwt) => headerOf(jwt).kid)).size, 1);
});

test('An access token of the type JWT is never accepted as an ID token, and an ID token never as an access token', async () => {
  const tenant = await freshTenant();
  const signingTenant = asTenant(tenant);
  const [access, id] = [
    await sign(tenant, 'ES256', { token_type: 'access' }),
    await sign(tenant, 'ES256'),
  ];
  const isTaken = async (jwt: string, kind: 'ID token' | 'access token') =>
    (await nodes[0].jwts.verify(signingTenant, jwt, { ...FRESH, kind })) !== undefined;
  assert.deepEqual(
    [await isTaken(access, 'access token'), await isTaken(id, 'ID token')],
    [true, true],
  );
  assert.deepEqual(
    [await isTaken(access, 'ID token'), await isTaken(id, 'access token')],
    [false, false],
  );
});

describe('a JWT that the tenant signed is verified', () => {
  for (const algorithm of KEY_ALGORITHMS) {
    test(`A JWT that the tenant signed is verified on every node, until it expires or as a hint: ${algorithm}`, async () => {
      const [tenant, other] = [await freshTenant(), await freshTenant()];
      const jwt = await sign(tenant, algorithm);
      const [signingTenant, foreign] = [asTenant(tenant), asTenant(other)];
      for (const { jwts } of nodes) {
        const claims = await until('the key is known', () =>
          jwts.verify(signingTenant, jwt, FRESH),
        );
        assert.deepEqual(claims, claimsAt(tenant));
        assert.equal(await jwts.verify(foreign, jwt, HINT), undefined);
        assert.equal(
          await jwts.verify({ ...signingTenant, issuer: foreign.issuer }, jwt, HINT),
          undefined,
        );
      }
      keywright.clock.advance(700);
      assert.equal(await nodes[0].jwts.verify(signingTenant, jwt, FRESH), undefined);
      assert.equal((await nodes[0].jwts.verify(signingTenant, jwt, HINT))?.['sub'], 'user:1');
    });

    test(`A JWT is verified by a key that was superseded long ago, if allowed, and never by a deleted key: ${algorithm}`, async () => {
      const tenant = await freshTenant();
      const signingTenant = asTenant(tenant);
      const jwt = await sign(tenant, algorithm);
      await rotate(tenant, algorithm);
      keywright.clock.advance(86_400 + 120);
      const [{ jwts }] = nodes;
      const late = { ...HINT, retiredToo: false };
      await until(
        'it is not published any more',
        async () => !(await jwts.verify(signingTenant, jwt, late)),
      );
      assert.equal((await jwts.verify(signingTenant, jwt, HINT))?.['sub'], 'user:1');
      await rotate(tenant, algorithm);
      const mine = await until('the new key signs', async () => {
        const candidate = await sign(tenant, algorithm);
        return headerOf(candidate).kid !== headerOf(jwt).kid && candidate;
      });
      await rotate(tenant, algorithm);
      const path = `/keys/${headerOf(mine).kid}`;
      expectStatus(200, await tenant.request('DELETE', path, { token: await tenant.adminToken() }));
      await until(
        'the key is deleted',
        async () => !(await jwts.verify(signingTenant, mine, HINT)),
      );
    });
  }

  test('A JWT that differs in any part from one that the tenant signed is not verified', async () => {
    const tenant = await freshTenant();
    const [signingTenant, [{ jwts }]] = [asTenant(tenant), nodes];
    const [rsa, ec, ed] = [
      await sign(tenant, 'RS256'),
      await sign(tenant, 'ES256'),
      await sign(tenant, 'EdDSA'),
    ];
    const claims = claimsAt(tenant);
    const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const { kid } = headerOf(rsa);
    const swapped = (header: object, jwt: string) => {
      const [, payload, signature] = jwt.split('.');
      return `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${payload}.${signature}`;
    };
    const signedAs = (
      header: { alg: string; kid: string; typ: string },
      key: KeyObject | Uint8Array,
    ) => new SignJWT(claims).setProtectedHeader(header).sign(key);
    for (const bad of [
      await jwts.sign(tenant.id, { alg: 'RS256', typ: 'logout+jwt', claims }),
      await sign(tenant, 'RS256', { iss: 'https://elsewhere.example.com' }),
      await sign(tenant, 'RS256', { exp: undefined }),
      await signedAs({ alg: 'RS256', kid, typ: 'JWT' }, stranger.privateKey),
      await signedAs({ alg: 'PS256', kid, typ: 'JWT' }, stranger.privateKey),
      await signedAs({ alg: 'HS256', kid, typ: 'JWT' }, new Uint8Array(32)),
      swapped({ alg: 'EdDSA', typ: 'JWT', kid: headerOf(ec).kid }, ec),
      swapped({ alg: 'ES256', typ: 'JWT', kid: headerOf(ed).kid }, ed),
      swapped({ alg: 'RS256', typ: 'JWT' }, rsa),
      `${rsa.slice(0, -4)}AAAA`,
      new UnsecuredJWT(claims).encode(),
      'nothing',
    ]) {
      assert.equal(await jwts.verify(signingTenant, bad, HINT), undefined, bad);
    }
    for (const good of [rsa, ec, ed]) assert.ok(await jwts.verify(signingTenant, good, FRESH));
  });
});
