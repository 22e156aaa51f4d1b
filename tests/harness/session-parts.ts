import { TokenBits } from '@keywright/server/modules/tokens/status-lists/token-bits';
import { SessionService } from '@keywright/server/modules/tokens/sessions/session-service';
import { ApplicationKeys } from '@keywright/server/modules/tokens/signing-keys/application-keys';
import { ApplicationJwts } from '@keywright/server/modules/tokens/signing-keys/application-jwts';
import { KeyRing } from '@keywright/server/modules/tokens/signing-keys/key-ring';
import { systemClock } from '@keywright/server/platform/clock';
import { openPostgres } from '@keywright/server/platform/db/postgres';
import { watchChanges } from '@keywright/server/tenancy/changes';
import { DataKeys, MasterKeys } from '@keywright/server/tenancy/data-keys';
import { TenantDirectory } from '@keywright/server/tenancy/directory';
import { Gate } from '@keywright/server/tenancy/gate';

/** The parts to open sessions directly in a service's database. */
export async function openSessionParts(databaseUrl: string, masterKey: string) {
  const database = openPostgres(databaseUrl, () => {});
  const changes = await watchChanges(database);
  const masterKeys = new MasterKeys([Buffer.from(masterKey, 'base64')]);
  const keys = new KeyRing(new Gate(database), masterKeys, changes, systemClock);
  const gate = new Gate(database, systemClock, undefined, keys.auditKeys);
  const directory = new TenantDirectory(database, changes, () => '', keys.learn);
  const activity = { count: () => {} };
  const bits = new TokenBits(gate, systemClock);
  const dataKeys = new DataKeys(gate, masterKeys);
  const applicationKeys = new ApplicationKeys(gate, masterKeys, dataKeys, changes, systemClock);
  const jwts = new ApplicationJwts(gate, systemClock, keys, applicationKeys);
  return {
    parts: { gate, keys, bits, clock: systemClock },
    sessions: new SessionService(gate, systemClock, activity, keys, jwts, bits, () => {}),
    directory,
    async close() {
      await changes.stop();
      await database.close();
    },
  };
}
