import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorCode } from '@keywright/contract/errors';
import type { StartedFlow } from '@keywright/contract/records/login-flow';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { expectStatus } from '../harness/http.ts';
import {
  type FlowReply,
  flowStep,
  invite,
  type Invited,
  openedInvitation,
} from '../harness/invitations.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { type MailSink, startMailSink } from '../harness/mail-sink.ts';
import { mailThrough } from '../harness/mailed.ts';
import { parallel } from '../harness/parallel.ts';
import type { PostgresServer } from '../harness/postgres.ts';
import { raceServers } from '../harness/race-servers.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { claimsOf } from '../harness/token.ts';

const NODES = 3;
const AT_ONCE = 64;
/** Below the limit of open flows for one address. */
const FLOWS = 16;

const REFUSALS: ReadonlySet<string> = new Set<ErrorCode>(['FLOW_ENDED', 'STEP_NOT_NEEDED']);

for (const { name, isThorough, start } of raceServers()) {
  describe(`an invitation in a race, on ${name}`, () => {
    const rounds = isThorough ? 12 : 4;
    let server: PostgresServer | undefined;
    let sink: MailSink;
    let keywright: Keywright;
    let tenant: TestTenant;

    before(async () => {
      [server, sink] = await Promise.all([start(), startMailSink()]);
      keywright = await startKeywright({ server, nodes: NODES, env: mailThrough(sink) });
      const magic_link_url = 'https://app.example.com/login';
      const config = { magic_link_url, login_attempts_limit: 10_000 };
      tenant = await keywright.tenant('inviting', { config });
      const token = await tenant.adminToken();
      const body = { name: 'reader', scopes: ['read:users'] };
      expectStatus(201, await tenant.request('POST', '/roles', { token, body }));
      const inviter = { name: 'inviter', scopes: ['read:users', 'write:users'] };
      expectStatus(201, await tenant.request('POST', '/roles', { token, body: inviter }));
    });
    after(async () => {
      await keywright.close();
      await sink.close();
      await server?.close();
    });

    const invited = (body: object = {}, by?: string) =>
      invite({ keywright, sink }, tenant, { roles: ['reader'], ...body }, by);

    const rowsOf = (sql: string, ...values: readonly string[]) =>
      keywright.database.query<{ n: string }>(sql, [tenant.id, ...values]);
    const countOf = async (sql: string, ...values: readonly string[]) =>
      (await rowsOf(sql, ...values)).length;

    const usersCalled = (identifier: string) =>
      countOf('SELECT FROM user_identifiers WHERE tenant_id = $1 AND identifier = $2', identifier);

    async function requireAccepted({ invitation }: Invited, user: string): Promise<void> {
      const sql = `SELECT FROM invitations
        WHERE tenant_id = $1 AND id = $2 AND accepted_by = $3 AND revoked_at IS NULL`;
      assert.equal(await countOf(sql, invitation.id, user), 1);
      const entries = `SELECT FROM audit_entries
        WHERE tenant_id = $1 AND target_id = $2 AND action = 'invitation.accepted'`;
      assert.equal(await countOf(entries, invitation.id), 1);
      const roles =
        "SELECT FROM user_roles WHERE tenant_id = $1 AND user_id = $2 AND role = 'reader'";
      assert.equal(await countOf(roles, user), 1);
    }

    /** Takes many steps concurrently. @returns the user of the only one that leads to a session */
    async function winnerOf(attempt: (index: number) => Promise<FlowReply>): Promise<string> {
      const replies = await parallel(AT_ONCE, attempt);
      const won = replies.filter(({ status }) => status === 200);
      assert.equal(won.length, 1);
      for (const { status, body, text } of replies) {
        assert.ok(status === 200 || REFUSALS.has(body.code), text);
      }
      return claimsOf(won[0]?.body.access_token ?? '').sub;
    }

    const opened = (invitation: Invited, count = FLOWS): Promise<StartedFlow[]> =>
      parallel(count, () => openedInvitation(tenant, invitation.token));

    test('An invitation accepted by many flows of a new user at the same time creates one user with one session', async () => {
      const invitation = await invited();
      const flows = await opened(invitation);
      const user = await winnerOf((index) =>
        flowStep(
          tenant,
          flows[index % FLOWS] as StartedFlow,
          'new-password',
          { secret: newPassword() },
          { node: index % NODES },
        ),
      );
      await requireAccepted(invitation, user);
      assert.equal(await usersCalled(invitation.invitation.identifier), 1);
      const sessions = 'SELECT FROM sessions WHERE tenant_id = $1 AND user_id = $2';
      assert.equal(await countOf(sessions, user), 1);
    });

    test('An invitation accepted by many flows of one user at the same time opens one session and grants the roles once', async () => {
      const { user, identifier, password: secret } = await tenant.createUser();
      const invitation = await invited({ identifier });
      const flows = await opened(invitation);
      const sub = await winnerOf((index) =>
        flowStep(
          tenant,
          flows[index % FLOWS] as StartedFlow,
          'password',
          { secret },
          { node: index % NODES },
        ),
      );
      assert.equal(sub, user.id);
      await requireAccepted(invitation, user.id);
    });

    test('An invitation that loses a race with another to the same new address can still be accepted', async () => {
      const identifier = newIdentifier();
      const both = [await invited({ identifier }), await invited({ identifier, roles: [] })];
      const [first, second] = await parallel(2, (index) =>
        openedInvitation(tenant, both[index]?.token ?? ''),
      );
      const secret = newPassword();
      const replies = await Promise.all(
        [first, second].map((flow) =>
          flowStep(tenant, flow as StartedFlow, 'new-password', { secret }),
        ),
      );
      assert.deepEqual(
        replies.map(({ status }) => status).toSorted((a, b) => a - b),
        [200, 401],
      );
      assert.equal(await usersCalled(identifier), 1);
      const left = both[replies.findIndex(({ status }) => status === 401)];
      const flow = await openedInvitation(tenant, left?.token ?? '');
      expectStatus(200, await flowStep(tenant, flow, 'password', { secret }));
    });

    test('An invitation accepted and revoked at the same time is one or the other, and never both', async () => {
      const token = await tenant.adminToken();
      for (let round = 0; round < rounds; round += 1) {
        const invitation = await invited();
        const flow = await openedInvitation(tenant, invitation.token);
        const [joined, revoked] = await Promise.all([
          flowStep(tenant, flow, 'new-password', { secret: newPassword() }),
          tenant.request('DELETE', `/invitations/${invitation.invitation.id}`, { token, node: 1 }),
        ]);
        const isAccepted = joined.status === 200;
        assert.deepEqual([joined.status, revoked.status], isAccepted ? [200, 404] : [401, 200]);
        assert.equal(await usersCalled(invitation.invitation.identifier), isAccepted ? 1 : 0);
      }
    });

    test('An invitation accepted during changes of its inviter, role and user leaves nothing half done and causes no deadlock', async () => {
      const token = await tenant.adminToken();
      for (let round = 0; round < rounds; round += 1) {
        const role = `role-${round}`;
        const made = { token, body: { name: role, scopes: [] } };
        expectStatus(201, await tenant.request('POST', '/roles', made));
        const by = await tenant.createUser({ roles: ['inviter'] });
        const { user, identifier, password: secret } = await tenant.createUser();
        const invitation = await invited({ identifier, roles: [role] }, by.token);
        const flow = await openedInvitation(tenant, invitation.token);
        const off = { token, body: { is_active: false }, node: 1 };
        const more = { token, body: { roles: ['member', 'reader'] }, node: 2 };
        const [reply, ...others] = await Promise.all([
          flowStep(tenant, flow, 'password', { secret }),
          tenant.request('PATCH', `/users/${by.user.id}`, off),
          tenant.request('DELETE', `/roles/${role}?force=true`, { token, node: 1 }),
          tenant.request('PATCH', `/users/${user.id}`, more),
        ]);
        assert.ok([200, 401].includes(reply.status), reply.text);
        for (const { status, text } of others) assert.equal(status, 200, text);
        const sql = `SELECT FROM invitations
          WHERE tenant_id = $1 AND id = $2 AND accepted_at IS NOT NULL`;
        assert.equal(await countOf(sql, invitation.invitation.id), reply.status === 200 ? 1 : 0);
      }
    });
  });
}
