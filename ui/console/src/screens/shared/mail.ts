import type { Tenant } from '@keywright/sdk';

/** Whether mails go through the tenant's own server: without a sender it is not used. */
export function hasMailServer({ email }: Tenant['messaging']): boolean {
  return email?.smtp_host !== undefined && email.from_address !== undefined;
}
