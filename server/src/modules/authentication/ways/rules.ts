import { sendsSms } from '../../../tenancy/channels.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { offersPasskeys } from '../passkeys/index.ts';
import { offersUpstream } from '../upstream/index.ts';
import type { Ways } from './store.ts';

/** Whether a login of the user could begin at all. */
export function hasAWay(tenant: Tenant, ways: Ways): boolean {
  const { allowed_login_methods: allowed } = tenant.config;
  return (
    (ways.has_password && allowed.includes('password')) ||
    (ways.passkeys > 0 && offersPasskeys(tenant)) ||
    (ways.has_address && tenant.sendsMail && allowed.includes('magic_link')) ||
    (ways.has_phone && sendsSms(tenant.config) && allowed.includes('magic_link')) ||
    (ways.identities > 0 && offersUpstream(tenant))
  );
}
