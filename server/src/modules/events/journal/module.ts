import { listActivity } from '@keywright/contract/routes/activity';
import { listAudit, listCheckpoints, listOwnLog } from '@keywright/contract/routes/audit';
import { listEvents, streamEvents } from '@keywright/contract/routes/events';
import { JSON_LINES } from '@keywright/contract/routes/fields';
import { getNames } from '@keywright/contract/routes/names';
import { acceptsType } from '../../../platform/http/accept.ts';
import { Live, Streamed } from '../../../platform/http/replies.ts';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import { DAY_SECONDS, expiring } from '../../../tenancy/sweep-store.ts';
import { ActivityService } from './activity.ts';
import { AuditLog } from './audit-log.ts';
import { noteDenials, Notes } from './audit-notes.ts';
import { Sealing } from './audit-sealing.ts';
import { EventLog } from './event-log.ts';
import { moveRestoredEvents } from './events-store.ts';

export const EVENTS_STORED_SECONDS = 30 * DAY_SECONDS;

export const journalModule = defineModule('journal', (core) => {
  const notes = new Notes(core.gate, core.clock, core.log, core.activity);
  const sealing = new Sealing(core);
  const activity = new ActivityService(core);
  const auditLog = new AuditLog(core.gate, sealing);
  const eventLog = new EventLog(core.gate);
  return {
    offer: { notes, sealing, onDenial: noteDenials(notes) },
    async prepare() {
      const reason = 'look for events of another database server';
      await core.system.maintain(reason, moveRestoredEvents);
    },
    routes(router) {
      router.add(listActivity, ({ tenant, query }, fail) => activity.list(tenant.id, query, fail));
      bindEvents(router, eventLog);
      bindAudit(router, auditLog);
    },
    sweeps: [
      expiring('events', 'created_at', EVENTS_STORED_SECONDS),
      expiring('activity', 'expires_at'),
    ],
    start: () => activity.start(),
    startChores: () => sealing.start(),
    drain: async () => eventLog.endStreams(),
    async stop() {
      await Promise.all([notes.stop(), sealing.stop(), activity.stop()]);
    },
  };
});

function bindEvents(router: Router, log: EventLog): void {
  router.add(listEvents, ({ tenant, query }, fail) => log.list(tenant.id, query, fail));
  router.add(
    streamEvents,
    ({ tenant, query: filter, headers, address, isStillAuthorized }, fail) => {
      const lastId = headers['last-event-id']?.toString();
      const request = { tenantId: tenant.id, filter, address, lastId, isStillAuthorized };
      return new Live((reply) => log.stream(request, reply, fail));
    },
  );
}

function bindAudit(router: Router, log: AuditLog): void {
  router.add(listAudit, async ({ tenant, caller, query, headers }, fail) =>
    acceptsType(headers.accept, JSON_LINES)
      ? new Streamed(JSON_LINES, await log.export(tenant.id, caller, query, fail))
      : log.list(tenant.id, caller, query, fail),
  );
  router.add(listOwnLog, ({ tenant, caller, query }, fail) =>
    log.listOfUser(tenant.id, caller.subject, query, fail),
  );
  router.add(getNames, ({ tenant, caller, query }) => log.getNames(tenant.id, caller, query));
  router.add(listCheckpoints, ({ tenant, query }, fail) =>
    log.listCheckpoints(tenant.id, query, fail),
  );
}
