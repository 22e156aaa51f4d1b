import { listActivity } from '@keywright/contract/routes/activity';
import { listAudit, listCheckpoints, listOwnLog } from '@keywright/contract/routes/audit';
import { listEvents, streamEvents } from '@keywright/contract/routes/events';
import { JSON_LINES } from '@keywright/contract/routes/fields';
import { asksFor } from '../../../platform/http/accept.ts';
import { Live, Streamed } from '../../../platform/http/replies.ts';
import { readMoment } from '../../../platform/moment.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { type Core, defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import { DAY_SECONDS, expiring } from '../../../tenancy/sweep-store.ts';
import { findCounts } from './activity-store.ts';
import {
  type ActivityWriter,
  createActivityWriter,
  coveredBy,
  spansOf,
  storedAs,
} from './activity.ts';
import {
  filterOf,
  listAuditPage,
  listCheckpointsPage,
  exportLines,
  listOwnLogPage,
} from './audit-log.ts';
import { noteDenials, BufferedNotes } from './audit-notes.ts';
import { createSealing, type Sealing } from './audit-sealing.ts';
import { EventStreams, readEvents } from './event-log.ts';
import { moveRestoredEvents } from './events-store.ts';

const EVENTS_KEPT_SECONDS = 30 * DAY_SECONDS;

export const journalModule = defineModule('journal', (core) => {
  const { gate, system, activity, log } = core;
  const notes = new BufferedNotes(core);
  const sealing = createSealing(core);
  const streams = new EventStreams();
  const writer = createActivityWriter(gate, activity, log);
  return {
    offer: { notes, sealing, onDenial: noteDenials(notes) },
    async prepare() {
      await system.maintain('look for events of another database server', moveRestoredEvents);
    },
    routes(router) {
      bindJournalRoutes(router, gate, sealing, streams);
      bindActivity(router, core, writer);
    },
    sweeps: [
      expiring('events', 'created_at', EVENTS_KEPT_SECONDS),
      expiring('activity', 'expires_at'),
    ],
    start: () => writer.start(),
    startChores: () => sealing.start(),
    drain: async () => streams.end(),
    async stop() {
      await Promise.all([notes.stop(), sealing.stop(), writer.stop()]);
    },
  };
});

function bindActivity(router: Router, { gate, clock }: Core, writer: ActivityWriter): void {
  router.add(listActivity, async ({ tenant, query }, fail) => {
    const { interval = 'hour' } = query;
    const bounds = {
      ...(query.from === undefined ? {} : { from: readMoment(query.from, '/from', fail) }),
      ...(query.to === undefined ? {} : { to: readMoment(query.to, '/to', fail) }),
    };
    const { from, to } = coveredBy(interval, bounds, clock.now());
    await writer.flush(tenant.id);
    const rows = await gate
      .into(tenant.id)
      .transaction((tx) => findCounts(tx, storedAs(interval), from, to));
    const spans = spansOf(interval, rows);
    return { interval, from: from.toISOString(), to: to.toISOString(), spans };
  });
}

function bindJournalRoutes(
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
