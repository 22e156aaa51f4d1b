import type { UserId } from '@keywright/contract/ids';
import { DAY_SECONDS, expiring } from '../../../tenancy/sweep-store.ts';
import { defineModule } from '../../../tenancy/module.ts';
import { createUses, type NoteUse } from '../../../tenancy/uses.ts';
import { writeLogins } from './logins-store.ts';
import { bindSessionRoutes } from './routes.ts';

const KEPT_SECONDS = 30 * DAY_SECONDS;
const MINUTE_MS = 60_000;

interface Offer {
  /** That a user logged in, to the minute. */
  readonly noteLogin: NoteUse<UserId>;
}

export const sessionsModule = defineModule<Offer>('sessions', (core) => {
  const { gate, clock } = core;
  const write = writeLogins.bind(undefined, gate);
  const logins = createUses<UserId>(core, { what: 'users', periodMs: MINUTE_MS, write });
  return {
    offer: { noteLogin: logins.note },
    routes: (router) => bindSessionRoutes(router, gate, clock),
    sweeps: [expiring('sessions', 'absolute_expires_at', KEPT_SECONDS)],
    stop: () => logins.stop(),
  };
});
