import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { inheritedEnvironment } from './child-environment.ts';
import { entrust, release } from './janitor.ts';
import { startReceiver } from './receiver.ts';
import { until } from './until.ts';

/** The maximum length of a program's output in an error, in characters. */
const MOST_SHOWN = 4000;

interface ProgramOptions {
  readonly cwd: string;
  /** The environment, in addition to the variables that all children inherit. */
  readonly env?: Readonly<Record<string, string>>;
  /** Returns any status once the program is ready. */
  readonly url: string;
  readonly deadlineMs?: number;
}

/** A third-party server, as a process. */
export interface Program {
  readonly output: string;
  close(): Promise<void>;
}

/** Starts a server and waits until it responds. @throws with its output if it exits first */
export async function startProgram(
  program: string,
  args: readonly string[],
  { cwd, env = {}, url, deadlineMs = 60_000 }: ProgramOptions,
): Promise<Program> {
  // A separate process group, because servers have children.
  const child = spawn(program, args, {
    cwd,
    env: { ...inheritedEnvironment(), ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const running = new RunningProgram(child);
  await until(
    `${program} answers at ${url}`,
    async () => {
      if (child.exitCode !== null) throw new Error(`${program} ended.`);
      return fetch(url, { redirect: 'manual' }).then(
        () => true,
        () => false,
      );
    },
    deadlineMs,
  ).catch(async (error: unknown) => {
    await running.close();
    throw new Error(`${String(error)}\n${running.output.slice(-MOST_SHOWN)}`);
  });
  return running;
}

class RunningProgram implements Program {
  output = '';
  readonly #child: ChildProcess;
  readonly #group: { kind: 'process'; pid: number };

  constructor(child: ChildProcess) {
    this.#child = child;
    this.#group = { kind: 'process', pid: -(child.pid ?? 0) };
    entrust(this.#group);
    const keep = (chunk: Buffer) => void (this.output += chunk.toString());
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
  }

  async close(): Promise<void> {
    const isOver = this.#child.exitCode !== null || this.#child.signalCode !== null;
    const end = isOver ? undefined : once(this.#child, 'close');
    try {
      process.kill(this.#group.pid, 'SIGKILL');
    } catch {
      // Nothing of it is left.
    }
    await end;
    release(this.#group);
  }
}

/** A port that was free a moment ago, for a server whose address must be known before it starts. */
export async function freePort(): Promise<number> {
  const receiver = await startReceiver(() => {});
  await receiver.close();
  return receiver.port;
}
