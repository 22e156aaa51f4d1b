import pg from 'pg';
import { until } from '../harness/until.ts';
import type { Fleet } from './fleet.ts';
import type { Cell, Fault, Resource } from './matrix.ts';

/** Terminates the service's connections whose `application_name` matches the pattern, so that it must reconnect. */
const cut = (fleet: Fleet, name: string) =>
  fleet.database.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE $1`,
    [name],
  );

const nameOf = (fleet: Fleet) => new URL(fleet.database.url).pathname.slice(1);
const roleOf = (fleet: Fleet) => new URL(fleet.database.url).username;

/** A transaction of another client that holds a lock. */
let holder: pg.Client | undefined;

async function lock(fleet: Fleet, table: string): Promise<void> {
  holder = new pg.Client(fleet.database.superuserUrl);
  await holder.connect();
  await holder.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
}

async function signal(fleet: Fleet, name: NodeJS.Signals): Promise<void> {
  process.kill((await fleet.node(0)).pid, name);
}

/** Logs until the output is full: nothing reads it. */
async function fillOutput(fleet: Fleet): Promise<void> {
  const path = `/${'x'.repeat(12_000)}`;
  for (let requests = 0; requests < 180; requests += 1) await fleet.request(0, 'GET', path);
}

/** Waits until this much time has passed on the database's clock. */
async function wait(fleet: Fleet, seconds: number): Promise<void> {
  const [row] = await fleet.database.query<{ end: Date }>(
    `SELECT clock_timestamp() + make_interval(secs => $1) AS end`,
    [seconds],
  );
  await until('time passes', async () => {
    const passed = await fleet.database.query('SELECT WHERE clock_timestamp() > $1', [row?.end]);
    return passed.length > 0;
  });
}

/** A wrong value for each setting of a connection. */
const HOSTILE_SETTINGS = {
  datestyle: 'SQL, DMY',
  search_path: 'pg_catalog',
  row_security: 'off',
  default_transaction_isolation: 'serializable',
  default_transaction_read_only: 'on',
  bytea_output: 'escape',
  enable_nestloop: 'off',
  enable_indexscan: 'off',
} as const;

/** In a writing transaction: a connection opened during a read-only cell has that default until it is closed. */
const alter = (fleet: Fleet, change: string) =>
  fleet.database.query(`BEGIN READ WRITE; ALTER DATABASE ${nameOf(fleet)} ${change}; COMMIT`);

const settingCells: readonly Cell[] = Object.entries(HOSTILE_SETTINGS).map(([name, value]) => ({
  resource: 'settings of connections',
  fault: 'wrong',
  about: `${name} = ${value} for the database`,
  async inject(fleet) {
    await alter(fleet, `SET ${name} = ${name === 'search_path' ? value : `'${value}'`}`);
    await cut(fleet, 'keywright%');
  },
  async heal(fleet) {
    await alter(fleet, `RESET ${name}`);
    await cut(fleet, 'keywright%');
  },
  health: { status: 200, database: 'ok' },
  isServing: true,
}));

const CONNECTIONS = {
  'pooled connections': 'keywright',
  'pipelined connections': 'keywright pipelined',
  'connections that listen': 'keywright watch%',
} as const;

const goneConnections: readonly Cell[] = Object.entries(CONNECTIONS).map(([resource, name]) => ({
  resource: resource as Resource,
  fault: 'gone',
  about: 'PostgreSQL ends them',
  inject: (fleet) => cut(fleet, name),
  heal: () => undefined,
  isServing: true,
}));

/** Covers all kinds of connections, since the network does not distinguish between them. */
const stalledConnections: Cell = {
  resource: 'pooled connections',
  fault: 'stalled',
  about: 'the network drops all packets',
  inject(fleet) {
    fleet.relay.swallowNew();
    fleet.relay.cutSilently();
  },
  heal: (fleet) => fleet.relay.heal(),
  health: { status: 503, database: 'unavailable' },
  isServing: false,
};

export const CELLS: readonly Cell[] = [
  {
    resource: 'clock',
    fault: 'wrong',
    about: 'the machine is set to a time ninety days later',
    inject: (fleet) => signal(fleet, 'SIGUSR2'),
    heal: (fleet) => signal(fleet, 'SIGUSR2'),
    health: { status: 503, problem: 'clock' },
    log: /The clock of this machine is \d+ s ahead/,
    isServing: true,
  },
  {
    resource: 'clock',
    fault: 'stalled',
    about: 'the process is suspended for longer than its deadlines',
    async inject(fleet) {
      await signal(fleet, 'SIGSTOP');
      await wait(fleet, 7);
    },
    heal: (fleet) => signal(fleet, 'SIGCONT'),
    isServing: false,
  },
  {
    resource: 'standard output',
    fault: 'stalled',
    about: 'the reader of the log stops',
    async inject(fleet) {
      (await fleet.node(0)).readOutput(false);
      await fillOutput(fleet);
    },
    heal: async (fleet) => (await fleet.node(0)).readOutput(true),
    health: { status: 200, database: 'ok' },
    log: /log lines were lost/,
    isServing: true,
  },
  ...goneConnections,
  {
    resource: 'pooled connections',
    fault: 'full',
    about: 'the role has no connection left',
    async inject(fleet) {
      await fleet.database.query(`ALTER ROLE ${roleOf(fleet)} CONNECTION LIMIT 4`);
      await cut(fleet, 'keywright');
    },
    heal: (fleet) => fleet.database.query(`ALTER ROLE ${roleOf(fleet)} CONNECTION LIMIT -1`),
    isServing: true,
  },
  stalledConnections,
  ...settingCells,
  {
    resource: 'tables',
    fault: 'stalled',
    about: 'another transaction holds a lock on the sessions',
    inject: (fleet) => lock(fleet, 'sessions'),
    heal: () => holder?.end(),
    health: { status: 200, database: 'ok', problem: 'tables_locked' },
    isServing: false,
  },
];

/** Faults without a cell here, each with the test that covers it or the reason why it cannot happen. */
export const ELSEWHERE: Readonly<Record<Resource, Partial<Record<Fault, string>>>> = {
  clock: {
    gone: 'A machine always has a clock.',
    full: 'A clock holds nothing.',
  },
  'standard output': {
    gone: 'tests/faults/log.test.ts',
    full: 'tests/faults/log-disk.deep.test.ts',
    wrong: 'The service does not read what it wrote.',
  },
  'pooled connections': { wrong: 'server/src/platform/db/failover.test.ts' },
  'pipelined connections': {
    full: 'They share the limit with the pooled ones, which are cut there.',
    stalled: 'The network does not distinguish connections: see the pooled ones.',
    wrong: 'server/src/platform/db/failover.test.ts',
  },
  'connections that listen': {
    full: 'They share the limit with the pooled ones, which are cut there.',
    stalled: 'The network does not distinguish connections: see the pooled ones.',
    wrong: 'server/src/platform/db/failover.test.ts',
  },
  'settings of connections': {
    gone: 'A setting always has a value.',
    full: 'A setting holds nothing.',
    stalled: 'A setting does nothing.',
  },
  tables: {
    gone: 'tests/faults/database-gone.test.ts',
    full: 'A table is full when the disk is.',
    wrong: 'cli/src/after-restore.test.ts',
  },
  'disk of the database': {
    gone: 'tests/faults/database-disk.deep.test.ts',
    full: 'tests/faults/database-disk.deep.test.ts',
    stalled: 'server/src/modules/operations/nodes/health.test.ts',
    wrong: 'cli/src/after-restore.test.ts',
  },
  'data folder': {
    gone: 'tests/faults/data-folder.test.ts',
    full: 'tests/faults/database-disk.deep.test.ts',
    stalled: 'A local disk that stalls stops every program that uses it.',
    wrong: 'server/src/platform/db/open-folder.test.ts',
  },
  'file handles': {
    gone: 'A limit can only be reached.',
    full: 'server/src/platform/db/embedded-engine.test.ts',
    stalled: 'A handle does nothing by itself.',
    wrong: 'A handle leads to what it was opened on: see the data folder.',
  },
};
