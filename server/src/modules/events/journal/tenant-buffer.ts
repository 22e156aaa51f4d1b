import type { TenantId } from '@keywright/contract/ids';

/** Limits of items per tenant, and in total. */
export interface Bounds {
  readonly ofTenant: number;
  readonly inAll: number;
}

type Added<Item> =
  | { readonly isKept: false }
  | { readonly isKept: true; readonly displaced: Item | undefined };

/** Items by name, separately per tenant: a tenant with too many loses only its own. */
export class TenantBuffer<Item> {
  readonly #bounds: Bounds;
  readonly #tenants = new Map<TenantId, Map<string, Item>>();
  #size = 0;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#size;
  }

  find(tenantId: TenantId, name: string): Item | undefined {
    return this.#tenants.get(tenantId)?.get(name);
  }

  /**
   * Adds an item, if its tenant has room. At the total limit, the largest tenant loses its newest item.
   * @returns whether it was added, and the evicted item
   */
  add(tenantId: TenantId, name: string, item: Item): Added<Item> {
    const { ofTenant, inAll } = this.#bounds;
    const taken = this.#tenants.get(tenantId)?.size ?? 0;
    if (taken >= ofTenant) return { isKept: false };
    const displaced = this.#size < inAll ? undefined : this.#displace(taken + 1);
    if (this.#size >= inAll) return { isKept: false };
    const items = this.#tenants.get(tenantId) ?? new Map<string, Item>();
    this.#tenants.set(tenantId, items.set(name, item));
    this.#size += 1;
    return { isKept: true, displaced };
  }

  /** Removes and returns the matching items. */
  takeOut(isWanted: (item: Item) => boolean): Item[] {
    const taken: Item[] = [];
    for (const [tenantId, items] of this.#tenants) {
      for (const [name, item] of items) {
        if (!isWanted(item)) continue;
        taken.push(item);
        this.#remove(tenantId, items, name);
      }
    }
    return taken;
  }

  /** The newest item of the largest tenant, if that has more than `than`. */
  #displace(than: number): Item | undefined {
    let fullest: [TenantId, Map<string, Item>] | undefined;
    for (const entry of this.#tenants) {
      if (entry[1].size > (fullest?.[1].size ?? than)) fullest = entry;
    }
    if (!fullest) return undefined;
    const [tenantId, items] = fullest;
    const [name, item] = [...items].at(-1) ?? [];
    if (name !== undefined) this.#remove(tenantId, items, name);
    return item;
  }

  #remove(tenantId: TenantId, items: Map<string, Item>, name: string): void {
    if (items.delete(name)) this.#size -= 1;
    if (items.size === 0) this.#tenants.delete(tenantId);
  }
}
