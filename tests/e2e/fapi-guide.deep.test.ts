// The guide to FAPI 2.0: its commands in their order, and its application, unmodified.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, before, test } from 'node:test';
import { inheritedEnvironment } from '../harness/child-environment.ts';
import { UserBrowser } from '../harness/code-login.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { freePort } from '../harness/postgres.ts';
import { temporaryDirectory } from '../harness/temporary.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { until } from '../harness/until.ts';
import { blocksOf } from './guide-page.ts';
import { GuideShell } from './guide-shell.ts';

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));
const blocks = blocksOf('fapi.md');

let keywright: Keywright;
let tenant: TestTenant;
let folder: string;

before(async () => {
  const port = await freePort();
  keywright = await startKeywright({
    env: { KEYWRIGHT_PORT: String(port), KEYWRIGHT_BASE_URL: `http://127.0.0.1:${port}` },
  });
  tenant = await keywright.tenant('acme');
  folder = join(await temporaryDirectory('fapi-guide'), 'application');
  await mkdir(folder, { recursive: true });
  await symlink(MODULES, join(folder, 'node_modules'));
});
after(() => keywright.close());

test('The commands of the FAPI guide turn the profile on and register a client, and its application logs its user in', async (t) => {
  const guide = await GuideShell.open('fapi.md', folder);
  t.after(() => guide.close());
  const TOKEN = await tenant.adminToken();
  await guide.start({ KEYWRIGHT: keywright.url, TENANT: tenant.id, TOKEN });
  const { config } = await guide.pasteForJson<{ config: object }>('"oauth_profile"');
  assert.equal((config as { oauth_profile: string }).oauth_profile, 'fapi2');
  await guide.paste('writeFileSync');
  const client = await guide.pasteForJson<Record<string, string>>('"name":"Acme Bank"');
  assert.deepEqual(guide.left, []);
  assert.equal(client['token_endpoint_auth_method'], 'private_key_jwt');
  assert.equal(client['refresh_token_policy'], 'fixed');

  const issuer = `${keywright.url}/t/${tenant.id}`;
  const port = String(await freePort());
  const env = {
    ...inheritedEnvironment(),
    ISSUER: issuer,
    CLIENT: client['id'] ?? '',
    PORT: port,
  };
  const child = spawn(process.execPath, ['--input-type=module', '-'], { env, cwd: folder });
  t.after(() => child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  child.stdin.end(blocks.find(({ section, language }) => section === 4 && language === 'js')?.text);
  const has = (text: string) => () => Promise.resolve(output.includes(text));
  await until('it shows an address', has('Open '));
  const [, address = ''] = /Open (\S+)/.exec(output) ?? [];
  const parameters = new URL(address).searchParams;
  assert.deepEqual([...parameters.keys()].toSorted(), ['client_id', 'request_uri']);
  const user = await tenant.createUser();
  const browser = new UserBrowser(tenant, issuer, user);
  const { redirectsTo } = await browser.goThrough(Object.fromEntries(parameters));
  assert.equal(redirectsTo?.port, port, output);
  await fetch(redirectsTo);
  await until('it knows its user', has('You are'));
  assert.ok(output.includes(`You are ${user.identifier}.`), output);
});
