import { TenantConfig } from '@keywright/contract/records/tenant';
import { Default } from 'typebox/value';

/** Every default is that of a whole field: none is inside one. */
const DEFAULTS = Object.freeze(Default(TenantConfig, {}) as TenantConfig);

/** All settings of a tenant: what is kept of them, and the default of each that is not. */
export function withDefaults(kept: unknown): TenantConfig {
  return { ...DEFAULTS, ...(kept as Partial<TenantConfig>) };
}
