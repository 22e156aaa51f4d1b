import type { UserRecord } from '@keywright/contract/records/user';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Notify } from '../../events/messages/index.ts';

type Identifiers = readonly { readonly identifier: string }[];

interface Change {
  readonly password?: string;
  readonly identifiers?: Identifiers;
}

/** Tells a user what an administrator changes of how they log in, at the addresses that are verified now. */
export async function tellOfChange(
  notify: Notify,
  tx: TenantTx,
  tenant: Tenant,
  { id: userId, identifiers: before }: UserRecord,
  { password, identifiers: after }: Change,
): Promise<void> {
  if (password !== undefined) await notify(tx, tenant, { userId, kind: 'notice.password_changed' });
  if (!after) return;
  for (const changed of missingFrom(after, before)) {
    await notify(tx, tenant, { userId, kind: 'notice.identifier_removed', changed });
  }
  for (const changed of missingFrom(before, after)) {
    await notify(tx, tenant, { userId, kind: 'notice.identifier_added', changed });
  }
}

/** What the others have beyond these. */
function missingFrom(some: Identifiers, others: Identifiers): string[] {
  const known = new Set(some.map(({ identifier }) => identifier));
  return others.map(({ identifier }) => identifier).filter((one) => !known.has(one));
}
