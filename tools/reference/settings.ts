import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expectationOf, type RequestSchema, typesOf } from '@keywright/contract/expectation';
import { SETTING_SCOPES, TenantConfig } from '@keywright/contract/records/tenant';
import { LOGINS } from '@keywright/contract/scopes';
import {
  GROUP_TITLES,
  GROUPS,
  type SettingsGroup,
  settingsOf,
} from '../../ui/console/src/screens/settings/groups.ts';
import { capitalized, code, facts, marked, page } from './markdown.ts';

interface Setting extends RequestSchema {
  readonly description?: string;
  readonly default?: unknown;
  readonly items?: Setting;
  readonly anyOf?: readonly Setting[];
}

const DOCS = new URL('../../docs/', import.meta.url);
const TEXTS = new URL('../../ui/console/src/texts/en/', import.meta.url);

/** The guides of settings that GUIDES does not list. */
const GROUP_GUIDES: Readonly<Record<SettingsGroup, string>> = {
  logins: 'passkeys',
  passwords: 'breached-passwords',
  sessions: 'sessions',
  oauth: 'openid',
  claims: 'tenants',
  limits: 'sessions',
  languages: 'languages-and-texts',
};

const GUIDES: Readonly<Record<string, string>> = {
  allowed_login_methods: 'magic-links',
  magic_link_url: 'magic-links',
  magic_link_registration: 'magic-links',
  return_urls: 'log-in-with-google',
  require_mfa: 'second-factors',
  require_mfa_role: 'second-factors',
  mfa_methods: 'second-factors',
  require_verified_identifier: 'magic-links',
  step_up_max_age: 'tenants',
  registration_name: 'invite-people',
  allow_account_deletion: 'account-page',
  notify_new_device: 'mail-texts',
  allow_registration: 'magic-links',
  password_min_length: 'tenants',
  password_require_special: 'tenants',
  import_expires_at: '../migrate/index',
  audience: 'verifying-tokens',
  console_idle_ttl: 'console',
  console_session_ttl: 'console',
  oauth_profile: 'fapi',
  oauth_dpop_nonces: 'fapi',
  oauth_registration: 'let-others-register',
  oauth_max_registered_clients: 'let-others-register',
  oauth_metadata_documents: 'let-others-register',
  oauth_client_domains: 'let-others-register',
  sms_countries: 'sms',
  sms_hourly_limit: 'sms',
  sms_daily_limit: 'sms',
  sms_country_hourly_limit: 'sms',
  allowed_origins: 'browser-apps',
  locales: 'languages-and-texts',
};

/** Returns every setting of a tenant, in the groups of the console. */
export function settingsPage(): string {
  const groups = GROUPS.flatMap((group) => [
    `## ${titleOfGroup(group)}`,
    ...settingsOf(group).flatMap((name) => describe(name, GROUP_GUIDES[group])),
  ]);
  const count = GROUPS.flatMap((group) => settingsOf(group)).length;
  return page('Tenant settings', [
    `A tenant has ${count} settings, in the field \`config\` of its record. Each has a default. Read them with [\`GET /api/sso/v1/tenants/:tenant_id\`](routes/tenants.md), change them with \`PATCH\`, or in the console. \`null\` in a \`PATCH\` resets a setting to its default. With \`?dry_run=true\`, the response shows the effect of a change without making it.`,
    `Each setting needs one of two [scopes](scopes.md#logins). ${code(LOGINS)} is for administrators who signed in recently; [Tenants](../guide/tenants.md) describes its conditions.`,
    ...groups,
  ]);
}

function describe(name: string, groupGuide: string): string[] {
  const setting: Setting | undefined = TenantConfig.properties[name as keyof TenantConfig];
  if (setting?.description === undefined) throw new Error(`${name} has no description.`);
  const unit = unitOf(name, setting);
  const guide = posix.join('guide', `${GUIDES[name] ?? groupGuide}.md`);
  return [
    `### ${code(name)}`,
    setting.description,
    facts({
      Value: marked(valuesOf(setting)),
      Unit: unit,
      Default: defaultOf(setting, unit),
      Scope: code(SETTING_SCOPES[name as keyof TenantConfig]),
      Guide: `[${titleOf(guide)}](../${guide})`,
    }),
  ];
}

/** As the console shows it. */
function titleOfGroup(group: SettingsGroup): string {
  const texts = globSync('*.json', { cwd: TEXTS }).map((file): Readonly<Record<string, string>> =>
    JSON.parse(readFileSync(new URL(file, TEXTS), 'utf8')),
  );
  const title = texts.map((part) => part[GROUP_TITLES[group]]).find(Boolean);
  return title ?? capitalized(group);
}

function titleOf(path: string): string {
  return /^# (.+)$/m.exec(readFileSync(new URL(path, DOCS), 'utf8'))?.[1] ?? path;
}

const UNITS: readonly (readonly [RegExp, string])[] = [
  [/_ttl$|_timeout$|_window$|_max_age$/, 'seconds'],
  [/_min_length$/, 'characters'],
  [/^login_attempts_.*limit$/, 'attempts'],
  [/^registrations_/, 'registrations per hour'],
  [/_hourly_limit$/, 'messages per hour'],
  [/_daily_limit$/, 'messages per day'],
  [/_max_registered_clients$/, 'applications'],
];

function unitOf(name: string, setting: Setting): string | undefined {
  const isNumber = [setting, ...(setting.anyOf ?? [])].some((schema) =>
    typesOf(schema).includes('integer'),
  );
  if (!isNumber) return undefined;
  const unit = UNITS.find(([names]) => names.test(name))?.[1];
  if (unit === undefined) throw new Error(`Add the unit of ${name} to UNITS.`);
  return unit;
}

function valuesOf(setting: Setting): string {
  const { anyOf, items, minimum, maximum, maxItems, maxProperties, enum: choices } = setting;
  if (anyOf) return anyOf.map((schema) => valuesOf(schema)).join(', or ');
  if (choices) return listOf(choices);
  switch (String(typesOf(setting)[0])) {
    case 'integer':
      return `a whole number from ${inDigits(minimum)} to ${inDigits(maximum)}`;
    case 'array':
      return items?.enum
        ? `a list of ${listOf(items.enum)}`
        : `a list of up to ${maxItems} entries, each ${valuesOf(items ?? {})}`;
    case 'object':
      return `an object with up to ${maxProperties} fields`;
    case 'boolean':
      return '`true` or `false`';
    case 'null':
      return '`null`';
    default:
      return expectationOf(setting);
  }
}

function listOf(choices: readonly unknown[]): string {
  return choices
    .map((choice) => code(String(choice)))
    .join(', ')
    .replace(/, ([^,]+)$/, ' or $1');
}

function inDigits(value: number | undefined): string {
  if (value === undefined) throw new Error('A number needs a minimum and a maximum.');
  return value.toLocaleString('en-US');
}

const DURATIONS = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
] as const;

function defaultOf(setting: Setting, unit: string | undefined): string {
  const value = code(
    typeof setting.default === 'string' ? setting.default : JSON.stringify(setting.default),
  );
  const seconds = Number(setting.default);
  const [size, word] = DURATIONS.find(([length]) => seconds % length === 0) ?? [];
  if (unit !== 'seconds' || size === undefined || seconds === 0) return value;
  const count = seconds / size;
  return `${value} (${count} ${word}${count === 1 ? '' : 's'})`;
}
