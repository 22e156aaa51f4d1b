// Sets up a clone: installs the packages that package-lock.json pins and, if the system's Node.js is too old, links
// the pinned one of tools/runtime as node_modules/.bin/node, which npm scripts find first. With --console, also
// builds the console, and with --build the service as well. It runs on the system's Node.js before anything is
// installed: built-ins only, no TypeScript.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { holdLock } from './setup/lock.mjs';
import { cleanInstall } from './setup/npm.mjs';
import { isBuilt, isConsoleBuilt } from './setup/sources.mjs';
import { isInstalled, stampOf, writeStamp } from './setup/stamps.mjs';

const MINIMUM_NODE_MAJOR = 24;

const isWindows = process.platform === 'win32';
const root = fs.realpathSync(fileURLToPath(new URL('..', import.meta.url)));
const runtimeDir = join(root, 'tools', 'runtime');
const binDir = join(root, 'node_modules', '.bin');
const nodeLink = join(binDir, isWindows ? 'node.exe' : 'node');
// Windows gets a copy of the binary instead of a link; this names what was copied.
const copyStamp = `${nodeLink}.copied-from`;
const nodePackage = `node-${isWindows ? 'win' : process.platform}-${process.arch}`;
const pinnedNode = join(
  runtimeDir,
  'node_modules',
  nodePackage,
  'bin',
  isWindows ? 'node.exe' : 'node',
);

/** @param {string} line */
function say(line) {
  process.stderr.write(`keywright: ${line}\n`);
}

/**
 * @param {string} message
 * @returns {never}
 */
function stop(message) {
  say(message);
  process.exit(1);
}

/** Also true if this process runs on the pinned Node.js, which must then remain. */
function needsPinnedNode() {
  const { execPath, versions } = process;
  const isTooOld = Number(versions.node.split('.')[0]) < MINIMUM_NODE_MAJOR;
  return isTooOld || execPath.startsWith(runtimeDir + sep) || dirname(execPath) === binDir;
}

/** Whether tools/runtime has a Node.js for this platform. */
function isPlatformPinned() {
  const manifest = JSON.parse(fs.readFileSync(join(runtimeDir, 'package.json'), 'utf8'));
  return nodePackage in manifest.optionalDependencies;
}

/** @returns {never} */
function stopForNode() {
  const here = `${process.platform}-${process.arch} with Node.js ${process.versions.node}`;
  stop(`there is no pinned Node.js for ${here}: install Node.js 24 or newer, then retry`);
}

function isLinked() {
  try {
    if (isWindows) return fs.readFileSync(copyStamp, 'utf8') === stampOf(runtimeDir);
    return fs.realpathSync(nodeLink) === fs.realpathSync(pinnedNode);
  } catch {
    return false;
  }
}

function linkPinnedNode() {
  // It can still fail to run, such as with another C library.
  if (spawnSync(pinnedNode, ['--version']).status !== 0) stopForNode();
  fs.mkdirSync(binDir, { recursive: true });
  fs.rmSync(nodeLink, { force: true });
  if (isWindows) {
    fs.copyFileSync(pinnedNode, nodeLink);
    fs.writeFileSync(copyStamp, stampOf(runtimeDir));
  } else {
    fs.symlinkSync(relative(binDir, pinnedNode), nodeLink);
  }
}

/**
 * @param {string} dir
 * @param {string} purpose
 * @param {(pid: number | undefined) => void} onStart
 */
async function install(dir, purpose, onStart) {
  say(`${purpose} (npm ci, up to a minute)`);
  const problem = await cleanInstall(dir, onStart);
  if (problem !== undefined) stop(`${purpose} failed:\n${problem}`);
  writeStamp(dir);
}

const needsBuild = process.argv.includes('--build');
const needsConsole = needsBuild || process.argv.includes('--console');

function isSetUp() {
  if (!isInstalled(root)) return false;
  if (needsBuild && !isBuilt(root)) return false;
  if (needsConsole && !isConsoleBuilt(root)) return false;
  return !needsPinnedNode() || (isInstalled(runtimeDir) && isLinked());
}

async function setUp() {
  if (needsPinnedNode() && !isPlatformPinned()) stopForNode();
  const { addOwner } = await holdLock(join(runtimeDir, '.setup-lock'), () =>
    say('waiting for a setup that another command started'),
  );
  if (needsPinnedNode() && !isInstalled(runtimeDir)) {
    await install(runtimeDir, 'installing the pinned Node.js', addOwner);
  }
  if (!isInstalled(root)) await install(root, 'installing packages', addOwner);
  if (needsPinnedNode() && !isLinked()) linkPinnedNode();
  const names = [
    ...(needsBuild && !isBuilt(root) ? ['service'] : []),
    ...(needsConsole && !isConsoleBuilt(root) ? ['console'] : []),
  ];
  if (names.length > 0) await build(names, addOwner);
}

/**
 * @param {readonly string[]} names of builds.mjs
 * @param {(pid: number | undefined) => void} onStart
 */
async function build(names, onStart) {
  const node = needsPinnedNode() ? pinnedNode : process.execPath;
  const building = spawn(node, [join(root, 'tools', 'setup', 'builds.mjs'), ...names], {
    stdio: 'inherit',
  });
  onStart(building.pid);
  const [code] = await once(building, 'close');
  if (code !== 0) process.exit(1);
}

if (!isSetUp()) await setUp();
