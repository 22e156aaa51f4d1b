import { describe, test } from 'node:test';
import { statement } from '@keywright/server/platform/db/database';
import { openEmbedded } from '@keywright/server/platform/db/embedded';
import { databaseDirectory } from '../harness/temporary.ts';
import {
  CALM,
  crashOnPostgres,
  ENVIRONMENT,
  type SessionRow,
  SESSIONS,
  surviveCrashes,
} from './crashes.ts';
import { replayable } from './scenario.ts';

describe('SIGKILL of the service during rotations', { concurrency: true }, () => {
  test('A SIGKILL on PostgreSQL during rotations creates no second successor, and every client continues with its token', async () => {
    await replayable(4, crashOnPostgres);
  });

  test('A SIGKILL on PGlite during rotations creates no second successor, and every client continues with its token', async () => {
    const dataDir = await databaseDirectory('data');
    await replayable(3, ({ random, rounds, say }) =>
      surviveCrashes({
        env: { ...ENVIRONMENT, KEYWRIGHT_DATA_DIR: dataDir },
        random,
        say,
        rotations: 100 * rounds,
        calm: CALM,
        async readSessions() {
          const database = await openEmbedded(dataDir);
          const rows = await database.run<SessionRow>(statement('sessions', SESSIONS), []);
          await database.close();
          return rows;
        },
      }),
    );
  });
});
