import type { Tenant } from '@keywright/sdk';

/** Whether email goes through the tenant's own server, which is not used without a sender. */
export function hasMailServer({ email }: Tenant['messaging']): boolean {
  return email?.smtp_host !== undefined && email.from_address !== undefined;
}
