import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { answerTo } from '@keywright/server/operate';
import { run } from '../../cli/src/run.ts';
import type { JsonBody } from './http.ts';
import { inheritedEnvironment } from './child-environment.ts';
import { entrust, release } from './janitor.ts';

const PROGRAM = fileURLToPath(new URL('../../cli/src/keywright.mjs', import.meta.url));

export interface CommandOptions {
  /** The complete environment, except for PATH in a process. */
  readonly env?: Readonly<Record<string, string>>;
  /** The complete standard input; default: empty. */
  readonly input?: string;
}

export interface ProgramOptions extends CommandOptions {
  /** Whether the process leads a process group, so that a signal to `-pid` also reaches its children. */
  readonly leadsGroup?: boolean;
}

export interface CommandOutcome<Result> {
  /** The exit code; null if a signal ended the process. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The output of `--json`. */
  readonly answer: CommandAnswer<Result>;
}

interface CommandAnswer<Result> {
  readonly ok: boolean;
  readonly code: string;
  readonly message: string;
  readonly result: Result;
}

/** Runs `keywright` with these arguments in this process: a new process costs about a second. */
export async function runCommand<Result = JsonBody>(
  args: readonly string[],
  { env = {}, input = '' }: CommandOptions = {},
): Promise<CommandOutcome<Result>> {
  let stdout = '';
  let stderr = '';
  const code = await run(args, {
    operate: async (name, params) => {
      const log = { write: (line: string) => void (stderr += line) };
      const answer = await answerTo(name, JSON.stringify(params), { environment: env, log });
      return JSON.parse(JSON.stringify(answer)) as typeof answer;
    },
    serve: () => Promise.reject(new Error('The service runs in a process: use startProgram.')),
    environment: env,
    input: Readable.from([input]),
    print: (line) => void (stdout += `${line}\n`),
    printError: (line) => void (stderr += `${line}\n`),
  });
  return outcome(code, stdout, stderr);
}

/** A command that runs in a separate process. */
export interface RunningProgram<Result> {
  readonly child: ChildProcessWithoutNullStreams;
  readonly outcome: Promise<CommandOutcome<Result>>;
}

/** Starts the program `keywright` with these arguments. */
export function startProgram<Result = JsonBody>(
  args: readonly string[],
  options: ProgramOptions = {},
): RunningProgram<Result> {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { ...inheritedEnvironment(), ...options.env },
    detached: options.leadsGroup === true,
  });
  const pid = child.pid ?? 0;
  entrust({ kind: 'process', pid });
  child.stdin.on('error', () => {
    // A command that rejects its arguments reads nothing.
  });
  child.stdin.end(options.input ?? '');
  return {
    child,
    outcome: outcomeOf<Result>(child).finally(() => release({ kind: 'process', pid })),
  };
}

/** Runs the program `keywright` with these arguments to its end. */
export function runProgram<Result = JsonBody>(
  args: readonly string[],
  options: ProgramOptions = {},
): Promise<CommandOutcome<Result>> {
  return startProgram<Result>(args, options).outcome;
}

async function outcomeOf<Result>(
  child: ChildProcessWithoutNullStreams,
): Promise<CommandOutcome<Result>> {
  const [stdout, stderr] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return outcome(child.exitCode, stdout, stderr);
}

function outcome<Result>(
  code: number | null,
  stdout: string,
  stderr: string,
): CommandOutcome<Result> {
  return {
    code,
    stdout,
    stderr,
    get answer() {
      return JSON.parse(stdout) as CommandAnswer<Result>;
    },
  };
}
