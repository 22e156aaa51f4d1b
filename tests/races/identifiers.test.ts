import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import { newIdentifier } from '../harness/credentials.ts';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { type MailSink, startMailSink } from '../harness/mail-sink.ts';
import { mailedTo, mailThrough, undoTokenTo } from '../harness/mailed.ts';
import { parallel } from '../harness/parallel.ts';
import type { PostgresServer } from '../harness/postgres.ts';
import { raceServers } from '../harness/race-servers.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';

const NODES = 3;
const AT_ONCE = 64;
/** Enough users that no attempt exhausts the guesses of its challenge. */
const USERS = 16;

for (const { name, start } of raceServers()) {
  describe(`addresses in a race, on ${name}`, () => {
    let server: PostgresServer | undefined;
    let sink: MailSink;
    let keywright: Keywright;
    let tenant: TestTenant;

    before(async () => {
      server = await start();
      sink = await startMailSink();
      const env = mailThrough(sink);
      keywright = await startKeywright({ server, nodes: NODES, clock: 'fake', env });
      tenant = await keywright.tenant('addresses', { config: { notify_new_device: false } });
    });
    after(async () => {
      await keywright.close();
      await sink.close();
      await server?.close();
    });

    async function codeFor({ token }: Pick<TestUser, 'token'>, identifier: string, skip: number) {
      // A mailbox gets few messages.
      const forget = 'DELETE FROM login_attempts WHERE tenant_id = $1';
      await keywright.database.query(forget, [tenant.id]);
      const body = { identifier };
      expectStatus(200, await tenant.request('POST', '/me/identifiers', { token, body }));
      return (await mailedTo(sink, identifier, skip)).code;
    }

    test('64 tries of 16 users with right codes for one address on three nodes have one winner', async () => {
      const address = newIdentifier();
      const users: { readonly token: string; readonly code: string }[] = [];
      while (users.length < USERS) {
        const user = await tenant.createUser();
        users.push({ token: user.token, code: await codeFor(user, address, users.length) });
      }
      await keywright.database.query('DELETE FROM login_attempts WHERE tenant_id = $1', [
        tenant.id,
      ]);
      const answers = await parallel(AT_ONCE, (index) => {
        const { token, code } = users[index % USERS] ?? assert.fail();
        const body = { identifier: address, code };
        const options = { token, body, node: index % NODES };
        return tenant.request<ErrorBody>('POST', '/me/identifiers/verification', options);
      });
      const won = answers.filter(({ status }) => status === 200);
      assert.equal(won.length, 1);
      const refused = answers.filter((answer) => !won.includes(answer));
      for (const { body } of refused) {
        assert.ok(['CODE_WRONG', 'IDENTIFIER_TAKEN', 'TOO_MANY_ATTEMPTS'].includes(body.code));
      }
      const owners = await keywright.database.query(
        'SELECT user_id FROM user_identifiers WHERE identifier = $1',
        [address],
      );
      assert.equal(owners.length, 1);
    });

    test('The two undo tokens of a mailbox, sent 64 times to three nodes during other changes, succeed once', async () => {
      const { token, user, identifier, password } = await tenant.createUser();
      const identifiers = [{ type: 'email', identifier, verified: true }];
      const options = { token: await tenant.adminToken(), body: { identifiers } };
      expectStatus(200, await tenant.request('PATCH', `/users/${user.id}`, options));
      for (const address of [newIdentifier(), newIdentifier()]) {
        const body = { identifier: address, code: await codeFor({ token }, address, 0) };
        const proven = { token, body };
        expectStatus(200, await tenant.request('POST', '/me/identifiers/verification', proven));
      }
      const tokens = [await undoTokenTo(sink, identifier), await undoTokenTo(sink, identifier, 1)];
      const removed = tenant.request('DELETE', `/me/identifiers/${identifier}`, { token });
      const answers = await parallel(AT_ONCE, (index) =>
        tenant.request<ErrorBody>('POST', '/auth/identifiers/undo', {
          body: { undo_token: tokens[index % tokens.length], password },
          node: index % NODES,
        }),
      );
      assert.ok([200, 400, 401].includes((await removed).status));
      assert.equal(answers.filter(({ status }) => status === 200).length, 1);
      for (const { status, body } of answers) {
        if (status !== 200) assert.ok(['FLOW_ENDED', 'TOO_MANY_ATTEMPTS'].includes(body.code));
      }
      const stored = await keywright.database.query(
        'SELECT identifier, position FROM user_identifiers WHERE user_id = $1',
        [user.id],
      );
      assert.deepEqual(stored, [{ identifier, position: 0 }]);
    });
  });
}
