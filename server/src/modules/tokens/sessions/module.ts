import type { SessionId, UserId } from '@keywright/contract/ids';
import { logout } from '@keywright/contract/routes/auth';
import { deleteSession, deleteSessions, listSessions } from '@keywright/contract/routes/sessions';
import { defineModule } from '../../../tenancy/module.ts';
import { DAY_SECONDS, expiring } from '../../../tenancy/sweep-store.ts';
import { Uses } from '../../../tenancy/activity.ts';
import { signingKeysModule } from '../signing-keys/module.ts';
import { statusListsModule } from '../status-lists/module.ts';
import { BrowserLogins } from './browser-logins.ts';
import { type BrowserUse, writeBrowserUses } from './browser-logins-store.ts';
import { RefreshService } from './refresh-service.ts';
import {
  listSessionsFor,
  logOut,
  revokeSession,
  revokeSessionsOf,
} from './session-administration.ts';
import { SessionService } from './session-service.ts';
import { writeLogins } from './session-store.ts';

/** How long ended sessions are stored. */
export const ENDED_SECONDS = 30 * DAY_SECONDS;
const MINUTE_MS = 60_000;
/** Uses are written each second, in one statement. After that, `usedAt` prevents another write. */
const SECOND_MS = 1000;

export const sessionsModule = defineModule<{
  readonly sessions: SessionService;
  readonly refreshes: RefreshService;
  readonly browserLogins: BrowserLogins;
}>('sessions', (core, use) => {
  const { gate, clock, activity } = core;
  const { keys, jwts } = use(signingKeysModule);
  const { bits } = use(statusListsModule);
  const logins = new Uses<UserId>(core, {
    what: 'users',
    periodMs: MINUTE_MS,
    write: (uses) => writeLogins(gate, uses),
  });
  const browserUses = new Uses<SessionId, BrowserUse>(core, {
    what: 'browser sessions',
    periodMs: SECOND_MS,
    write: (uses) => writeBrowserUses(gate, uses, clock.now()),
  });
  return {
    offer: {
      sessions: new SessionService(gate, clock, activity, keys, jwts, bits, logins.note),
      refreshes: new RefreshService(gate, clock, keys, jwts, bits),
      browserLogins: new BrowserLogins(gate, browserUses.note),
    },
    routes(router) {
      router.add(logout, async ({ tenant, caller }) => {
        await gate.into(tenant.id).transaction((tx) => logOut(tx, caller));
        return { session_id: caller.sessionId, revoked: true as const };
      });
      router.add(listSessions, ({ tenant, caller, query }, fail) =>
        listSessionsFor(gate.into(tenant.id), caller, query, clock.now(), fail),
      );
      router.add(deleteSession, async ({ tenant, caller, params }, fail) => ({
        id: await revokeSession(gate.into(tenant.id), caller, params.session_id, fail),
        revoked: true as const,
      }));
      router.add(deleteSessions, async ({ tenant, caller, query }, fail) => ({
        user_id: query.user_id,
        revoked: await revokeSessionsOf(gate.into(tenant.id), caller, query.user_id, fail),
      }));
    },
    sweeps: [expiring('sessions', 'absolute_expires_at', ENDED_SECONDS)],
    async stop() {
      await Promise.all([logins.stop(), browserUses.stop()]);
    },
  };
});
