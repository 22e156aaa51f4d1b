import { MIGRATED } from './database.ts';
import type { Major } from './postgres-binaries.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';
import { isDeep } from './tier.ts';

/** A server for races, and how thorough they are there. */
export interface RaceServer {
  readonly name: string;
  readonly isThorough: boolean;
  /** Undefined: the server given by the user. */
  readonly start: () => Promise<PostgresServer | undefined>;
}

const NEWEST: Major = 18;
const MAJORS: readonly Major[] = [NEWEST, 17, 16];

/**
 * The newest major in `npm test`, with few rounds. In the deep tests, all of them, and many rounds on the newest one. Or
 * the server that was named.
 */
export function raceServers(): RaceServer[] {
  if (process.env['KEYWRIGHT_TEST_DATABASE_URL'] !== undefined) {
    return [{ name: 'the given server', isThorough: true, start: async () => undefined }];
  }
  const majors = isDeep() ? MAJORS : [NEWEST];
  return majors.map((major) => ({
    name: `PostgreSQL ${major}`,
    isThorough: isDeep() && major === NEWEST,
    start: () => startPostgres({ major, fsync: true, content: MIGRATED }),
  }));
}
