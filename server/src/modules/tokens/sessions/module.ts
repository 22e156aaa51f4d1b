import type { SessionId, UserId } from '@keywright/contract/ids';
import { DAY_SECONDS, expiring } from '../../../tenancy/sweep-store.ts';
import { defineModule } from '../../../tenancy/module.ts';
import { createUses } from '../../../tenancy/uses.ts';
import { signingKeysModule } from '../signing-keys/module.ts';
import { statusListsModule } from '../status-lists/module.ts';
import { createBrowserLogins, type BrowserLogins } from './browser.ts';
import { type BrowserUse, writeBrowserUses } from './browser-store.ts';
import { createFindUserOfConsole, type FindConsoleUser } from './console-users.ts';
import { createRefreshFixed } from './fixed.ts';
import { writeLogins } from './logins-store.ts';
import {
  createOpenFirstSession,
  createOpenSession,
  type OpenFirstSession,
  type OpenSession,
} from './open.ts';
import { createRedeemCode, type RedeemCode } from './redemption.ts';
import { createRefresh, type Refresh } from './rotation.ts';
import { bindSessionRoutes } from './routes.ts';
import { createStepUp, type StepUp } from './step-up.ts';
import { createTokensOf, type TokensOf } from './tokens-of.ts';

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
