import type { SessionId, TenantId } from '@keywright/contract/ids';
import { epochSeconds } from '../../../platform/clock.ts';
import type { Seals } from '../codes/index.ts';

/** How long the page that asks the user remains usable. */
const LIFETIME_SECONDS = 30 * 60;
/**
 * How long the page about an ended login remains usable. It is short because other people could use this browser by
 * then.
 */
const ENDED_LIFETIME_SECONDS = 10 * 60;

/** The address to which the user returns, verified before the page is shown and again after the form is submitted. */
export interface ReturnAddress {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state?: string;
}

/** A logout that a page asks the user to confirm. The browser holds it; it is not stored. */
export interface PendingLogout {
  /** The login to end: another login in the same browser is not affected. */
  readonly sessionId: SessionId;
  readonly returnTo?: ReturnAddress;
  /** The client named an untrusted address. */
  readonly isRefusedReturn?: true;
}

/** A login that was ended on a page, which shows the notified clients. */
type EndedLogin = Pick<PendingLogout, 'sessionId'>;

/** Seals logouts for a browser's cookie: they cannot be opened in another browser. */
export class SealedLogouts {
  readonly #seals: Seals;

  constructor(seals: Seals) {
    this.#seals = seals;
  }

  seal(tenantId: TenantId, cookie: string, logout: PendingLogout, now: Date): Promise<string> {
    const exp = epochSeconds(now) + LIFETIME_SECONDS;
    return this.#seals.seal({ ...logout, exp }, { tenantId, purpose: 'logout', boundTo: cookie });
  }

  sealEnded(tenantId: TenantId, cookie: string, ended: EndedLogin, now: Date): Promise<string> {
    const exp = epochSeconds(now) + ENDED_LIFETIME_SECONDS;
    const place = { tenantId, purpose: 'ended login', boundTo: cookie } as const;
    return this.#seals.seal({ ...ended, exp }, place);
  }

  /** Undefined if it was sealed for another browser, or has expired. */
  open(
    tenantId: TenantId,
    cookie: string | undefined,
    text: string,
    now: Date,
  ): Promise<PendingLogout | undefined> {
    return this.#open<PendingLogout>('logout', tenantId, cookie, text, now);
  }

  /** Undefined if it was sealed for another browser, or has expired. */
  openEnded(
    tenantId: TenantId,
    cookie: string | undefined,
    text: string,
    now: Date,
  ): Promise<EndedLogin | undefined> {
    return this.#open<EndedLogin>('ended login', tenantId, cookie, text, now);
  }

  async #open<Value extends object>(
    purpose: 'logout' | 'ended login',
    tenantId: TenantId,
    cookie: string | undefined,
    text: string,
    now: Date,
  ): Promise<Value | undefined> {
    if (cookie === undefined) return undefined;
    const opened = await this.#seals.open(text, { tenantId, purpose, boundTo: cookie });
    if (opened === undefined) return undefined;
    const { exp, ...value } = opened as Value & { readonly exp: number };
    return epochSeconds(now) < exp ? (value as unknown as Value) : undefined;
  }
}
