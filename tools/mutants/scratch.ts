import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Packages of this repository, which have to be those of the copy. */
const OWN = '@keywright';
/** How much of the output is kept, in characters. */
const SHOWN = 100_000;
/** Beyond this a break is taken to have been noticed: the tests wait for something that never comes. */
const LONGEST_MS = 2 * 60_000;
/** The same of one test. */
const LONGEST_TEST_MS = 45_000;

/** How the reporter lists failures at the end. */
const FAILED = /failing tests:\s+test at \S+\s+✖ (.+?) \([\d.]+ms\)/;

/** How tests came out. */
interface Outcome {
  readonly isGreen: boolean;
  /** The title of the first test that failed; nothing where none did, or none could run. */
  readonly failed: string | undefined;
  /** The end of what they printed. */
  readonly output: string;
}

/** A copy of the tree that may be broken. */
export interface Scratch {
  readonly root: string;
  /** Runs tests in it: as long as they take, or until a break must have been noticed. */
  run(tests: readonly string[], isBroken?: boolean): Promise<Outcome>;
  remove(): void;
}

/** @param databaseUrl of the server that the tests use */
export function copyTree(from: string, databaseUrl: string): Scratch {
  const root = mkdtempSync(join(tmpdir(), 'keywright-mutants-'));
  copyInto(root, from);
  return {
    root,
    run: (tests, isBroken = false) => run(root, databaseUrl, tests, isBroken),
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Copies what git knows of, as it is in the working tree, and borrows what is installed. */
export function copyInto(root: string, from: string): void {
  const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', listed, { cwd: from, encoding: 'utf8' }).split('\0');
  for (const file of files.filter((name) => name !== '')) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    cpSync(join(from, file), join(root, file));
  }
  borrow(join(from, 'node_modules'), join(root, 'node_modules'));
}

function borrow(installed: string, into: string): void {
  mkdirSync(into);
  for (const name of readdirSync(installed)) {
    if (name === OWN)
      cpSync(join(installed, name), join(into, name), { recursive: true, verbatimSymlinks: true });
    else symlinkSync(join(installed, name), join(into, name));
  }
}

function run(
  cwd: string,
  databaseUrl: string,
  tests: readonly string[],
  isBroken: boolean,
): Promise<Outcome> {
  const limit = isBroken ? [`--test-timeout=${LONGEST_TEST_MS}`] : [];
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  const child = spawn(process.execPath, ['tools/test.ts', ...limit, ...tests], {
    cwd,
    env: { ...process.env, KEYWRIGHT_TEST_DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'ignore'],
    // Ends with whatever the tests have started.
    detached: true,
  });
  const end = () => child.pid === undefined || process.kill(-child.pid, 'SIGTERM');
  let isEndless = false;
  const giveUp = () => {
    isEndless = true;
    end();
  };
  const timer = isBroken ? setTimeout(giveUp, LONGEST_MS) : undefined;
  process.once('exit', end);
  child.once('error', reject);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-SHOWN);
  });
  child.once('close', (code) => {
    clearTimeout(timer);
    process.off('exit', end);
    const [, failed = isEndless ? 'it does not end' : undefined] = FAILED.exec(output) ?? [];
    resolve({ isGreen: code === 0, failed, output });
  });
  return promise;
}
