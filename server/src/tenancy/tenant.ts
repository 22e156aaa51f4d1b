import type { TenantId } from '@keywright/contract/ids';
import type { PublicProvider } from '@keywright/contract/records/identity-provider';
import type { TenantConfig } from '@keywright/contract/records/tenant';

/** The number of a tenant's users whose passwords were hashed elsewhere, while there are any. */
export interface ForeignHashes {
  /** Base64. Determines which unknown identifiers get responses as slow as those of such users. */
  readonly key: string;
  /** Users with a password. */
  readonly total: number;
  /** Number of users by hash scheme. */
  readonly schemes: Readonly<Record<string, number>>;
  readonly counted_at: string;
}

/** An active identity provider. */
interface LoadedProvider extends Omit<PublicProvider, 'tenant_id'> {
  /** Email domains whose users can log in only at this provider. */
  readonly captures?: readonly string[];
  /** Whether two factors at the provider count as two factors here. */
  readonly trusts_mfa?: boolean;
}

/** The tenant of a request. */
export interface Tenant {
  readonly id: TenantId;
  readonly name: string;
  readonly config: TenantConfig;
  /** `iss` of the tenant's tokens: fixed, never taken from a request. */
  readonly issuer: string;
  /** `aud` of the tenant's access tokens. */
  readonly audience: string;
  readonly isActive: boolean;
  /** Whether email can be sent for the tenant, by its own mail server or the service's. */
  readonly sendsMail: boolean;
  readonly foreignHashes: ForeignHashes | undefined;
  /** The active identity providers. */
  readonly providers: readonly LoadedProvider[];
}
