import { defineModule } from '../../../tenancy/module.ts';
import { DAY_SECONDS, expiring } from '../../../tenancy/sweep-store.ts';
import { noteDenials } from './denials.ts';
import { moveRestoredEvents } from './events-store.ts';
import { EventStreams } from './event-streams.ts';
import { BufferedNotes } from './notes.ts';
import { bindJournalRoutes } from './routes.ts';
import { createSealing } from './sealing.ts';

const EVENTS_KEPT_SECONDS = 30 * DAY_SECONDS;

export const journalModule = defineModule('journal', (core) => {
  const { gate, system } = core;
  const notes = new BufferedNotes(core);
  const sealing = createSealing(core);
  const streams = new EventStreams();
  return {
    offer: { notes, sealing, onDenial: noteDenials(notes) },
    async prepare() {
      await system.maintain('look for events of another database server', moveRestoredEvents);
    },
    routes: (router) => bindJournalRoutes(router, gate, sealing, streams),
    sweeps: [expiring('events', 'created_at', EVENTS_KEPT_SECONDS)],
    startChores: () => sealing.start(),
    drain: async () => streams.end(),
    async stop() {
      await Promise.all([notes.stop(), sealing.stop()]);
    },
  };
});
