import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCommand } from '@keywright/tests/harness/command-line';
import { databaseDirectory } from '@keywright/tests/harness/temporary';

test('A tenant moves from one embedded database to another', async () => {
  const folder = await databaseDirectory('moved');
  const [here, there] = ['here', 'there'].map((name) => ({
    KEYWRIGHT_DATA_DIR: join(folder, name),
  }));
  const run = async (args: readonly string[], env?: Readonly<Record<string, string>>) => {
    const input = 'a passphrase for the test';
    const done = await runCommand<{ rows: number }>([...args], { env: env ?? {}, input });
    assert.equal(done.code, 0, done.stdout + done.stderr);
    return done;
  };
  const options = ['--file', join(folder, 'acme.export'), '--passphrase-stdin', '--json'];
  for (const env of [here, there]) await run(['migrate'], env);
  await run(['tenant', 'create', '--name=Acme'], here);
  const exported = await run(['tenant', 'export', '--tenant', 'org_acme', ...options], here);
  const imported = await run(['tenant', 'import', ...options], there);
  assert.equal(imported.answer.result.rows, exported.answer.result.rows);
  assert.match((await run(['tenant', 'list'], there)).stdout, /^org_acme +active/m);
});
