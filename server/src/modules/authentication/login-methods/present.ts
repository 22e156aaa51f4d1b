import { type TenantConfig, WORKING_LOGIN_METHODS } from '@keywright/contract/records/tenant';
import type { OkOf } from '@keywright/contract/route';
import type { getLoginMethods } from '@keywright/contract/routes/login-methods';
import { Cacheable } from '../../../platform/http/replies.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';

const MAX_AGE_SECONDS = 60;

type LoginMethods = OkOf<typeof getLoginMethods>;

/** Serialized once for each version of a tenant's settings. */
export function createPresentLoginMethods() {
  const known = new WeakMap<TenantConfig, Cacheable<LoginMethods>>();
  return (tenant: Tenant): Cacheable<LoginMethods> => {
    const found = known.get(tenant.config);
    if (found) return found;
    const answer = new Cacheable<LoginMethods>(
      JSON.stringify(loginMethodsOf(tenant)),
      MAX_AGE_SECONDS,
    );
    known.set(tenant.config, answer);
    return answer;
  };
}

function loginMethodsOf({ id, config }: Tenant): LoginMethods {
  return {
    tenant_id: id,
    methods: config.allowed_login_methods.filter((one) => WORKING_LOGIN_METHODS.includes(one)),
    registration: config.allow_registration,
    password: {
      min_length: config.password_min_length,
      require_special: config.password_require_special,
    },
  };
}
