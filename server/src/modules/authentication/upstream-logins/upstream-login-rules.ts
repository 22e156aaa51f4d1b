import { DEFAULT_WORKSPACE, type IdentityProviderId, type UserId } from '@keywright/contract/ids';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { StoredFlow } from '../flows/index.ts';
import type { Shown } from '../proofs/index.ts';
import type { ProviderSettings, UpstreamIdentity } from '../identity-providers/index.ts';

/** The user of an identity or an address. */
export interface AccountUser {
  readonly id: UserId;
  readonly isActive: boolean;
  readonly authVersion: number;
}

/** The user who has the address of an identity. */
export interface AddressUser extends AccountUser {
  /** Whether the address is verified. */
  readonly isVerified: boolean;
  /** Whether another of their identifiers is verified. */
  readonly hasOthers: boolean;
  /** Whether they already have an identity, with another subject, at this provider. */
  readonly hasIdentity: boolean;
  /** Whether any of their roles carries a scope. */
  readonly holdsScopes: boolean;
}

/**
 * The effect of a confirmed identity.
 * - `prove`: it is already linked to this user.
 * - `link`: it is linked to the user of its address, because the provider is authoritative for the address.
 * - `ask`: it is linked after the user of its address has proven the account in another way.
 * - `reclaim`: anyone could have registered its address, so the account passes to the owner of the address.
 * - `release`: the account has another verified address, so this address is removed from it and registers.
 * - `register`: no user has its address.
 * - `refused`: no effect; `taken`: no effect, because another user has its address.
 */
export type Plan =
  | { readonly use: 'prove'; readonly user: AccountUser }
  | {
      readonly use: 'link' | 'ask' | 'reclaim' | 'release';
      readonly user: AccountUser;
      readonly email: string;
    }
  | { readonly use: 'register'; readonly email: string }
  | Refusal;

interface Refusal {
  readonly use: 'refused' | 'taken';
  readonly reason: string;
}

interface IdentityFacts {
  readonly identity: UpstreamIdentity;
  readonly link: ProviderSettings['link'];
  /** The user that the identity is linked to. */
  readonly linked: AccountUser | undefined;
  readonly addressUser: AddressUser | undefined;
  /** The user of the identity, or of its address, must log in at another provider. */
  readonly isCapturedElsewhere: boolean;
  /** The user of the identity, or of its address, must log in at this provider. */
  readonly isCaptor: boolean;
}

/** @param captors the required providers of the address, and of the user of the identity */
export function captureOf(
  captors: readonly IdentityProviderId[],
  provider: IdentityProviderId,
): Pick<IdentityFacts, 'isCapturedElsewhere' | 'isCaptor'> {
  const isCaptor = captors.includes(provider);
  return { isCaptor, isCapturedElsewhere: captors.length > 0 && !isCaptor };
}

type TenantSettings = { readonly config: Pick<Tenant['config'], 'allow_registration'> };

/** The properties of the flow that a plan depends on. */
type FlowFacts = Pick<StoredFlow, 'purpose' | 'identifier' | 'registers' | 'workspaceId'> & {
  readonly user: Pick<AccountUser, 'id'> | undefined;
};

export function planOf(tenant: TenantSettings, flow: FlowFacts, facts: IdentityFacts): Plan {
  const { identity, linked } = facts;
  if (facts.isCapturedElsewhere) return refused('provider_captured');
  if (linked) {
    const isOther = flow.identifier !== '' && flow.user?.id !== linked.id;
    if (isOther) return refused('provider_other_user');
    return linked.isActive ? { use: 'prove', user: linked } : refused('inactive');
  }
  const { email } = identity;
  // A session from before the capture can continue at the captor, because a new login would also link the identity.
  const isStepUp = flow.purpose === 'step_up' && facts.isCaptor;
  if (flow.purpose !== 'login' && flow.purpose !== 'invitation' && !isStepUp) {
    return refused('provider_unknown_identity');
  }
  if (email === null) return refused('provider_no_email');
  if (flow.identifier !== '' && flow.identifier !== email) return refused('provider_other_user');
  const { addressUser } = facts;
  const plan = addressUser && planForAddressUser(tenant, flow, facts, addressUser, email);
  if (isStepUp) return plan?.use === 'link' ? plan : refused('provider_unknown_identity');
  if (plan) return plan;
  return mayRegister(tenant, flow) ? { use: 'register', email } : refused('provider_unregistered');
}

/**
 * The address alone never decides. It matters whether the provider verified it, and whether its user has verified it here.
 * A user who holds scopes must always prove the account, so that no provider decides who signs in as that user.
 */
function planForAddressUser(
  tenant: TenantSettings,
  flow: FlowFacts,
  { identity, link, isCaptor }: IdentityFacts,
  user: AddressUser,
  email: string,
): Plan {
  if (!user.isActive) return refused('inactive');
  // A different subject means that the address may now belong to another person.
  const mayLink = (isCaptor || link !== 'never') && !user.hasIdentity;
  const promptUser: Plan = mayLink
    ? { use: 'ask', user, email }
    : { use: 'taken', reason: 'provider_email_taken' };
  if (user.isVerified) {
    if (!mayLink || !identity.is_verified) return { use: 'taken', reason: 'provider_email_taken' };
    // A captured user has no other method for proving the account.
    const isAuto = (isCaptor || link === 'auto') && identity.is_authoritative;
    return isAuto && !user.holdsScopes ? { use: 'link', user, email } : promptUser;
  }
  // The token of an invitation also verifies it.
  const isProven = identity.is_authoritative || flow.purpose === 'invitation';
  if (!isProven) return { use: 'taken', reason: 'provider_email_unverified' };
  if (!user.hasOthers) return user.holdsScopes ? promptUser : { use: 'reclaim', user, email };
  return mayRegister(tenant, flow)
    ? { use: 'release', user, email }
    : refused('provider_unregistered');
}

function refused(reason: string): Refusal {
  return { use: 'refused', reason };
}

/** Invitees can register, and other users if the tenant allows it. A new user belongs only to the default workspace. */
function mayRegister(
  { config }: TenantSettings,
  { registers, purpose, workspaceId }: FlowFacts,
): boolean {
  if (purpose === 'invitation') return true;
  return (
    registers &&
    config.allow_registration &&
    (workspaceId ?? DEFAULT_WORKSPACE) === DEFAULT_WORKSPACE
  );
}

export function shownOf({ id: userId, authVersion }: AccountUser): Shown {
  return { userId, authVersion };
}

/** The page where users link identities: logins can return to it, and it accepts only handoffs of its own user. */
export function linkingPageOf({ issuer }: Pick<Tenant, 'issuer'>): string {
  return `${issuer.replace(/\/$/, '')}/account?section=security`;
}

/** The console screen that a test of a provider returns to, which need not be in `return_urls`. */
export function testPageOf(
  { id, issuer }: Pick<Tenant, 'id' | 'issuer'>,
  provider: string,
): string {
  return new URL(`/console/t/${id}/providers/${encodeURIComponent(provider)}/test`, issuer).href;
}
