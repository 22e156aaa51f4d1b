import type { SessionId, TenantId } from '@keywright/contract/ids';
import { epochSeconds } from '../../../platform/clock.ts';
import type { Seals } from '../codes/index.ts';

/** How long the page may be looked at. */
const LIFETIME_SECONDS = 30 * 60;

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
}

export function createSealedLogouts(seals: Seals): SealedLogouts {
  const place = (tenantId: TenantId, boundTo: string) =>
    ({ tenantId, purpose: 'logout', boundTo }) as const;
  return {
    seal: (tenantId, cookie, logout, now) => {
      const exp = epochSeconds(now) + LIFETIME_SECONDS;
      return seals.seal({ ...logout, exp }, place(tenantId, cookie));
    },
    async open(tenantId, cookie, text, now) {
      if (cookie === undefined) return undefined;
      const opened = await seals.open(text, place(tenantId, cookie));
      if (opened === undefined) return undefined;
      const { exp, ...logout } = opened as LogoutInProgress & { readonly exp: number };
      return epochSeconds(now) < exp ? logout : undefined;
    },
  };
}
