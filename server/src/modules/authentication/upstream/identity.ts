import { parseIdentifier } from '@keywright/contract/identifiers';
import type { ProviderSettings } from './provider.ts';

/** Who somebody is at a provider. */
export interface UpstreamIdentity {
  readonly subject: string;
  /** Normalised. */
  readonly email: string | null;
  /** The provider says that the address was verified. */
  readonly is_verified: boolean;
  /** It is verified, and the provider decides who has an address in its domain. */
  readonly is_authoritative: boolean;
}

/** From the claims of an ID token that was checked. */
export function identityOf(
  { domains }: Pick<ProviderSettings, 'domains'>,
  subject: string,
  claims: Readonly<Record<string, unknown>>,
): UpstreamIdentity {
  const email = emailOf(claims['email']);
  // Some providers send text.
  const isVerified = claims['email_verified'] === true || claims['email_verified'] === 'true';
  const is_verified = email !== null && isVerified;
  const domain = email?.slice(email.lastIndexOf('@') + 1) ?? '';
  return { subject, email, is_verified, is_authoritative: is_verified && domains.includes(domain) };
}

function emailOf(value: unknown): string | null {
  const parsed = typeof value === 'string' ? parseIdentifier(value) : undefined;
  return parsed?.type === 'email' ? parsed.identifier : null;
}
