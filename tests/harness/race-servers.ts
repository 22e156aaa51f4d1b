import { MIGRATED } from './database.ts';
import type { Major } from './postgres-binaries.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';
import { isDeep } from './tier.ts';

/** A server for races, and how thorough they are there. */
export interface RaceServer {
  readonly name: string;
  readonly isThorough: boolean;
  /** Undefined: that of the test run, or the one given by the user. */
  readonly start: () => Promise<PostgresServer | undefined>;
}

const NEWEST: Major = 18;
const MAJORS: readonly Major[] = [NEWEST, 17, 16];

/**
 * That of the test run in `npm test`, with few rounds. In the deep tests, one of each major that syncs to the disk, and many
 * rounds on the newest one. Or the server that was named.
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
