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

const NEXT_PASSWORD = 'passwords of today stay good; the next one they set has to follow the rule';
const NEXT_TOKEN =
  'tokens of today keep what they have; the next refresh or login follows the setting';

const JUDGES: readonly Judge[] = [
  whenStricter('password_min_length', NEXT_PASSWORD),
  whenStricter('password_require_special', NEXT_PASSWORD),
  whenChanged('session_timeout', NEXT_TOKEN),
  whenChanged('refresh_token_ttl', NEXT_TOKEN),
  whenChanged('refresh_token_absolute_ttl', 'sessions of today keep their end'),
  whenChanged('custom_claims', NEXT_TOKEN),
  whenChanged('audience', 'access tokens of today are refused; refreshing gives new ones'),
];

/** The effect of a change of a tenant, and the number of users affected. */
export function impactOf(
  before: TenantRecord,
  after: TenantRecord,
  counts: TenantCounts,
): Impact[] {
  const settings = JUDGES.map((judge) => judge(before.config, after.config, counts));
  const found = settings.filter((impact) => impact !== undefined);
  if (before.is_active && !after.is_active) {
    const effect = 'lose every token at once, and could not log in';
    return [...found, { setting: 'is_active', users: counts.users, effect }];
  }
  if (before.issuer !== after.issuer) {
    const effect = 'hold tokens of the issuer of before, which are refused';
    return [...found, { setting: 'issuer', users: counts.withSession, effect }];
  }
  return found;
}
