import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { entrust, release } from '@keywright/tests/harness/janitor';
import type { TestDatabase } from '@keywright/tests/harness/database';
import { cleanInstall } from '../../tools/setup/npm.mjs';
import { isInstalled, writeStamp } from '../../tools/setup/stamps.mjs';
import type { PeerFilling, PeerName } from '../measure/party.ts';
import type { BenchDatabase } from './database.ts';
import { freePort } from './service.ts';

const FOLDER = fileURLToPath(new URL('../peers/', import.meta.url));
/** Includes seeding it, and downloading Keycloak. */
const START_DEADLINE_MS = 600_000;

/** A running server of another product, on the same database server. */
interface Peer {
  readonly name: PeerName;
  readonly pid: number;
  readonly port: number;
  readonly filling: PeerFilling;
}

interface PeersOptions {
  /** In addition to the few hundred users that log in. */
  readonly extraUsers?: number;
  readonly say: (what: string) => void;
}

interface RunningPeer extends Peer {
  stop(): Promise<void>;
}

/** The peers. Each is installed and started when first needed. */
export class Peers {
  readonly #database: Pick<BenchDatabase, 'createBeside'>;
  readonly #names: readonly PeerName[];
  readonly #options: PeersOptions;
  readonly #running = new Map<PeerName, RunningPeer>();

  /** @param names the selected peers */
  constructor(
    database: Pick<BenchDatabase, 'createBeside'>,
    names: readonly PeerName[],
    options: PeersOptions,
  ) {
    this.#database = database;
    this.#names = names;
    this.#options = options;
  }

  /** Undefined if it is not selected, or if there is no server for its database. */
  async find(name: PeerName): Promise<Peer | undefined> {
    const found = this.#running.get(name);
    if (found || !this.#names.includes(name)) return found;
    const database = await this.#database.createBeside();
    if (!database) return undefined;
    const { extraUsers = 0, say } = this.#options;
    await installPeers(say);
    say(`setting up ${name}`);
    const peer = await start(name, database, extraUsers);
    this.#running.set(name, peer);
    return peer;
  }

  async close(): Promise<void> {
    for (const peer of this.#running.values()) await peer.stop();
  }
}

/** Installs missing peers. They are outside the workspaces, so that users of the service never install them. */
export async function installPeers(say: (what: string) => void): Promise<void> {
  if (isInstalled(FOLDER)) return;
  say('installing the peers');
  const problem = await cleanInstall(FOLDER, () => {});
  if (problem !== undefined) throw new Error(`The peers could not be installed:\n${problem}`);
  writeStamp(FOLDER);
}

async function start(
  name: PeerName,
  database: TestDatabase,
  extraUsers: number,
): Promise<RunningPeer> {
  const port = await freePort();
  const { child, pid } = spawnPeer(name, database, {
    PORT: String(port),
    EXTRA_USERS: String(extraUsers),
  });
  let serverPid = pid;
  const stop = async () => {
    await end(child, serverPid);
    await database.drop();
  };
  try {
    const filling = await filled(name, child);
    serverPid = takeOver(pid, filling);
    return { name, pid: serverPid, port, filling, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts an empty peer. @returns its process, and the time until it listened */
export async function startEmpty(name: PeerName, database: TestDatabase) {
  const port = await freePort();
  const startedAt = performance.now();
  const { child, pid } = spawnPeer(name, database, { PORT: String(port), EMPTY: 'yes' });
  const filling = await filled(name, child);
  const milliseconds = performance.now() - startedAt;
  const serverPid = takeOver(pid, filling);
  return { pid: serverPid, milliseconds, stop: () => end(child, serverPid) };
}

function spawnPeer(
  name: PeerName,
  database: TestDatabase,
  env: Readonly<Record<string, string>>,
): { readonly child: ChildProcess; readonly pid: number } {
  const child = fork(join(FOLDER, `${name}.mjs`), {
    cwd: FOLDER,
    execArgv: [],
    serialization: 'advanced',
    env: {
      PATH: process.env['PATH'],
      // Both document this setting for production: it disables development checks.
      NODE_ENV: 'production',
      DATABASE_URL: database.url,
      ...env,
    },
  });
  const pid = child.pid ?? 0;
  entrust({ kind: 'process', pid });
  return { child, pid };
}

async function filled(name: PeerName, child: ChildProcess): Promise<PeerFilling> {
  const signal = AbortSignal.timeout(START_DEADLINE_MS);
  const ended = once(child, 'exit', { signal }).then(() => {
    throw new Error(`${name} ended instead of starting.`);
  });
  const [filling] = (await Promise.race([once(child, 'message', { signal }), ended])) as [
    PeerFilling,
  ];
  ended.catch(() => {});
  return filling;
}

/** @returns the PID of the server, which can be a child of the peer's program `pid` */
function takeOver(pid: number, { pid: serverPids }: PeerFilling): number {
  if (!serverPids) return pid;
  const serverPid = Number(serverPids[0]);
  entrust({ kind: 'process', pid: serverPid });
  return serverPid;
}

async function end(child: ChildProcess, serverPid: number): Promise<void> {
  const ended = once(child, 'exit');
  // Not SIGKILL: a program that started the server must end it.
  if (child.exitCode === null && child.kill('SIGTERM')) await ended;
  for (const pid of new Set([child.pid ?? 0, serverPid])) release({ kind: 'process', pid });
}
