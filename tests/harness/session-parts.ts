import { createTokenBits } from '@keywright/server/modules/tokens/status-lists/token-bits';
import { SessionService } from '@keywright/server/modules/tokens/sessions/session-service';
import { createKeyRing } from '@keywright/server/modules/tokens/signing-keys/key-ring';
import { systemClock } from '@keywright/server/platform/clock';
import { openPostgres } from '@keywright/server/platform/db/postgres';
import { watchChanges } from '@keywright/server/tenancy/changes';
import { createMasterKeys } from '@keywright/server/tenancy/data-keys';
import { createTenantDirectory } from '@keywright/server/tenancy/directory';
import { createGate } from '@keywright/server/tenancy/gate';

/** The parts to open sessions directly in a service's database. */
export async function openSessionParts(databaseUrl: string, masterKey: string) {
  const database = openPostgres(databaseUrl, () => {});
  const changes = await watchChanges(database);
  const masterKeys = createMasterKeys([Buffer.from(masterKey, 'base64')]);
  const keys = createKeyRing(createGate(database), masterKeys, changes, systemClock);
  const gate = createGate(database, systemClock, undefined, keys.auditKeys);
  const directory = createTenantDirectory(database, changes, () => '', keys.learn);
  const activity = { count: () => {} };
  const bits = createTokenBits(gate, systemClock);
  const signJwt = () => Promise.reject(new Error('Sessions of applications are not opened here.'));
  return {
    parts: { gate, keys, bits, clock: systemClock },
    sessions: new SessionService(gate, systemClock, activity, keys, signJwt, bits, () => {}),
    directory,
    async close() {
      await changes.stop();
      await database.close();
    },
  };
}
