import { type TenantConfig, WORKING_LOGIN_METHODS } from '@keywright/contract/records/tenant';
import type { OkOf } from '@keywright/contract/route';
import type { getLoginMethods } from '@keywright/contract/routes/login-methods';
import { Cacheable } from '../../../platform/http/replies.ts';
import {
  type Tenant,
  channelsOf,
  offersPasskeys,
  offersUpstream,
  sendsSms,
} from '../../../tenancy/tenant.ts';
import type { UserLoginMethods } from './login-methods-store.ts';

const MAX_AGE_SECONDS = 60;

type LoginMethods = OkOf<typeof getLoginMethods>;

/** Serializes the login methods of a tenant once for each version of the tenant. */
export class LoginMethodsPresenter {
  readonly #cache = new WeakMap<Tenant, Cacheable<LoginMethods>>();

  present(tenant: Tenant): Cacheable<LoginMethods> {
    const cached = this.#cache.get(tenant);
    if (cached) return cached;
    const response = new Cacheable<LoginMethods>(
      JSON.stringify(presentLoginMethods(tenant)),
      MAX_AGE_SECONDS,
    );
    this.#cache.set(tenant, response);
    return response;
  }

  /** Returns the login methods if they are in memory. */
  cached(tenant: Tenant): Cacheable<LoginMethods> | undefined {
    return this.#cache.get(tenant);
  }
}

function presentLoginMethods(tenant: Tenant): LoginMethods {
  const { id, config } = tenant;
  return {
    tenant_id: id,
    methods: config.allowed_login_methods.filter((method) => isOffered(method, tenant)),
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

function isOffered(method: TenantConfig['allowed_login_methods'][number], tenant: Tenant): boolean {
  if (method === 'passkey') return offersPasskeys(tenant);
  if (method === 'oauth') return offersUpstream(tenant);
  return (
    WORKING_LOGIN_METHODS.includes(method) &&
    (method !== 'magic_link' || channelsOf(tenant).length > 0)
  );
}

/** Whether a user with these login methods can start a login. */
export function canLogIn(tenant: Tenant, methods: UserLoginMethods): boolean {
  const { allowed_login_methods: allowed } = tenant.config;
  return (
    (methods.has_password && allowed.includes('password')) ||
    (methods.passkeys > 0 && offersPasskeys(tenant)) ||
    (methods.has_address && tenant.sendsMail && allowed.includes('magic_link')) ||
    (methods.has_phone && sendsSms(tenant.config) && allowed.includes('magic_link')) ||
    (methods.identities > 0 && offersUpstream(tenant))
  );
}
