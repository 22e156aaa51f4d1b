import type { TenantId } from '@keywright/contract/ids';
import { createCache } from '../../../platform/cache/cache.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Grant } from '../grants/index.ts';
import { REVOKED_BIT } from './status-format.ts';
import { findOrNameBit, hangBitOn, takeBits } from './status-store.ts';

/** Which bit an access token names, so that verifiers learn when its grant ends. */
export interface TokenBits {
  /** An unused bit, for a grant that is about to be created. */
  take(tenantId: TenantId): Promise<number>;
  /** For a grant that was not created after all. */
  giveBack(tenantId: TenantId, bit: number): void;
  /**
   * The bit of a token that depends on these grants, in the list of its tenant. All tokens of one session, key or agent
   * share one; a token that depends on several grants, or on one of another tenant, gets its own.
   */
  of(tenantId: TenantId, grants: readonly Grant[], expiresAt: Date): Promise<number>;
}

const MAX_NAMED = 20_000;

export function createTokenBits(gate: Gate, clock: Clock): TokenBits {
  const pools = new Pools(gate);
  /** By grant and version: a new version has a new bit, so entries never become stale. */
  const named = createCache<string, number>(MAX_NAMED);

  async function ofGrant(grant: Grant): Promise<number> {
    const name = `${grant.tenantId} ${grant.id} ${grant.version}`;
    const known = named.get(name);
    if (known !== undefined) return known;
    const candidate = await pools.take(grant.tenantId);
    const bit = await findOrNameBit(gate, grant, candidate, clock.now());
    if (bit !== candidate) pools.giveBack(grant.tenantId, candidate);
    if (bit !== undefined) named.set(name, bit);
    return bit ?? REVOKED_BIT;
  }

  async function ofSeveral(
    tenantId: TenantId,
    grants: readonly Grant[],
    expiresAt: Date,
  ): Promise<number> {
    const bit = await pools.take(tenantId);
    const hung = { tenantId, bit, expiresAt };
    for (const ofOne of Map.groupBy(grants, (grant) => grant.tenantId).values()) {
      if (!(await hangBitOn(gate, ofOne, hung, clock.now()))) return REVOKED_BIT;
    }
    return bit;
  }

  return {
    take: (tenantId) => pools.take(tenantId),
    giveBack: (tenantId, bit) => pools.giveBack(tenantId, bit),
    of(tenantId, grants, expiresAt) {
      const [only] = grants;
      const isAlone = grants.length === 1 && only?.tenantId === tenantId;
      return isAlone && !only.id.startsWith('dlg_')
        ? ofGrant(only)
        : ofSeveral(tenantId, grants, expiresAt);
    },
  };
}

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
class Pools {
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
