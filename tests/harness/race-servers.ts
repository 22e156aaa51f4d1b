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

const OLDER: readonly Major[] = [16, 17];
const NEWEST: Major = 18;

/** The newest major in `npm test`, and the others, in a shorter form, in the deep tests. Or the server that was named. */
export function raceServers(): RaceServer[] {
  if (process.env['KEYWRIGHT_TEST_DATABASE_URL'] !== undefined) {
    return [{ name: 'the given server', isThorough: true, start: async () => undefined }];
  }
  const majors = isDeep() ? OLDER : [NEWEST];
  return majors.map((major) => ({
    name: `PostgreSQL ${major}`,
    isThorough: major === NEWEST,
    start: () => startPostgres({ major, fsync: true, content: MIGRATED }),
  }));
}
