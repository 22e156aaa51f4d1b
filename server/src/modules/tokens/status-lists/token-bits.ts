import type { AccessTokenClaims } from '@keywright/contract/claims';
import type { TenantId } from '@keywright/contract/ids';
import { Cache } from '../../../platform/cache/cache.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Grant } from '../grants/index.ts';
import { findOrNameBit, attachBit, takeBits, LIST_BITS } from './status-store.ts';

const MAX_NAMED = 20_000;

/** Assigns the status bits of access tokens, which show verifiers when the grants end. */
export class TokenBits {
  readonly #gate: Gate;
  readonly #clock: Clock;
  readonly #pools: Pools;
  /** Bits by grant and version. A new version has a new bit, so entries never become stale. */
  readonly #named = new Cache<string, number>(MAX_NAMED);

  constructor(gate: Gate, clock: Clock) {
    this.#gate = gate;
    this.#clock = clock;
    this.#pools = new Pools(gate);
  }

  /** Takes an unused bit for a grant that is about to be created. */
  take(tenantId: TenantId): Promise<number> {
    return this.#pools.take(tenantId);
  }

  /** Gives back the bit of a grant that was not created after all. */
  giveBack(tenantId: TenantId, bit: number): void {
    this.#pools.giveBack(tenantId, bit);
  }

  /**
   * Returns the bit of a token that depends on these grants, in the token's tenant. All tokens of a session, key or
   * agent share a bit; a token that depends on several grants, or on a grant of another tenant, gets its own bit.
   */
  of(tenantId: TenantId, grants: readonly Grant[], expiresAt: Date): Promise<number> {
    const [only] = grants;
    const isAlone = grants.length === 1 && only?.tenantId === tenantId;
    return isAlone && !only.id.startsWith('dlg_')
      ? this.#ofGrant(only)
      : this.#ofSeveral(tenantId, grants, expiresAt);
  }

  async #ofGrant(grant: Grant): Promise<number> {
    const name = `${grant.tenantId} ${grant.id} ${grant.version}`;
    const present = this.#named.get(name);
    if (present !== undefined) return present;
    const candidate = await this.#pools.take(grant.tenantId);
    const bit = await findOrNameBit(this.#gate, grant, candidate, this.#clock.now());
    if (bit !== candidate) this.#pools.giveBack(grant.tenantId, candidate);
    if (bit !== undefined) this.#named.set(name, bit);
    return bit ?? REVOKED_BIT;
  }

  async #ofSeveral(tenantId: TenantId, grants: readonly Grant[], expiresAt: Date): Promise<number> {
    const bit = await this.#pools.take(tenantId);
    const attached = { tenantId, bit, expiresAt };
    for (const ofTenant of Map.groupBy(grants, (grant) => grant.tenantId).values()) {
      const isAlive = await attachBit(this.#gate, ofTenant, attached, this.#clock.now());
      if (!isAlive) return REVOKED_BIT;
    }
    return bit;
  }
}

/** Bits are reserved in ranges. Each further range of a tenant is twice as long as its previous one. */
const FIRST_RANGE = 16;
const LONGEST_RANGE = 1024;
const MAX_TENANTS = 20_000;

/** Bits of one tenant that this node can still assign. */
interface Pool {
  next: number;
  end: number;
  range: number;
  readonly spare: number[];
  filling: Promise<void> | undefined;
}

/** The bits that this node can assign, by tenant. Bits left over are never used; the supply is large enough. */
class Pools {
  readonly #gate: Gate;
  readonly #pools = new Cache<TenantId, Pool>(MAX_TENANTS);

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
    const present = this.#pools.get(tenantId);
    if (present) return present;
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

/** Always set: tokens refer to this bit if their grant ended or changed while they were created. */
export const REVOKED_BIT = 0;

type StatusClaim = NonNullable<AccessTokenClaims['status']>;

/** The status claim of an access token. The index counts over all lists of the issuer. */
export function statusClaim(issuer: string, bit: number): StatusClaim {
  const list = listOf(bit);
  return { status_list: { idx: bit - list * LIST_BITS, uri: listUri(issuer, list) } };
}

/** The list that contains a bit. */
export function listOf(bit: number): number {
  return Math.floor(bit / LIST_BITS);
}

export function listUri(issuer: string, list: number): string {
  return `${issuer}/status/${list}`;
}
