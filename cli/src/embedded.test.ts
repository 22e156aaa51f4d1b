import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { runCommand, runProgram, startProgram } from '@keywright/tests/harness/command-line';
import { databaseDirectory } from '@keywright/tests/harness/temporary';
import { until } from '@keywright/tests/harness/until';

// One folder, and tests in sequence, as when a user tries out Keywright.
describe('on the embedded database', () => {
  let dataDir: string;
  let env: Readonly<Record<string, string>>;

  before(async () => {
    dataDir = join(await databaseDirectory('cli'), 'data');
    env = { KEYWRIGHT_DATA_DIR: dataDir, KEYWRIGHT_PORT: '0' };
  });

  test('A command that only reads does not create a missing embedded database', async () => {
    const list = await runCommand(['tenant', 'list'], { env });
    assert.equal(list.code, 1);
    assert.match(list.stderr, /^keywright: There is no database in .*data yet/);
    const doctor = await runCommand(['doctor'], { env });
    assert.equal(doctor.code, 3);
    assert.match(doctor.stdout, /^FINDING  database +There is no database/m);
    assert.ok(!existsSync(dataDir));
  });

  test('The serve command runs the service, forwards signals and exits with its code, and other commands exit with 4 while it runs', async () => {
    const { child, outcome } = startProgram(['serve'], { env });
    try {
      let said = '';
      child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
      const url = await until('it listens', () => /"url":"(http:[^"]+)"/.exec(said)?.[1], 60_000);
      assert.equal((await fetch(`${url}/livez`)).status, 200);

      const list = await runProgram(['tenant', 'list', '--json'], { env });
      assert.deepEqual([list.code, list.answer.code], [4, 'IN_USE']);
      const { message } = list.answer as { readonly message: string };
      assert.ok(message.includes(`(${url.replace('127.0.0.1', 'localhost')}/console)`), message);
      assert.match(
        message,
        /^The running service \(process \d+\) uses .*console .*\/console\).*API/,
      );
      assert.doesNotMatch(message, /KEYWRIGHT_DATA_DIR/);
      const doctor = await runCommand(['doctor'], { env });
      assert.equal(doctor.code, 4);
      assert.match(doctor.stdout, /^FINDING  database +The running service \(process \d+\) uses /m);
      assert.match(doctor.stdout, /could not be checked: it is in use\.\n$/);
    } finally {
      child.kill('SIGTERM');
    }
    assert.equal((await outcome).code, 0);
    assert.match((await runCommand(['doctor'], { env })).stdout, /^ok +database/m, 'it has ended');
  });

  test('Other commands work on the embedded database after the service has ended', async () => {
    const create = await runCommand(['tenant', 'create', '--name=Acme'], { env });
    assert.equal(create.code, 0, create.stderr);
    const { code, stdout } = await runCommand(['tenant', 'list'], { env });
    assert.equal(code, 0);
    assert.match(stdout, /^org_acme +active/m);
    assert.equal((await runCommand(['doctor'], { env })).code, 0);
  });

  test('The master key stored next to the embedded data is replaced by one from the environment', async () => {
    const stored = (await readFile(join(dataDir, 'master.key'), 'utf8')).trim();
    const alone = { ...env, KEYWRIGHT_MASTER_KEY: randomBytes(32).toString('base64') };
    const both = { ...alone, KEYWRIGHT_MASTER_KEY_PREVIOUS: stored };
    const { code, stdout, stderr } = await runCommand(['master-key', 'rotate'], { env: both });
    assert.equal(code, 0, stderr);
    assert.match(stdout, /; rewrapped 2 data keys\./);
    assert.equal((await runCommand(['doctor'], { env: alone })).code, 0);
    const old = await runCommand(['tenant', 'create', '--name=Other'], { env });
    assert.equal(old.code, 1);
    assert.match(old.stderr, /KEYWRIGHT_MASTER_KEY is not the master key/);
  });

  test('The embedded data is rejected without its master key, by serve too, and no new key is generated', async () => {
    const file = join(dataDir, 'master.key');
    for (const content of [undefined, '']) {
      await rm(file, { force: true });
      if (content !== undefined) await writeFile(file, content);
      const create = await runCommand(['tenant', 'create', '--name=Lost'], { env });
      const serve = await runProgram(['serve'], { env });
      for (const { code, stderr } of [create, serve]) {
        assert.equal(code, 1);
        assert.match(
          stderr,
          /master\.key (is missing|does not contain a key).* No new key was created\.\n$/,
        );
        assert.equal(stderr.split('\n').length, 2, 'one line');
      }
      assert.equal(existsSync(file), content !== undefined);
    }
  });
});

test('The serve command exits like the other commands if the database does not respond', async () => {
  const { code, stderr } = await runProgram(['serve'], {
    env: {
      KEYWRIGHT_PORT: '0',
      KEYWRIGHT_DATABASE_URL: 'postgres://kw:pw@127.0.0.1:1/kw',
      KEYWRIGHT_MASTER_KEY: randomBytes(32).toString('base64'),
    },
  });
  assert.equal(code, 4);
  assert.match(stderr, /^The database of KEYWRIGHT_DATABASE_URL cannot be reached: [^\n]+\n$/);
});

test('The serve command exits like the service, with the reason, if it cannot start', async () => {
  const { code, stderr } = await runProgram(['serve'], { env: { KEYWRIGHT_PORT: 'eighty' } });
  assert.equal(code, 1);
  assert.match(stderr, /KEYWRIGHT_PORT: expected a port number up to 65535, such as 8080/);
});
