import { execFile } from 'node:child_process';
import { rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryDirectory } from '../harness/temporary.ts';

const run = promisify(execFile);
const PROGRAM = fileURLToPath(new URL('verify_token.py', import.meta.url));
/** Kept from one run of the tests to the next. */
const CACHED = join(tmpdir(), 'keywright-test-pyjwt');
const DEADLINE_MS = 60_000;

/**
 * A Python that has PyJWT with cryptography: the one named by KEYWRIGHT_TEST_PYTHON, or python3, or one in
 * an environment that is made for it. Nothing where there is no Python.
 * @throws where continuous integration has none
 */
export async function findPython(): Promise<string | undefined> {
  const named = process.env['KEYWRIGHT_TEST_PYTHON'];
  for (const python of [named ?? 'python3', join(CACHED, 'bin', 'python')]) {
    if (await succeeds(python, ['-c', 'import jwt, cryptography'])) return python;
  }
  if (named !== undefined) throw new Error(`${named} has no PyJWT with cryptography.`);
  if (process.env['CI'] !== undefined) {
    throw new Error("There is no Python with PyJWT. Install it: pip install 'PyJWT[crypto]'");
  }
  return (await succeeds('python3', ['--version'])) ? makeEnvironment() : undefined;
}

async function makeEnvironment(): Promise<string> {
  const made = await temporaryDirectory('pyjwt');
  await run('python3', ['-m', 'venv', made], { timeout: DEADLINE_MS });
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', 'PyJWT[crypto]'];
  await run(join(made, 'bin', 'python'), pip, { timeout: DEADLINE_MS });
  // Kept, unless a run of the tests beside this one was first.
  const isKept = await rename(made, CACHED).then(
    () => true,
    () => false,
  );
  return join(isKept ? CACHED : made, 'bin', 'python');
}

async function succeeds(program: string, args: readonly string[]): Promise<boolean> {
  return run(program, args, { timeout: DEADLINE_MS }).then(
    () => true,
    () => false,
  );
}

export interface Question {
  /** Address of the key set. */
  readonly key_set: string;
  readonly issuer: string;
  readonly audience: string;
  readonly tokens: readonly string[];
}

/** For each token its claims, or the name of the error that refuses it. */
export async function askPython(
  python: string,
  question: Question,
): Promise<(Record<string, unknown> | string)[]> {
  const env = { ...process.env, NO_PROXY: '*', no_proxy: '*' };
  const answer = run(python, [PROGRAM], { timeout: DEADLINE_MS, env });
  answer.child.stdin?.end(JSON.stringify(question));
  return JSON.parse((await answer).stdout) as (Record<string, unknown> | string)[];
}
