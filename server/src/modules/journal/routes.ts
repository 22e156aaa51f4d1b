import { listEvents } from '@keywright/contract/routes/events';
import type { Gate } from '../../tenancy/gate.ts';
import type { Router } from '../../tenancy/router.ts';
import { readEvents } from './events.ts';

export function bindJournalRoutes(router: Router, gate: Gate): void {
  router.add(listEvents, ({ tenant, query }, fail) =>
    readEvents(gate.into(tenant.id), query, fail),
  );
}
