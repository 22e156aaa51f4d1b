// The guide to moving from another product: its commands, with an export of each.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import type { UserImport } from '@keywright/contract/records/user-import';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { EXPORTS, HASH_CONFIG } from '../harness/product-exports.ts';
import { temporaryDirectory } from '../harness/temporary.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { runCommand } from '../harness/command-line.ts';
import { blocksOf } from './guide-page.ts';
import { paste } from './shell.ts';

const blocks = blocksOf('migrate.md');
const COMMAND = 'npx keywright ';

let keywright: Keywright;
let tenant: TestTenant;
let folder: string;

before(async () => {
  keywright = await startKeywright({ passwords: 'real' });
  tenant = keywright.home;
  folder = await temporaryDirectory('migration');
  await writeFile(join(folder, 'hash-config.txt'), HASH_CONFIG);
});
after(() => keywright.close());

function shellWith(text: string): string {
  const found = blocks.filter((block) => block.language === 'sh' && block.text.includes(text));
  assert.equal(found.length, 1, `one block of the guide has ${text}`);
  return found[0]?.text ?? '';
}

/** Runs the command of the only block with this text, in the folder of the exports. */
async function follow(text: string): Promise<{ created: number; failed: number }> {
  const line = shellWith(text).trim();
  assert.ok(line.startsWith(COMMAND), line);
  const args = line
    .slice(COMMAND.length)
    .split(' ')
    .map((arg) => (/\.(txt|json|ndjson)$/.test(arg) ? join(folder, arg) : arg));
  const env = {
    KEYWRIGHT_URL: `${keywright.url}/t/${tenant.id}`,
    KEYWRIGHT_TOKEN: await tenant.adminToken(),
  };
  const { code, stdout, stderr, answer } = await runCommand<{ created: number; failed: number }>(
    [...args, '--json'],
    { env },
  );
  assert.equal(code, 0, stdout + stderr);
  return answer.result;
}

async function pasteAt(command: string, values: Readonly<Record<string, string>>) {
  const env = { KEYWRIGHT: keywright.nodes[0]?.url ?? '', ...values };
  const { code, stdout, stderr } = await paste(`set -eu\n${command}`, env);
  assert.equal(code, 0, stdout + stderr);
  return JSON.parse(stdout) as unknown;
}

async function hashOf(identifier: string): Promise<string> {
  const [row] = await keywright.database.query<{ secret_hash: string }>(
    `SELECT c.secret_hash FROM user_credentials c
       JOIN user_identifiers i ON i.tenant_id = c.tenant_id AND i.user_id = c.user_id
      WHERE i.identifier = $1`,
    [identifier],
  );
  return row?.secret_hash ?? '';
}

for (const product of ['auth0', 'keycloak', 'firebase']) {
  test(`The commands of the migration guide import an export of ${product}, whose users log in and then have Argon2id hashes`, async () => {
    const people = [
      { identifier: newIdentifier(), password: newPassword() },
      { identifier: newIdentifier(), password: newPassword() },
    ];
    const { name, text } = (await EXPORTS[product]?.(people)) ?? { name: '', text: '' };
    await writeFile(join(folder, name), text);
    if (product === 'auth0') assert.equal((await follow('--dry-run')).created, 2);
    const { created, failed } = await follow(
      product === 'auth0' ? 'auth0 --report' : `--from ${product}`,
    );
    assert.deepEqual([created, failed], [2, 0]);
    for (const { identifier, password } of people) {
      assert.doesNotMatch(await hashOf(identifier), /m=19456/);
      const login = shellWith('"secret":"engines of analysis"')
        .replace('ada@example.com', identifier)
        .replace('engines of analysis', password);
      const { user } = (await pasteAt(login, {})) as TokenAnswer;
      assert.equal(user.identifiers[0]?.identifier, identifier);
      assert.match(await hashOf(identifier), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    }
  });
}

test('The request of the migration guide imports users by the API', async () => {
  const TOKEN = await tenant.adminToken();
  const answer = (await pasteAt(shellWith('/users/import'), { TOKEN })) as UserImport;
  assert.deepEqual([answer.created, answer.failed], [2, 0]);
});
