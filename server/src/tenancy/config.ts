import { TenantConfig } from '@keywright/contract/records/tenant';
import { Default } from 'typebox/value';

/** Defaults apply to whole fields, not within them. */
const DEFAULTS = Object.freeze(Default(TenantConfig, {}) as TenantConfig);

/** All settings of a tenant: the stored ones, and defaults for the rest. */
export function withDefaults(kept: unknown): TenantConfig {
  return { ...DEFAULTS, ...(kept as Partial<TenantConfig>) };
}
