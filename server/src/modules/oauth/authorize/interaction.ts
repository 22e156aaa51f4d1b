import type { SessionId, TenantId } from '@keywright/contract/ids';
import { epochSeconds } from '../../../platform/clock.ts';
import type { Seals } from '../codes/index.ts';
import type { Done } from './decide.ts';
import type { AuthorizationRequest } from './request.ts';

/** How long a page may be looked at. Each step begins anew. */
const LIFETIME_SECONDS = 30 * 60;
/** How much later its request can be taken up again, from the beginning. */
const KEPT_SECONDS = 24 * 60 * 60;

/** The login that is made for a request. */
export interface OwnFlow {
  readonly id: string;
  readonly token: string;
  /** What was typed to begin it. */
  readonly identifier?: string;
  /** The address that a message was sent to, masked. */
  readonly sentTo?: string;
  /**
   * Who logs in at a provider in it. `anybody`: nobody has said whose login it is; `one`: an address of a domain whose
   * users log in at one provider only.
   */
  readonly providerOf?: 'anybody' | 'one';
  /** The provider that the browser was sent to last. */
  readonly provider?: string;
  /** The first proof. */
  readonly method?: string;
}

/** A login whose first proof failed. */
interface HeldFlow extends OwnFlow {
  /** The button, and what was typed. The same is tried again in it, whatever else was typed. */
  readonly begunWith: string;
}

/** An authorization request, and what its user has done for it so far. The browser carries it, and nobody stores it. */
export interface Interaction {
  readonly request: AuthorizationRequest;
  /** Whom the client expects (`id_token_hint`): the subject that it knows them by. */
  readonly expected?: string;
  readonly done: Done;
  readonly flow?: OwnFlow;
  readonly held?: HeldFlow;
  /** The page that the user asked for, before a login. */
  readonly wants?: 'code' | 'registration' | 'recovery' | 'another';
}

/** An interaction, as a browser came with it. */
interface Opened {
  readonly interaction: Interaction;
  /** The page was left open for too long. */
  readonly isTooOld: boolean;
}

/** Seals interactions to the cookie of the browser that they are made in: elsewhere they mean nothing. */
export interface Interactions {
  seal(tenantId: TenantId, cookie: string, interaction: Interaction, now: Date): Promise<string>;
  /** Undefined if it was made elsewhere, or more than a day ago. */
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

/** After a login for this request: it is not asked for again. */
export function loggedIn(interaction: Interaction, sessionId: SessionId): Interaction {
  const { request, expected, done } = interaction;
  return { request, ...(expected && { expected }), done: { ...done, login: sessionId } };
}
