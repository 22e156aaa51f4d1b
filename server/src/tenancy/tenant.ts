import type { TenantId } from '@keywright/contract/ids';
import type { TenantConfig } from '@keywright/contract/records/tenant';

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
}
