import type { TenantConfig, TenantRecord } from '@keywright/contract/records/tenant';
import type { TenantCounts } from './impact-store.ts';

export interface Impact {
  readonly setting: string;
  readonly users: number;
  readonly effect: string;
}

type Judge = (
  before: TenantConfig,
  after: TenantConfig,
  counts: TenantCounts,
) => Impact | undefined;

function whenStricter(
  setting: 'password_min_length' | 'password_require_special',
  effect: string,
): Judge {
  return (before, after, { withPassword: users }) =>
    after[setting] > before[setting] ? { setting, users, effect } : undefined;
}

function whenChanged(setting: keyof TenantConfig, effect: string): Judge {
  return (before, after, { withSession: users }) =>
    JSON.stringify(after[setting]) === JSON.stringify(before[setting])
      ? undefined
      : { setting, users, effect };
}

const NEXT_PASSWORD = 'current passwords remain valid; the next one they set must follow the rule';
const NEXT_TOKEN = 'current tokens do not change; the next refresh or login follows the setting';

const STEPS_UP = 'have sessions without one, which step up at their next refresh';
const MFA_SETTINGS = ['require_mfa', 'require_mfa_role'] as const;

function whenRequired(
  counted: 'withoutFactor' | 'withWeakSession',
  effectOf: (after: TenantConfig) => string,
): Judge {
  return (before, after, { [counted]: users }) => {
    const setting = MFA_SETTINGS.find((name) => after[name] && after[name] !== before[name]);
    const effect = effectOf(after);
    return setting && !before.require_mfa ? { setting, users, effect } : undefined;
  };
}

/** Applies if second factors were and remain required, and fewer methods count as one. */
const whenFewerFactors: Judge = (before, after, { withoutFactor: users }) => {
  const setting = 'mfa_methods';
  const isRequired = MFA_SETTINGS.some((name) => after[name] && after[name] === before[name]);
  const isFewer = before[setting].some((method) => !after[setting].includes(method));
  return isRequired && isFewer ? { setting, users, effect: effectWithoutFactor(after) } : undefined;
};

function effectWithoutFactor({ mfa_methods: methods }: TenantConfig): string {
  const mayAdd = methods.includes('passkey') || methods.includes('totp');
  return `have no second factor, and ${mayAdd ? 'add one during their next login' : 'would not be able to sign in'}`;
}

type Unverified = 'withoutVerified' | 'withoutAddress' | 'withUnverifiedSession';

function whenVerified(counted: Unverified, effect: string): Judge {
  const setting = 'require_verified_identifier';
  return ({ [setting]: before }, { [setting]: after }, { [counted]: users }) =>
    after && !before ? { setting, users, effect } : undefined;
}

function whenFewerMethods(counted: 'withoutMethod' | 'withOtherSession', effect: string): Judge {
  const setting = 'allowed_login_methods';
  return ({ [setting]: before }, { [setting]: after }, { [counted]: users }) =>
    before.every((method) => after.includes(method)) ? undefined : { setting, users, effect };
}

const JUDGES: readonly Judge[] = [
  whenRequired('withoutFactor', effectWithoutFactor),
  whenRequired('withWeakSession', () => STEPS_UP),
  whenFewerFactors,
  whenVerified(
    'withoutVerified',
    'have no verified identifier, and verify their email address during their next login',
  ),
  whenVerified(
    'withoutAddress',
    'have no email address either, and would not be able to sign in until an administrator sets verified',
  ),
  whenVerified(
    'withUnverifiedSession',
    'have sessions without a verified identifier, which step up at their next refresh',
  ),
  whenFewerMethods('withoutMethod', 'have no other method, and would not be able to sign in'),
  whenFewerMethods(
    'withOtherSession',
    'have sessions by other methods, which step up at their next refresh',
  ),
  whenStricter('password_min_length', NEXT_PASSWORD),
  whenStricter('password_require_special', NEXT_PASSWORD),
  whenChanged('session_timeout', NEXT_TOKEN),
  whenChanged('refresh_token_ttl', NEXT_TOKEN),
  whenChanged('refresh_token_absolute_ttl', 'current sessions keep their expiry'),
  whenChanged('custom_claims', NEXT_TOKEN),
  whenChanged('audience', 'current access tokens are rejected; refreshing returns new ones'),
];

const PASSKEYS_LOST = 'have passkeys that are bound to the previous domain, and stop working';

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
  const found = settings.filter((impact) => impact !== undefined);
  if (lost > 0) found.push({ setting: 'passkey_rp_id', users: lost, effect: PASSKEYS_LOST });
  if (before.is_active && !after.is_active) {
    const effect = 'lose every token immediately, and would not be able to sign in';
    return [...found, { setting: 'is_active', users: counts.users, effect }];
  }
  if (before.issuer !== after.issuer) {
    const effect = 'hold tokens of the previous issuer, which are rejected';
    return [...found, { setting: 'issuer', users: counts.withSession, effect }];
  }
  return found;
}
