import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** This repository's packages, which must be the copy's own. */
const SCOPE = '@keywright';
const MAX_OUTPUT_CHARACTERS = 100_000;
/** A break that makes the tests hang counts as detected after this time. */
const MAX_RUN_MS = 2 * 60_000;
const MAX_TEST_MS = 45_000;

/** How the reporter lists failures at the end. */
const FAILED = /repeats it:\s+(.+)/;

interface Outcome {
  readonly isGreen: boolean;
  /** The title of the first failed test; undefined if none failed, or none could run. */
  readonly failed: string | undefined;
  /** The end of the output. */
  readonly output: string;
}

/** A copy of the tree whose code can be broken. */
export interface Scratch {
  readonly root: string;
  /** @param isBroken limits the time */
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

/** Copies tracked and untracked files of the working tree, and links installed packages. */
export function copyInto(root: string, from: string): void {
  const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', listed, { cwd: from, encoding: 'utf8' }).split('\0');
  for (const file of files.filter((name) => name !== '')) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    cpSync(join(from, file), join(root, file));
  }
  linkPackages(join(from, 'node_modules'), join(root, 'node_modules'));
}

/** Links the installed packages, except this repository's own, which the copy provides itself. */
export function linkPackages(installed: string, into: string): void {
  mkdirSync(into);
  for (const name of readdirSync(installed)) {
    if (name === SCOPE)
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
  const limit = isBroken ? [`--test-timeout=${MAX_TEST_MS}`] : [];
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  const child = spawn(process.execPath, ['tools/test.ts', ...limit, ...tests], {
    cwd,
    env: { ...process.env, KEYWRIGHT_TEST_DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'ignore'],
    // Its own process group, to end everything that the tests start.
    detached: true,
  });
  const end = () => child.pid === undefined || process.kill(-child.pid, 'SIGTERM');
  let isHanging = false;
  const giveUp = () => {
    isHanging = true;
    end();
  };
  const timer = isBroken ? setTimeout(giveUp, MAX_RUN_MS) : undefined;
  process.once('exit', end);
  child.once('error', reject);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-MAX_OUTPUT_CHARACTERS);
  });
  child.once('close', (code) => {
    clearTimeout(timer);
    process.off('exit', end);
    const [, failed = isHanging ? 'timed out' : undefined] = FAILED.exec(output) ?? [];
    resolve({ isGreen: code === 0, failed, output });
  });
  return promise;
}
