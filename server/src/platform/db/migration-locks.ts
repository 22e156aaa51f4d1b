import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from './database.ts';
import { isLockRefused } from './failures.ts';
import type { DB } from './schema.ts';

/**
 * Requests queue behind a migration that waits for a lock. It therefore waits for less than the timeout of a request,
 * and for longer than `deadlock_timeout`, after which PostgreSQL cancels a blocking autovacuum.
 */
const LOCK_TIMEOUT_MS = 2000;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 10_000;
/** About five minutes. */
export const LOCK_ATTEMPTS = 30;
const LOOK_MS = 500;
/** Advisory lock held during migrations: any number not used otherwise in this database. */
const LOCK = 7_316_449_208;
const TRY_LOCK_MS = 200;

/** Other transactions hold locks that a migration needs. */
class MigrationBlocked extends Error {
  constructor(blockers: string) {
    super(
      `A database migration could not get its locks: ${blockers}. Nothing was changed. Wait until these transactions ` +
        'end, or end them with pg_terminate_backend, and start again.',
    );
    this.name = 'MigrationBlocked';
  }
}

/**
 * Runs a transaction on one node at a time. The others poll for the lock: a waiting statement has a snapshot, and a
 * concurrent index build waits for all snapshots.
 */
export async function underLock<Result>(
  database: Database,
  work: (tx: Transaction<DB>) => Promise<Result>,
): Promise<Result> {
  for (;;) {
    const done = await database
      .kyselyFor('migration')
      .transaction()
      .execute(async (tx) => {
        const { rows } = await sql<{ locked: boolean }>`
          SELECT pg_try_advisory_xact_lock(${LOCK}::bigint) AS locked`.execute(tx);
        return rows[0]?.locked ? { result: await work(tx) } : undefined;
      });
    if (done) return done.result;
    await wait(TRY_LOCK_MS);
  }
}

/**
 * Runs a transaction under the migration lock with a short lock timeout, and retries it.
 * @param onBlocked called after each failed attempt with the sessions that held the locks
 * @throws MigrationBlocked after the last attempt
 */
export async function withLockTimeout<Result>(
  database: Database,
  attempts: number,
  onBlocked: (message: string) => void,
  work: (tx: Transaction<DB>) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    let pid = 0;
    const blockers = watchBlockers(database, () => pid);
    try {
      return await underLock(database, async (tx) => {
        await sql.raw(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`).execute(tx);
        pid = await backendOf(tx);
        return work(tx);
      });
    } catch (error) {
      if (!isLockRefused(error)) throw error;
      if (attempt >= attempts) throw new MigrationBlocked(blockers.last());
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS);
      onBlocked(
        `attempt ${attempt} of ${attempts} to migrate the database could not get its locks: ${blockers.last()}; ` +
          `next attempt in ${pauseMs / 1000} s`,
      );
      await wait(pauseMs);
    } finally {
      blockers.stop();
    }
  }
}

/** The server process of a transaction. */
async function backendOf(tx: Kysely<DB>): Promise<number> {
  const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(tx);
  return rows[0]?.pid ?? 0;
}

interface Blocker {
  readonly pid: number;
  readonly user: string | null;
  readonly application: string | null;
  readonly state: string | null;
  readonly seconds: number | null;
}

/**
 * Checks twice a second which transactions block a server process. Their statements are not read, because they can
 * contain secrets.
 * @param pid of the process; 0: none yet
 * @param onFound called when the blocking transactions have changed
 */
export function watchBlockers(
  database: Database,
  pid: () => number | Promise<number>,
  onFound: (blockers: string) => void = () => undefined,
): { last(): string; stop(): void } {
  let last = 'no transaction that holds them was found';
  let pids = '';
  let isLooking = false;
  async function look(): Promise<void> {
    const found = await findBlockers(database, await pid());
    const foundPids = found.map((blocker) => blocker.pid).join();
    if (found.length === 0) return;
    last = found.map(describe).join(', ');
    if (foundPids !== pids) onFound(last);
    pids = foundPids;
  }
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    // The report is informational: the migration continues without it.
    void look()
      .catch(() => undefined)
      .finally(() => (isLooking = false));
  }, LOOK_MS);
  return { last: () => last, stop: () => clearInterval(timer) };
}

async function findBlockers({ kysely, engine }: Database, pid: number): Promise<Blocker[]> {
  if (pid === 0 || engine === 'embedded') return [];
  const { rows } = await sql<Blocker>`
    SELECT a.pid, a.usename AS user, a.application_name AS application, a.state,
           extract(epoch FROM now() - a.xact_start)::integer AS seconds
      FROM pg_stat_activity a
     WHERE a.pid = ANY (pg_blocking_pids(${pid}::integer)) ORDER BY a.pid`.execute(kysely);
  return rows;
}

/** PostgreSQL shows the state of other users' transactions only to members of pg_read_all_stats. */
function describe({ pid, user, application, state, seconds }: Blocker): string {
  const details = [
    application && `application ${application}`,
    user && `user ${user}`,
    state,
    seconds !== null && `for ${seconds} s`,
  ];
  return `server process ${pid} (${details.filter(Boolean).join(', ')})`;
}
