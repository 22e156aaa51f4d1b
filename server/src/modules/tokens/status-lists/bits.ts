import type { TenantId } from '@keywright/contract/ids';
import { createCache } from '../../../platform/cache/cache.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Grant } from '../grants/index.ts';
import { Pools } from './pools.ts';
import { REVOKED_BIT } from './reference.ts';
import { findOrNameBit, hangBitOn } from './store.ts';

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
