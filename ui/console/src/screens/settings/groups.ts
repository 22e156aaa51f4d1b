import { tenantConfig } from '../../generated/facts.ts';
import type { TextKey } from '../../texts/locales.ts';

/** The settings by form, selected by the start of their names. */
const NAME_PATTERNS = {
  logins:
    /^(allowed_login|magic_link|return_urls|require_|mfa_|passkey_|allow_registration|registration_name|notify_|step_up|allow_account)/,
  passwords: /^(password_|breached_|import_)/,
  sessions: /^(session_|refresh_|browser_|console_|audience|allowed_origins)/,
  oauth: /^oauth_/,
  claims: /^custom_claims$/,
  limits: /^(login_attempts|registrations_|sms_)/,
  languages: /^locales$/,
} as const;

export type SettingsGroup = keyof typeof NAME_PATTERNS;

export const GROUP_TITLES: Readonly<Record<SettingsGroup, TextKey>> = {
  logins: 'signInMethods',
  passwords: 'group.passwords',
  sessions: 'sessionsAndTokens',
  oauth: 'policy',
  claims: 'group.claims',
  limits: 'group.limits',
  languages: 'languages',
};

export const GROUPS = Object.keys(NAME_PATTERNS) as readonly SettingsGroup[];

export function settingsOf(group: SettingsGroup): readonly string[] {
  return tenantConfig.map(({ name }) => name).filter((name) => NAME_PATTERNS[group].test(name));
}

/** Returns the scope needed to change a setting. */
export function scopeOfSetting(name: string | undefined): string {
  return tenantConfig.find((setting) => setting.name === name)?.scope ?? 'write:tenant';
}
