import type { TenantMessaging, TenantRecord } from '@keywright/contract/records/tenant';
import type { TenantTx } from '../../../tenancy/gate.ts';
import { type Actor, record } from '../../events/journal/index.ts';
import type { LoginsChange } from '../../events/messages/index.ts';

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

/**
 * What administrators are notified of.
 * @param stored the messaging settings before and after, with sealed secrets; undefined: not changed
 */
export function changesOfLogins(
  before: Pick<TenantRecord, 'domains'>,
  after: Pick<TenantRecord, 'domains' | 'messaging'>,
  stored: unknown,
  change: object | undefined,
): LoginsChange[] {
  const past = stored as TenantMessaging;
  const present = (change ?? past) as TenantMessaging;
  const isChanged = (group: 'email' | 'sms') =>
    JSON.stringify(past[group]) !== JSON.stringify(present[group]);
  const { email, sms } = after.messaging;
  const changes: LoginsChange[] = [];
  if (before.domains.join() !== after.domains.join()) {
    changes.push({ what: 'domains', changed: after.domains.join(', ') });
  }
  if (isChanged('email')) {
    const what = email ? 'mail_server' : 'mail_server_removed';
    changes.push({ what, changed: email?.smtp_host ?? '', formerEmail: past.email ?? {} });
  }
  if (isChanged('sms')) {
    const changed = [sms?.provider, hostOf(sms?.url)].filter(Boolean).join(', ');
    changes.push({ what: sms ? 'sms_provider' : 'sms_provider_removed', changed });
  }
  return changes;
}

function hostOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).host : undefined;
}
