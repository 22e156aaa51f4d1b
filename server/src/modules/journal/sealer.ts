import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TenantId } from '@keywright/contract/ids';
import type { SigningKey } from '../../platform/crypto/jws.ts';
import type { Gate } from '../../tenancy/gate.ts';
import type { SystemData } from '../../tenancy/system.ts';
import type { EntryRow } from './audit-store.ts';
import { hashOf, signHead } from './chain.ts';
import { presentEntry } from './present.ts';
import {
  type ChainEnd,
  findEnds,
  findUnsealed,
  insertSealed,
  lockChain,
  lockFreeChains,
  type NewCheckpoint,
  type SealedEntry,
  type SealingTx,
} from './sealing-store.ts';

/** Entries that are sealed in one transaction. */
const BATCH = 100;
/** Hashes, or signatures, that are made in a row: requests that come meanwhile wait a millisecond for them. */
const IN_A_ROW = 20;

export interface SealerParts {
  readonly gate: Gate;
  readonly system: SystemData;
  /** The key that new checkpoints of a tenant are signed with. */
  readonly signer: (tenantId: TenantId) => Promise<SigningKey>;
}

/** Puts what is committed behind the ends of chains. Both answer how many entries that were. */
export interface Sealer {
  /** Of one tenant; waits for another node that does. */
  seal(tenantId: TenantId): Promise<number>;
  /** Of all these that no other node is at, in one transaction: what fails for one fails for all. */
  sealFree(tenantIds: readonly TenantId[]): Promise<number>;
}

export function createSealer({ gate, system, signer }: SealerParts): Sealer {
  return {
    async seal(tenantId) {
      const keys = new Map([[tenantId, await signer(tenantId)]]);
      return untilNoneIsLeft(() =>
        gate
          .into(tenantId)
          .transaction(async (tx) => ((await lockChain(tx)) ? sealSome(tx, keys) : 0)),
      );
    },

    async sealFree(tenantIds) {
      const keys = new Map<TenantId, SigningKey>();
      for (const tenantId of tenantIds) keys.set(tenantId, await signer(tenantId));
      return untilNoneIsLeft(() =>
        system.upkeep('seal entries', async (tx) => {
          const free = await lockFreeChains(tx, tenantIds);
          return sealSome(tx, new Map([...keys].filter(([tenantId]) => free.includes(tenantId))));
        }),
      );
    },
  };
}

/** @param someOf answers how many of at most BATCH there were */
async function untilNoneIsLeft(someOf: () => Promise<number>): Promise<number> {
  for (let total = 0; ;) {
    const some = await someOf();
    total += some;
    if (some < BATCH) return total;
  }
}

/** @param keys of the tenants whose chains this transaction has locked */
async function sealSome(tx: SealingTx, keys: ReadonlyMap<TenantId, SigningKey>): Promise<number> {
  if (keys.size === 0) return 0;
  const tenantIds = [...keys.keys()];
  const ends = await findEnds(tx, tenantIds);
  const rows = await findUnsealed(tx, tenantIds, BATCH);
  const sealed = await chained(rows, new Map(ends.map((end) => [end.tenantId, end])));
  if (sealed.length === 0) return 0;
  await insertSealed(tx, sealed, await checkpointsOf(sealed, keys, tx.now));
  return sealed.length;
}

/** The entries, each with its place behind the one before it. @param ends of the chains; changed to what they are now */
function chained(
  rows: readonly EntryRow[],
  ends: Map<string, Pick<ChainEnd, 'position' | 'hash'>>,
): Promise<SealedEntry[]> {
  return inTurns(rows, (row) => {
    const end = ends.get(row.tenant_id);
    const place = { position: (end?.position ?? 0) + 1, previous_hash: end?.hash ?? null };
    const hash = hashOf(presentEntry(row, place));
    ends.set(row.tenant_id, { position: place.position, hash });
    return { ...place, hash, tenantId: row.tenant_id as TenantId, entryId: row.id };
  });
}

/** The last entry of each chain, signed. */
function checkpointsOf(
  sealed: readonly SealedEntry[],
  keys: ReadonlyMap<TenantId, SigningKey>,
  now: Date,
): Promise<NewCheckpoint[]> {
  const last = new Map(sealed.map((entry) => [entry.tenantId, entry]));
  return inTurns([...last], ([tenantId, { position, hash }]) => {
    const key = keys.get(tenantId);
    if (!key) throw new Error('An entry of a tenant whose chain is not locked');
    const head = { tenant_id: tenantId, position, hash: hash.toString('base64url') };
    return { tenantId, position, token: signHead(key, head, now) };
  });
}

/** Does work for one after the other, and now and then lets go what else waits. */
async function inTurns<One, Result>(
  all: readonly One[],
  work: (one: One) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const one of all) {
    if (results.length % IN_A_ROW === IN_A_ROW - 1) await nextTurn();
    results.push(work(one));
  }
  return results;
}
