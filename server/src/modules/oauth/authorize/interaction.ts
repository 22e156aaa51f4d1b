import type { SessionId, TenantId } from '@keywright/contract/ids';
import { continueAuthorization } from '@keywright/contract/routes/authorize';
import { returnFromProvider } from '@keywright/contract/routes/login-returns';
import { epochSeconds, type Clock } from '../../../platform/clock.ts';
import type { Html } from '../../../platform/http/pages/html.ts';
import type { Wishes } from '../../../platform/texts/locales.ts';
import type { Device } from '../../../tenancy/device.ts';
import { pathAtIssuer } from '../../../tenancy/issuer-paths.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Look } from '../../branding/brand/index.ts';
import type { Seals } from '../codes/index.ts';
import type { Done } from './authorization-decision.ts';
import type { AuthorizationRequest } from './authorization-request.ts';

/** How long a page can be left open. Each step restarts the time. */
const LIFETIME_SECONDS = 30 * 60;
/** How much longer its request can be restarted. */
const KEPT_SECONDS = 24 * 60 * 60;

/** The login for a request. */
export interface OwnFlow {
  readonly id: string;
  readonly token: string;
  /** What was typed to start it. */
  readonly identifier?: string;
  /** The address that a message was sent to, masked. */
  readonly sentTo?: string;
  /**
   * Who can log in at a provider in it. `anybody`: no address was typed; `one`: an address was typed whose domain one
   * provider has captured.
   */
  readonly providerOf?: 'anybody' | 'one';
  /** The provider that the browser was sent to last. */
  readonly provider?: string;
  /** The first proof. */
  readonly method?: string;
}

/** A login whose first proof failed. */
interface HeldFlow extends OwnFlow {
  /** The button, and what was typed. The flow is reused only for the same input. */
  readonly begunWith: string;
}

/** An authorization request, and what its user has done for it so far. The browser carries it; it is not stored. */
export interface Interaction {
  readonly request: AuthorizationRequest;
  /** The user whom the client expects (`id_token_hint`), by their subject at the client. */
  readonly expected?: string;
  readonly done: Done;
  readonly flow?: OwnFlow;
  readonly held?: HeldFlow;
  /** The page that the user chose before a login. */
  readonly wants?: 'code' | 'registration' | 'recovery' | 'another';
}

/** An interaction that a browser brought. */
interface Opened {
  readonly interaction: Interaction;
  /** The page was left open for too long. */
  readonly isTooOld: boolean;
}

/** Seals interactions to the cookie of their browser: in any other browser they are invalid. */
export interface Interactions {
  seal(tenantId: TenantId, cookie: string, interaction: Interaction, now: Date): Promise<string>;
  /** Undefined if it was made in another browser, or more than a day ago. */
  open(
    tenantId: TenantId,
    cookie: string | undefined,
    text: string,
    now: Date,
  ): Promise<Opened | undefined>;
}

export function createInteractions(seals: Seals): Interactions {
  const place = (tenantId: TenantId, boundTo: string) =>
    ({ tenantId, purpose: 'authorization request', boundTo }) as const;
  return {
    seal: (tenantId, cookie, interaction, now) => {
      const exp = epochSeconds(now) + LIFETIME_SECONDS;
      return seals.seal({ ...interaction, exp }, place(tenantId, cookie));
    },
    async open(tenantId, cookie, text, now) {
      if (cookie === undefined) return undefined;
      const opened = await seals.open(text, place(tenantId, cookie));
      if (opened === undefined) return undefined;
      const { exp, ...interaction } = opened as Interaction & { readonly exp: number };
      const age = epochSeconds(now) - exp;
      return age < KEPT_SECONDS ? { interaction, isTooOld: age >= 0 } : undefined;
    },
  };
}

/** After a login for this request, no other one is required. */
export function loggedIn(interaction: Interaction, sessionId: SessionId): Interaction {
  const { request, expected, done } = interaction;
  return { request, ...(expected && { expected }), done: { ...done, login: sessionId } };
}

/** What the browser sends to a page. */
export interface Visit {
  readonly tenant: Tenant;
  /** The request in progress, sealed. */
  readonly request: string;
  readonly cookies: {
    readonly session?: string;
    readonly flow?: string;
    readonly method?: string;
  };
  readonly device: Device;
  /** For the form of the page. */
  readonly token: Html;
  /** How its pages look. */
  readonly look: Look;
  readonly wishes: Wishes;
}

/** The same with a later state of the request, which the page and its form for another language carry. */
export function carrying(visit: Visit, request: string): Visit {
  const here = { action: 'continue', fields: { request } };
  return { ...visit, request, look: { ...visit.look, here } };
}

/** What the browser of this visit carries. */
export function sealFor(
  { interactions, clock }: { readonly interactions: Interactions; readonly clock: Clock },
  { tenant, cookies: { flow } }: Visit,
  interaction: Interaction,
): Promise<string> {
  if (flow === undefined) throw new Error('The request was opened without its cookie.');
  return interactions.seal(tenant.id, flow, interaction, clock.now());
}

/** URL of the page on which a login continues, at the issuer. */
export function continuePath(tenant: Tenant, request: string): `/${string}` {
  return `${pathAtIssuer(tenant, continueAuthorization.path)}?request=${request}`;
}

/** Where the browser returns to from an identity provider. */
export function returnedAddress(tenant: Tenant, request: string): URL {
  const address = new URL(pathAtIssuer(tenant, returnFromProvider.path), tenant.issuer);
  address.searchParams.set('request', request);
  return address;
}
