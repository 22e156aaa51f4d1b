import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Socket } from 'node:net';

/**
 * Cleans up after this process however it ends, SIGKILL included: a detached process holds the list of children and
 * directories, and removes them when the pipe from here closes.
 */
export type Belonging =
  | { kind: 'process' | 'postgres'; pid: number }
  | { kind: 'dir'; path: string };

const PROGRAM = fileURLToPath(new URL('janitor-process.ts', import.meta.url));

let pipe: ChildProcess['stdin'] | undefined;

function janitor(): NonNullable<ChildProcess['stdin']> {
  if (pipe) return pipe;
  const child = spawn(process.execPath, [PROGRAM], {
    // A separate session, so that a Ctrl-C in the terminal does not end it.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { ...process.env, NODE_OPTIONS: '', NODE_TEST_CONTEXT: undefined },
  });
  child.unref();
  (child.stdin as Socket).unref();
  child.stdin.on('error', () => {});
  pipe = child.stdin;
  return pipe;
}

/** Registers a child or directory for cleanup when this process ends. */
export function entrust(belonging: Belonging): void {
  janitor().write(`${JSON.stringify({ ...belonging, done: false })}\n`);
}

/** Unregisters a child or directory that was cleaned up here. */
export function release(belonging: Belonging): void {
  janitor().write(`${JSON.stringify({ ...belonging, done: true })}\n`);
}
