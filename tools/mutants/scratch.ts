import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Packages of this repository, which have to be those of the copy. */
const OWN = '@keywright';
/** Beyond this a break is taken to have been noticed: the tests wait for something that never comes. */
const LONGEST_MS = 10 * 60_000;

/** A copy of the tree that may be broken. */
export interface Scratch {
  readonly root: string;
  /** Runs tests in it. @returns whether all were green */
  passes(tests: readonly string[]): Promise<boolean>;
  remove(): void;
}

/** Copies what git knows of, as it is in the working tree, and borrows what is installed. */
export function copyTree(from: string): Scratch {
  const root = mkdtempSync(join(tmpdir(), 'keywright-mutants-'));
  const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', listed, { cwd: from, encoding: 'utf8' }).split('\0');
  for (const file of files.filter((name) => name !== '')) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    cpSync(join(from, file), join(root, file));
  }
  borrow(join(from, 'node_modules'), join(root, 'node_modules'));
  return {
    root,
    passes: (tests) => run(root, tests),
    remove: () => rmSync(root, { recursive: true }),
  };
}

function borrow(installed: string, into: string): void {
  mkdirSync(into);
  for (const name of readdirSync(installed)) {
    if (name === OWN)
      cpSync(join(installed, name), join(into, name), { recursive: true, verbatimSymlinks: true });
    else symlinkSync(join(installed, name), join(into, name));
  }
}

function run(cwd: string, tests: readonly string[]): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const child = spawn(process.execPath, ['tools/test.ts', ...tests], {
    cwd,
    stdio: 'ignore',
    // Ends with whatever the tests have started.
    detached: true,
  });
  const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), LONGEST_MS);
  child.once('error', reject);
  child.once('exit', (code) => {
    clearTimeout(timer);
    resolve(code === 0);
  });
  return promise;
}
