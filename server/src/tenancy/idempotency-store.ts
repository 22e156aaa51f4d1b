import { deleteFrom, from, type TenantTx, update } from './gate.ts';

export interface KeyRef {
  readonly caller: string;
  readonly route: string;
  readonly key: string;
}

/**
 * Locks an idempotency key for this transaction; waits while another one holds it.
 * @returns false when it was already used
 */
export async function takeKey(tx: TenantTx, ref: KeyRef, requestHash: Buffer): Promise<boolean> {
  const row = await tx.db
    .insertInto('idempotency_keys')
    .values({
      tenant_id: tx.tenantId,
      caller: ref.caller,
      route: ref.route,
      key: ref.key,
      request_hash: requestHash,
      created_at: tx.now,
    })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'caller', 'route', 'key']).doNothing())
    .returning('key')
    .executeTakeFirst();
  return row !== undefined;
}

export async function writeAnswer(tx: TenantTx, ref: KeyRef, answer: unknown): Promise<void> {
  await update(tx, 'idempotency_keys')
    .set({ response: JSON.stringify(answer) })
    .where('caller', '=', ref.caller)
    .where('route', '=', ref.route)
    .where('key', '=', ref.key)
    .execute();
}

export function findKey(tx: TenantTx, ref: KeyRef) {
  return from(tx, 'idempotency_keys')
    .select(['request_hash', 'response', 'created_at'])
    .where('caller', '=', ref.caller)
    .where('route', '=', ref.route)
    .where('key', '=', ref.key)
    .executeTakeFirst();
}

export async function dropKey(tx: TenantTx, ref: KeyRef): Promise<void> {
  await deleteFrom(tx, 'idempotency_keys')
    .where('caller', '=', ref.caller)
    .where('route', '=', ref.route)
    .where('key', '=', ref.key)
    .execute();
}
