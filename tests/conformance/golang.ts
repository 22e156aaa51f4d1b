import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryDirectory } from '../harness/temporary.ts';
import type { Question } from './python.ts';

const run = promisify(execFile);
const SOURCES = fileURLToPath(new URL('go', import.meta.url));
const DEADLINE_MS = 120_000;

/**
 * The program that verifies with go-jose, built for this machine.
 *
 * @returns its path, or in words what it lacks
 */
export async function buildGoVerifier(): Promise<{ program: string } | { missing: string }> {
  const program = join(await temporaryDirectory('go'), 'verify-token');
  // What is there has to do: no other compiler is fetched.
  const env = { ...process.env, GOTOOLCHAIN: 'local', GOFLAGS: '-mod=readonly -buildvcs=false' };
  try {
    await run('go', ['build', '-o', program, '.'], { cwd: SOURCES, env, timeout: DEADLINE_MS });
    return { program };
  } catch (error) {
    const { code, stderr = '' } = error as NodeJS.ErrnoException & { readonly stderr?: string };
    return { missing: code === 'ENOENT' ? 'There is no Go here.' : `Go builds nothing: ${stderr}` };
  }
}

/** For each token its claims, or what go-jose says against it. */
export async function askGo(
  program: string,
  question: Question,
): Promise<(Record<string, unknown> | string)[]> {
  const env = { ...process.env, NO_PROXY: '*', no_proxy: '*' };
  const answer = run(program, [], { timeout: DEADLINE_MS, env });
  answer.child.stdin?.end(JSON.stringify(question));
  return JSON.parse((await answer).stdout) as (Record<string, unknown> | string)[];
}
