// The guide to application logout: the test runs its receiver unmodified, and its commands in order.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inheritedEnvironment } from '../harness/child-environment.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { freePort } from '../harness/postgres.ts';
import { RelyingParty } from '../harness/relying-party.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { until } from '../harness/until.ts';
import { blocksOf } from './guide-page.ts';
import { GuideShell } from './guide-shell.ts';

/** Where jose is found. */
const TESTS = fileURLToPath(new URL('..', import.meta.url));
const blocks = blocksOf('log-out.md');
const BYE = 'https://app.example.com/bye';

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  const port = await freePort();
  keywright = await startKeywright({
    env: {
      KEYWRIGHT_PORT: String(port),
      KEYWRIGHT_BASE_URL: `http://127.0.0.1:${port}`,
      KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1',
    },
  });
  tenant = await keywright.tenant('acme');
});
after(() => keywright.close());

function textOf(language: string, mark: string): string {
  const found = blocks.filter((block) => block.language === language && block.text.includes(mark));
  assert.equal(found.length, 1, `one block of the guide has ${mark}`);
  return found[0]?.text ?? '';
}

test('The receiver of the guide is notified of logouts, and of sessions that an administrator ends', async (t) => {
  const issuer = `${keywright.url}/t/${tenant.id}`;
  const app = await RelyingParty.register(tenant, {
    issuer,
    fields: { post_logout_redirect_uris: [], id_token_signed_response_alg: 'RS256' },
  });
  const CLIENT = app.client.id;
  const port = await freePort();
  const receiver = `http://127.0.0.1:${port}/backchannel-logout`;
  const program = textOf('js', 'createRemoteJWKSet').replace(
    "listen(3000, 'localhost')",
    `listen(${port}, '127.0.0.1')`,
  );
  const child: ChildProcess = spawn(process.execPath, ['--input-type=module', '-'], {
    cwd: TESTS,
    env: { ...inheritedEnvironment(), ISSUER: issuer, CLIENT },
  });
  t.after(() => child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  child.stdin?.end(program);
  const send = (token: string) =>
    fetch(receiver, { method: 'POST', body: new URLSearchParams({ logout_token: token }) });
  await until('it listens', () =>
    send('').then(
      ({ status }) => status === 400,
      () => false,
    ),
  );

  const guide = await GuideShell.open('log-out.md');
  t.after(() => guide.close());
  const TOKEN = await tenant.adminToken();
  await guide.start({ KEYWRIGHT: keywright.url, TENANT: tenant.id, TOKEN });
  await guide.paste('"name":"Acme Invoices"');
  await guide.set({ CLIENT });
  const changed = await guide.pasteForJson('post_logout_redirect_uris', (text) =>
    text.replace('https://app.example.com/backchannel-logout', receiver),
  );
  assert.deepEqual(changed['post_logout_redirect_uris'], [BYE]);
  const user = await tenant.createUser();
  const browser = app.browser();
  const { idToken, sid } = await app.logIn(browser, user);
  assert.equal((await send(idToken)).status, 400, 'an ID token is no logout token');
  const seen = await app.logOut(browser, {
    id_token_hint: idToken,
    post_logout_redirect_uri: BYE,
    state: 'af0ifjsldkj',
  });
  assert.equal(String(seen.redirectsTo), `${BYE}?state=af0ifjsldkj`);
  await until('it is notified', () => output.includes(`${user.user.id} is logged out: ${sid}`));

  const again = await app.logIn(app.browser(), user);
  await guide.set({ USER_ID: user.user.id });
  // Skips the command that creates a user.
  await guide.paste('sessions?user_id=', (text) => text.slice(text.indexOf('curl -s -X DELETE')));
  await until('it is notified again', () => output.includes(`is logged out: ${again.sid}`));
  await until('the list of the administrator says so', async () => {
    const { items } = await guide.pasteForJson('logout-deliveries');
    const listed = items as readonly { readonly session_id: string; readonly status: string }[];
    return [sid, again.sid].every((id) =>
      listed.some((delivery) => delivery.session_id === id && delivery.status === 'delivered'),
    );
  });
  assert.equal(child.exitCode, null, output);
});
