// The guide to identity providers: each block is pasted into a shell, with a newly started service. A fake provider on
// loopback stands in for Google.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { IdentityProviderRecord } from '@keywright/contract/records/identity-provider';
import type { FlowAnswer } from '@keywright/contract/records/login-flow';
import type { ProviderTest } from '@keywright/contract/records/provider-test';
import { startServerProcess } from '../harness/process.ts';
import { temporaryDirectory } from '../harness/temporary.ts';
import { CLIENT_ID, handoffOf, startFakeProvider } from '../harness/upstream.ts';
import { GuideShell } from './guide-shell.ts';
import { welcomed } from './welcome.ts';

test('The commands of the Google login guide test and enable a provider, log a new user in there, and rotate its secret', async (t) => {
  const provider = await startFakeProvider();
  t.after(() => provider.close());
  const dataDir = join(await temporaryDirectory('google-guide'), 'data');
  const settings = { KEYWRIGHT_DATA_DIR: dataDir, KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' };
  const server = await welcomed(await startServerProcess({ env: settings }));
  t.after(() => server.kill9());
  const guide = await GuideShell.open('log-in-with-google.md');
  t.after(() => guide.close());
  const KEYWRIGHT = `http://localhost:${new URL(server.url).port}`;
  const IDENTIFIER = 'admin@keywright.localhost';
  const SECRET = /^ {2}Password +(\S+)/m.exec(server.stdout)?.[1] ?? '';
  await guide.logIn({ KEYWRIGHT, IDENTIFIER, SECRET });
  const type = String.raw`\"type\":\"google\"`;
  const issuer = String.raw`${type},\"issuer\":\"${provider.issuer}\"`;
  await guide.paste('"return_urls"');
  const client = { CLIENT_ID, CLIENT_SECRET: provider.clientSecret };
  await guide.choose("CLIENT_ID='", client);
  await guide.paste('PROVIDER=$(', (text) => text.replace(type, issuer));
  const callback = (await guide.paste('.callback_url')).trim();
  const logIn = async (mark: string): Promise<string> => {
    const { authorize_url: at } = await guide.pasteForJson<{ authorize_url: string }>(mark);
    assert.equal(new URL(at).searchParams.get('redirect_uri'), callback);
    const person = { sub: '113', email: 'grace@gmail.com', email_verified: true };
    const back = provider.authorize(at, person);
    const returned = await server.http.request('GET', `${back.pathname}${back.search}`);
    assert.equal(returned.status, 303, returned.text);
    return handoffOf(new URL(returned.headers.location ?? ''));
  };
  await guide.choose("TEST_HANDOFF='", { TEST_HANDOFF: await logIn('/test -H') });
  const tested = await guide.pasteForJson<ProviderTest>('/test/finish');
  assert.deepEqual([tested.accepted, tested.subject], [true, '113']);
  const enabled = await guide.pasteForJson<IdentityProviderRecord>('{"is_active":true}');
  assert.deepEqual([enabled.is_active, enabled.tested_at], [true, tested.tested_at]);
  await guide.paste('FLOW=$(');
  await guide.choose("HANDOFF='the handoff of the login'", {
    HANDOFF: await logIn(String.raw`\"provider\"`),
  });
  const { user, access_token: token } = await guide.pasteForJson<FlowAnswer>('/oauth/finish');
  assert.ok(token);
  assert.deepEqual(user?.identifiers, [
    { type: 'email', identifier: 'grace@gmail.com', verified: true },
  ]);
  const rotated = await guide.pasteForJson<IdentityProviderRecord>('skip_test');
  assert.deepEqual([rotated.is_active, rotated.tested_at], [true, null]);
  assert.deepEqual(guide.left, []);
});
