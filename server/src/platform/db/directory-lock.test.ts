import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { test, type TestContext } from 'node:test';
import { entrust, release } from '@keywright/tests/harness/janitor';
import { temporaryDirectory } from '@keywright/tests/harness/temporary';
import { DirectoryInUse, lockDirectory } from './directory-lock.ts';

const LOCK_MODULE = new URL('./directory-lock.ts', import.meta.url).href;
/** Locks the folder, reports it, and holds the lock until its input ends. */
const PROGRAM = `
  import { lockDirectory } from '${LOCK_MODULE}';
  lockDirectory(process.argv[1]);
  console.log('locked');
  process.stdin.resume();
`;

/** Another process that holds the folder. */
async function lockElsewhere(
  t: TestContext,
  directory: string,
): Promise<ChildProcess & { pid: number }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM, directory], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const pid = child.pid ?? 0;
  // Kills the process, so that it does not block a failing test.
  t.after(() => child.kill('SIGKILL'));
  entrust({ kind: 'process', pid });
  child.once('exit', () => release({ kind: 'process', pid }));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  assert.equal(line.toString().trim(), 'locked');
  return Object.assign(child, { pid });
}

test('A folder locked by another process is rejected, and the error names the process and a remedy', async (t) => {
  const directory = await temporaryDirectory('lock');
  const other = await lockElsewhere(t, directory);
  assert.throws(
    () => lockDirectory(directory),
    (error) => {
      assert.ok(error instanceof DirectoryInUse);
      assert.match(error.message, new RegExp(`${directory} is in use .*process ${other.pid}`));
      assert.match(error.message, /KEYWRIGHT_DATA_DIR/);
      return true;
    },
  );
  other.stdin?.end();
  await once(other, 'exit');
  lockDirectory(directory).release();
});

test('The lock of a folder is released when the process that holds it is killed', async (t) => {
  const directory = await temporaryDirectory('lock');
  for (let round = 0; round < 2; round += 1) {
    const other = await lockElsewhere(t, directory);
    other.kill('SIGKILL');
    await once(other, 'exit');
  }
  lockDirectory(directory).release();
});

test('A folder can be locked only once within a process too, and is free after its release', async () => {
  const directory = await temporaryDirectory('lock');
  const lock = lockDirectory(directory);
  assert.throws(() => lockDirectory(directory), DirectoryInUse);
  assert.throws(() => lockDirectory(directory), DirectoryInUse, 'a refusal takes nothing away');
  lock.release();
  lockDirectory(directory).release();
});

test('Two folders are locked independently', async () => {
  const locks = [
    lockDirectory(await temporaryDirectory('lock')),
    lockDirectory(await temporaryDirectory('lock')),
  ];
  for (const lock of locks) lock.release();
});
