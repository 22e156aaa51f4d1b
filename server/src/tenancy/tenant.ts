import type { TenantId } from '@keywright/contract/ids';
import type { TenantConfig } from '@keywright/contract/records/tenant';

/** The tenant that a request is for. */
export interface Tenant {
  readonly id: TenantId;
  readonly name: string;
  readonly config: TenantConfig;
  /** `iss` of its tokens: one fixed address, never taken from a request. */
  readonly issuer: string;
  /** `aud` of its access tokens. */
  readonly audience: string;
  readonly isActive: boolean;
}
