import { getIssuerKeySet, getKeySet } from '@keywright/contract/routes/key-set';
import { listKeys, retireKey, rotateKeys } from '@keywright/contract/routes/signing-keys';
import type { Clock } from '../../../platform/clock.ts';
import { listedWhole } from '../../../platform/db/page.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { once } from '../../../tenancy/idempotency.ts';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import { ApplicationKeys } from './application-keys.ts';
import { KeyRing } from './key-ring.ts';
import { startRotation, listKeysOf, retireKeyById, rotateSigningKeyIn } from './key-rotation.ts';
import { KeySets, ApplicationJwts } from './application-jwts.ts';

export const signingKeysModule = defineModule('signing keys', (core) => {
  const { gate, masterKeys, dataKeys, changes, clock } = core;
  const keys = new KeyRing(gate, masterKeys, changes, clock);
  const applicationKeys = new ApplicationKeys(gate, masterKeys, dataKeys, changes, clock);
  const keySets = new KeySets(keys, applicationKeys);
  return {
    offer: { keys, applicationKeys, jwts: new ApplicationJwts(gate, clock, keys, applicationKeys) },
    routes(router) {
      router.addStored(
        [getKeySet, getIssuerKeySet],
        ({ tenant, query }) => keySets.find(tenant.id, query.alg),
        (tenant) => keySets.cached(tenant.id),
      );
      bindKeyRoutes(router, gate, dataKeys, clock);
    },
  };
});

function bindKeyRoutes(router: Router, gate: Gate, dataKeys: DataKeys, clock: Clock): void {
  router.add(listKeys, async ({ tenant, query }, fail) =>
    listedWhole(query, await listKeysOf(gate.into(tenant.id), clock.now()), fail),
  );
  router.add(rotateKeys, async ({ tenant, caller, query, repeatable }, fail) => {
    const { algorithm = 'EdDSA', immediately } = query;
    const rotation = await startRotation(algorithm, immediately === 'true');
    return dataKeys.use(tenant.id, (dataKey) =>
      once(gate.into(tenant.id), repeatable, (tx) =>
        rotateSigningKeyIn(tx, caller, dataKey, rotation, tx.now, fail),
      ),
    );
  });
  router.add(retireKey, async ({ tenant, caller, params }, fail) => ({
    id: await retireKeyById(gate.into(tenant.id), caller, params.key_id, clock.now(), fail),
    revoked: true as const,
  }));
}
