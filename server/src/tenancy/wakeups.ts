import type { TenantId, WebhookId } from '@keywright/contract/ids';

/** Hears that deliveries were queued for these endpoints of a tenant. */
type Hear = (tenantId: TenantId, webhookIds: readonly WebhookId[]) => void;

/** Collects what a transaction queues for a tenant. */
export type WakeLater = (tenantId: TenantId) => (webhookIds: readonly WebhookId[]) => void;

/**
 * Tells who delivers, within this node, that a change which was just committed has queued something. Who doesn't
 * hear of it, on this node or another, finds it at the next look: this saves the wait, and nothing depends on it.
 */
export interface Wakeups {
  /** There is one who hears; until then nobody does. */
  heardBy(hear: Hear): void;
  /** What was queued is committed. */
  wake: Hear;
  /** Runs work, and once it has succeeded tells of what was queued meanwhile. */
  afterwards<T>(work: (later: WakeLater) => Promise<T>): Promise<T>;
}

export function createWakeups(): Wakeups {
  let hear: Hear = () => undefined;
  return {
    heardBy(one) {
      hear = one;
    },
    wake: (tenantId, webhookIds) => hear(tenantId, webhookIds),
    async afterwards(work) {
      const queued: Parameters<Hear>[] = [];
      const result = await work((tenantId) => (webhookIds) => queued.push([tenantId, webhookIds]));
      for (const one of queued) hear(...one);
      return result;
    },
  };
}
