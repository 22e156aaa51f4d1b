import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { sessionOf } from '../harness/token.ts';
import { type Cast, newCast, type TokenName } from '../harness/token-cast.ts';
import { until } from '../harness/until.ts';
import { type ServiceProxy, startServiceProxy } from '../harness/service-proxy.ts';
import { type RemoteVerifier, startVerifiers, type VerifierProcess } from '../harness/verifiers.ts';

const BASE_URL = 'https://id.example.com';
/** Shorter than a verifier's refetch interval, so that revocations can only come from the stream. */
const NOTIFIED_WITHIN_MS = 5000;

let keywright: Keywright;
let tenant: TestTenant;
let others: VerifierProcess;
let proxies: readonly ServiceProxy[];
/** A verifier for each node, in another process. */
let verifiers: readonly RemoteVerifier[];

before(async () => {
  keywright = await startKeywright({ nodes: 2 });
  tenant = await keywright.tenant('shop');
  others = startVerifiers();
  proxies = await Promise.all(keywright.nodes.map(({ url }) => startServiceProxy(url)));
  verifiers = await Promise.all(proxies.map((proxy) => verifierOf(tenant, proxy.url)));
});

after(async () => {
  await others.close();
  await Promise.all(proxies.map((proxy) => proxy.goDown()));
  await keywright.close();
});

function verifierOf({ id }: TestTenant, url: string): Promise<RemoteVerifier> {
  return others.create({ issuer: `${BASE_URL}/t/${id}`, address: `${url}/t/${id}` });
}

async function asAdmin(method: string, path: string, body?: object): Promise<void> {
  const token = await tenant.adminToken();
  const answer = await tenant.request(method, path, { token, ...(body && { body }) });
  expectStatus(200, answer);
}

interface Ending {
  readonly what: string;
  readonly end: (cast: Cast) => Promise<unknown>;
  readonly refused: readonly TokenName[];
}

const FOR_ANN: readonly TokenName[] = ['robot for ann', 'drone for robot for ann'];

const ENDINGS: readonly Ending[] = [
  {
    what: 'a logout',
    end: async ({ ann: { token } }) =>
      expectStatus(200, await tenant.request('POST', '/auth/logout', { token })),
    refused: ['ann'],
  },
  {
    what: 'the deletion of a session',
    end: ({ tokens }) => asAdmin('DELETE', `/sessions/${sessionOf(tokens['ann elsewhere'])}`),
    refused: ['ann elsewhere'],
  },
  {
    what: 'a user is disabled',
    end: ({ ann }) => asAdmin('PATCH', `/users/${ann.user.id}`, { is_active: false }),
    refused: ['ann', 'ann elsewhere', ...FOR_ANN],
  },
  {
    what: 'an agent is made inactive',
    end: ({ robot }) => asAdmin('PATCH', `/agents/${robot.agent.id}`, { is_active: false }),
    refused: ['robot by key', 'robot by spare key', 'robot by signature', ...FOR_ANN],
  },
  {
    what: 'an API key is revoked',
    end: ({ spare }) => asAdmin('DELETE', `/apikeys/${spare.id}`),
    refused: ['robot by spare key'],
  },
  {
    what: 'a delegation is withdrawn',
    end: async ({ ann: { token }, delegationId }) =>
      expectStatus(
        200,
        await tenant.request('DELETE', `/me/delegations/${delegationId}`, { token }),
      ),
    refused: FOR_ANN,
  },
];

describe('verifiers in another process reject the dependent tokens, on every node, and no others, after', () => {
  for (const { what, end, refused } of ENDINGS) {
    test(what, async () => {
      const cast = await newCast(tenant, `${BASE_URL}/t/${tenant.id}`);
      const all = Object.entries(cast.tokens);
      const tokens = all.map(([, token]) => token);
      for (const verifier of verifiers) {
        assert.deepEqual(new Set(await verifier.verify(...tokens)), new Set(['good']));
      }
      await end(cast);
      const expected = all.map(([name]) =>
        refused.some((tokenName) => tokenName === name) ? 'TOKEN_INVALID revoked' : 'good',
      );
      for (const verifier of verifiers) {
        const isNotified = async () => {
          const outcomes = await verifier.verify(...tokens);
          return outcomes.filter((outcome) => outcome !== 'good').length >= refused.length;
        };
        await until('it is notified', isNotified, NOTIFIED_WITHIN_MS);
        assert.deepEqual(await verifier.verify(...tokens), expected);
      }
    });
  }

  test('A verifier rejects the tokens of a tenant after the tenant is deactivated', async () => {
    const closing = await keywright.tenant('closing');
    const { token } = await closing.createUser();
    const [proxy] = proxies;
    const verifier = await verifierOf(closing, proxy?.url ?? '');
    assert.deepEqual(await verifier.verify(token), ['good']);
    const path = `/tenants/${closing.id}`;
    const by = await keywright.adminToken();
    const change = { token: by, body: { is_active: false } };
    expectStatus(200, await keywright.home.request('PATCH', path, change));
    await until(
      'it is notified',
      async () => (await verifier.verify(token))[0] === 'TOKEN_INVALID issuer_closed',
      NOTIFIED_WITHIN_MS,
    );
  });
});

test('Verifiers fetch keys, a list and the stream, and nothing per token', async () => {
  const counted = await startServiceProxy(keywright.url);
  const verifier = await verifierOf(tenant, counted.url);
  const cast = await newCast(tenant, `${BASE_URL}/t/${tenant.id}`);
  const tokens = Object.values(cast.tokens);
  for (let turn = 0; turn < 100; turn += 1) await verifier.verify(...tokens);
  await until('the stream is there', () => counted.requestedPaths.length >= 3);
  for (let turn = 0; turn < 100; turn += 1) await verifier.verify(...tokens);
  const paths = ['/.well-known/jwks.json', '/status/0', '/status/stream'];
  assert.deepEqual(
    counted.requestedPaths.toSorted(),
    paths.map((path) => `/t/${tenant.id}${path}`),
  );
  await counted.goDown();
});
