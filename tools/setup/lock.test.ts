import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, it, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';

const lockModule = fileURLToPath(new URL('./lock.mjs', import.meta.url));

// Takes the lock in its own process, reports that, and releases it when its input ends.
const HOLDER = `
  const { holdLock } = await import(process.argv[1]);
  await holdLock(process.argv[2], () => console.log('waits'));
  console.log('holds');
  process.stdin.resume();
`;

class Holder {
  readonly #process;
  readonly #lines: AsyncIterator<string>;

  constructor(t: TestContext, lockFile: string) {
    this.#process = spawn(
      process.execPath,
      ['--input-type=module', '--eval', HOLDER, lockModule, lockFile],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    );
    this.#lines = createInterface(this.#process.stdout)[Symbol.asyncIterator]();
    t.after(() => this.#process.kill('SIGKILL'));
  }

  async says(): Promise<string> {
    return (await this.#lines.next()).value as string;
  }

  async end(how: 'exit' | 'SIGKILL'): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    if (how === 'exit') this.#process.stdin.end();
    else this.#process.kill(how);
    await ended;
  }
}

function newLockFile(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'keywright-lock-'));
  t.after(() => rmSync(dir, { recursive: true }));
  return join(dir, 'lock');
}

describe('the setup lock', () => {
  for (const how of ['exit', 'SIGKILL'] as const) {
    it(`The setup lock is held by one process until its ${how}, then by the one that waits`, async (t) => {
      const lockFile = newLockFile(t);
      const first = new Holder(t, lockFile);
      assert.equal(await first.says(), 'holds');
      const second = new Holder(t, lockFile);
      assert.equal(await second.says(), 'waits');
      await first.end(how);
      assert.equal(await second.says(), 'holds');
      await second.end('exit');
      assert.equal(existsSync(lockFile), false);
    });
  }

  it('The setup lock is held while any process that it lists runs', async (t) => {
    const lockFile = newLockFile(t);
    writeFileSync(lockFile, `999999999\n${process.pid}\n`);
    const holder = new Holder(t, lockFile);
    assert.equal(await holder.says(), 'waits');
    writeFileSync(lockFile, '999999999\n');
    assert.equal(await holder.says(), 'holds');
  });

  it('The setup lock is free if it lists no process for some seconds', async (t) => {
    const lockFile = newLockFile(t);
    writeFileSync(lockFile, '');
    utimesSync(lockFile, 0, 0);
    const holder = new Holder(t, lockFile);
    assert.equal(await holder.says(), 'waits');
    assert.equal(await holder.says(), 'holds');
  });
});
