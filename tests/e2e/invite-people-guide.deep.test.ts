// The guide to invitations, pasted block by block into a shell against a service that was just started.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { InvitationRecord } from '@keywright/contract/records/invitation';
import type { FlowAnswer } from '@keywright/contract/records/login-flow';
import { inheritedEnvironment } from '../harness/child-environment.ts';
import { startServerProcess } from '../harness/process.ts';
import { temporaryDirectory } from '../harness/temporary.ts';
import { until } from '../harness/until.ts';
import { blocksOf } from './guide-page.ts';
import { LongShell } from './long-shell.ts';
import { welcomed } from './welcome.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

test('its commands invite somebody, who joins where nobody can register', async (t) => {
  const dataDir = join(await temporaryDirectory('invitations-guide'), 'data');
  const server = await welcomed(await startServerProcess({ env: { KEYWRIGHT_DATA_DIR: dataDir } }));
  t.after(() => server.kill9());
  const { PATH = '', ...inherited } = inheritedEnvironment();
  const env = { ...inherited, PATH: `${ROOT}/node_modules/.bin:${PATH}` };
  const shell = new LongShell(env, await temporaryDirectory('guide'));
  t.after(() => shell.close());
  const host = `localhost:${new URL(server.url).port}`;
  const blocks = blocksOf('invite-people.md').filter(({ language }) => language === 'sh');
  const run = (text: string) => {
    const found = blocks.filter((block) => block.text.includes(text));
    assert.equal(found.length, 1, `one block has ${text}`);
    const [block] = blocks.splice(blocks.indexOf(found[0] as never), 1);
    return shell.run((block?.text ?? '').replaceAll('localhost:8080', host));
  };

  const secret = /^ {2}Secret +(\S+)/m.exec(server.stdout)?.[1] ?? '';
  const login = { body: { identifier: 'admin@keywright.localhost', secret } };
  const { body: admin } = await server.http.request<{ access_token: string }>(
    'POST',
    '/auth/login',
    login,
  );
  const closed = { token: admin.access_token, body: { config: { allow_registration: false } } };
  const { status } = await server.http.request('PATCH', '/tenants/org_default', closed);
  assert.equal(status, 200);
  await shell.run(`TOKEN=${admin.access_token}`);

  await run('INVITATION=$(');
  await until('the message is shown', async () =>
    (await (await fetch(`http://${host}/dev/messages`)).text()).includes('ada@example.com'),
  );
  await run('INVITED=$(');
  await run('FLOW=$(');
  const { user } = JSON.parse(await run('/new-password')) as FlowAnswer;
  assert.deepEqual(user?.identifiers, [
    { type: 'email', identifier: 'ada@example.com', verified: true },
  ]);
  const invitation = JSON.parse(await run('/invitations/$INVITATION_ID')) as InvitationRecord;
  assert.deepEqual([invitation.status, invitation.accepted_by], ['accepted', user?.id]);
  assert.deepEqual(blocks, [], 'every block was run');
});
