import type { Fail } from '@keywright/contract/errors';
import type { Tenant } from '../../../tenancy/tenant.ts';

/** What clients use of a tenant. What agents use of it is there either way. @throws AppError OAUTH_OFF */
export function requireOAuth({ config }: Pick<Tenant, 'config'>, fail: Fail<'OAUTH_OFF'>): void {
  if (!config.oauth_enabled) fail('OAUTH_OFF');
}
