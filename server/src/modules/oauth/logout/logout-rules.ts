import type { BrowserLogin } from '../../tokens/sessions/index.ts';

/** The login of the ID token in a request: the browser's, another one, or one that could not be verified. */
export type LogoutHint = 'this login' | 'another login' | 'unverified';

/** The verified facts of a request. */
interface LogoutFacts {
  /** Undefined: the browser has no login. */
  readonly login: Pick<BrowserLogin, 'sessionId'> | undefined;
  /** Undefined: the request has no ID token. */
  readonly hint: LogoutHint | undefined;
  /** The return address, if the client has registered it. */
  readonly returnsTo: URL | undefined;
  /** Whether an administrator created the client. */
  readonly isVetted: boolean;
}

/**
 * `leave`: ends the login, if there is one, and returns to the client immediately. `ask`: a page asks the user. `over`:
 * there is no login to end.
 */
type LogoutVerdict =
  | { readonly kind: 'leave'; readonly to: URL }
  | { readonly kind: 'ask' | 'over'; readonly returnsTo: URL | undefined };

/**
 * RFC 9700 §4.11.2: anyone can register a client, and gets an ID token of their own login there. Only an ID token of the
 * browser's login shows that its user authorized the client.
 *
 * OpenID Connect RP-Initiated Logout §2: the user is asked unless the ID token was issued in this login, because any page
 * can send a browser here, and any client of another browser has an ID token. §3: with an ID token that cannot be verified
 * the user does not return; without one, only from a page.
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
