import type { SignalStreamId, TenantId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import type { SystemTx } from '../../../tenancy/system.ts';

interface Asked {
  readonly tenantId: TenantId;
  readonly streamId: SignalStreamId;
}

/** Those of these streams that have an event to be polled. */
export async function findFilled(
  { db }: SystemTx,
  asked: readonly Asked[],
): Promise<SignalStreamId[]> {
  const { rows } = await sql<{ id: SignalStreamId }>`
    SELECT s.id
      FROM unnest(${asked.map((one) => one.tenantId)}::text[], ${asked.map((one) => one.streamId)}::text[])
             AS asked (tenant_id, id)
      JOIN signal_streams s ON s.tenant_id = asked.tenant_id AND s.id = asked.id AND s.status = 'enabled'
     WHERE EXISTS (SELECT FROM signal_deliveries d
                    WHERE d.tenant_id = s.tenant_id AND d.queue_key = s.id AND d.status = 'waiting')`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}
