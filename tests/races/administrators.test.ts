// Administrators who remove each other at the same time: the tenant keeps one.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { UserRecord } from '@keywright/contract/records/user';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { type Answer, expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { eventLoopIterations } from '../harness/parallel.ts';
import type { PostgresServer } from '../harness/postgres.ts';
import { raceServers } from '../harness/race-servers.ts';
import { type Random, seededRandom } from '../harness/random.ts';
import type { TestTenant } from '../harness/tenant.ts';

const NODES = 2;
/** The maximum delay of a request, in turns of the event loop. */
const MAX_DELAY = 40;

interface Administrator {
  readonly id: string;
  readonly token: string;
}

type Send = (method: string, path: string, body?: object) => Promise<Answer<Partial<ErrorBody>>>;
/** Removes the administrator with this id, and the role they have it by. */
type Removal = (send: Send, id: string, role: string) => ReturnType<Send>;

const REMOVALS: Readonly<Record<string, Removal>> = {
  disabled: (send, id) => send('POST', `/users/${id}/disable`, { reason: 'left us' }),
  deactivated: (send, id) => send('PATCH', `/users/${id}`, { is_active: false }),
  demoted: (send, id) => send('PATCH', `/users/${id}`, { roles: ['member'] }),
  deleted: (send, id) => send('DELETE', `/users/${id}`),
};
/** Only for roles that are not built in. */
const ROLE_REMOVALS: Readonly<Record<string, Removal>> = {
  'demoted by a change of their role': (send, _, role) =>
    send('PATCH', `/roles/${role}`, { scopes: [] }),
  'demoted by a deletion of their role': (send, _, role) =>
    send('DELETE', `/roles/${role}?force=true`),
};

for (const { name, isThorough, start } of raceServers()) {
  describe(`two administrators in a race, on ${name}`, () => {
    const rounds = isThorough ? 10 : 3;
    let server: PostgresServer | undefined;
    let keywright: Keywright;
    let random: Random;

    before(async () => {
      server = await start();
      keywright = await startKeywright({ server, nodes: NODES });
      random = seededRandom();
    });
    after(async () => {
      await keywright.close();
      await server?.close();
    });

    async function appoint(
      tenant: TestTenant,
      token: string,
      role: string,
    ): Promise<Administrator> {
      const [identifier, password] = [newIdentifier(), newPassword()];
      const body = { identifier, password, roles: [role] };
      const made = await tenant.request<UserRecord>('POST', '/users', { token, body });
      const { id } = expectStatus(201, made);
      return { id, token: (await tenant.login(identifier, password)).access_token };
    }

    const as =
      (tenant: TestTenant, { token }: Administrator, node: number): Send =>
      async (method, path, body) => {
        await eventLoopIterations(random.between(0, MAX_DELAY));
        return tenant.request(method, path, { node, token, ...(body && { body }) });
      };

    async function isActive(tenant: TestTenant, { id }: Administrator, role: string) {
      const rows = await keywright.database.query(
        `SELECT FROM users u JOIN user_roles h ON h.tenant_id = u.tenant_id AND h.user_id = u.id
           JOIN roles r ON r.tenant_id = h.tenant_id AND r.name = h.role
          WHERE u.tenant_id = $1 AND u.id = $2 AND u.is_active AND '*:*' = ANY (r.scopes) AND r.name = $3`,
        [tenant.id, id, role],
      );
      return rows.length === 1;
    }

    /** @param last the only administrator, through `role` @returns the remaining administrator */
    async function race(
      tenant: TestTenant,
      [last, role]: readonly [Administrator, string],
      [other, otherRole]: readonly [Administrator, string],
      remove: Removal,
    ): Promise<Administrator> {
      const answers = await Promise.all([
        remove(as(tenant, last, 0), other.id, otherRole),
        remove(as(tenant, other, 1), last.id, role),
      ]);
      const message = `seed ${random.seed}: ${answers.map(({ status }) => status).join()}`;
      const left = [
        ...((await isActive(tenant, last, role)) ? [last] : []),
        ...((await isActive(tenant, other, otherRole)) ? [other] : []),
      ];
      assert.equal(left.length, 1, message);
      // Each request was granted, rejected to keep the last administrator, or sent after its caller had lost access.
      for (const { status, body } of answers) {
        const code = status === 200 ? '200' : (body.code ?? '');
        assert.match(
          code,
          /^(200|LAST_ADMINISTRATOR|TOKEN_INVALID|SCOPE_NOT_HELD|SCOPE_REQUIRED)$/,
          message,
        );
      }
      return left[0] ?? last;
    }

    /** Leaves one active administrator and deactivates all other users, including the administrator of the harness. */
    async function alone(tenant: TestTenant, role: string, token: string): Promise<Administrator> {
      const last = await appoint(tenant, token, role);
      await keywright.database.query(
        'UPDATE users SET is_active = false WHERE tenant_id = $1 AND id <> $2',
        [tenant.id, last.id],
      );
      return last;
    }

    for (const [how, remove] of Object.entries(REMOVALS)) {
      test(`A tenant keeps one administrator when two are ${how} by each other at the same time`, async () => {
        const tenant = await keywright.tenant(`t-${how}`);
        let last = await alone(tenant, 'admin', await tenant.adminToken());
        for (let round = 0; round < rounds; round += 1) {
          const other = await appoint(tenant, last.token, 'admin');
          last = await race(tenant, [last, 'admin'], [other, 'admin'], remove);
        }
      });
    }

    for (const [how, remove] of Object.entries(ROLE_REMOVALS)) {
      test(`A tenant keeps one administrator when two are ${how} at the same time`, async () => {
        for (let round = 0; round < rounds; round += 1) {
          const tenant = await keywright.tenant(`r${how.length}-${round}`);
          const token = await tenant.adminToken();
          for (const role of ['first', 'second']) {
            const body = { name: role, scopes: ['*:*'] };
            expectStatus(201, await tenant.request('POST', '/roles', { token, body }));
          }
          const other = await appoint(tenant, token, 'second');
          const last = await appoint(tenant, token, 'first');
          await keywright.database.query(
            'UPDATE users SET is_active = false WHERE tenant_id = $1 AND id <> ALL ($2)',
            [tenant.id, [last.id, other.id]],
          );
          await race(tenant, [last, 'first'], [other, 'second'], remove);
        }
      });
    }

    test('The whole service keeps one administrator when two remove each other at the same time', async () => {
      let last = await alone(keywright.home, 'system_admin', await keywright.adminToken());
      for (const remove of Object.values(REMOVALS)) {
        for (let round = 0; round < rounds; round += 1) {
          const other = await appoint(keywright.home, last.token, 'system_admin');
          last = await race(
            keywright.home,
            [last, 'system_admin'],
            [other, 'system_admin'],
            remove,
          );
        }
      }
    });
  });
}
