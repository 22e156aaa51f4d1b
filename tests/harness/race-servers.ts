import { basename } from 'node:path';
import { builtService } from './build.ts';
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

const OLDER: readonly Major[] = [16, 17];
const NEWEST: Major = 18;

/** Every major, with durable commits: the newest in full, the others shorter. Or the server that was named. */
export function everyServer(): RaceServer[] {
  return serversOf([...OLDER, NEWEST]);
}

/**
 * The same for a race; but a run of all tests takes one of the older majors: 16 or 17, by the name of the file.
 * @param file the address of the test
 */
export function raceServers(file: string): RaceServer[] {
  const turn = OLDER[basename(file).length % OLDER.length] ?? NEWEST;
  return builtService() === undefined ? everyServer() : serversOf([turn, NEWEST]);
}

function serversOf(majors: readonly Major[]): RaceServer[] {
  if (process.env['KEYWRIGHT_TEST_DATABASE_URL'] !== undefined) {
    return [{ name: 'the given server', isThorough: true, start: async () => undefined }];
  }
  return majors.map((major) => ({
    name: `PostgreSQL ${major}`,
    isThorough: major === NEWEST,
    start: () => startPostgres({ major, fsync: true, content: MIGRATED }),
  }));
}
