import { spawn } from 'node:child_process';
import { basename } from 'node:path';

const FLAGS = [
  'ci',
  // No package here needs an install script, and npm versions differ in which they allow.
  '--ignore-scripts',
  '--include=dev',
  '--include=optional',
  '--loglevel=error',
  '--no-audit',
  '--no-fund',
];

/**
 * Runs `npm ci` in `dir`. Returns npm's output if it fails, otherwise undefined.
 * @param {string} dir
 * @param {(pid: number | undefined) => void} onStart
 * @returns {Promise<string | undefined>}
 */
export function cleanInstall(dir, onStart) {
  const [command, ...before] = npmCommand();
  const npm = spawn(command, [...before, ...FLAGS], {
    cwd: dir,
    env: environmentForNpm(),
    shell: process.platform === 'win32' && before.length === 0,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (npm.pid !== undefined) onStart(npm.pid);
  let output = '';
  for (const stream of [npm.stdout, npm.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => (output += text));
  }
  return new Promise((resolve) => {
    npm.on('error', (error) => resolve(error.message));
    npm.on('close', (code, signal) => {
      resolve(code === 0 ? undefined : `${output}npm ci ended with ${code ?? signal}`);
    });
  });
}

/** @returns {[string, ...string[]]} */
function npmCommand() {
  const npm = process.env.npm_execpath;
  if (!npm || !basename(npm).startsWith('npm')) return ['npm'];
  return [process.env.npm_node_execpath ?? process.execPath, npm];
}

/** The environment without the calling npm script's own folder, package and install flags. */
function environmentForNpm() {
  const ofCaller =
    /^npm_(lifecycle|package|command|config_(local_prefix|workspaces?|include|omit)$)/i;
  const remaining = Object.entries(process.env).filter(([name]) => !ofCaller.test(name));
  return Object.fromEntries(remaining);
}
