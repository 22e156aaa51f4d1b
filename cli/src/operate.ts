import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { forwardSignals } from './child.mjs';
import type { Answer } from './run.ts';

/** The Node.js flags of the service (ADR 26). */
export const SERVICE_FLAGS = ['--heap-growing-percent=50', '--min-semi-space-size=8'];

/** Returns the path of a server program, which is spawned and never imported. */
export function serverProgram(name: 'start' | 'operate'): string {
  return fileURLToPath(import.meta.resolve(`#server/${name}`));
}

/** Executes a local command in a child process. Secrets are passed through the pipe, not as arguments. */
export async function operate(name: string, parameters: object): Promise<Answer> {
  const child = spawn(process.execPath, [serverProgram('operate'), name], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  forwardSignals(child);
  child.stdin.on('error', () => {
    // The child exited before reading all of its input; its output reports the reason.
  });
  child.stdin.end(JSON.stringify(parameters));
  const [out] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return readAnswer(out) ?? interrupted(child.signalCode);
}

function readAnswer(out: string): Answer | undefined {
  try {
    return JSON.parse(out) as Answer;
  } catch {
    return undefined;
  }
}

function interrupted(signal: NodeJS.Signals | null): Answer {
  const why = signal === null ? 'ended without a result' : `was terminated by ${signal}`;
  return { ok: false, code: 'INTERRUPTED', message: `The command ${why}.` };
}
