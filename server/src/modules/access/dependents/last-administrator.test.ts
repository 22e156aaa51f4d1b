import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { UserRecord } from '@keywright/contract/records/user';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { parallel } from '@keywright/tests/harness/parallel';

const NODES = 2;
const ROUNDS = 10;

interface Administrator {
  readonly id: string;
  readonly token: string;
}

let keywright: Keywright;
/** The only active system administrator there is. */
let last: Administrator;

before(async () => {
  keywright = await startKeywright({ nodes: NODES });
  const [root] = await keywright.database.query<{ user_id: string }>(
    `SELECT user_id FROM user_roles WHERE tenant_id = 'org_default' AND role = 'system_admin'`,
  );
  last = await appoint(await keywright.adminToken());
  const deactivate = removal('PATCH', '', { is_active: false });
  expectStatus(200, await deactivate(String(root?.user_id), last.token));
});

after(() => keywright.close());

/** One more system administrator. */
async function appoint(token: string): Promise<Administrator> {
  const credentials = { identifier: newIdentifier(), password: newPassword() };
  const body = { ...credentials, roles: ['system_admin'] };
  const made = await keywright.home.request<UserRecord>('POST', '/users', { token, body });
  const { id } = expectStatus(201, made);
  const login = await keywright.login(credentials.identifier, credentials.password);
  return { id, token: login.access_token };
}

type Removal = (id: string, token: string, node?: number) => Promise<Answer<ErrorBody>>;

function removal(method: string, path: string, body?: object): Removal {
  return (id, token, node = 0) =>
    keywright.home.request(method, `/users/${id}${path}`, { node, token, ...(body && { body }) });
}

const REMOVALS: Readonly<Record<string, Removal>> = {
  disabled: removal('POST', '/disable', { reason: 'left us' }),
  deactivated: removal('PATCH', '', { is_active: false }),
  demoted: removal('PATCH', '', { roles: ['member'] }),
  deleted: removal('DELETE', ''),
};

async function countAdministrators(): Promise<number> {
  const rows = await keywright.database.query(
    `SELECT u.id FROM users u JOIN user_roles r ON r.tenant_id = u.tenant_id AND r.user_id = u.id
      WHERE u.tenant_id = 'org_default' AND u.is_active AND r.role = 'system_admin'`,
  );
  return rows.length;
}

for (const [how, remove] of Object.entries(REMOVALS)) {
  test(`the last active system administrator cannot be ${how}, and keeps working`, async () => {
    const refused = expectStatus(400, await remove(last.id, last.token));
    assert.equal(refused.code, 'LAST_SYSTEM_ADMINISTRATOR');
    expectStatus(200, await keywright.home.request('GET', '/tenants', { token: last.token }));
  });

  test(`one of two can be ${how}, by the other or by themselves`, async () => {
    const other = await appoint(last.token);
    expectStatus(200, await remove(other.id, last.token));
    const next = await appoint(last.token);
    expectStatus(200, await remove(last.id, last.token));
    last = next;
    assert.equal(await countAdministrators(), 1);
  });

  test(`of two who are ${how} by each other at the same time, one remains`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const other = await appoint(last.token);
      const answers = await parallel(2, (index) =>
        index === 0 ? remove(other.id, last.token, 0) : remove(last.id, other.token, 1),
      );
      const statuses = answers.map((answer) => answer.status).join();
      assert.equal(await countAdministrators(), 1, `round ${round}: ${statuses}`);
      if (answers[1]?.status === 200) last = other;
    }
  });
}
