import { defineModule } from '../../../tenancy/module.ts';
import { DAY_SECONDS, expiring } from '../../../tenancy/sweep-store.ts';
import { signingKeysModule } from '../signing-keys/index.ts';
import { statusListsModule } from '../status-lists/index.ts';
import { createRefresh } from './rotation.ts';
import { bindSessionRoutes } from './routes.ts';

const KEPT_SECONDS = 30 * DAY_SECONDS;

export const sessionsModule = defineModule('sessions', (core, use) => {
  const { gate, clock } = core;
  const refresh = createRefresh({ ...core, ...use(signingKeysModule), ...use(statusListsModule) });
  return {
    routes: (router) => bindSessionRoutes(router, gate, clock, refresh),
    sweeps: [expiring('sessions', 'absolute_expires_at', KEPT_SECONDS)],
  };
});
