// The guide to identity providers, pasted block by block into a shell against a service that was just started. A fake on
// loopback stands in for Google.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { IdentityProviderRecord } from '@keywright/contract/records/identity-provider';
import type { FlowAnswer } from '@keywright/contract/records/login-flow';
import type { ProviderTest } from '@keywright/contract/records/provider-test';
import { inheritedEnvironment } from '../harness/child-environment.ts';
import { startServerProcess } from '../harness/process.ts';
import { temporaryDirectory } from '../harness/temporary.ts';
import { CLIENT_ID, handoffOf, startFakeProvider } from '../harness/upstream.ts';
import { blocksOf } from './guide-page.ts';
import { LongShell } from './long-shell.ts';
import { welcomed } from './welcome.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

test('its commands test and enable a provider, log a new user in there, and rotate its secret', async (t) => {
  const provider = await startFakeProvider();
  t.after(() => provider.close());
  const dataDir = join(await temporaryDirectory('google-guide'), 'data');
  const settings = { KEYWRIGHT_DATA_DIR: dataDir, KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' };
  const server = await welcomed(await startServerProcess({ env: settings }));
  t.after(() => server.kill9());
  const { PATH = '', ...inherited } = inheritedEnvironment();
  const env = { ...inherited, PATH: `${ROOT}/node_modules/.bin:${PATH}` };
  const shell = new LongShell(env, await temporaryDirectory('guide'));
  t.after(() => shell.close());
  const host = `localhost:${new URL(server.url).port}`;
  const type = String.raw`\"type\":\"google\"`;
  const issuer = String.raw`${type},\"issuer\":\"${provider.issuer}\"`;
  const blocks = blocksOf('log-in-with-google.md').filter(({ language }) => language === 'sh');
  const run = (text: string) => {
    const found = blocks.filter((block) => block.text.includes(text));
    assert.equal(found.length, 1, `one block has ${text}`);
    const [block] = blocks.splice(blocks.indexOf(found[0] as never), 1);
    const typed = (block?.text ?? '').replaceAll('localhost:8080', host);
    return shell.run(typed.replace(type, issuer));
  };

  const secret = /^ {2}Secret +(\S+)/m.exec(server.stdout)?.[1] ?? '';
  const login = { body: { identifier: 'admin@keywright.localhost', secret } };
  const { body: admin } = await server.http.request<{ access_token: string }>(
    'POST',
    '/auth/login',
    login,
  );
  const client = `CLIENT_ID=${CLIENT_ID}; CLIENT_SECRET=${provider.clientSecret}`;
  await shell.run(`TOKEN=${admin.access_token}; ${client}`);

  await run('"return_urls"');
  await run('PROVIDER=$(');
  const callback = (await run('.callback_url')).trim();
  const logIn = async (begun: string) => {
    const { authorize_url: at } = JSON.parse(begun) as { authorize_url: string };
    assert.equal(new URL(at).searchParams.get('redirect_uri'), callback);
    const person = { sub: '113', email: 'grace@gmail.com', email_verified: true };
    const back = provider.authorize(at, person);
    const returned = await server.http.request('GET', `${back.pathname}${back.search}`);
    assert.equal(returned.status, 303, returned.text);
    await shell.run(`HANDOFF=${handoffOf(new URL(returned.headers.location ?? ''))}`);
  };
  await logIn(await run('/test -H'));
  const tested = JSON.parse(await run('/test/finish')) as ProviderTest;
  assert.deepEqual([tested.accepted, tested.subject], [true, '113']);
  const enabled = JSON.parse(await run('{"is_active":true}')) as IdentityProviderRecord;
  assert.deepEqual([enabled.is_active, enabled.tested_at], [true, tested.tested_at]);
  await run('FLOW=$(');
  await logIn(await run(String.raw`\"provider\"`));
  const { user, access_token: token } = JSON.parse(await run('/oauth/finish')) as FlowAnswer;
  assert.ok(token);
  assert.deepEqual(user?.identifiers, [
    { type: 'email', identifier: 'grace@gmail.com', verified: true },
  ]);
  const rotated = JSON.parse(await run('skip_test')) as IdentityProviderRecord;
  assert.deepEqual([rotated.is_active, rotated.tested_at], [true, null]);
  assert.deepEqual(blocks, [], 'every block was run');
});
