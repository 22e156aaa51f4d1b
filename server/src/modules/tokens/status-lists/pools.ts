import type { TenantId } from '@keywright/contract/ids';
import { createCache } from '../../../platform/cache/cache.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { takeBits } from './store.ts';

/** Bits are taken in ranges; the next range of a tenant that needs one is twice as long. */
const FIRST_RANGE = 16;
const LONGEST_RANGE = 1024;
const MAX_TENANTS = 20_000;

/** Bits of one tenant that this node may still assign. */
interface Pool {
  next: number;
  end: number;
  range: number;
  readonly spare: number[];
  filling: Promise<void> | undefined;
}

/** The bits that this node may assign, by tenant. Those left over stay unused: there are enough. */
export class Pools {
  readonly #gate: Gate;
  readonly #pools = createCache<TenantId, Pool>(MAX_TENANTS);

  constructor(gate: Gate) {
    this.#gate = gate;
  }

  async take(tenantId: TenantId): Promise<number> {
    const pool = this.#poolOf(tenantId);
    for (;;) {
      const spare = pool.spare.pop();
      if (spare !== undefined) return spare;
      if (pool.next < pool.end) return pool.next++;
      pool.filling ??= this.#fill(tenantId, pool);
      await pool.filling;
    }
  }

  giveBack(tenantId: TenantId, bit: number): void {
    this.#poolOf(tenantId).spare.push(bit);
  }

  #poolOf(tenantId: TenantId): Pool {
    const known = this.#pools.get(tenantId);
    if (known) return known;
    const pool = { next: 0, end: 0, range: FIRST_RANGE, spare: [], filling: undefined };
    this.#pools.set(tenantId, pool);
    return pool;
  }

  async #fill(tenantId: TenantId, pool: Pool): Promise<void> {
    try {
      pool.next = await takeBits(this.#gate, tenantId, pool.range);
      pool.end = pool.next + pool.range;
      pool.range = Math.min(pool.range * 2, LONGEST_RANGE);
    } finally {
      pool.filling = undefined;
    }
  }
}
