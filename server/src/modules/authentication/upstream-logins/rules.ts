import { DEFAULT_WORKSPACE, type IdentityProviderId, type UserId } from '@keywright/contract/ids';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { StoredFlow } from '../flows/index.ts';
import type { Shown } from '../proofs/index.ts';
import type { ProviderSettings, UpstreamIdentity } from '../upstream/index.ts';

/** A user as they were found. */
export interface Found {
  readonly id: UserId;
  readonly isActive: boolean;
  readonly authVersion: number;
}

/** Who has the address of an identity. */
export interface Holder extends Found {
  /** Whether the address is verified. */
  readonly isVerified: boolean;
  /** Whether another identifier of theirs is. */
  readonly hasOthers: boolean;
  /** Whether they have an identity at this provider: another subject. */
  readonly hasIdentity: boolean;
}

/**
 * What a confirmed identity does.
 * - `prove`: it is linked to this user.
 * - `link`: it is linked to the user of its address, for which the provider is authoritative.
 * - `ask`: the same, once that user has proven the account in another way.
 * - `reclaim`: anybody may have registered its address, so the account passes to whoever has it at the provider.
 * - `release`: that account has another address that is verified: this one leaves it, and registers.
 * - `register`: nobody has its address.
 * - `refused`: nothing, and `taken`: because somebody has its address.
 */
export type Plan =
  | { readonly use: 'prove'; readonly user: Found }
  | {
      readonly use: 'link' | 'ask' | 'reclaim' | 'release';
      readonly user: Found;
      readonly email: string;
    }
  | { readonly use: 'register'; readonly email: string }
  | Refusal;

interface Refusal {
  readonly use: 'refused' | 'taken';
  readonly reason: string;
}

interface Known {
  readonly identity: UpstreamIdentity;
  readonly link: ProviderSettings['link'];
  /** Whose it is. */
  readonly linked: Found | undefined;
  readonly holder: Holder | undefined;
  /** Users with this address, or of whom it is, log in at another provider only. */
  readonly isBarred: boolean;
  /** Or at this one only. */
  readonly isCaptor: boolean;
}

/** @param captors of the address, and of the user whose it is */
export function capture(
  captors: readonly IdentityProviderId[],
  provider: IdentityProviderId,
): Pick<Known, 'isBarred' | 'isCaptor'> {
  const isCaptor = captors.includes(provider);
  return { isCaptor, isBarred: captors.length > 0 && !isCaptor };
}

export function planOf(tenant: Tenant, flow: StoredFlow, known: Known): Plan {
  const { identity, linked } = known;
  if (known.isBarred) return refused('provider_captured');
  if (linked) {
    const isOther = flow.identifier !== '' && flow.user?.id !== linked.id;
    if (isOther) return refused('provider_other_user');
    return linked.isActive ? { use: 'prove', user: linked } : refused('inactive');
  }
  const { email } = identity;
  if (flow.purpose !== 'login' && flow.purpose !== 'invitation') {
    return refused('provider_unknown_identity');
  }
  if (email === null) return refused('provider_no_email');
  if (flow.identifier !== '' && flow.identifier !== email) return refused('provider_other_user');
  if (known.holder) return planWithHolder(tenant, flow, known, known.holder, email);
  return mayRegister(tenant, flow) ? { use: 'register', email } : refused('provider_unregistered');
}

/** The address alone never decides: whether the provider verified it does, and whether its holder has proven it here. */
function planWithHolder(
  tenant: Tenant,
  flow: StoredFlow,
  { identity, link, isCaptor }: Known,
  user: Holder,
  email: string,
): Plan {
  if (!user.isActive) return refused('inactive');
  if (user.isVerified) {
    // An address may have passed to somebody else, who has another subject.
    const mayLink = isCaptor || link !== 'never';
    const isLinkable = identity.is_verified && mayLink && !user.hasIdentity;
    if (!isLinkable) return { use: 'taken', reason: 'provider_email_taken' };
    // There is no other way in to ask for.
    const isAuto = isCaptor || link === 'auto';
    return { use: isAuto && identity.is_authoritative ? 'link' : 'ask', user, email };
  }
  // Or by the token of the invitation.
  const isProven = identity.is_authoritative || flow.purpose === 'invitation';
  if (!isProven) return { use: 'taken', reason: 'provider_email_unverified' };
  if (!user.hasOthers) return { use: 'reclaim', user, email };
  return mayRegister(tenant, flow)
    ? { use: 'release', user, email }
    : refused('provider_unregistered');
}

function refused(reason: string): Refusal {
  return { use: 'refused', reason };
}

/** Whoever was invited; others if the tenant allows it. A new user only belongs to the default workspace. */
function mayRegister({ config }: Tenant, { registers, purpose, workspaceId }: StoredFlow): boolean {
  if (purpose === 'invitation') return true;
  return (
    registers &&
    config.allow_registration &&
    (workspaceId ?? DEFAULT_WORKSPACE) === DEFAULT_WORKSPACE
  );
}

export function shownOf({ id: userId, authVersion }: Found): Shown {
  return { userId, authVersion };
}

/** The page of a tenant where users link identities: each may come back to it, and it takes the handoff of no other user. */
export function linkingPageOf({ issuer }: Pick<Tenant, 'issuer'>): string {
  return `${issuer.replace(/\/$/, '')}/account?section=security`;
}

/** The screen of the console on which a test of a provider ends: no tenant has to name it. */
export function testPageOf(
  { id, issuer }: Pick<Tenant, 'id' | 'issuer'>,
  provider: string,
): string {
  return new URL(`/console/t/${id}/providers/${encodeURIComponent(provider)}/test`, issuer).href;
}
