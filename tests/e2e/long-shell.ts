import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { entrust, release } from '../harness/janitor.ts';
import { until } from '../harness/until.ts';

const PATIENCE_MS = 120_000;

/** One shell into which blocks are pasted one after the other. A block that fails ends it. */
export class LongShell {
  readonly #bash: ChildProcessWithoutNullStreams;
  readonly #group: { kind: 'process'; pid: number };
  readonly #ended: Promise<unknown>;
  readonly #patienceMs: number;
  #stdout = '';
  #stderr = '';

  /** @param patienceMs how long a block can take */
  constructor(env: Readonly<Record<string, string>>, cwd: string, patienceMs = PATIENCE_MS) {
    this.#patienceMs = patienceMs;
    // Its own process group, so that background processes end with it.
    this.#bash = spawn('bash', ['--noprofile', '--norc', '-s'], { env, cwd, detached: true });
    this.#group = { kind: 'process', pid: -(this.#bash.pid ?? 0) };
    entrust(this.#group);
    this.#ended = once(this.#bash, 'close');
    this.#bash.stdin.on('error', () => {
      // The shell ended before it read all input: the failing block reports the error.
    });
    this.#bash.stdout.on('data', (chunk: Buffer) => (this.#stdout += chunk.toString()));
    this.#bash.stderr.on('data', (chunk: Buffer) => (this.#stderr += chunk.toString()));
    this.#bash.stdin.write('set -eo pipefail\n');
  }

  /** @returns its standard output. @throws with all of its output if it fails */
  async run(block: string): Promise<string> {
    const end = randomUUID();
    const from = this.#stdout.length;
    this.#bash.stdin.write(`${block}\necho "${end}"\n`);
    await until(
      `the block ends:\n${block}`,
      () => this.#stdout.includes(`${end}\n`) || this.#bash.exitCode !== null,
      this.#patienceMs,
    );
    const output = this.#stdout.slice(from);
    if (output.includes(end)) return output.slice(0, output.indexOf(end));
    throw new Error(`This block failed:\n${block}\n${output}\n${this.#stderr}`);
  }

  /** Ends the shell and its background processes. */
  async close(): Promise<void> {
    try {
      process.kill(this.#group.pid, 'SIGKILL');
    } catch {
      // Nothing of it is left.
    }
    await this.#ended;
    release(this.#group);
  }
}
