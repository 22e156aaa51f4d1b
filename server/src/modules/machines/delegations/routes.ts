import {
  createDelegation,
  deleteDelegation,
  getDelegation,
  listDelegations,
  previewDelegation,
} from '@keywright/contract/routes/delegations';
import type { Clock } from '../../../platform/clock.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Router } from '../../../tenancy/router.ts';
import { once } from '../../../tenancy/idempotency.ts';
import { delegate, getDelegationById, listDelegationsPage, preview, takeBack } from './service.ts';

export function bindDelegationRoutes(router: Router, gate: Gate, clock: Clock): void {
  router.add(createDelegation, async ({ tenant, caller, body, repeatable }, fail) => {
    return once(gate.into(tenant.id), repeatable, (tx) => delegate(tx, caller, body, fail));
  });
  router.add(listDelegations, ({ tenant, caller, query }, fail) =>
    listDelegationsPage(gate.into(tenant.id), caller.subject, query, clock.now(), fail),
  );
  router.add(getDelegation, ({ tenant, caller, params }, fail) =>
    getDelegationById(
      gate.into(tenant.id),
      caller.subject,
      params.delegation_id,
      clock.now(),
      fail,
    ),
  );
  router.add(previewDelegation, ({ tenant, caller, params, query }, fail) =>
    preview(gate.into(tenant.id), caller, params.agent_id, query, fail),
  );
  router.add(deleteDelegation, async ({ tenant, caller, params }, fail) => ({
    id: await takeBack(gate.into(tenant.id), caller, params.delegation_id, fail),
    deleted: true as const,
  }));
}
