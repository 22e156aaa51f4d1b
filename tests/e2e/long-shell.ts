import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { entrust, release } from '../harness/janitor.ts';
import { until } from '../harness/until.ts';

const PATIENCE_MS = 120_000;

/** One shell that somebody pastes one block after the other into. A block that fails ends it. */
export class LongShell {
  readonly #bash: ChildProcessWithoutNullStreams;
  readonly #group: { kind: 'process'; pid: number };
  readonly #ended: Promise<unknown>;
  #stdout = '';
  #stderr = '';

  constructor(env: Readonly<Record<string, string>>, cwd: string) {
    // A group of its own, so that what is started in the background ends with it.
    this.#bash = spawn('bash', ['--noprofile', '--norc', '-s'], { env, cwd, detached: true });
    this.#group = { kind: 'process', pid: -(this.#bash.pid ?? 0) };
    entrust(this.#group);
    this.#ended = once(this.#bash, 'close');
    this.#bash.stdin.on('error', () => {
      // It ended before it had read everything: the block that it ended at says so.
    });
    this.#bash.stdout.on('data', (chunk: Buffer) => (this.#stdout += chunk.toString()));
    this.#bash.stderr.on('data', (chunk: Buffer) => (this.#stderr += chunk.toString()));
    this.#bash.stdin.write('set -eo pipefail\n');
  }

  /** @returns what it wrote to standard output. @throws with all that it wrote when it fails */
  async run(block: string): Promise<string> {
    const end = randomUUID();
    const from = this.#stdout.length;
    this.#bash.stdin.write(`${block}\necho "${end}"\n`);
    await until(
      `the block ends:\n${block}`,
      () => this.#stdout.includes(`${end}\n`) || this.#bash.exitCode !== null,
      PATIENCE_MS,
    );
    const output = this.#stdout.slice(from);
    if (output.includes(end)) return output.slice(0, output.indexOf(end));
    throw new Error(`This block failed:\n${block}\n${output}\n${this.#stderr}`);
  }

  /** Ends the shell and whatever it has started. */
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
