import { listAudit, listCheckpoints, listOwnLog } from '@keywright/contract/routes/audit';
import { listEvents, streamEvents } from '@keywright/contract/routes/events';
import { JSON_LINES } from '@keywright/contract/routes/fields';
import type { Gate } from '../../../tenancy/gate.ts';
import { asksFor } from '../../../platform/http/accept.ts';
import { Live, Streamed } from '../../../platform/http/replies.ts';
import type { Router } from '../../../tenancy/router.ts';
import { filterOf, listAuditPage, listCheckpointsPage } from './audit.ts';
import { readEvents } from './events.ts';
import type { EventStreams } from './event-streams.ts';
import { exportLines } from './export.ts';
import { listOwnLogPage } from './own-log.ts';
import type { Sealing } from './sealing.ts';

export function bindJournalRoutes(
  router: Router,
  gate: Gate,
  sealing: Sealing,
  streams: EventStreams,
): void {
  router.add(listEvents, ({ tenant, query }, fail) =>
    readEvents(gate.into(tenant.id), query, fail),
  );
  router.add(streamEvents, ({ tenant, query, headers, address, isStillAuthorized }, fail) => {
    const lastId = headers['last-event-id']?.toString();
    const data = gate.into(tenant.id);
    const asked = { data, filter: query, address, lastId, isStillAuthorized };
    return new Live((reply) => streams.tell(asked, reply, fail));
  });
  router.add(listAudit, async ({ tenant, caller, query, headers }, fail) => {
    const data = gate.into(tenant.id);
    if (!asksFor(headers.accept, JSON_LINES)) return listAuditPage(data, caller, query, fail);
    const filter = filterOf(data, caller, query, fail);
    // Everything committed by now must be included.
    await sealing.seal(tenant.id);
    const isWhole = Object.keys(filter).length === 0;
    return new Streamed(JSON_LINES, exportLines(data, filter, isWhole));
  });
  router.add(listOwnLog, ({ tenant, caller, query }, fail) =>
    listOwnLogPage(gate.into(tenant.id), caller.subject, query, fail),
  );
  router.add(listCheckpoints, ({ tenant, query }, fail) =>
    listCheckpointsPage(gate.into(tenant.id), query, fail),
  );
}
