import { tenantConfig } from '../../generated/facts.ts';

/** The settings by tab: selected by the start of their names, with the rest on one tab. */
const NAME_PATTERNS = {
  logins:
    /^(allowed_login|magic_link|return_urls|require_|mfa_|passkey_|allow_registration|notify_|step_up|allow_account)/,
  passwords: /^(password_|breached_|import_)/,
  sessions: /^(session_|refresh_|browser_|console_|audience)/,
  oauth: /^oauth_/,
  claims: /^custom_claims$/,
  limits: /^(login_attempts|registrations_|sms_)/,
} as const;

export type SettingsGroup = keyof typeof NAME_PATTERNS | 'others';

export const GROUPS = [
  'logins',
  'passwords',
  'sessions',
  'oauth',
  'claims',
  'limits',
  'others',
] as const;

const NAMES = tenantConfig.map(({ name }) => name);

export function settingsOf(group: SettingsGroup): readonly string[] {
  if (group !== 'others') return NAMES.filter((name) => NAME_PATTERNS[group].test(name));
  return NAMES.filter(
    (name) => !Object.values(NAME_PATTERNS).some((pattern) => pattern.test(name)),
  );
}

/** Returns the scope needed to change a setting. */
export function scopeOfSetting(name: string | undefined): string {
  return tenantConfig.find((setting) => setting.name === name)?.scope ?? 'write:tenant';
}
