import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { OkOf } from '@keywright/contract/route';
import type { health } from '@keywright/contract/routes/service';
import type { Database, DatabaseFault } from '../platform/db/database.ts';
import * as failures from '../platform/db/failures.ts';
import type { Log } from '../platform/log.ts';
import { VERSION } from '../platform/version.ts';
import { findLocks, type Locks, proveSessionOf, proveWritableBy } from './readiness-store.ts';

/** A process writes at most once in this period, however often `/health` is called. */
const FRESH_MS = 1000;
/** A check that takes longer counts as late. */
const PATIENCE_MS = 2000;

export type Problem = NonNullable<OkOf<typeof health>['problems']>[number];

/** Whether logins work on this node. */
export interface Verdict {
  /** False: load balancers route requests to another node. */
  readonly isUsable: boolean;
  readonly problem: Problem | undefined;
}

/** How a check ended. */
type Outcome<Result> = { readonly result: Result } | { readonly error: unknown } | 'late';

/** The results of the database checks. */
export interface Findings {
  readonly fault: DatabaseFault | undefined;
  /** Whether times are read back unchanged on a connection that logins use. */
  readonly session: Outcome<boolean>;
  /** Whether a dedicated connection was available for the write. */
  readonly write: Outcome<boolean>;
  readonly locks: Outcome<Locks>;
}

/** The details are public, so they contain no addresses or error messages. Those are in the log. */
const DETAILS = {
  database_unreachable:
    'The database does not respond to this node, or rejects it. The log of the node shows the reason.',
  database_read_only:
    'The database accepts no writes: it is a standby, or was made read-only. Connect the nodes to the primary.',
  database_rejects:
    'The database rejects a statement, for example because of a missing privilege. The log of the node shows the reason.',
  disk_full: 'The disk of the database is full. Free space on it.',
  data_folder:
    'The files of the database cannot be read or written: the data folder is missing or was moved, or its disk fails.',
  settings:
    'The database sessions of this node have settings that make logins fail, such as search_path, row_security or DateStyle. `keywright doctor` checks them.',
  write_unconfirmed:
    'The database has not confirmed a write within two seconds: its disk, a synchronous standby or the network does not respond, or it is overloaded.',
  failover:
    'New connections of this node lead to a former primary. Make KEYWRIGHT_DATABASE_URL lead only to the new primary.',
  connections_stuck:
    'The connections that logins use do not respond, although another connection of this node does.',
  connections_used_up:
    'The database accepts no more connections. Requests queue for the open ones. Check max_connections and the clients that use them.',
} as const satisfies Partial<Record<Problem['code'], string>>;

/**
 * Judges the findings. A fault of this node, or a database that rejects writes, takes the node out of the load
 * balancer. Locks do not: they affect only some requests, on all nodes at the same time.
 */
export function judge({ fault, session, write, locks }: Findings): Verdict {
  if (fault) {
    // Open connections can still work, for example when only new connections lead to a former primary.
    const isUsable = resultOf(session) === true && resultOf(write) !== undefined;
    return { isUsable, problem: problem(fault.code) };
  }
  const { locked, is_waiting: isWaiting } = resultOf(locks) ?? { locked: [], is_waiting: false };
  if (isLate(write)) return unusable('write_unconfirmed');
  // Logins do not write this row, so a denied write does not make the node unusable.
  const isDenied = 'error' in write && failures.isForbidden(write.error);
  if ('error' in write && !isDenied && !failures.isAbandoned(write.error)) {
    return judgeError(write.error);
  }
  if (isStuck(session)) {
    return locked.length > 0 || isWaiting ? lockedAre(locked) : unusable('connections_stuck');
  }
  if ('error' in session && !failures.isAbandoned(session.error)) return judgeError(session.error);
  if (resultOf(session) === false) return unusable('settings');
  if (isDenied) return { isUsable: true, problem: problem('database_rejects') };
  if (locked.length > 0 || 'error' in session || 'error' in write) return lockedAre(locked);
  return write.result ? USABLE : { isUsable: true, problem: problem('connections_used_up') };
}

const USABLE: Verdict = { isUsable: true, problem: undefined };

function problem(code: keyof typeof DETAILS): Problem {
  return { code, detail: DETAILS[code] };
}

function unusable(code: keyof typeof DETAILS): Verdict {
  return { isUsable: false, problem: problem(code) };
}

/** @param tables empty: rows, or tables that are not checked */
function lockedAre(tables: readonly string[]): Verdict {
  const what = tables.length > 0 ? tables.join(', ') : 'rows, or a table that is not checked';
  const detail = `Another transaction has locked what logins need: ${what}. All nodes are affected. End that transaction.`;
  return { isUsable: true, problem: { code: 'tables_locked', detail } };
}

function judgeError(error: unknown): Verdict {
  if (failures.isReadOnly(error)) return unusable('database_read_only');
  if (failures.isDiskFull(error)) return unusable('disk_full');
  if (failures.isOfFiles(error)) return unusable('data_folder');
  if (failures.isOfSettings(error)) return unusable('settings');
  return unusable(failures.isUnavailable(error) ? 'database_unreachable' : 'database_rejects');
}

type Late = 'late' | { readonly error: unknown };

function isLate(outcome: Outcome<unknown>): outcome is Late {
  return outcome === 'late' || ('error' in outcome && failures.isTimeout(outcome.error));
}

/**
 * Whether the check got no result although another connection works. A statement that waits for a lock blocks all
 * statements behind it.
 */
function isStuck(outcome: Outcome<unknown>): outcome is Late {
  return isLate(outcome) || ('error' in outcome && failures.isUnavailable(outcome.error));
}

function resultOf<Result>(outcome: Outcome<Result>): Result | undefined {
  return outcome !== 'late' && 'result' in outcome ? outcome.result : undefined;
}

/** Checks whether logins work on this node, but only when called. */
export class Readiness {
  readonly #database: Database;
  readonly #log: Log;
  readonly #row = { process: randomUUID(), host: hostname(), version: VERSION };
  #verdict: Promise<Verdict> | undefined;
  #startedMs = 0;
  #isRunning = false;
  #logged: Problem['code'] | undefined;

  constructor(database: Database, log: Log) {
    this.#database = database;
    this.#log = log;
  }

  /** Returns the current verdict. All callers within a second share it. */
  check(): Promise<Verdict> {
    const isFresh = performance.now() - this.#startedMs < FRESH_MS;
    // A late check is not repeated before it ends.
    if (!this.#verdict || !(isFresh || this.#isRunning)) this.#verdict = this.#start();
    return this.#verdict;
  }

  async #start(): Promise<Verdict> {
    this.#startedMs = performance.now();
    this.#isRunning = true;
    const database = this.#database;
    const session = new Check(proveSessionOf(database));
    const write = new Check(proveWritableBy(database, this.#row));
    const locks = new Check(findLocks(database));
    const ended = Promise.all([session.ended, write.ended, locks.ended]);
    void ended.then(() => (this.#isRunning = false));
    await within(PATIENCE_MS, ended);
    const outcomes = { session: session.outcome, write: write.outcome, locks: locks.outcome };
    const fault = database.fault?.();
    const verdict = judge({ fault, ...outcomes });
    // The embedded engine logs its own faults.
    if (!fault || database.engine === 'postgres') {
      const error = errorIn(write.outcome) ?? errorIn(session.outcome);
      this.#logOnce(verdict.problem, fault?.detail, error);
    }
    return verdict;
  }

  /** Logs when a problem starts, changes or ends. */
  #logOnce(found: Problem | undefined, detail: string | undefined, error: unknown): void {
    if (found?.code === this.#logged) return;
    this.#logged = found?.code;
    if (found) this.#log.error({ err: error, problem: found.code }, detail ?? found.detail);
    else this.#log.info('the database is usable again');
  }
}

/** A running check, and its outcome so far. */
class Check<Result> {
  readonly ended: Promise<void>;
  outcome: Outcome<Result> = 'late';

  constructor(result: Promise<Result>) {
    this.ended = result.then(
      (value) => void (this.outcome = { result: value }),
      (error: unknown) => void (this.outcome = { error }),
    );
  }
}

function errorIn(outcome: Outcome<unknown>): unknown {
  return outcome !== 'late' && 'error' in outcome ? outcome.error : undefined;
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise: tooLate, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([work, tooLate]);
  clearTimeout(timer);
}
