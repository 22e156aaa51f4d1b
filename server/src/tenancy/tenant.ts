import type { TenantId } from '@keywright/contract/ids';
import type { PublicProvider } from '@keywright/contract/records/identity-provider';
import type { TenantConfig } from '@keywright/contract/records/tenant';

/** How many users of a tenant have a password that was hashed elsewhere, while there are any. */
export interface ForeignHashes {
  /** In base64. It decides which unknown identifiers are answered as slowly as those users. */
  readonly key: string;
  /** Users with a password. */
  readonly total: number;
  /** Users by the scheme of their hash. */
  readonly schemes: Readonly<Record<string, number>>;
  readonly counted_at: string;
}

/** An active identity provider. */
interface LoadedProvider extends Omit<PublicProvider, 'tenant_id'> {
  /** Domains of e-mail addresses whose users log in there only. */
  readonly captures?: readonly string[];
  /** Whether two factors there count as two here. */
  readonly trusts_mfa?: boolean;
}

/** The tenant of a request. */
export interface Tenant {
  readonly id: TenantId;
  readonly name: string;
  readonly config: TenantConfig;
  /** `iss` of its tokens: fixed, never taken from a request. */
  readonly issuer: string;
  /** `aud` of its access tokens. */
  readonly audience: string;
  readonly isActive: boolean;
  /** Whether mail can be sent for it: by its own server, or by that of the service. */
  readonly sendsMail: boolean;
  readonly foreignHashes: ForeignHashes | undefined;
  /** The active identity providers. */
  readonly providers: readonly LoadedProvider[];
}
