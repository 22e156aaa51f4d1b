import type { EmbeddedPool } from './embedded-pool.ts';

const EVERY_MS = 10_000;
/** Size of the write-ahead log that triggers a checkpoint. The log takes disk space and is replayed after a crash. */
const CHECKPOINT_AFTER_BYTES = 64 * 1024 * 1024;

/** The thresholds of PostgreSQL's autovacuum. A table without statistics is due unless its file is empty. */
const TABLES_DUE = `
  SELECT s.relid::regclass::text AS name,
         s.n_dead_tup > 50 + 0.2 * greatest(c.reltuples, 0) AS "isLittered"
    FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
   WHERE s.n_dead_tup > 50 + 0.2 * greatest(c.reltuples, 0)
      OR s.n_mod_since_analyze > 50 + 0.1 * greatest(c.reltuples, 0)
      OR c.reltuples < 0 AND pg_relation_size(c.oid) > 0`;
const BYTES_SINCE_CHECKPOINT = `
  SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn)::float8 AS bytes FROM pg_control_checkpoint()`;

interface DueTable {
  readonly name: string;
  readonly isLittered: boolean;
}

export interface MaintenanceOptions {
  /** Called with failures, which are retried. */
  readonly onFailed: (error: unknown) => void;
  /** Default 64 MiB. */
  readonly checkpointAfterBytes?: number;
}

/**
 * Does the work of PostgreSQL's background processes, which PGlite lacks: updates table statistics, without which
 * plans are guesses, vacuums, and runs checkpoints, without which the write-ahead log grows.
 */
export class EmbeddedMaintenance {
  readonly #pool: EmbeddedPool;
  readonly #options: MaintenanceOptions;
  #timer: NodeJS.Timeout | undefined;
  #inFlight: Promise<void> | undefined;
  #isStopped = false;

  constructor(pool: EmbeddedPool, options: MaintenanceOptions) {
    this.#pool = pool;
    this.#options = options;
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#inFlight ??= this.look()
        .catch(this.#options.onFailed)
        .finally(() => (this.#inFlight = undefined));
    }, EVERY_MS).unref();
  }

  /** Does the due maintenance, one table at a time, so that requests can run in between. */
  async look(): Promise<void> {
    const { rows } = await this.#pool.query<DueTable>(TABLES_DUE, []);
    for (const { name, isLittered } of rows) {
      if (this.#isStopped) return;
      await this.#pool.query(`${isLittered ? 'VACUUM (ANALYZE)' : 'ANALYZE'} ${name}`, []);
    }
    const { checkpointAfterBytes = CHECKPOINT_AFTER_BYTES } = this.#options;
    const [log] = (await this.#pool.query<{ bytes: number }>(BYTES_SINCE_CHECKPOINT, [])).rows;
    if (log && log.bytes > checkpointAfterBytes) await this.#pool.query('CHECKPOINT', []);
  }

  /** Stops maintenance, and resolves when no work is in progress. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#inFlight;
  }
}
