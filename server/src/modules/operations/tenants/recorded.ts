import type { TenantRecord } from '@keywright/contract/records/tenant';
import type { TenantTx } from '../../../tenancy/gate.ts';
import { type Actor, record } from '../../events/journal/index.ts';

/** A value longer than this, as JSON, is named and not told. */
const LONGEST_TOLD = 256;

/** Settings of which the values before and after are told. Secrets are in none of them. */
function settingsOf({ name, domains, issuer, is_active, config }: TenantRecord) {
  const settings = Object.entries(config).map(([key, value]) => [`config.${key}`, value] as const);
  return new Map<string, unknown>([
    ...Object.entries({ name, domains, issuer, is_active }),
    ...settings,
  ]);
}

/** Records which fields of a tenant were set, and of plain settings what they were and are. */
export function recordChange(
  tx: TenantTx,
  by: Actor,
  fields: string[],
  before: TenantRecord,
  after: TenantRecord,
): Promise<void> {
  const past = settingsOf(before);
  const changes = [...settingsOf(after)]
    .map(([name, value]) => ({ name, before: past.get(name), after: value }))
    .filter((one) => JSON.stringify(one.before) !== JSON.stringify(one.after))
    .map((one) => (JSON.stringify(one).length > LONGEST_TOLD ? { name: one.name } : one));
  return record(tx, by, {
    action: 'tenant.updated',
    target: { kind: 'tenant', id: tx.tenantId },
    details: { fields, changes },
    events: [{ type: 'tenant.updated', data: { fields } }],
  });
}
