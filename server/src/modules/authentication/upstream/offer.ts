import type { Tenant } from '../../../tenancy/tenant.ts';

/** Whether logins of a tenant can begin at an identity provider. */
export function offersUpstream({
  config,
  providers,
}: Pick<Tenant, 'config' | 'providers'>): boolean {
  return config.allowed_login_methods.includes('oauth') && providers.length > 0;
}
