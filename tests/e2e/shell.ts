import { spawn } from 'node:child_process';
import { once } from 'node:events';

interface Output {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Pastes the text into a new bash, like a user who copies commands. */
export async function paste(
  text: string,
  env: Readonly<Record<string, string>>,
  cwd?: string,
): Promise<Output> {
  const shell = spawn('bash', ['--noprofile', '--norc', '-s'], {
    env: { PATH: process.env['PATH'], ...env },
    ...(cwd === undefined ? {} : { cwd }),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  shell.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  shell.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  shell.stdin.end(`${text}\n`);
  const [code] = (await once(shell, 'close')) as [number | null];
  return { code, stdout, stderr };
}

/** The commands that the first start prints, verbatim. */
export function commandsIn(welcome: string): string[] {
  const [, ...sections] = welcome.split(/^[1-9]\. .+$/m);
  return sections.map((section) =>
    section
      .split(/^Keywright is ready/m, 1)
      .join()
      .trim(),
  );
}
