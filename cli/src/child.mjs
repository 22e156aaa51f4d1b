// Programs that the command line runs for itself. Also used on an older Node.js: no TypeScript.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';

/** @type {readonly NodeJS.Signals[]} */
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Whoever ends the command line means the program that it runs.
 * @param {import('node:child_process').ChildProcess} child
 */
export function forwardSignals(child) {
  for (const signal of FORWARDED) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to both, and a second one would cut an orderly end short.
      if (signal === 'SIGINT' && process.stdin.isTTY) return;
      child.kill(signal);
    });
  }
}

/**
 * Runs a program on the standard streams of this one.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<number>} its exit code; 128 and the number of the signal that ended it
 */
export async function runAttached(command, args, env = process.env) {
  const child = spawn(command, args, { stdio: 'inherit', env });
  forwardSignals(child);
  await once(child, 'exit');
  if (child.signalCode === null) return child.exitCode ?? 1;
  return 128 + constants.signals[child.signalCode];
}
