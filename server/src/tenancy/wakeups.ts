import type { TenantId, WebhookId } from '@keywright/contract/ids';

/** Who delivers, within this node. */
export interface Hearer {
  /** Deliveries of a tenant are due, for these endpoints. */
  due(tenantId: TenantId, webhookIds: readonly WebhookId[]): void;
  /** Deliveries were queued, and are this node's to send. @param queued each as the database tells it, in JSON */
  queued(tenantId: TenantId, queued: readonly string[]): void;
}

/** Told within a transaction, heard once it is committed, and never if it is not. */
export type Later = (tenantId: TenantId) => {
  readonly wake: (webhookIds: readonly WebhookId[]) => void;
  readonly handOver: (queued: readonly string[]) => void;
};

/**
 * Tells who delivers, within this node, that a change which was just committed has queued something. Who doesn't
 * hear of it, on this node or another, finds it at the next look: this saves the wait, and nothing depends on it.
 */
export interface Wakeups {
  /** There is one who hears; until then nobody does. */
  heardBy(hearer: Hearer): void;
  /** A change that is committed has queued this. */
  readonly handOver: Hearer['queued'];
  /** Runs work, and once it has succeeded tells of what it was told meanwhile. */
  afterwards<T>(work: (later: Later) => Promise<T>): Promise<T>;
}

export function createWakeups(): Wakeups {
  let hearer: Hearer | undefined;
  return {
    heardBy(one) {
      hearer = one;
    },
    handOver: (tenantId, queued) => hearer?.queued(tenantId, queued),
    async afterwards(work) {
      const told: ((to: Hearer) => void)[] = [];
      const result = await work((tenantId) => ({
        wake: (webhookIds) => void told.push((to) => to.due(tenantId, webhookIds)),
        handOver: (queued) => void told.push((to) => to.queued(tenantId, queued)),
      }));
      if (hearer) for (const tell of told) tell(hearer);
      return result;
    },
  };
}
