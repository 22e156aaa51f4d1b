import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DEFAULT_TENANT } from '@keywright/contract/ids';
import { GRANT_TYPE } from '@keywright/contract/routes/token';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { clientParameters } from '../harness/delegation.ts';
import { type Answer, expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import type { PostgresServer } from '../harness/postgres.ts';
import { raceServers } from '../harness/race-servers.ts';
import type { RequestToNode, TestTenant } from '../harness/tenant.ts';
import { until } from '../harness/until.ts';
import { says } from './concurrent-logins.ts';

const NODES = 2;
/** The codes for requests to the tenant's records, and for those that name the tenant from outside. */
const GONE = ['400 TENANT_NOT_FOUND', '404 NOT_FOUND'];
/** Other acceptable results while the tenant is being deleted: success, or that the caller is unknown. */
const UNKNOWN = ['TOKEN_INVALID', 'INVALID_CREDENTIALS', 'CLIENT_INVALID'].map(
  (code) => `401 ${code}`,
);
const ALLOWED = new Set(['200', '201', ...UNKNOWN, ...GONE]);

type Send = (
  method: string,
  path: string,
  options?: RequestToNode,
) => Promise<Answer<Record<string, unknown>>>;

/** Requests of every kind: they read, write, hash, sign, and decrypt. */
async function requestsInto(tenant: TestTenant, root: string) {
  const impersonation = {
    tenant: DEFAULT_TENANT,
    token: root,
    body: { tenant_id: tenant.id, reason: 'a test' },
  };
  const impersonated = await tenant.request('POST', '/auth/impersonate', impersonation);
  const impersonator = String(expectStatus(200, impersonated)['access_token']);
  const user = await tenant.createUser();
  const machine = await tenant.createAgent({ scopes: ['read:users'] });
  const token = await tenant.adminToken();
  const secret = { identifier: user.identifier, secret: user.password };
  const url = 'https://hooks.example.com/';
  const client = { grant_type: GRANT_TYPE.clientCredentials, ...clientParameters(machine) };
  const all: readonly ((send: Send) => ReturnType<Send>)[] = [
    (send) => send('POST', '/auth/login', { body: secret }),
    (send) =>
      send('POST', '/auth/login', {
        body: { identifier: newIdentifier(), secret: newPassword(), register: true },
      }),
    (send) => send('GET', '/me', { token: user.token }),
    (send) => send('GET', '/me', { token: machine.key }),
    (send) => send('GET', '/users', { token: machine.key }),
    (send) => send('GET', '/users', { token: impersonator }),
    (send) => send('POST', '/auth/token', { body: client }),
    (send) => send('POST', '/workspaces', { token, body: { name: newIdentifier().slice(0, 20) } }),
    (send) => send('POST', '/webhooks', { token, body: { url, events: ['user.created'] } }),
    (send) => send('POST', '/keys/rotate?immediately=true', { token }),
    (send) => send('POST', '/auth/refresh', { body: { refresh_token: user.refreshToken } }),
    (send) => send('POST', '/auth/impersonate', impersonation),
    (send) => send('GET', '/.well-known/jwks.json'),
  ];
  return all;
}

for (const { name, isThorough, start } of raceServers()) {
  describe(`requests while their tenant is deleted, on ${name}`, () => {
    const rounds = isThorough ? 6 : 2;
    let server: PostgresServer | undefined;
    let keywright: Keywright;

    before(async () => {
      server = await start();
      keywright = await startKeywright({ server, nodes: NODES });
    });

    after(async () => {
      await keywright.close();
      await server?.close();
    });

    test('Requests during the deletion of their tenant get a response from before or after it, whatever their progress', async () => {
      for (let round = 0; round < rounds; round += 1) {
        const config = { login_attempts_limit: 10_000 };
        const tenant = await keywright.tenant(`doomed-${round}`, { config });
        const token = await keywright.adminToken();
        const requests = await requestsInto(tenant, token);
        const answers: Answer<object>[] = [];
        /** Repeats it until the tenant is unknown. */
        async function insist(request: (typeof requests)[number], node: number): Promise<void> {
          await until('there is no such tenant', async () => {
            const answer = await request((method, path, options) =>
              tenant.request(method, path, { node, ...options }),
            );
            answers.push(answer);
            return says([answer]).every((outcome) => GONE.includes(outcome));
          });
        }
        const insisting = requests.flatMap((request) => [insist(request, 0), insist(request, 1)]);
        await until('it is under way', () => answers.length > requests.length);
        const path = `/tenants/${tenant.id}`;
        expectStatus(200, await keywright.home.request('DELETE', path, { token }));
        await Promise.all(insisting);
        assert.deepEqual(
          says(answers).filter((outcome) => !ALLOWED.has(outcome)),
          [],
        );
      }
    });
  });
}
