import { type Kysely, sql } from 'kysely';
import type { DB } from './schema.ts';

const EVERY_MS = 2000;

interface GrownTable {
  readonly name: string;
}

/**
 * Updates the statistics of tables that have doubled in size. PostgreSQL's autovacuum looks once a minute, and until then
 * each connection keeps plans that it made while the tables were empty: one index looks as good as another, and some lead
 * to all rows of the tenant. ANALYZE makes all connections plan again. A look costs about a millisecond, and a table is
 * analyzed once for each doubling (ADR 74).
 */
export class GrownTables {
  readonly #db: Kysely<DB>;
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

  /** Analyzes the tables that have grown, those that another node analyzes at this moment excepted. */
  async look(): Promise<void> {
    // Only the owner of a table may analyze it.
    const { rows } = await sql<GrownTable>`
      SELECT c.oid::regclass::text AS name
        FROM pg_class c JOIN pg_roles r ON r.oid = c.relowner
       WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND r.rolname = current_user
         AND pg_relation_size(c.oid) >= 2 * c.relpages::bigint * current_setting('block_size')::bigint
         AND pg_relation_size(c.oid) > 0`.execute(this.#db);
    for (const { name } of rows) {
      if (this.#isStopped) return;
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
