import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TenantId } from '@keywright/contract/ids';
import type { SigningKey } from '../../../platform/crypto/jws.ts';
import type { Log } from '../../../platform/log.ts';
import type { AuditKey } from '../../../tenancy/audit-keys.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Poller } from '../../../tenancy/jobs/poller.ts';
import type { SystemData } from '../../../tenancy/system.ts';
import { hashOf, signHead, isAuthentic } from './audit-integrity.ts';
import { type EntryRow, presentEntry } from './audit-store.ts';
import {
  listTenantsToSeal,
  type ChainEnd,
  dropFromQueue,
  findEnds,
  findUnsealed,
  insertSealed,
  lockChain,
  lockFreeChains,
  type NewCheckpoint,
  type SealedEntry,
  type SealingTx,
} from './chain-store.ts';

/** Tenants per transaction: with many tenants, most have one or two entries. */
const TENANTS_AT_ONCE = 50;

/** Adds entries of the audit log to the chain of their tenant. */
export interface Sealing {
  /** Seals the committed entries of one tenant; waits for another node that is doing so. @returns their number */
  seal(tenantId: TenantId): Promise<number>;
  /** The same for every tenant, except those that another node is sealing. */
  sweep(): Promise<number>;
  /** Sweeps every second from now on, while entries wait. */
  start(): void;
  /** Resolves when no work is in progress. The rest is sealed by another node, or at the next start. */
  stop(): Promise<void>;
}

/** Any number of nodes may seal concurrently. */
export function createSealing(
  dependencies: SealerDependencies & { readonly poller: Poller },
): Sealing {
  const { log, system, poller } = dependencies;
  const sealer = createSealer(dependencies);

  async function sweep(): Promise<number> {
    const tenantIds = await system.maintain('look for entries to seal', listTenantsToSeal);
    let total = 0;
    for (let start = 0; start < tenantIds.length; start += TENANTS_AT_ONCE) {
      const some = tenantIds.slice(start, start + TENANTS_AT_ONCE);
      total += await sealer.sealFree(some).catch(() => sealOneByOne(some));
    }
    return total;
  }

  /** A tenant without a signing key, or one being deleted, must not block the others. */
  async function sealOneByOne(tenantIds: readonly TenantId[]): Promise<number> {
    let total = 0;
    for (const tenantId of tenantIds) {
      total += await sealer.sealFree([tenantId]).catch((error: unknown) => {
        log.warn({ err: error, tenant: tenantId }, 'the audit log was not sealed');
        return 0;
      });
    }
    return total;
  }

  let stopPolling: (() => Promise<void>) | undefined;
  return {
    seal: (tenantId) => sealer.seal(tenantId),
    sweep,
    start() {
      stopPolling = poller.register({ name: 'audit log', table: 'audit_unsealed', look: sweep });
    },
    async stop() {
      await stopPolling?.();
    },
  };
}

/** Entries sealed per transaction. */
const BATCH = 100;
/** Hashes or signatures computed without yielding: requests wait about a millisecond. */
const IN_A_ROW = 20;

interface SealerDependencies {
  readonly gate: Gate;
  readonly system: SystemData;
  /** The key that new checkpoints of a tenant are signed with. */
  readonly signer: (tenantId: TenantId) => Promise<SigningKey>;
  readonly log: Log;
}

/** The key that seals the tenant's chain. */
interface ChainKeys {
  readonly signing: SigningKey;
  readonly audit: AuditKey;
}

/** Appends committed entries to their chains. Both return the number of entries. */
interface Sealer {
  /** Of one tenant; waits for another node that is sealing it. */
  seal(tenantId: TenantId): Promise<number>;
  /** Of all these that no other node is sealing, in one transaction: all fail together. */
  sealFree(tenantIds: readonly TenantId[]): Promise<number>;
}

function createSealer({ gate, system, signer, log }: SealerDependencies): Sealer {
  async function keysOf(tenantId: TenantId): Promise<ChainKeys> {
    const signing = await signer(tenantId);
    const audit = await gate.into(tenantId).auditKey();
    if (!audit) throw new Error(`The tenant ${tenantId} has no data key.`);
    return { signing, audit };
  }

  async function sealTold(tx: SealingTx, keys: ReadonlyMap<TenantId, ChainKeys>): Promise<number> {
    const { taken, refused } = await sealSome(tx, keys);
    for (const { tenant_id: tenant, id: entry } of refused) {
      log.error({ tenant, entry }, 'an audit entry that the service did not write is not sealed');
    }
    return taken;
  }

  return {
    async seal(tenantId) {
      const keys = new Map([[tenantId, await keysOf(tenantId)]]);
      return untilNoneIsLeft(() =>
        gate
          .into(tenantId)
          .transaction(async (tx) => ((await lockChain(tx)) ? sealTold(tx, keys) : 0)),
      );
    },

    async sealFree(tenantIds) {
      const keys = new Map<TenantId, ChainKeys>();
      for (const tenantId of tenantIds) keys.set(tenantId, await keysOf(tenantId));
      return untilNoneIsLeft(() =>
        system.maintain('seal entries', async (tx) => {
          const free = await lockFreeChains(tx, tenantIds);
          return sealTold(tx, new Map([...keys].filter(([tenantId]) => free.includes(tenantId))));
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

interface Sealed {
  /** The number removed from the queue. */
  readonly taken: number;
  /** Those that the service did not write, or that were altered since. */
  readonly refused: readonly EntryRow[];
}

/** @param keys of the tenants whose chains this transaction has locked */
async function sealSome(tx: SealingTx, keys: ReadonlyMap<TenantId, ChainKeys>): Promise<Sealed> {
  if (keys.size === 0) return { taken: 0, refused: [] };
  const tenantIds = [...keys.keys()];
  const ends = await findEnds(tx, tenantIds);
  const rows = await findUnsealed(tx, tenantIds, BATCH);
  const { sealed, refused } = await chained(rows, ends, keys);
  if (refused.length > 0) await dropFromQueue(tx, refused);
  if (sealed.length > 0) await insertSealed(tx, sealed, await checkpointsOf(sealed, keys, tx.now));
  return { taken: rows.length, refused };
}

/** The entries with consecutive positions, except those that the service did not write. */
async function chained(
  rows: readonly EntryRow[],
  found: readonly ChainEnd[],
  keys: ReadonlyMap<TenantId, ChainKeys>,
): Promise<{ readonly sealed: readonly SealedEntry[]; readonly refused: readonly EntryRow[] }> {
  const ends = new Map<string, Pick<ChainEnd, 'position' | 'hash'>>(
    found.map((end) => [end.tenantId, end]),
  );
  const refused: EntryRow[] = [];
  const sealed = await inTurns(rows, (row): SealedEntry | undefined => {
    const tenantId = row.tenant_id;
    const end = ends.get(tenantId);
    const place = { position: (end?.position ?? 0) + 1, previous_hash: end?.hash ?? null };
    const entry = presentEntry(row, place);
    const key = keys.get(tenantId)?.audit;
    if (!(key && isAuthentic(key, entry))) {
      refused.push(row);
      return undefined;
    }
    const hash = hashOf(entry);
    ends.set(tenantId, { position: place.position, hash });
    return { ...place, hash, tenantId, entryId: row.id };
  });
  return { sealed: sealed.filter((one) => one !== undefined), refused };
}

/** The last entry of each chain, signed. */
function checkpointsOf(
  sealed: readonly SealedEntry[],
  keys: ReadonlyMap<TenantId, ChainKeys>,
  now: Date,
): Promise<NewCheckpoint[]> {
  const last = new Map(sealed.map((entry) => [entry.tenantId, entry]));
  return inTurns([...last], ([tenantId, { position, hash }]) => {
    const key = keys.get(tenantId);
    if (!key) throw new Error('An entry of a tenant whose chain is not locked');
    const head = { tenant_id: tenantId, position, hash: hash.toString('base64url') };
    return { tenantId, position, token: signHead(key.signing, head, now) };
  });
}

/** Works sequentially, and yields to the event loop at intervals. */
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
