import type { SessionId, TenantId } from '@keywright/contract/ids';
import { epochSeconds } from '../../../platform/clock.ts';
import type { Seals } from '../codes/index.ts';

/** How long the page may be looked at. */
const LIFETIME_SECONDS = 30 * 60;
/** The same of the page about a login that has ended: others may use this browser by then. */
const ENDED_LIFETIME_SECONDS = 10 * 60;

/** Where the user returns to: verified before, and again when they leave. */
export interface ReturnTo {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state?: string;
}

/** A logout that a page asks about. The browser carries it, and nobody stores it. */
export interface LogoutInProgress {
  /** Whose end is asked for: another login in the same browser is not meant. */
  readonly sessionId: SessionId;
  readonly returnTo?: ReturnTo;
  /** The application named an address, and cannot be relied on. */
  readonly isRefusedReturn?: true;
}

/** A login that was ended on a page, which says who is told of it. */
type EndedLogin = Pick<LogoutInProgress, 'sessionId'>;

/** Seals logouts to the cookie of the browser that they are asked for in: elsewhere they mean nothing. */
export interface SealedLogouts {
  seal(tenantId: TenantId, cookie: string, logout: LogoutInProgress, now: Date): Promise<string>;
  /** Undefined if it was made elsewhere, or too long ago. */
  open(
    tenantId: TenantId,
    cookie: string | undefined,
    text: string,
    now: Date,
  ): Promise<LogoutInProgress | undefined>;
  /** The same of a login that has ended. */
  sealEnded(tenantId: TenantId, cookie: string, ended: EndedLogin, now: Date): Promise<string>;
  openEnded(
    tenantId: TenantId,
    cookie: string | undefined,
    text: string,
    now: Date,
  ): Promise<EndedLogin | undefined>;
}

export function createSealedLogouts(seals: Seals): SealedLogouts {
  const asked = sealedUntil<LogoutInProgress>(seals, 'logout', LIFETIME_SECONDS);
  const ended = sealedUntil<EndedLogin>(seals, 'ended login', ENDED_LIFETIME_SECONDS);
  return { ...asked, sealEnded: ended.seal, openEnded: ended.open };
}

function sealedUntil<Value extends object>(
  seals: Seals,
  purpose: 'logout' | 'ended login',
  lifetimeSeconds: number,
) {
  const place = (tenantId: TenantId, boundTo: string) => ({ tenantId, purpose, boundTo }) as const;
  return {
    seal: (tenantId: TenantId, cookie: string, value: Value, now: Date) => {
      const exp = epochSeconds(now) + lifetimeSeconds;
      return seals.seal({ ...value, exp }, place(tenantId, cookie));
    },
    open: async (
      tenantId: TenantId,
      cookie: string | undefined,
      text: string,
      now: Date,
    ): Promise<Value | undefined> => {
      if (cookie === undefined) return undefined;
      const opened = await seals.open(text, place(tenantId, cookie));
      if (opened === undefined) return undefined;
      const { exp, ...value } = opened as Value & { readonly exp: number };
      return epochSeconds(now) < exp ? (value as unknown as Value) : undefined;
    },
  };
}
