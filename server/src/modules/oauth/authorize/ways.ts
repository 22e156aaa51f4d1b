import { channelsOf } from '../../../tenancy/channels.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { offersPasskeys, offersUpstream } from '../../../tenancy/login-methods.ts';
import type { Ways } from '../../branding/views/index.ts';

/** Only methods that work with the tenant's current settings. */
export function waysOf(tenant: Tenant): Ways {
  const { allowed_login_methods: allowed, allow_registration: registration } = tenant.config;
  const password = allowed.includes('password');
  const channels = allowed.includes('magic_link') ? channelsOf(tenant) : [];
  const providers = offersUpstream(tenant) ? tenant.providers : [];
  return {
    password,
    channels,
    passkey: offersPasskeys(tenant),
    registration: registration && (password || channels.includes('email')),
    providers,
    asksFirst: providers.some(({ captures = [] }) => captures.length > 0),
  };
}
