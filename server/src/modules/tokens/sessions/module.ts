import type { SessionId, UserId } from '@keywright/contract/ids';
import { logout } from '@keywright/contract/routes/auth';
import { deleteSession, deleteSessions, listSessions } from '@keywright/contract/routes/sessions';
import type { Clock } from '../../../platform/clock.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import { DAY_SECONDS, expiring } from '../../../tenancy/sweep-store.ts';
import { createUses } from '../../../tenancy/uses.ts';
import { signingKeysModule } from '../signing-keys/module.ts';
import { statusListsModule } from '../status-lists/module.ts';
import { type BrowserUse, writeBrowserUses } from './browser-logins-store.ts';
import {
  createBrowserLogins,
  type BrowserLogins,
  createFindUserOfConsole,
  type FindConsoleUser,
} from './browser-logins.ts';
import { createRedeemCode, type RedeemCode } from './code-redemption.ts';
import {
  listSessionsFor,
  logOut,
  revokeSession,
  revokeSessionsOf,
} from './session-administration.ts';
import { createRefreshFixed, createRefresh, type Refresh } from './session-refresh.ts';
import {
  createOpenFirstSession,
  createOpenSession,
  type OpenFirstSession,
  type OpenSession,
} from './session-service.ts';
import { createStepUp, type StepUp, createTokensOf, type TokensOf } from './session-step-up.ts';
import { writeLogins } from './session-store.ts';

const KEPT_SECONDS = 30 * DAY_SECONDS;
const MINUTE_MS = 60_000;
/** After a second the use is in the database, and `usedAt` prevents another write. Uses of one second are one statement. */
const SECOND_MS = 1000;

/** Created once, so that requests of all routes share their statements (ADR 46). */
interface Offer {
  readonly openSession: OpenSession;
  readonly openFirstSession: OpenFirstSession;
  readonly stepUp: StepUp;
  readonly tokensOf: TokensOf;
  readonly refresh: Refresh;
  readonly refreshFixed: Refresh;
  readonly redeemCode: RedeemCode;
  readonly browserLogins: BrowserLogins;
  readonly findConsoleUser: FindConsoleUser;
}

export const sessionsModule = defineModule<Offer>('sessions', (core, use) => {
  const { gate, clock } = core;
  const write = writeLogins.bind(undefined, gate);
  const logins = createUses<UserId>(core, { what: 'users', periodMs: MINUTE_MS, write });
  const noteLogin = logins.note;
  const parts = { ...core, ...use(signingKeysModule), ...use(statusListsModule), noteLogin };
  const refresh = createRefresh(parts);
  const browserUses = createUses<SessionId, BrowserUse>(core, {
    what: 'browser sessions',
    periodMs: SECOND_MS,
    write: writeBrowserUses.bind(undefined, core),
  });
  const browserLogins = createBrowserLogins(gate, browserUses.note);
  return {
    offer: {
      openSession: createOpenSession(parts),
      openFirstSession: createOpenFirstSession(parts),
      stepUp: createStepUp(parts),
      tokensOf: createTokensOf(parts),
      refresh,
      refreshFixed: createRefreshFixed(parts, refresh),
      redeemCode: createRedeemCode(parts),
      browserLogins,
      findConsoleUser: createFindUserOfConsole(gate, browserLogins),
    },
    routes: (router) => bindSessionRoutes(router, gate, clock),
    sweeps: [expiring('sessions', 'absolute_expires_at', KEPT_SECONDS)],
    async stop() {
      await Promise.all([logins.stop(), browserUses.stop()]);
    },
  };
});

function bindSessionRoutes(router: Router, gate: Gate, clock: Clock): void {
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
}
