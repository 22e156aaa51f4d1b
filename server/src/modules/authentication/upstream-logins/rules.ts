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
  /** Whether a role of theirs carries a scope. */
  readonly holdsScopes: boolean;
}

/**
 * What a confirmed identity does.
 * - `prove`: it is linked to this user.
 * - `link`: it is linked to the user of its address, for which the provider is authoritative.
 * - `ask`: it is linked once that user has proven the account in another way.
 * - `reclaim`: anyone may have registered its address, so the account passes to the person who has it at the provider.
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

type OfTenant = { readonly config: Pick<Tenant['config'], 'allow_registration'> };

/** What a plan depends on in a flow. */
type OfFlow = Pick<StoredFlow, 'purpose' | 'identifier' | 'registers' | 'workspaceId'> & {
  readonly user: Pick<Found, 'id'> | undefined;
};

export function planOf(tenant: OfTenant, flow: OfFlow, known: Known): Plan {
  const { identity, linked } = known;
  if (known.isBarred) return refused('provider_captured');
  if (linked) {
    const isOther = flow.identifier !== '' && flow.user?.id !== linked.id;
    if (isOther) return refused('provider_other_user');
    return linked.isActive ? { use: 'prove', user: linked } : refused('inactive');
  }
  const { email } = identity;
  // A session from before the capture continues there, as a new login would be linked.
  const isStepUp = flow.purpose === 'step_up' && known.isCaptor;
  if (flow.purpose !== 'login' && flow.purpose !== 'invitation' && !isStepUp) {
    return refused('provider_unknown_identity');
  }
  if (email === null) return refused('provider_no_email');
  if (flow.identifier !== '' && flow.identifier !== email) return refused('provider_other_user');
  const plan = known.holder && planWithHolder(tenant, flow, known, known.holder, email);
  if (isStepUp) return plan?.use === 'link' ? plan : refused('provider_unknown_identity');
  if (plan) return plan;
  return mayRegister(tenant, flow) ? { use: 'register', email } : refused('provider_unregistered');
}

/**
 * The address alone never decides: whether the provider verified it does, and whether its holder has proven it here. A user
 * who holds scopes is always asked: no provider decides by itself who signs in as them.
 */
function planWithHolder(
  tenant: OfTenant,
  flow: OfFlow,
  { identity, link, isCaptor }: Known,
  user: Holder,
  email: string,
): Plan {
  if (!user.isActive) return refused('inactive');
  // An address may have passed to another person, who has another subject.
  const mayLink = (isCaptor || link !== 'never') && !user.hasIdentity;
  const ask: Plan = mayLink
    ? { use: 'ask', user, email }
    : { use: 'taken', reason: 'provider_email_taken' };
  if (user.isVerified) {
    if (!mayLink || !identity.is_verified) return { use: 'taken', reason: 'provider_email_taken' };
    // A captured user has no other way in to ask for.
    const isAuto = (isCaptor || link === 'auto') && identity.is_authoritative;
    return isAuto && !user.holdsScopes ? { use: 'link', user, email } : ask;
  }
  // Or by the token of the invitation.
  const isProven = identity.is_authoritative || flow.purpose === 'invitation';
  if (!isProven) return { use: 'taken', reason: 'provider_email_unverified' };
  if (!user.hasOthers) return user.holdsScopes ? ask : { use: 'reclaim', user, email };
  return mayRegister(tenant, flow)
    ? { use: 'release', user, email }
    : refused('provider_unregistered');
}

function refused(reason: string): Refusal {
  return { use: 'refused', reason };
}

/** A person who was invited; others if the tenant allows it. A new user only belongs to the default workspace. */
function mayRegister({ config }: OfTenant, { registers, purpose, workspaceId }: OfFlow): boolean {
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
