import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import type { Database } from './database.ts';
import { requireReachable } from './probe.ts';

/**
 * Opens the configured database, and checks that it is reachable. Loads only the engine in use: the other one would
 * cost memory and startup time.
 */
export async function openDatabase(config: Config, log: Log): Promise<Database> {
  if (config.databaseUrl === undefined) {
    const { openEmbedded, PREPARED_DATABASE } = await import('./embedded.ts');
    return openEmbedded(
      config.dataDir,
      (message) => log.warn(message),
      PREPARED_DATABASE,
      (message) => log.error(message),
    );
  }
  const { openPostgres } = await import('./postgres.ts');
  return requireReachable(
    openPostgres(
      config.databaseUrl,
      (error) => log.warn({ err: error }, 'a database connection broke'),
      {
        statementTimeoutMs: config.statementTimeoutMs,
        onPooled: () =>
          log.warn('LISTEN/NOTIFY is unavailable behind the pooler: caches expire after 500 ms'),
      },
    ),
  );
}
