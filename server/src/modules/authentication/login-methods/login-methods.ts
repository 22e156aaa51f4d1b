import { type TenantConfig, WORKING_LOGIN_METHODS } from '@keywright/contract/records/tenant';
import type { OkOf } from '@keywright/contract/route';
import type { getLoginMethods } from '@keywright/contract/routes/login-methods';
import { Cacheable } from '../../../platform/http/replies.ts';
import { channelsOf, sendsSms } from '../../../tenancy/channels.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { offersPasskeys, offersUpstream } from '../../../tenancy/login-methods.ts';
import type { Ways } from './login-methods-store.ts';

const MAX_AGE_SECONDS = 60;

type LoginMethods = OkOf<typeof getLoginMethods>;

/** Serialized once for each version of a tenant. Tenants with the same settings share these, but not the answer. */
export function createPresentLoginMethods() {
  const known = new WeakMap<Tenant, Cacheable<LoginMethods>>();
  return (tenant: Tenant): Cacheable<LoginMethods> => {
    const found = known.get(tenant);
    if (found) return found;
    const answer = new Cacheable<LoginMethods>(
      JSON.stringify(loginMethodsOf(tenant)),
      MAX_AGE_SECONDS,
    );
    known.set(tenant, answer);
    return answer;
  };
}

function loginMethodsOf(tenant: Tenant): LoginMethods {
  const { id, config } = tenant;
  return {
    tenant_id: id,
    methods: config.allowed_login_methods.filter((method) => works(method, tenant)),
    channels: config.allowed_login_methods.includes('magic_link') ? channelsOf(tenant) : [],
    providers: offersUpstream(tenant)
      ? tenant.providers.map(({ id: provider, type, name }) => ({
          id: provider,
          tenant_id: id,
          type,
          name,
        }))
      : [],
    registration: config.allow_registration,
    password: {
      min_length: config.password_min_length,
      require_special: config.password_require_special,
    },
  };
}

function works(method: TenantConfig['allowed_login_methods'][number], tenant: Tenant): boolean {
  if (method === 'passkey') return offersPasskeys(tenant);
  if (method === 'oauth') return offersUpstream(tenant);
  return (
    WORKING_LOGIN_METHODS.includes(method) &&
    (method !== 'magic_link' || channelsOf(tenant).length > 0)
  );
}

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
