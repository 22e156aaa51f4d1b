import type { IdentityProviderId, TenantId } from '@keywright/contract/ids';
import type { IdentityProviderRecord } from '@keywright/contract/records/identity-provider';
import { upstreamCallback } from '@keywright/contract/routes/upstream-logins';
import { pathTo } from '@keywright/contract/route';
import { seal, unseal } from '../../../platform/crypto/sealed.ts';

/** A provider as a login uses it. */
export interface Provider {
  readonly id: IdentityProviderId;
  readonly tenantId: TenantId;
  readonly type: IdentityProviderRecord['type'];
  readonly name: string;
  readonly clientId: string;
  /** Sealed. */
  readonly clientSecret: Buffer | null;
  readonly settings: ProviderSettings;
  /** Counts the changes of settings that a login depends on. */
  readonly version: number;
}

/** The settings of a provider, as its record shows them. */
export type ProviderSettings = Pick<
  IdentityProviderRecord,
  | 'issuer'
  | 'scopes'
  | 'domains'
  | 'link'
  | 'trust_mfa'
  | 'allowed_tenants'
  | 'team_id'
  | 'key_id'
  | 'authorization_endpoint'
  | 'token_endpoint'
  | 'userinfo_endpoint'
  | 'subject_claim'
>;

/**
 * The settings that decide whose a subject is. An identity that was confirmed under others is never linked. Not the client:
 * no client of an honest issuer chooses its subjects.
 */
export function sourceOf(type: string, settings: Partial<ProviderSettings>): string {
  const { issuer, team_id, authorization_endpoint, token_endpoint, userinfo_endpoint } = settings;
  const endpoints = [authorization_endpoint, token_endpoint, userinfo_endpoint];
  return JSON.stringify([type, issuer, team_id, ...endpoints, settings.subject_claim]);
}

/** Whether a login leads to an ID token, which is what is believed; otherwise the profile of the user is read. */
export function issuesIdTokens(type: Provider['type']): boolean {
  return type !== 'github' && type !== 'oauth2';
}

type SecretOf = Pick<Provider, 'id' | 'tenantId'>;

export function sealClientSecret(dataKey: Buffer, of: SecretOf, secret: string): Buffer {
  return seal(dataKey, Buffer.from(secret), placeOf(of));
}

/** @returns undefined for a public client */
export function clientSecretOf(
  dataKey: Buffer,
  provider: SecretOf & Pick<Provider, 'clientSecret'>,
): string | undefined {
  const { clientSecret } = provider;
  return clientSecret === null
    ? undefined
    : unseal(dataKey, clientSecret, placeOf(provider)).toString('utf8');
}

function placeOf({ tenantId, id }: SecretOf): string {
  return `identity_providers/${tenantId}/${id}/client_secret`;
}

/** Each provider has an address of its own: the answer of one is never taken for that of another (RFC 9700 §4.4.2). */
export function callbackUrlOf(baseUrl: string, { tenantId, id }: SecretOf): string {
  return `${baseUrl}${pathTo(upstreamCallback, { tenant_id: tenantId, provider_id: id })}`;
}
