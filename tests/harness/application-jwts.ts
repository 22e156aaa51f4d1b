import { AfterCommit } from '@keywright/server/tenancy/after-commit';
import { ApplicationKeys } from '@keywright/server/modules/tokens/signing-keys/application-keys';
import { KeyRing } from '@keywright/server/modules/tokens/signing-keys/key-ring';
import { ApplicationJwts } from '@keywright/server/modules/tokens/signing-keys/application-jwts';
import type { Clock } from '@keywright/server/platform/clock';
import { openPostgres } from '@keywright/server/platform/db/postgres';
import { watchChanges } from '@keywright/server/tenancy/changes';
import { DataKeys, MasterKeys } from '@keywright/server/tenancy/data-keys';
import { Gate } from '@keywright/server/tenancy/gate';

/** A signer and verifier of JWTs for applications, with separate caches, like another node. */
export async function openApplicationJwts(databaseUrl: string, masterKey: Buffer, clock: Clock) {
  const database = openPostgres(databaseUrl, () => {});
  const changes = await watchChanges(database);
  const masterKeys = new MasterKeys([masterKey]);
  const keys = new KeyRing(new Gate(database), masterKeys, changes, clock);
  const afterCommit = new AfterCommit();
  afterCommit.forgetWith(changes.forget);
  const gate = new Gate(database, clock, afterCommit, keys.auditKeys);
  const dataKeys = new DataKeys(gate, masterKeys);
  const applicationKeys = new ApplicationKeys(gate, masterKeys, dataKeys, changes, clock);
  return {
    keys,
    jwts: new ApplicationJwts(gate, clock, keys, applicationKeys),
    async close() {
      await changes.stop();
      await database.close();
    },
  };
}
