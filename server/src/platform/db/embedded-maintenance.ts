import type { EmbeddedPool } from './embedded-pool.ts';

const EVERY_MS = 10_000;
/** Of the log of writes: what the folder holds beside the data, and what a start after a crash does again. */
const CHECKPOINT_AFTER_BYTES = 64 * 1024 * 1024;

/** The thresholds of PostgreSQL's own autovacuum. A table that was never looked at is none that is known to be empty. */
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
  /** Told of what could not be done, and is tried again. */
  readonly onFailed: (error: unknown) => void;
  /** Default 64 MiB. */
  readonly checkpointAfterBytes?: number;
}

/**
 * What PostgreSQL has processes of its own for, and PGlite none: it keeps statistics of the tables, without which plans
 * are guesses, gives room of deleted rows back, and ends the log of writes, which grows until then.
 */
export class EmbeddedMaintenance {
  readonly #pool: EmbeddedPool;
  readonly #options: MaintenanceOptions;
  #timer: NodeJS.Timeout | undefined;
  #underWay: Promise<void> | undefined;
  #isStopped = false;

  constructor(pool: EmbeddedPool, options: MaintenanceOptions) {
    this.#pool = pool;
    this.#options = options;
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#underWay ??= this.look()
        .catch(this.#options.onFailed)
        .finally(() => (this.#underWay = undefined));
    }, EVERY_MS).unref();
  }

  /** Does what is due, a table at a time, so that requests come in between. */
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

  /** Resolves when nothing of it is under way any more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#underWay;
  }
}
