import type { TenantId, WebhookId } from '@keywright/contract/ids';

/** Who delivers, within this node. */
interface Hearer {
  /** Deliveries of a tenant are due, for these endpoints. */
  due(tenantId: TenantId, webhookIds: readonly WebhookId[]): void;
  /** Deliveries were queued, and are this node's to send. @param queued each as the database tells it, in JSON */
  queued(tenantId: TenantId, queued: readonly string[]): void;
}

/** Told within a transaction, heard once it is committed, and never if it is not. */
export type Later = (tenantId: TenantId) => {
  readonly wake: (webhookIds: readonly WebhookId[]) => void;
  readonly handOver: (queued: readonly string[]) => void;
  readonly changed: () => void;
};

/**
 * Tells who delivers, within this node, that a change which was just committed has queued something. Who doesn't
 * hear of it, on this node or another, finds it at the next look: this saves the wait, and nothing depends on it.
 */
export interface Wakeups {
  /** There is one who hears; until then nobody does. */
  heardBy(hearer: Hearer): void;
  /** Who remembers tenants, within this node, and forgets those that were changed. */
  forgottenBy(forget: (tenantId: TenantId) => void): void;
  /** A change that is committed has queued this. */
  readonly handOver: Hearer['queued'];
  /** A change of what nodes remember of a tenant is committed. */
  changed(tenantId: TenantId): void;
  /**
   * Runs work, and once it has succeeded tells of what it was told meanwhile. Tenants that it changed are forgotten
   * before it returns, whatever became of it: when the answer to a commit is lost, nobody knows.
   */
  afterwards<T>(work: (later: Later) => Promise<T>): Promise<T>;
}

export function createWakeups(): Wakeups {
  let hearer: Hearer | undefined;
  let forget: (tenantId: TenantId) => void = () => undefined;
  return {
    heardBy(one) {
      hearer = one;
    },
    forgottenBy(one) {
      forget = one;
    },
    handOver: (tenantId, queued) => hearer?.queued(tenantId, queued),
    changed: (tenantId) => forget(tenantId),
    async afterwards(work) {
      const told: ((to: Hearer) => void)[] = [];
      const changed: TenantId[] = [];
      try {
        const result = await work((tenantId) => ({
          wake: (webhookIds) => void told.push((to) => to.due(tenantId, webhookIds)),
          handOver: (queued) => void told.push((to) => to.queued(tenantId, queued)),
          changed: () => void changed.push(tenantId),
        }));
        if (hearer) for (const tell of told) tell(hearer);
        return result;
      } finally {
        changed.forEach((tenantId) => forget(tenantId));
      }
    },
  };
}
