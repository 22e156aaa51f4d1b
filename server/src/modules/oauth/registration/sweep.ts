import type { TenantTx } from '../../../tenancy/gate.ts';
import type { Sweep } from '../../../tenancy/sweep-store.ts';
import { asTenant } from '../../../tenancy/system.ts';
import type { Actor } from '../../events/journal/index.ts';
import { endClient, KEPT_MS, lockClient } from '../clients/index.ts';
import { type DueRegistration, findDue, putOff } from './due-store.ts';

const SWEEPER: Actor = { kind: 'system', name: 'housekeeping' };

/** Deletes clients that nobody vouches for, and that no user has allowed anything for a month. */
export const unusedClientsSweep: Sweep = {
  table: 'client_registrations',
  async deleteSome(tx, now) {
    const due = await findDue(tx, now, new Date(now.getTime() - KEPT_MS));
    const used = due.filter((one) => one.is_used);
    await putOff(tx, used, new Date(now.getTime() + KEPT_MS));
    for (const one of due.filter(({ is_used: isUsed }) => !isUsed)) {
      await asTenant(tx, one.tenant_id, (tenant) => end(tenant, one));
    }
    return due.length;
  },
};

async function end(tx: TenantTx, { client_id: id }: DueRegistration): Promise<void> {
  const client = await lockClient(tx, id);
  if (client) await endClient(tx, SWEEPER, client);
}
