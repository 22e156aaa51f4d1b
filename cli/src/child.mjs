// Child processes of the command line. Plain JavaScript, because older Node.js versions also run this file.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';

/** @type {readonly NodeJS.Signals[]} */
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Passes signals that the command line receives on to the child process.
 * @param {import('node:child_process').ChildProcess} child
 */
export function forwardSignals(child) {
  for (const signal of FORWARDED) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to both processes; a second SIGINT would abort the graceful shutdown.
      if (signal === 'SIGINT' && process.stdin.isTTY) return;
      child.kill(signal);
    });
  }
}

/**
 * Runs a program that inherits the standard streams.
 * @param {string} command
 * @param {readonly string[]} args
 * @returns {Promise<number>} its exit code; 128 plus the signal number if it was terminated
 */
export async function runAttached(command, args) {
  const child = spawn(command, args, { stdio: 'inherit' });
  forwardSignals(child);
  await once(child, 'exit');
  if (child.signalCode === null) return child.exitCode ?? 1;
  return 128 + constants.signals[child.signalCode];
}
