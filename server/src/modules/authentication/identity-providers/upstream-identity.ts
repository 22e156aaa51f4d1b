import { parseIdentifier } from '@keywright/contract/identifiers';
import type { IdentityProviderId, LoginFlowId, UserId } from '@keywright/contract/ids';
import { appearanceOf } from '@keywright/contract/user-exports/source';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type Actor, record } from '../../events/journal/index.ts';
import type { Notices } from '../../events/messages/index.ts';
import {
  fillAppearance,
  insertIdentity,
  lockUnchangedUser,
  raiseAuthVersion,
} from '../../identity/users/index.ts';
import type { Shown } from '../proofs/index.ts';
import { lockProviderForShare, providerOf } from './provider-store.ts';
import { ownsDomain, type Provider, sourceOf } from './provider-settings.ts';
import { type UpstreamIdentity, takeWaitingIdentity } from './upstream-login-store.ts';

/**
 * Reads the identity from the claims of a verified ID token, or of a profile.
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
  // The tenant has proven the domain, and lets this provider decide who has an address in it.
  const isCaptured = captures.includes(domain) && !isDenied(claims);
  const is_verified = email !== null && (isCaptured || isVerified(type, claims));
  const is_proven = is_verified && PROVES.includes(type);
  const isAuthorized = isCaptured || isAuthoritative({ type, settings }, domain, claims);
  const is_authoritative = is_verified && isAuthorized;
  const trust = { is_verified, is_authoritative, is_proven, has_mfa: hasMfa(claims) };
  const appearance = { name: null, picture: null, ...appearanceIn(claims) };
  return { subject, source: sourceOf(type, settings), ...appearance, email, ...trust };
}

/** The name and picture, without those that a user cannot have. GitHub names pictures differently. */
function appearanceIn(claims: Readonly<Record<string, unknown>>) {
  const textOf = (name: string) => {
    const value = claims[name];
    return typeof value === 'string' ? value : undefined;
  };
  const names = [textOf('name'), textOf('given_name'), textOf('family_name')] as const;
  return appearanceOf(names, textOf('picture') ?? textOf('avatar_url'));
}

/** Values of `acr` for two factors: of NIST SP 800-63, OpenID Connect EAP, REFEDS, PAPE and Microsoft. */
const TWO_FACTORS: readonly unknown[] = [
  'aal2',
  'aal3',
  'phr',
  'phrh',
  'https://refeds.org/profile/mfa',
  'http://schemas.openid.net/pape/policies/2007/06/multi-factor',
  'http://schemas.microsoft.com/claims/multipleauthn',
];

/** Whether two factors are reported: `mfa` in `amr` (RFC 8176 §2), or a value of `acr`. */
function hasMfa({ amr, acr }: Readonly<Record<string, unknown>>): boolean {
  return (Array.isArray(amr) && amr.includes('mfa')) || TWO_FACTORS.includes(acr);
}

/** Providers that are known to send a message to an address before they report it as verified. */
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
  // Google accounts exist for any address; `hd` is set for those of an organization.
  if (type === 'google') {
    return domain === 'gmail.com' || (hd === domain && domains.includes(domain));
  }
  return domains.includes(domain);
}

function emailOf(value: unknown): string | null {
  const parsed = typeof value === 'string' ? parseIdentifier(value) : undefined;
  return parsed?.type === 'email' ? parsed.identifier : null;
}

/** An identity to link to a user. */
interface Link extends Pick<UpstreamIdentity, 'subject' | 'source' | 'name' | 'picture'> {
  readonly providerId: IdentityProviderId;
}

/** Links an identity to a new or locked user, who gets its name and picture if they have none. @returns the new `users.auth_version`; undefined if it cannot be linked */
export async function linkIdentity(
  { tx, tenant, notices, by }: LinkContext,
  userId: UserId,
  { providerId, subject, source, ...appearance }: Link,
): Promise<number | undefined> {
  const row = await lockProviderForShare(tx, providerId);
  if (!row?.is_active) return undefined;
  const { type, settings, name } = providerOf(row);
  // The issuer of the provider can have changed since.
  if (sourceOf(type, settings) !== source) return undefined;
  if (!(await insertIdentity(tx, userId, providerId, subject))) return undefined;
  const fields = await fillAppearance(tx, userId, appearance);
  await record(tx, by, {
    action: 'identity.linked',
    target: { kind: 'user', id: userId },
    details: { provider_id: providerId },
    events: [
      { type: 'identity.linked', data: { user_id: userId, provider_id: providerId } },
      ...(fields.length > 0
        ? [{ type: 'user.updated', data: { user_id: userId, fields } } as const]
        : []),
    ],
  });
  await notices.notify(tx, tenant, { userId, kind: 'notice.identity_linked', changed: name });
  return raiseAuthVersion(tx, userId);
}

export interface LinkContext {
  readonly tx: TenantTx;
  readonly tenant: Tenant;
  readonly notices: Notices;
  readonly by: Actor;
}

interface LinkedIdentity {
  /** The new `users.auth_version`. */
  readonly authVersion: number;
  readonly provider: IdentityProviderId;
}

/** Links the identity that waits for the proof of this account. @returns undefined if it cannot be linked */
export async function linkWaiting(
  context: LinkContext,
  flow: LoginFlowId,
  { userId: id, authVersion }: Shown,
): Promise<LinkedIdentity | undefined> {
  const { tx } = context;
  const waiting = await takeWaitingIdentity(tx, flow, id);
  if (!waiting || !(await lockUnchangedUser(tx, { id, authVersion }))) return undefined;
  const version = await linkIdentity(context, id, waiting);
  return version === undefined ? undefined : { authVersion: version, provider: waiting.providerId };
}
