import { listActivity } from '@keywright/contract/routes/activity';
import { readMoment } from '../../../platform/moment.ts';
import { defineModule } from '../../../tenancy/module.ts';
import { expiring } from '../../../tenancy/sweep-store.ts';
import { createActivityWriter } from './flush.ts';
import { coveredBy, spansOf, storedAs } from './spans.ts';
import { findCounts } from './store.ts';

export const activityModule = defineModule('activity', ({ gate, clock, log, activity }) => {
  const writer = createActivityWriter(gate, activity, log);
  return {
    routes(router) {
      router.add(listActivity, async ({ tenant, query }, fail) => {
        const { interval = 'hour' } = query;
        const asked = {
          ...(query.from === undefined ? {} : { from: readMoment(query.from, '/from', fail) }),
          ...(query.to === undefined ? {} : { to: readMoment(query.to, '/to', fail) }),
        };
        const { from, to } = coveredBy(interval, asked, clock.now());
        await writer.flush(tenant.id);
        const rows = await gate
          .into(tenant.id)
          .transaction((tx) => findCounts(tx, storedAs(interval), from, to));
        const spans = spansOf(interval, rows);
        return { interval, from: from.toISOString(), to: to.toISOString(), spans };
      });
    },
    sweeps: [expiring('activity', 'expires_at')],
    start: () => writer.start(),
    stop: () => writer.stop(),
  };
});
