import { parseIdentifier } from '@keywright/contract/identifiers';
import { ownsDomain } from './microsoft.ts';
import { type Provider, sourceOf } from './provider.ts';

/** Who somebody is at a provider. */
export interface UpstreamIdentity {
  readonly subject: string;
  /** The settings of the provider that decide whose the subject is (`sourceOf`). */
  readonly source: string;
  /** Normalised. */
  readonly email: string | null;
  /** The provider says that the address was verified. */
  readonly is_verified: boolean;
  /** It is verified, and the provider decides who has an address in its domain. */
  readonly is_authoritative: boolean;
  /** It is verified, and the provider is known to prove what it calls so. */
  readonly is_proven: boolean;
  /** The provider says that it verified two factors. */
  readonly has_mfa: boolean;
}

/**
 * From the claims of an ID token that was checked, or of a profile.
 * @param captures domains whose users log in at this provider only
 */
export function identityOf(
  { type, settings }: Pick<Provider, 'type' | 'settings'>,
  subject: string,
  claims: Readonly<Record<string, unknown>>,
  captures: readonly string[] = [],
): UpstreamIdentity {
  const email = emailOf(claims['email']);
  const domain = email?.slice(email.lastIndexOf('@') + 1) ?? '';
  // The tenant has proven the domain, and said that this provider decides who has an address in it.
  const isCaptured = captures.includes(domain) && !isDenied(claims);
  const is_verified = email !== null && (isCaptured || isVerified(type, claims));
  const is_proven = is_verified && PROVES.includes(type);
  const isOwn = isCaptured || isAuthoritative({ type, settings }, domain, claims);
  const is_authoritative = is_verified && isOwn;
  const trust = { is_verified, is_authoritative, is_proven, has_mfa: hasMfa(claims) };
  return { subject, source: sourceOf(type, settings), email, ...trust };
}

/** Values of `acr` for two factors: NIST SP 800-63, OpenID Connect EAP, REFEDS, PAPE, and that of Microsoft. */
const TWO_FACTORS: readonly unknown[] = [
  'aal2',
  'aal3',
  'phr',
  'phrh',
  'https://refeds.org/profile/mfa',
  'http://schemas.openid.net/pape/policies/2007/06/multi-factor',
  'http://schemas.microsoft.com/claims/multipleauthn',
];

/** RFC 8176 §2: `mfa` in `amr`; or a value of `acr`. */
function hasMfa({ amr, acr }: Readonly<Record<string, unknown>>): boolean {
  return (Array.isArray(amr) && amr.includes('mfa')) || TWO_FACTORS.includes(acr);
}

/** Those that are known to send a message to an address before they call it verified. */
const PROVES: readonly Provider['type'][] = ['google', 'microsoft', 'apple', 'github'];

function isDenied({ email_verified: verified }: Readonly<Record<string, unknown>>): boolean {
  return verified === false || verified === 'false';
}

function isVerified(type: Provider['type'], claims: Readonly<Record<string, unknown>>): boolean {
  if (type === 'microsoft') return ownsDomain(claims);
  // Some providers send text.
  return claims['email_verified'] === true || claims['email_verified'] === 'true';
}

/** Whether the provider decides who has an address in a domain. */
function isAuthoritative(
  { type, settings: { domains } }: Pick<Provider, 'type' | 'settings'>,
  domain: string,
  { hd }: Readonly<Record<string, unknown>>,
): boolean {
  // Accounts there exist for any address; `hd` tells those of an organization.
  if (type === 'google') {
    return domain === 'gmail.com' || (hd === domain && domains.includes(domain));
  }
  return domains.includes(domain);
}

function emailOf(value: unknown): string | null {
  const parsed = typeof value === 'string' ? parseIdentifier(value) : undefined;
  return parsed?.type === 'email' ? parsed.identifier : null;
}
