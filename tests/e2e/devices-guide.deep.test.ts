// The guide to devices: its tool is run unmodified, and its commands in their order. The section about psql of the guide
// to other software uses the same grant.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, before, test } from 'node:test';
import { inheritedEnvironment } from '../harness/child-environment.ts';
import { DEVICE_GRANT } from '@keywright/contract/records/client-grants';
import { requestDeviceCode, DeviceBrowser } from '../harness/device.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { freePort } from '../harness/postgres.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { postToken } from '../harness/token-endpoint.ts';
import { until } from '../harness/until.ts';
import { blocksOf } from './guide-page.ts';
import { GuideShell } from './guide-shell.ts';

const blocks = blocksOf('devices.md');

let keywright: Keywright;
let tenant: TestTenant;
let user: TestUser;
let issuer: string;
let guide: GuideShell;
let software: GuideShell;

before(async () => {
  const port = await freePort();
  keywright = await startKeywright({
    env: { KEYWRIGHT_PORT: String(port), KEYWRIGHT_BASE_URL: `http://127.0.0.1:${port}` },
  });
  tenant = await keywright.tenant('acme');
  user = await tenant.createUser();
  issuer = `${keywright.url}/t/${tenant.id}`;
  guide = await GuideShell.open('devices.md');
  software = await GuideShell.open('login-for-other-software.md');
  const TOKEN = await tenant.adminToken();
  for (const page of [guide, software]) {
    await page.start({ KEYWRIGHT: keywright.url, TENANT: tenant.id, TOKEN });
  }
});
after(async () => {
  await guide.close();
  await software.close();
  await keywright.close();
});

function textOf(language: string, mark: string): string {
  const found = blocks.filter((block) => block.language === language && block.text.includes(mark));
  assert.equal(found.length, 1, `one block of the guide has ${mark}`);
  return found[0]?.text ?? '';
}

const allow = (userCode: string) =>
  new DeviceBrowser(tenant, issuer, user).decide(userCode, 'allow');

test('The commands of the devices guide register a client, start a login, wait and get tokens, as it shows them', async () => {
  await guide.paste('"name":"Acme CLI"');
  const authorization = await guide.pasteForJson<Record<string, string>>(
    'oauth/device_authorization',
  );
  const shown = JSON.parse(textOf('json', 'verification_uri')) as object;
  assert.deepEqual(Object.keys(authorization), Object.keys(shown));
  const poll = () => guide.pasteForJson('auth/token');
  assert.equal((await poll())['error'], 'authorization_pending');
  assert.equal((await poll())['error'], 'slow_down');
  assert.equal((await allow(authorization['user_code'] ?? '')).title, 'Device connected');
  const tokens = await poll();
  assert.ok(tokens['access_token'] && tokens['refresh_token'] && tokens['id_token']);
});

test('The tool of the devices guide logs its user in', async (t) => {
  await guide.paste('"name":"Acme CLI"');
  const CLIENT = await guide.valueOf('CLIENT');
  const child = spawn(process.execPath, ['--input-type=module', '-'], {
    env: { ...inheritedEnvironment(), ISSUER: issuer, CLIENT },
  });
  t.after(() => child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  child.stdin.end(textOf('js', 'device_authorization_endpoint'));
  await until('it shows a code', () => Promise.resolve(/type [A-Z]{4}-[A-Z]{4}\./.test(output)));
  const [, code = ''] = /type (\S+)\./.exec(output) ?? [];
  assert.ok(output.includes(`Open ${issuer}/oauth/device and type`), output);
  assert.equal((await allow(code)).title, 'Device connected');
  await until('it is logged in', () => Promise.resolve(output.includes(user.identifier)));
  assert.ok(output.includes(`You are ${user.identifier}.`), output);
});

test('The psql client of the guide to other software logs in, and an agent without scopes learns whose token it has', async () => {
  await software.paste('"name":"psql"');
  const clientId = await software.valueOf('PSQL_CLIENT');
  // libpq sends only these parameters.
  const { body: authorization } = await requestDeviceCode(tenant, {
    scope: 'openid email',
    client_id: clientId,
  });
  assert.equal((await allow(authorization.user_code)).title, 'Device connected');
  const { body: tokens } = await postToken(tenant, {
    device_code: authorization.device_code,
    grant_type: DEVICE_GRANT,
    client_id: clientId,
  });
  assert.equal(tokens.token_type, 'Bearer');
  const validator = await tenant.createAgent({ scopes: [] });
  const { body: status } = await tenant.request('POST', '/auth/verify-token', {
    token: validator.key,
    body: { token: tokens.access_token },
  });
  const { active, client_id, iss } = status as Record<string, unknown>;
  assert.deepEqual({ active, client_id, iss }, { active: true, client_id: clientId, iss: issuer });
  const { body: claims } = await tenant.request('GET', `/t/${tenant.id}/oauth/userinfo`, {
    token: tokens.access_token,
  });
  const { email, email_verified } = claims as Record<string, unknown>;
  // The address is unverified, so the page says to reject it.
  assert.deepEqual({ email, email_verified }, { email: user.identifier, email_verified: false });
});
