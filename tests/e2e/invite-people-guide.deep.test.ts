// The guide to invitations: each block is pasted into a shell, with a newly started service.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { InvitationRecord } from '@keywright/contract/records/invitation';
import type { FlowAnswer } from '@keywright/contract/records/login-flow';
import { startServerProcess } from '../harness/process.ts';
import { temporaryDirectory } from '../harness/temporary.ts';
import { until } from '../harness/until.ts';
import { GuideShell } from './guide-shell.ts';
import { welcomed } from './welcome.ts';

test('The commands of the guide invite a person, who joins where no one can register', async (t) => {
  const dataDir = join(await temporaryDirectory('invitations-guide'), 'data');
  const server = await welcomed(await startServerProcess({ env: { KEYWRIGHT_DATA_DIR: dataDir } }));
  t.after(() => server.kill9());
  const guide = await GuideShell.open('invite-people.md');
  t.after(() => guide.close());
  const KEYWRIGHT = `http://localhost:${new URL(server.url).port}`;
  const IDENTIFIER = 'admin@keywright.localhost';
  const SECRET = /^ {2}Password +(\S+)/m.exec(server.stdout)?.[1] ?? '';
  await guide.logIn({ KEYWRIGHT, IDENTIFIER, SECRET });
  const token = await guide.valueOf('TOKEN');
  const closed = { token, body: { config: { allow_registration: false } } };
  const { status } = await server.http.request('PATCH', '/tenants/org_default', closed);
  assert.equal(status, 200);

  await guide.paste('INVITATION=$(');
  await until('the message is shown', async () =>
    (await (await fetch(`${KEYWRIGHT}/dev/messages`)).text()).includes('ada@example.com'),
  );
  await guide.paste('INVITED=$(');
  await guide.paste('FLOW=$(');
  const { user } = await guide.pasteForJson<FlowAnswer>('/new-password');
  assert.deepEqual(user?.identifiers, [
    { type: 'email', identifier: 'ada@example.com', verified: true },
  ]);
  const invitation = await guide.pasteForJson<InvitationRecord>('/invitations/$INVITATION_ID');
  assert.deepEqual([invitation.status, invitation.accepted_by], ['accepted', user?.id]);
  assert.deepEqual(guide.left, []);
});
