import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Packages of this repository, which have to be those of the copy. */
const OWN = '@keywright';
/** How much of the output is kept, in characters. */
const SHOWN = 4000;
/** Beyond this a break is taken to have been noticed: the tests wait for something that never comes. */
const LONGEST_MS = 10 * 60_000;

/** How tests came out. */
export interface Outcome {
  readonly isGreen: boolean;
  /** The end of what they printed. */
  readonly output: string;
}

/** A copy of the tree that may be broken. */
export interface Scratch {
  readonly root: string;
  /** Runs tests in it. */
  run(tests: readonly string[]): Promise<Outcome>;
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
    run: (tests) => run(root, tests),
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }),
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

function run(cwd: string, tests: readonly string[]): Promise<Outcome> {
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  const child = spawn(process.execPath, ['tools/test.ts', ...tests], {
    cwd,
    stdio: ['ignore', 'pipe', 'ignore'],
    // Ends with whatever the tests have started.
    detached: true,
  });
  const end = () => child.pid === undefined || process.kill(-child.pid, 'SIGTERM');
  const timer = setTimeout(end, LONGEST_MS);
  process.once('exit', end);
  child.once('error', reject);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-SHOWN);
  });
  child.once('close', (code) => {
    clearTimeout(timer);
    process.off('exit', end);
    resolve({ isGreen: code === 0, output });
  });
  return promise;
}
