import { MIGRATED } from './database.ts';
import type { Major } from './postgres-binaries.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';

/** A server for races, and how thorough they are there. */
export interface RaceServer {
  readonly name: string;
  readonly isThorough: boolean;
  /** Undefined: the server given by the user. */
  readonly start: () => Promise<PostgresServer | undefined>;
}

const SHORTER: readonly Major[] = [16, 17];
const THOROUGH: Major = 18;

/** Every major, with durable commits: the newest in full, the others shorter. Or the server that was named. */
export function raceServers(): RaceServer[] {
  if (process.env['KEYWRIGHT_TEST_DATABASE_URL'] !== undefined) {
    return [{ name: 'the given server', isThorough: true, start: async () => undefined }];
  }
  return [...SHORTER, THOROUGH].map((major) => ({
    name: `PostgreSQL ${major}`,
    isThorough: major === THOROUGH,
    start: () => startPostgres({ major, fsync: true, content: MIGRATED }),
  }));
}
