import type { Static } from 'typebox';
import { LOGINS } from '../scopes.ts';
import { settingsPatch } from '../shape.ts';
import { TenantConfig } from './tenant-config.ts';

/** The scope required for a request field, in the OpenAPI document. */
export const REQUIRED_SCOPE = 'x-required-scope';

const TENANT = 'write:tenant';

/**
 * The scope required to change each setting. `write:logins` applies to every setting that could change who signs in as
 * whom, how they prove it, how long the login lasts, or where a secret is sent, and to every doubtful case.
 */
export const SETTING_SCOPES: Readonly<
  Record<keyof Static<typeof TenantConfig>, typeof LOGINS | typeof TENANT>
> = {
  allowed_login_methods: LOGINS,
  magic_link_url: LOGINS,
  magic_link_registration: LOGINS,
  return_urls: LOGINS,
  passkey_rp_id: LOGINS,
  passkey_origins: LOGINS,
  passkey_attestation: LOGINS,
  passkey_aaguids: LOGINS,
  require_mfa: LOGINS,
  require_mfa_role: LOGINS,
  mfa_methods: LOGINS,
  require_verified_identifier: LOGINS,
  step_up_max_age: LOGINS,
  registration_name: LOGINS,
  allow_account_deletion: LOGINS,
  // It hides a login.
  notify_new_device: LOGINS,
  password_min_length: LOGINS,
  password_require_special: LOGINS,
  import_expires_at: LOGINS,
  breached_passwords: LOGINS,
  breached_at_login: LOGINS,
  session_timeout: LOGINS,
  refresh_token_ttl: LOGINS,
  refresh_token_absolute_ttl: LOGINS,
  browser_session_idle_ttl: LOGINS,
  browser_session_ttl: LOGINS,
  console_idle_ttl: LOGINS,
  console_session_ttl: LOGINS,
  refresh_retry_window: LOGINS,
  oauth_enabled: LOGINS,
  oauth_profile: LOGINS,
  oauth_require_pkce: LOGINS,
  oauth_require_pushed_requests: LOGINS,
  oauth_dpop_nonces: LOGINS,
  oauth_registration: LOGINS,
  oauth_metadata_documents: LOGINS,
  oauth_client_domains: LOGINS,
  oauth_consent: LOGINS,
  allow_registration: LOGINS,
  audience: LOGINS,
  allowed_origins: LOGINS,
  custom_claims: LOGINS,
  // This setting enables codes by SMS and therefore a login method.
  sms_countries: LOGINS,
  oauth_max_registered_clients: TENANT,
  login_attempts_limit: TENANT,
  login_attempts_window: TENANT,
  login_attempts_address_limit: TENANT,
  registrations_limit: TENANT,
  registrations_address_limit: TENANT,
  locales: TENANT,
  sms_hourly_limit: TENANT,
  sms_daily_limit: TENANT,
  sms_country_hourly_limit: TENANT,
};

export const TenantConfigPatch = settingsPatch(
  TenantConfig.properties,
  {
    $id: 'TenantConfigPatch',
    description: 'Settings to change. `null` resets a setting to its default.',
  },
  (setting) => ({ [REQUIRED_SCOPE]: SETTING_SCOPES[setting] }),
);
export type TenantConfigPatch = Static<typeof TenantConfigPatch>;
