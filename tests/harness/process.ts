import { type ChildProcess, spawn } from 'node:child_process';
import { holdOpen } from './hold-open.ts';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { builtService } from './build.ts';
import { type HttpClient, httpClient } from './http.ts';
import { inheritedEnvironment } from './child-environment.ts';
import { entrust, release } from './janitor.ts';
import { until } from './until.ts';

const SOURCES = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url));
const START_DEADLINE_MS = 90_000;
/** The maximum length of a process's output, in characters. */
const MAX_OUTPUT_LENGTH = 32 * 1024 * 1024;
const EXIT_DEADLINE_MS = 20_000;

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The service as a separate process. */
export interface ServerProcess {
  readonly pid: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The URL of the running service, known once it listens. */
  readonly url: string;
  readonly http: HttpClient;
  readonly hasExited: boolean;
  kill9(): Promise<Exit>;
  /** Stops it as an orchestrator does, with notice for load balancers, and waits. */
  sigterm(withinMs?: number): Promise<Exit>;
  /** Stops it as Ctrl-C does, gracefully and without notice, and waits. */
  interrupt(): Promise<Exit>;
  /** Waits until it exits. */
  exit(): Promise<Exit>;
  /** Pauses or resumes reading its standard output. */
  readOutput(isReading: boolean): void;
}

interface ProcessOptions {
  /** The complete environment of the process, except PATH. KEYWRIGHT_PORT defaults to 0. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** The program; default: the build of the test run if there is one, otherwise the sources. */
  readonly program?: string;
  /** Default: none. */
  readonly args?: readonly string[];
  /** The Node.js to use; default: the tests'. */
  readonly node?: string;
  /** Its standard output, and the stream that reads it; default a pipe of this process. */
  readonly output?: { readonly fd: number; readonly reader: Readable };
  /** The account that runs it; default: the account that runs the tests. */
  readonly account?: { readonly uid: number; readonly gid: number } | undefined;
}

/** Starts the service and waits until it responds. @throws with its output if it exits first */
export async function startServerProcess(options: ProcessOptions): Promise<ServerProcess> {
  const server = spawnServerProcess(options);
  await until(
    'the service listens',
    async () => {
      if (server.hasExited) throw new Error(`The service ended:\n${server.stdout}${server.stderr}`);
      return addressIn(server.stdout) !== undefined && (await isAlive(server.http));
    },
    START_DEADLINE_MS,
  );
  return server;
}

/** Starts the service without waiting for it: for starts that are meant to fail. */
export function spawnServerProcess(options: ProcessOptions): ServerProcess {
  const { env, cwd, node = process.execPath, args = [], account, output } = options;
  const program = options.program ?? builtService() ?? SOURCES;
  const child = spawn(node, [program, ...args], {
    ...(cwd === undefined ? {} : { cwd }),
    ...account,
    env: { ...inheritedEnvironment(), KEYWRIGHT_PORT: '0', ...env },
    stdio: ['ignore', output?.fd ?? 'pipe', 'pipe'],
  });
  return new RunningProcess(child, output?.reader);
}

class RunningProcess implements ServerProcess {
  readonly pid: number;
  stdout = '';
  stderr = '';
  readonly #child: ChildProcess;
  readonly #output: Readable | null;
  readonly #exit: Promise<Exit>;
  #http: HttpClient | undefined;

  constructor(child: ChildProcess, output: Readable | null = child.stdout) {
    this.#child = child;
    this.#output = output;
    this.pid = child.pid ?? 0;
    entrust({ kind: 'process', pid: this.pid });
    output?.on('data', (chunk: Buffer) => (this.stdout = withMore(this.stdout, chunk)));
    child.stderr?.on('data', (chunk: Buffer) => (this.stderr = withMore(this.stderr, chunk)));
    // A failing test can leave the process behind, which must not keep the test process alive.
    holdOpen(child, false);
    this.#exit = once(child, 'close').then(() => {
      release({ kind: 'process', pid: this.pid });
      this.#http?.close();
      return { code: child.exitCode, signal: child.signalCode };
    });
  }

  get url(): string {
    const url = addressIn(this.stdout);
    if (url === undefined) throw new Error('The service has not said yet where it listens.');
    return url;
  }

  get http(): HttpClient {
    return (this.#http ??= httpClient(this.url));
  }

  get hasExited(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  kill9(): Promise<Exit> {
    this.#child.kill('SIGKILL');
    return this.exit();
  }

  sigterm(withinMs?: number): Promise<Exit> {
    this.#child.kill('SIGTERM');
    return this.#exitWithin(withinMs);
  }

  interrupt(): Promise<Exit> {
    this.#child.kill('SIGINT');
    return this.exit();
  }

  exit(): Promise<Exit> {
    return this.#exitWithin();
  }

  readOutput(isReading: boolean): void {
    if (isReading) this.#output?.resume();
    else this.#output?.pause();
  }

  async #exitWithin(deadlineMs = EXIT_DEADLINE_MS): Promise<Exit> {
    holdOpen(this.#child, true);
    await until('the service ends', () => this.hasExited, deadlineMs);
    return this.#exit;
  }
}

/** Half an hour of load writes more than a string can hold: later output is dropped. */
function withMore(output: string, chunk: Buffer): string {
  return output.length < MAX_OUTPUT_LENGTH ? output + chunk.toString() : output;
}

async function isAlive(http: HttpClient): Promise<boolean> {
  try {
    return (await http.request('GET', '/livez')).status === 200;
  } catch {
    return false;
  }
}

/** The service prints its address when it listens. */
function addressIn(stdout: string): string | undefined {
  return /http:\/\/[^\s"]+:\d+/.exec(stdout)?.[0];
}
