import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { AnyBody } from './http.ts';
import { entrust, release } from './janitor.ts';

const PROGRAM = fileURLToPath(new URL('../../cli/src/keywright.mjs', import.meta.url));

export interface CommandOptions {
  /** The whole environment beside PATH. */
  readonly env?: Readonly<Record<string, string>>;
  /** All of standard input; default nothing. */
  readonly input?: string;
  /** Whether it leads a process group, so that a signal to `-pid` reaches whatever it has started too. */
  readonly leadsGroup?: boolean;
}

export interface CommandOutcome<Result> {
  /** Exit code; null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** What `--json` answered. */
  readonly answer: CommandAnswer<Result>;
}

interface CommandAnswer<Result> {
  readonly ok: boolean;
  readonly code: string;
  readonly message: string;
  readonly result: Result;
}

/** A command that runs. */
export interface RunningCommand<Result> {
  readonly child: ChildProcessWithoutNullStreams;
  readonly outcome: Promise<CommandOutcome<Result>>;
}

/** Starts `keywright` with these arguments. */
export function startCommand<Result = AnyBody>(
  args: readonly string[],
  options: CommandOptions = {},
): RunningCommand<Result> {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { PATH: process.env['PATH'], ...options.env },
    detached: options.leadsGroup === true,
  });
  const pid = child.pid ?? 0;
  entrust({ kind: 'process', pid });
  child.stdin.on('error', () => {
    // A command that refuses its arguments reads nothing.
  });
  child.stdin.end(options.input ?? '');
  return {
    child,
    outcome: outcomeOf<Result>(child).finally(() => release({ kind: 'process', pid })),
  };
}

/** Runs `keywright` with these arguments to its end. */
export function runCommand<Result = AnyBody>(
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandOutcome<Result>> {
  return startCommand<Result>(args, options).outcome;
}

async function outcomeOf<Result>(
  child: ChildProcessWithoutNullStreams,
): Promise<CommandOutcome<Result>> {
  const [stdout, stderr] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return {
    code: child.exitCode,
    stdout,
    stderr,
    get answer() {
      return JSON.parse(stdout) as CommandAnswer<Result>;
    },
  };
}
