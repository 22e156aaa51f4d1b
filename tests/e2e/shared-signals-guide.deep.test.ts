// The guide to shared signals: its receiver is run unmodified, and its commands in their order.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { inheritedEnvironment } from '../harness/child-environment.ts';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { freePort } from '../harness/postgres.ts';
import { temporaryDirectory } from '../harness/temporary.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { sessionOf } from '../harness/token.ts';
import { until } from '../harness/until.ts';
import { blocksOf } from './guide-page.ts';
import { GuideShell } from './guide-shell.ts';

const SDK = pathToFileURL(join(import.meta.dirname, '../../sdk/src/sdk.ts')).href;
const blocks = blocksOf('shared-signals.md');

let keywright: Keywright;
let tenant: TestTenant;
let receiverPort: number;

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
  receiverPort = await freePort();
});
after(() => keywright.close());

function textOf(language: string, mark: string): string {
  const found = blocks.filter((block) => block.language === language && block.text.includes(mark));
  assert.equal(found.length, 1, `one block of the guide has ${mark}`);
  return found[0]?.text ?? '';
}

test('The commands of the guide register, create and verify a stream, and its receiver is notified of a session', async (t) => {
  const guide = await GuideShell.open('shared-signals.md');
  t.after(() => guide.close());
  const TOKEN = await tenant.adminToken();
  await guide.start({ KEYWRIGHT: keywright.url, TENANT: tenant.id, TOKEN });
  await guide.paste('"name":"Acme Shop"');
  const CLIENT = await guide.valueOf('CLIENT');
  const folder = await temporaryDirectory('receiver');
  const file = join(folder, 'receiver.ts');
  await writeFile(file, textOf('js', 'createServer').replace('@keywright/sdk', SDK));
  const child = spawn(process.execPath, [file], {
    env: {
      ...inheritedEnvironment(),
      ISSUER: `${keywright.url}/t/${tenant.id}`,
      CLIENT,
      PORT: String(receiverPort),
    },
  });
  t.after(() => child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  await until(`it listens: ${output}`, () => output.includes('listening'));
  await guide.paste('auth/token');
  const stream = await guide.pasteForJson('authorization_header', (text) =>
    text.replace('https://shop.example.com', `http://127.0.0.1:${receiverPort}`),
  );
  const shown = JSON.parse(textOf('json', 'stream_id')) as object;
  assert.deepEqual(Object.keys(stream), Object.keys(shown));
  assert.equal(await guide.paste('a1b2c3'), '204\n');
  assert.deepEqual(guide.left, []);
  await until('it is verified', () => output.includes('verified: a1b2c3'));
  const user = await tenant.createUser();
  expectStatus(200, await tenant.request('POST', '/auth/logout', { token: user.token }));
  const line = `refuse ${sessionOf(user.token)} of ${user.user.id}`;
  await until(`it is notified: ${output}`, () => output.includes(line));
});
