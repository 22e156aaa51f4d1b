/**
 * The assurance levels of an authentication, weakest first: one factor, two factors of different kinds, or a
 * phishing-resistant factor that counts as two (NIST SP 800-63B-4 §2).
 */
export const ACR_VALUES = ['aal1', 'aal2', 'phr'] as const;
export type Acr = (typeof ACR_VALUES)[number];

/** The requirements of a request on the login of its user (RFC 9470). */
export interface Freshness {
  /** The minimum assurance; default: any. */
  readonly acr?: Acr | undefined;
  /** The maximum age of the authentication, in seconds; default: any. */
  readonly maxAge?: number | undefined;
}

/** When and how the user of a token authenticated, according to its claims. */
interface Login {
  readonly auth_time?: unknown;
  readonly acr?: unknown;
}

/** Whether a login meets a requirement. A token without a login, such as an agent's, meets none. */
export function isFresh(login: Login, { acr, maxAge }: Freshness, nowSeconds: number): boolean {
  const { auth_time: at } = login;
  if (acr !== undefined && rankOf(login.acr) < rankOf(acr)) return false;
  return maxAge === undefined || (typeof at === 'number' && nowSeconds - at <= maxAge);
}

function rankOf(acr: unknown): number {
  return (ACR_VALUES as readonly unknown[]).indexOf(acr);
}

/** The challenge of a token that lacks scopes (RFC 6750 §3.1). */
export function scopeChallenge(scopes: readonly string[]): string {
  return `Bearer error="insufficient_scope", scope="${scopes.join(' ')}"`;
}

/** Returns the challenge for a login that does not meet a requirement (RFC 9470 §3). */
export function stepUpChallenge(
  { acr, maxAge }: Freshness,
  scheme: 'Bearer' | 'DPoP' = 'Bearer',
): string {
  return [
    `${scheme} error="insufficient_user_authentication"`,
    ...(acr === undefined ? [] : [`acr_values="${acr}"`]),
    ...(maxAge === undefined ? [] : [`max_age=${maxAge}`]),
  ].join(', ');
}
