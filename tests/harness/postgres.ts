import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { account } from './account.ts';
import { holdOpen } from './hold-open.ts';
import { entrust, release } from './janitor.ts';
import { type Major, program } from './postgres-binaries.ts';
import { copyOrMake } from './prepared-clusters.ts';
import { databaseDirectory, handOver } from './temporary.ts';
import { until } from './until.ts';

export interface PostgresOptions {
  /** Default 18. */
  readonly major?: Major;
  /** A folder with PostgreSQL's programs of any major version, used instead of those from npm. */
  readonly binaries?: string;
  /** Default keywright. */
  readonly superuser?: string;
  /** Default false: much faster, and data is lost only if the machine fails. */
  readonly fsync?: boolean;
  /** The initial content; default: none. */
  readonly content?: ClusterContent;
  /** Further server settings, e.g. `{ max_connections: '20' }`. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** The database that new databases are copied from. */
export interface ClusterContent {
  readonly name: string;
  /** The database that others are copies of. */
  readonly template: string;
  /** Called once in a test run, on a server that is then stopped and copied. */
  readonly make: (server: PostgresServer) => Promise<void>;
}

/** Where databases are created. */
export type DatabaseServer = Pick<PostgresServer, 'url'> &
  Partial<Pick<PostgresServer, 'template'>>;

export interface PostgresServer {
  readonly major: Major;
  readonly port: number;
  /** URL of the maintenance database, as the superuser. Unchanged by restarts. */
  readonly url: string;
  /** The database that new ones are copied from. Undefined: new ones are empty. */
  readonly template: string | undefined;
  /** The postmaster's process ID; undefined while the server is down. */
  readonly pid: number | undefined;
  databaseUrl(name: string): string;
  /** The last 64 KiB of the server's log. */
  log(): string;
  /** Stops the server gracefully. `restart` starts it again. */
  stop(): Promise<void>;
  /** Sends SIGKILL to the postmaster and all its backends, as if the machine had died. */
  kill9(): Promise<void>;
  /** Starts the server again, after stopping it if necessary. Resolves when it accepts connections. */
  restart(): Promise<void>;
  /** Starts it again as a standby, read-only until it is promoted. */
  restartAsStandby(): Promise<void>;
  /** Starts another server from a base backup of this one. It follows this one until it is promoted. */
  startStandby(): Promise<PostgresServer>;
  /** Ends the standby's recovery: it is then a primary, whether or not the server that it followed still runs. */
  promote(): Promise<void>;
  /** Stops the server permanently and removes its data. */
  close(): Promise<void>;
}

const run = promisify(execFile);
const LOG_CHARACTERS = 65_536;

export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const server = new LocalPostgres(options, await databaseDirectory('pgdata'));
  await server.initialize();
  await server.restart();
  return server;
}

class LocalPostgres implements PostgresServer {
  readonly major: Major;
  port = 0;
  readonly #dir: string;
  readonly #options: PostgresOptions;
  #password = '';
  #postmaster: ChildProcess | undefined;
  #log = '';

  constructor(options: PostgresOptions, dir: string) {
    this.major = options.major ?? 18;
    this.#options = options;
    this.#dir = dir;
  }

  get #superuser(): string {
    return this.#options.superuser ?? 'keywright';
  }

  get url(): string {
    return this.databaseUrl('postgres');
  }

  get template(): string | undefined {
    return this.#options.content?.template;
  }

  get pid(): number | undefined {
    return this.#postmaster?.pid;
  }

  databaseUrl(name: string): string {
    return `postgres://${this.#superuser}:${this.#password}@127.0.0.1:${this.port}/${name}`;
  }

  log(): string {
    return this.#log;
  }

  async initialize(): Promise<void> {
    await handOver(this.#dir);
    const { binaries, superuser, content } = this.#options;
    if (content !== undefined) {
      const name = `${this.major}-${content.name}`;
      await copyOrMake(name, this.#dir, (folder) => this.#makeWith(content, folder));
    } else if (binaries === undefined && superuser === undefined) {
      await copyOrMake(`${this.major}`, this.#dir, (folder) => this.#initdb(folder));
    } else {
      await this.#initdb(this.#dir);
    }
    this.#password = await readFile(join(this.#dir, 'password'), 'utf8');
  }

  async #makeWith(content: ClusterContent, folder: string): Promise<void> {
    const maker = new LocalPostgres({ major: this.major }, folder);
    await maker.initialize();
    await maker.restart();
    await content.make(maker);
    await maker.stop();
  }

  async #initdb(folder: string): Promise<void> {
    const passwordFile = join(folder, 'password');
    await writeFile(passwordFile, randomBytes(18).toString('base64url'));
    await handOver(folder);
    const child = this.#spawn(await this.#program('initdb'), [
      `--pgdata=${join(folder, 'data')}`,
      `--username=${this.#superuser}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      // Not known before 16.
      ...(this.#options.binaries === undefined ? ['--set=scram_iterations=1'] : []),
      // A linguistic order, as most real installations have it: code that relies on byte order shows.
      '--locale-provider=icu',
      '--icu-locale=en-US',
      '--locale=C',
      '--encoding=UTF8',
      '--no-sync',
      '--no-instructions',
    ]);
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new Error(`initdb ${this.major} failed (${code}):\n${this.#log}`);
  }

  async restart(): Promise<void> {
    await this.stop();
    // The port can be taken meanwhile, and after SIGKILL old backends can still be exiting.
    await until(`PostgreSQL ${this.major} starts`, async () => {
      if (this.port === 0) this.port = await freePort();
      const outcome = await this.#launch();
      if (outcome === 'ready') return true;
      if (/could not create any TCP\/IP sockets/.test(outcome)) this.port = 0;
      else if (!/pre-existing shared memory|lock file/.test(outcome)) throw new Error(outcome);
      return false;
    });
  }

  async stop(): Promise<void> {
    await this.#end('SIGINT');
  }

  async kill9(): Promise<void> {
    for (const pid of childrenOf(this.pid)) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It was already exiting.
      }
    }
    await this.#end('SIGKILL');
  }

  async restartAsStandby(): Promise<void> {
    await this.stop();
    await writeFile(join(this.#data, 'standby.signal'), '');
    await this.restart();
  }

  async startStandby(): Promise<PostgresServer> {
    const { port, url } = this;
    const follow = `host=127.0.0.1 port=${port} user=${this.#superuser} password=${this.#password}`;
    const settings = { ...this.#options.settings, primary_conninfo: follow };
    const standby = new LocalPostgres(
      { ...this.#options, settings },
      await databaseDirectory('pgdata'),
    );
    await asSuperuser(url, async (client) => {
      await client.query(`SELECT pg_backup_start('standby', true)`);
      await run('cp', ['-Rp', `${this.#dir}/.`, standby.#dir]);
      const { rows } = await client.query<{ labelfile: string }>(
        'SELECT labelfile FROM pg_backup_stop(false)',
      );
      await rm(join(standby.#data, 'postmaster.pid'));
      await writeFile(join(standby.#data, 'backup_label'), rows[0]?.labelfile ?? '');
    });
    await handOver(standby.#dir);
    standby.#password = this.#password;
    await standby.restartAsStandby();
    return standby;
  }

  async promote(): Promise<void> {
    await asSuperuser(this.url, (client) => client.query('SELECT pg_promote()'));
  }

  async close(): Promise<void> {
    await this.#end('SIGQUIT');
    await rm(this.#dir, { recursive: true, force: true, maxRetries: 5 });
    release({ kind: 'dir', path: this.#dir });
  }

  get #data(): string {
    return join(this.#dir, 'data');
  }

  async #program(name: 'initdb' | 'postgres'): Promise<string> {
    const { binaries } = this.#options;
    return binaries === undefined ? program(this.major, name) : join(binaries, name);
  }

  /** 'ready', or the log of a server that ended before it was ready. */
  async #launch(): Promise<string> {
    this.#log = '';
    const settings = { ...settingsFor(this.#options), port: String(this.port) };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = this.#spawn(await this.#program('postgres'), ['-D', this.#data, ...flags]);
    this.#postmaster = child;
    if (child.pid !== undefined) entrust({ kind: 'postgres', pid: child.pid });
    child.once('exit', () => {
      if (this.#postmaster === child) this.#postmaster = undefined;
      if (child.pid !== undefined) release({ kind: 'postgres', pid: child.pid });
    });
    return new Promise((resolve) => {
      const look = () => {
        if (!/ready to accept (read-only )?connections/.test(this.#log)) return;
        child.stderr?.off('data', look);
        holdOpen(child, false);
        resolve('ready');
      };
      child.stderr?.on('data', look);
      child.once('close', () => resolve(this.#log));
    });
  }

  #spawn(command: string, args: readonly string[]): ChildProcess {
    const child = spawn(command, args, {
      ...account,
      cwd: this.#dir,
      // A separate session: a Ctrl-C in the terminal reaches only the tests, which then stop the server.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC', PGDATA: undefined, PGOPTIONS: undefined },
    });
    const keep = (chunk: Buffer) => {
      this.#log = (this.#log + chunk.toString()).slice(-LOG_CHARACTERS);
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    return child;
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#postmaster;
    if (child === undefined) return;
    const ended = once(child, 'exit');
    holdOpen(child, true);
    child.kill(signal);
    await ended;
  }
}

async function asSuperuser(url: string, work: (client: pg.Client) => Promise<unknown>) {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function settingsFor(options: PostgresOptions): Record<string, string> {
  const durable = options.fsync === true;
  return {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    shared_buffers: '64MB',
    // The files can be in memory, so the size of the WAL is limited.
    max_wal_size: '128MB',
    fsync: durable ? 'on' : 'off',
    full_page_writes: durable ? 'on' : 'off',
    // A commit waits for the write, as in production, but not for the flush to the disk.
    synchronous_commit: 'on',
    lc_messages: 'C',
    ...options.settings,
  };
}

/** Linux only; elsewhere backends notice the postmaster's death and exit. */
function childrenOf(pid: number | undefined): number[] {
  try {
    const list = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return list.split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** A free port. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('no TCP port');
  return address.port;
}
