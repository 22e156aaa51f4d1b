import { AfterCommit } from '@keywright/server/tenancy/after-commit';
import {
  createApplicationKeys,
  createEnsureKey,
} from '@keywright/server/modules/tokens/signing-keys/application-keys';
import { createKeyRing } from '@keywright/server/modules/tokens/signing-keys/key-ring';
import {
  createSignJwt,
  createVerifyOwnJwt,
} from '@keywright/server/modules/tokens/signing-keys/own-jwts';
import type { Clock } from '@keywright/server/platform/clock';
import { openPostgres } from '@keywright/server/platform/db/postgres';
import { watchChanges } from '@keywright/server/tenancy/changes';
import { createDataKeys, createMasterKeys } from '@keywright/server/tenancy/data-keys';
import { createGate } from '@keywright/server/tenancy/gate';

/** What signs and verifies JWTs for applications, with caches of its own, as on one more node. */
export async function openApplicationJwts(databaseUrl: string, masterKey: Buffer, clock: Clock) {
  const database = openPostgres(databaseUrl, () => {});
  const changes = await watchChanges(database);
  const masterKeys = createMasterKeys([masterKey]);
  const keys = createKeyRing(createGate(database), masterKeys, changes, clock);
  const afterCommit = new AfterCommit();
  afterCommit.forgetWith(changes.forget);
  const gate = createGate(database, clock, afterCommit, keys.auditKeys);
  const ensureKey = createEnsureKey(gate, createDataKeys(gate, masterKeys));
  const applicationKeys = createApplicationKeys({ gate, masterKeys, changes, clock, ensureKey });
  return {
    keys,
    signJwt: createSignJwt(keys, applicationKeys),
    verify: createVerifyOwnJwt({ gate, clock, keys, applicationKeys }),
    async close() {
      await changes.stop();
      await database.close();
    },
  };
}
