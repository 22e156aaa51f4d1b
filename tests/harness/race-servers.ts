import { MIGRATED } from './database.ts';
import type { Major } from './postgres-binaries.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';
import { isDeep } from './tier.ts';

/** A server for race tests, and whether they are thorough there. */
export interface RaceServer {
  readonly name: string;
  readonly isThorough: boolean;
  /** Starts the server. Undefined: use the test run's, or the one named by the user. */
  readonly start: () => Promise<PostgresServer | undefined>;
}

const NEWEST: Major = 18;
const MAJORS: readonly Major[] = [NEWEST, 17, 16];

/**
 * In `npm test`, the test run's server with few rounds. In the deep tests, one server of each major version that syncs
 * to the disk, with many rounds on the newest. If the user named a server, only that one.
 */
export function raceServers(): RaceServer[] {
  if (process.env['KEYWRIGHT_TEST_DATABASE_URL'] !== undefined) {
    return [{ name: 'the given server', isThorough: true, start: async () => undefined }];
  }
  if (!isDeep()) {
    return [{ name: `PostgreSQL ${NEWEST}`, isThorough: false, start: async () => undefined }];
  }
  return MAJORS.map((major) => ({
    name: `PostgreSQL ${major}`,
    isThorough: major === NEWEST,
    start: () => startPostgres({ major, fsync: true, content: MIGRATED }),
  }));
}
