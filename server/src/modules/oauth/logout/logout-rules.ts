import type { BrowserLogin } from '../../tokens/sessions/index.ts';

/** The login of the ID token in a request: this browser's login, another one, or unverified. */
export type LogoutHint = 'this login' | 'another login' | 'unverified';

/** The verified facts of a request. */
interface LogoutFacts {
  /** Undefined if the browser has no login. */
  readonly login: Pick<BrowserLogin, 'sessionId'> | undefined;
  /** Undefined if the request has no ID token. */
  readonly hint: LogoutHint | undefined;
  /** The return address, if it is registered for the client. */
  readonly returnsTo: URL | undefined;
  /** Whether an administrator created the client. */
  readonly isVetted: boolean;
}

/**
 * `leave`: ends the login, if any, and returns to the client immediately. `ask`: a page asks the user. `over`: there
 * is no login to end.
 */
type LogoutVerdict =
  | { readonly kind: 'leave'; readonly to: URL }
  | { readonly kind: 'ask' | 'over'; readonly returnsTo: URL | undefined };

/**
 * RFC 9700 §4.11.2: anyone can register a client, and get an ID token for their own login there. Only an ID token
 * of the browser's login shows that its user authorized the client.
 *
 * OpenID Connect RP-Initiated Logout §2: the user is asked unless the ID token was issued in this login, because any
 * page can send a browser here, and any client of another browser has an ID token. §3: with an unverifiable ID token
 * the user does not return; without an ID token, only from a page.
 */
export function judgeLogout({
  login,
  hint,
  returnsTo: registered,
  isVetted,
}: LogoutFacts): LogoutVerdict {
  const returnsTo = hint === 'unverified' ? undefined : registered;
  const isAuthorized = login ? hint === 'this login' : hint !== undefined && isVetted;
  if (isAuthorized && returnsTo) return { kind: 'leave', to: returnsTo };
  return { kind: login ? 'ask' : 'over', returnsTo };
}
