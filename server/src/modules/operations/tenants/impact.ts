import type { TenantEffect } from '@keywright/contract/routes/tenants';
import type { TenantConfig, TenantRecord } from '@keywright/contract/records/tenant';
import type { TenantCounts } from './impact-store.ts';

export interface Impact {
  readonly setting: string;
  readonly users: number;
  readonly code: TenantEffect;
  readonly effect: string;
}

const EFFECTS: Readonly<Record<TenantEffect, string>> = {
  password_kept: 'current passwords remain valid; the next one they set must follow the rule',
  token_kept: 'current tokens do not change; the next refresh or login follows the setting',
  expiry_kept: 'current sessions keep their expiry',
  token_rejected: 'current access tokens are rejected; refreshing returns new ones',
  issuer_rejected: 'hold tokens of the previous issuer, which are rejected',
  signed_out: 'lose every token immediately, and would not be able to sign in',
  passkey_lost: 'have passkeys that are bound to the previous domain, and stop working',
  factor_to_add: 'have no second factor, and add one during their next login',
  factor_missing: 'have no second factor, and would not be able to sign in',
  factor_step_up: 'have sessions without one, which step up at their next refresh',
  email_to_verify:
    'have no verified identifier, and verify their email address during their next login',
  email_missing:
    'have no email address either, and would not be able to sign in until an administrator sets verified',
  verification_step_up:
    'have sessions without a verified identifier, which step up at their next refresh',
  method_missing: 'have no other method, and would not be able to sign in',
  method_step_up: 'have sessions by other methods, which step up at their next refresh',
};

function impact(setting: string, users: number, code: TenantEffect): Impact {
  return { setting, users, code, effect: EFFECTS[code] };
}

type Judge = (
  before: TenantConfig,
  after: TenantConfig,
  counts: TenantCounts,
) => Impact | undefined;

function whenStricter(setting: 'password_min_length' | 'password_require_special'): Judge {
  return (before, after, { withPassword: users }) =>
    after[setting] > before[setting] ? impact(setting, users, 'password_kept') : undefined;
}

function whenChanged(setting: keyof TenantConfig, code: TenantEffect): Judge {
  return (before, after, { withSession: users }) =>
    JSON.stringify(after[setting]) === JSON.stringify(before[setting])
      ? undefined
      : impact(setting, users, code);
}

const MFA_SETTINGS = ['require_mfa', 'require_mfa_role'] as const;

function whenRequired(
  counted: 'withoutFactor' | 'withWeakSession',
  codeOf: (after: TenantConfig) => TenantEffect,
): Judge {
  return (before, after, { [counted]: users }) => {
    const setting = MFA_SETTINGS.find((name) => after[name] && after[name] !== before[name]);
    return setting && !before.require_mfa ? impact(setting, users, codeOf(after)) : undefined;
  };
}

/** Applies if second factors were and remain required, and fewer methods count as one. */
const whenFewerFactors: Judge = (before, after, { withoutFactor: users }) => {
  const setting = 'mfa_methods';
  const isRequired = MFA_SETTINGS.some((name) => after[name] && after[name] === before[name]);
  const isFewer = before[setting].some((method) => !after[setting].includes(method));
  return isRequired && isFewer ? impact(setting, users, withoutFactor(after)) : undefined;
};

function withoutFactor({ mfa_methods: methods }: TenantConfig): TenantEffect {
  const mayAdd = methods.includes('passkey') || methods.includes('totp');
  return mayAdd ? 'factor_to_add' : 'factor_missing';
}

type Unverified = 'withoutVerified' | 'withoutAddress' | 'withUnverifiedSession';

function whenVerified(counted: Unverified, code: TenantEffect): Judge {
  const setting = 'require_verified_identifier';
  return ({ [setting]: before }, { [setting]: after }, { [counted]: users }) =>
    after && !before ? impact(setting, users, code) : undefined;
}

function whenFewerMethods(
  counted: 'withoutMethod' | 'withOtherSession',
  code: TenantEffect,
): Judge {
  const setting = 'allowed_login_methods';
  return ({ [setting]: before }, { [setting]: after }, { [counted]: users }) =>
    before.every((method) => after.includes(method)) ? undefined : impact(setting, users, code);
}

const JUDGES: readonly Judge[] = [
  whenRequired('withoutFactor', withoutFactor),
  whenRequired('withWeakSession', () => 'factor_step_up'),
  whenFewerFactors,
  whenVerified('withoutVerified', 'email_to_verify'),
  whenVerified('withoutAddress', 'email_missing'),
  whenVerified('withUnverifiedSession', 'verification_step_up'),
  whenFewerMethods('withoutMethod', 'method_missing'),
  whenFewerMethods('withOtherSession', 'method_step_up'),
  whenStricter('password_min_length'),
  whenStricter('password_require_special'),
  whenChanged('session_timeout', 'token_kept'),
  whenChanged('refresh_token_ttl', 'token_kept'),
  whenChanged('refresh_token_absolute_ttl', 'expiry_kept'),
  whenChanged('custom_claims', 'token_kept'),
  whenChanged('audience', 'token_rejected'),
];

/**
 * Returns the effects of a change of a tenant, with the number of affected users.
 * @param lost the number of users with passkeys of another domain
 */
export function impactOf(
  before: TenantRecord,
  after: TenantRecord,
  counts: TenantCounts,
  lost: number,
): Impact[] {
  const settings = JUDGES.map((judge) => judge(before.config, after.config, counts));
  const found = settings.filter((result) => result !== undefined);
  if (lost > 0) found.push(impact('passkey_rp_id', lost, 'passkey_lost'));
  if (before.is_active && !after.is_active) {
    return [...found, impact('is_active', counts.users, 'signed_out')];
  }
  if (before.issuer !== after.issuer) {
    return [...found, impact('issuer', counts.withSession, 'issuer_rejected')];
  }
  return found;
}
