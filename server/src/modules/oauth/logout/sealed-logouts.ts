import type { SessionId, TenantId } from '@keywright/contract/ids';
import { epochSeconds } from '../../../platform/clock.ts';
import type { Seals } from '../codes/index.ts';

/** How long the page that asks the user is usable. */
const LIFETIME_SECONDS = 30 * 60;
/** How long the page about a login that has ended is usable: other people may use this browser by then. */
const ENDED_LIFETIME_SECONDS = 10 * 60;

/** The address to which the user returns; verified before the page, and again after it. */
export interface ReturnAddress {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state?: string;
}

/** A logout about which a page asks the user. The browser holds it; it is not stored. */
export interface PendingLogout {
  /** The login that would end: another login in the same browser does not. */
  readonly sessionId: SessionId;
  readonly returnTo?: ReturnAddress;
  /** The client named an address that cannot be trusted. */
  readonly isRefusedReturn?: true;
}

/** A login that was ended on a page, which shows the clients that are notified. */
type EndedLogin = Pick<PendingLogout, 'sessionId'>;

/** Seals logouts for the cookie of a browser: they do not open in another one. */
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
