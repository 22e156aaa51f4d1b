import { type Kysely, sql } from 'kysely';
import type { DB } from './schema.ts';

const EVERY_MS = 2000;
/** Tables with fewer than twice as many rows are covered by the size check only: any plan is fast enough for them. */
const FEW_ROWS = 500;
/** Minimum time between two analyses of a table because of its row count, which lags behind inserts and deletes. */
const ROWS_AFTER_MS = 60_000;

interface GrownTable {
  readonly name: string;
  /** The table's size has doubled, not only its number of rows. */
  readonly is_larger: boolean;
}

/**
 * Updates the statistics of tables that have doubled in size. PostgreSQL's autovacuum runs once a minute, and until
 * then each connection keeps plans made while the tables were empty: all indexes look equally good, and some plans
 * read all rows of the tenant. ANALYZE makes all connections plan again. A check costs about a millisecond, and a
 * table is analyzed about once for each doubling (ADR 74).
 *
 * Size shows growth immediately. The number of rows, which PostgreSQL counts with a delay, reveals what an ANALYZE
 * during a large transaction missed: ANALYZE records the pages of uncommitted rows, but not the rows.
 */
export class GrownTables {
  readonly #db: Kysely<DB>;
  /** The time at which each table was last analyzed because of its rows, by table name; from performance.now(). */
  readonly #forRows = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #inFlight: Promise<void> | undefined;
  #isStopped = false;
  #isFailing = false;

  constructor(db: Kysely<DB>) {
    this.#db = db;
  }

  /** @param onFailed called with the first of several failures in a row */
  start(onFailed: (error: unknown) => void): void {
    this.#timer = setInterval(() => {
      this.#inFlight ??= this.look()
        .then(
          () => (this.#isFailing = false),
          (error: unknown) => {
            if (!this.#isFailing && !this.#isStopped) onFailed(error);
            this.#isFailing = true;
          },
        )
        .then(() => (this.#inFlight = undefined));
    }, EVERY_MS).unref();
  }

  /** Analyzes the tables that have grown, except tables that another node is analyzing. */
  async look(): Promise<void> {
    // Only the owner of a table can analyze it.
    const { rows } = await sql<GrownTable>`
      SELECT * FROM (
        SELECT c.oid::regclass::text AS name, c.oid, c.reltuples,
               pg_relation_size(c.oid) >= 2 * c.relpages::bigint * current_setting('block_size')::bigint AS is_larger
          FROM pg_class c JOIN pg_roles r ON r.oid = c.relowner
         WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND r.rolname = current_user
           AND pg_relation_size(c.oid) > 0) AS t
       WHERE t.is_larger OR pg_stat_get_live_tuples(t.oid) >= 2 * greatest(t.reltuples, ${FEW_ROWS})`.execute(
      this.#db,
    );
    for (const { name, is_larger: isLarger } of rows) {
      if (this.#isStopped) return;
      const now = performance.now();
      if (!isLarger) {
        if (now - (this.#forRows.get(name) ?? Number.NEGATIVE_INFINITY) < ROWS_AFTER_MS) continue;
        this.#forRows.set(name, now);
      }
      await sql`ANALYZE (SKIP_LOCKED) ${sql.raw(name)}`.execute(this.#db);
    }
  }

  /** Resolves when no work is in progress. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#inFlight;
  }
}
