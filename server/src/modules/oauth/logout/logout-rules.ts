import type { BrowserLogin } from '../../tokens/sessions/index.ts';

/** Whose ID token a logout is asked for with: of this very login, of another one, or of nobody who can be trusted. */
export type HintOf = 'this login' | 'another login' | 'nobody';

/** What a logout is asked for with, as far as it could be verified. */
export interface AskedLogout {
  /** Undefined: nobody is logged in in this browser. */
  readonly login: Pick<BrowserLogin, 'sessionId'> | undefined;
  /** Undefined: none was sent. */
  readonly hint: HintOf | undefined;
  /** The address to return to, if the application has registered it. */
  readonly returnsTo: URL | undefined;
  /** Whether an administrator created the application. */
  readonly isVetted: boolean;
}

/**
 * What a logout leads to. `leave`: back to the application at once, after the end of the login if there is one. `ask`: a
 * page asks first. `over`: there is nothing to end.
 */
export type LogoutVerdict =
  | { readonly kind: 'leave'; readonly to: URL }
  | { readonly kind: 'ask' | 'over'; readonly returnsTo: URL | undefined };

/**
 * RFC 9700 §4.11.2: anyone can register an application, and has an ID token of their own login there. Only the hint of
 * this very login shows that its user authorized it.
 *
 * OpenID Connect RP-Initiated Logout §2: whoever is logged in has to be asked, unless the ID token was issued in this
 * login: any page can send a browser here, and any application of another browser has an ID token. §3: with a hint that
 * cannot be verified nobody returns to anywhere; without one, only from a page.
 */
export function judgeLogout({
  login,
  hint,
  returnsTo: registered,
  isVetted,
}: AskedLogout): LogoutVerdict {
  const returnsTo = hint === 'nobody' ? undefined : registered;
  const isMeant = login ? hint === 'this login' : hint !== undefined && isVetted;
  if (isMeant && returnsTo) return { kind: 'leave', to: returnsTo };
  return { kind: login ? 'ask' : 'over', returnsTo };
}
