import { listKeys, retireKey, rotateKeys } from '@keywright/contract/routes/signing-keys';
import type { Clock } from '../../../platform/clock.ts';
import { listedWhole } from '../../../platform/db/page.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Router } from '../../../tenancy/router.ts';
import { once } from '../../../tenancy/idempotency.ts';
import { beginRotation, listKeysOf, retireKeyById, rotateKeyIn } from './service.ts';

export function bindSigningKeyRoutes(
  router: Router,
  gate: Gate,
  dataKeys: DataKeys,
  clock: Clock,
): void {
  router.add(listKeys, async ({ tenant, query }, fail) =>
    listedWhole(query, await listKeysOf(gate.into(tenant.id), clock.now()), fail),
  );
  router.add(rotateKeys, async ({ tenant, caller, query, repeatable }, fail) => {
    const { algorithm = 'EdDSA', immediately } = query;
    const rotation = await beginRotation(algorithm, immediately === 'true');
    return dataKeys.use(tenant.id, (dataKey) =>
      once(gate.into(tenant.id), repeatable, (tx) =>
        rotateKeyIn(tx, caller, dataKey, rotation, tx.now, fail),
      ),
    );
  });
  router.add(retireKey, async ({ tenant, caller, params }, fail) => ({
    id: await retireKeyById(gate.into(tenant.id), caller, params.key_id, clock.now(), fail),
    revoked: true as const,
  }));
}
