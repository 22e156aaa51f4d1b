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
export class Shelves<Item> {
  readonly #bounds: Bounds;
  readonly #shelves = new Map<TenantId, Map<string, Item>>();
  #size = 0;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#size;
  }

  find(tenantId: TenantId, name: string): Item | undefined {
    return this.#shelves.get(tenantId)?.get(name);
  }

  /**
   * Adds an item, if its tenant has room. At the total limit, the largest tenant loses its newest item.
   * @returns whether it was added, and the evicted item
   */
  add(tenantId: TenantId, name: string, item: Item): Added<Item> {
    const { ofTenant, inAll } = this.#bounds;
    const taken = this.#shelves.get(tenantId)?.size ?? 0;
    if (taken >= ofTenant) return { isKept: false };
    const displaced = this.#size < inAll ? undefined : this.#displace(taken + 1);
    if (this.#size >= inAll) return { isKept: false };
    const shelf = this.#shelves.get(tenantId) ?? new Map<string, Item>();
    this.#shelves.set(tenantId, shelf.set(name, item));
    this.#size += 1;
    return { isKept: true, displaced };
  }

  /** Removes and returns the matching items. */
  takeOut(isWanted: (item: Item) => boolean): Item[] {
    const taken: Item[] = [];
    for (const [tenantId, shelf] of this.#shelves) {
      for (const [name, item] of shelf) {
        if (!isWanted(item)) continue;
        taken.push(item);
        this.#remove(tenantId, shelf, name);
      }
    }
    return taken;
  }

  /** The newest item of the largest tenant, if that has more than `than`. */
  #displace(than: number): Item | undefined {
    let fullest: [TenantId, Map<string, Item>] | undefined;
    for (const entry of this.#shelves) {
      if (entry[1].size > (fullest?.[1].size ?? than)) fullest = entry;
    }
    if (!fullest) return undefined;
    const [tenantId, shelf] = fullest;
    const [name, item] = [...shelf].at(-1) ?? [];
    if (name !== undefined) this.#remove(tenantId, shelf, name);
    return item;
  }

  #remove(tenantId: TenantId, shelf: Map<string, Item>, name: string): void {
    if (shelf.delete(name)) this.#size -= 1;
    if (shelf.size === 0) this.#shelves.delete(tenantId);
  }
}
