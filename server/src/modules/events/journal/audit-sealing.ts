import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TenantId } from '@keywright/contract/ids';
import type { SigningKey } from '../../../platform/crypto/jws.ts';
import type { Log } from '../../../platform/log.ts';
import type { AuditKey } from '../../../tenancy/audit-keys.ts';
import type { Gate, SystemData } from '../../../tenancy/gate.ts';
import type { Poller } from '../../../tenancy/jobs/poller.ts';
import type { Core } from '../../../tenancy/module.ts';
import { hashOf, isAuthentic, signHead } from './audit-integrity.ts';
import { type EntryRow, presentEntry } from './audit-store.ts';
import {
  type ChainEnd,
  dropFromQueue,
  findEnds,
  findUnsealed,
  insertSealed,
  listTenantsToSeal,
  lockChain,
  lockFreeChains,
  type NewCheckpoint,
  type SealedEntry,
  type SealingTx,
} from './chain-store.ts';

/** Tenants per transaction: with many tenants, most have one or two entries. */
const TENANTS_PER_TRANSACTION = 50;
/** Entries sealed per transaction. */
const BATCH = 500;
/** Hashes or signatures computed before yielding, so that requests wait about a millisecond. */
const IN_A_ROW = 20;

/** The keys that seal the chain of a tenant. */
interface ChainKeys {
  readonly signing: SigningKey;
  readonly audit: AuditKey;
}

/** Appends committed entries of the audit log to the chain of their tenant, on any number of nodes concurrently. */
export class Sealing {
  readonly #gate: Gate;
  readonly #system: SystemData;
  readonly #signer: Core['signer'];
  readonly #poller: Poller;
  readonly #log: Log;
  #stopPolling: (() => Promise<void>) | undefined;

  constructor({ gate, system, signer, poller, log }: Core) {
    this.#gate = gate;
    this.#system = system;
    this.#signer = signer;
    this.#poller = poller;
    this.#log = log;
  }

  /** Seals the committed entries of one tenant; waits for another node that is sealing them. @returns their number */
  async seal(tenantId: TenantId): Promise<number> {
    const keys = new Map([[tenantId, await this.#keysOf(tenantId)]]);
    return untilNoneIsLeft(() =>
      this.#gate
        .into(tenantId)
        .transaction(async (tx) => ((await lockChain(tx)) ? this.#sealBatch(tx, keys) : 0)),
    );
  }

  /** Seals the entries of every tenant, except those that another node is sealing. @returns their number */
  async sweep(): Promise<number> {
    const tenantIds = await this.#system.maintain('look for entries to seal', listTenantsToSeal);
    let total = 0;
    for (let start = 0; start < tenantIds.length; start += TENANTS_PER_TRANSACTION) {
      const batch = tenantIds.slice(start, start + TENANTS_PER_TRANSACTION);
      total += await this.#sealFree(batch).catch(() => this.#sealSeparately(batch));
    }
    return total;
  }

  /** Sweeps every second from now on, while entries wait. */
  start(): void {
    const look = () => this.sweep();
    this.#stopPolling = this.#poller.register({ name: 'audit log', table: 'audit_unsealed', look });
  }

  /** Resolves when no work is in progress. Another node, or the next start, seals the rest. */
  async stop(): Promise<void> {
    await this.#stopPolling?.();
  }

  /** A tenant without a signing key, or one that is being deleted, must not block the others. */
  async #sealSeparately(tenantIds: readonly TenantId[]): Promise<number> {
    let total = 0;
    for (const tenantId of tenantIds) {
      total += await this.#sealFree([tenantId]).catch((error: unknown) => {
        this.#log.warn({ err: error, tenant: tenantId }, 'the audit log was not sealed');
        return 0;
      });
    }
    return total;
  }

  /** Seals the tenants that no other node is sealing, in one transaction: all fail together. */
  async #sealFree(tenantIds: readonly TenantId[]): Promise<number> {
    const keys = new Map<TenantId, ChainKeys>();
    for (const tenantId of tenantIds) keys.set(tenantId, await this.#keysOf(tenantId));
    return untilNoneIsLeft(() =>
      this.#system.maintain('seal entries', async (tx) => {
        const free = await lockFreeChains(tx, tenantIds);
        return this.#sealBatch(tx, new Map([...keys].filter(([id]) => free.includes(id))));
      }),
    );
  }

  async #keysOf(tenantId: TenantId): Promise<ChainKeys> {
    const signing = await this.#signer(tenantId);
    const audit = await this.#gate.into(tenantId).auditKey();
    if (!audit) throw new Error(`The tenant ${tenantId} has no data key.`);
    return { signing, audit };
  }

  /**
   * Seals at most BATCH entries. Entries that the service did not write, or that were altered since, are reported and
   * leave the queue.
   * @param keys the keys of the tenants with chains locked by this transaction
   * @returns the number of entries that left the queue
   */
  async #sealBatch(tx: SealingTx, keys: ReadonlyMap<TenantId, ChainKeys>): Promise<number> {
    if (keys.size === 0) return 0;
    const tenantIds = [...keys.keys()];
    const ends = await findEnds(tx, tenantIds);
    const rows = await findUnsealed(tx, tenantIds, BATCH);
    const { sealed, refused } = await chained(rows, ends, keys);
    if (refused.length > 0) await dropFromQueue(tx, refused);
    if (sealed.length > 0) {
      await insertSealed(tx, sealed, await checkpointsOf(sealed, keys, tx.now));
    }
    for (const { tenant_id: tenant, id: entry } of refused) {
      const message = 'an audit entry that the service did not write is not sealed';
      this.#log.error({ tenant, entry }, message);
    }
    return rows.length;
  }
}

/** @param sealBatch returns how many of at most BATCH entries there were */
async function untilNoneIsLeft(sealBatch: () => Promise<number>): Promise<number> {
  for (let total = 0; ;) {
    const sealed = await sealBatch();
    total += sealed;
    if (sealed < BATCH) return total;
  }
}

/** Assigns consecutive positions to the entries, except to those that the service did not write. */
async function chained(
  rows: readonly EntryRow[],
  found: readonly ChainEnd[],
  keys: ReadonlyMap<TenantId, ChainKeys>,
): Promise<{ readonly sealed: readonly SealedEntry[]; readonly refused: readonly EntryRow[] }> {
  const ends = new Map<string, Pick<ChainEnd, 'position' | 'hash'>>(
    found.map((end) => [end.tenantId, end]),
  );
  const refused: EntryRow[] = [];
  const sealed = await mapYielding(rows, (row): SealedEntry | undefined => {
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
  return { sealed: sealed.filter((entry) => entry !== undefined), refused };
}

/** Signs the last entry of each chain. */
function checkpointsOf(
  sealed: readonly SealedEntry[],
  keys: ReadonlyMap<TenantId, ChainKeys>,
  now: Date,
): Promise<NewCheckpoint[]> {
  const last = new Map(sealed.map((entry) => [entry.tenantId, entry]));
  return mapYielding([...last], ([tenantId, { position, hash }]) => {
    const key = keys.get(tenantId);
    if (!key) throw new Error('An entry of a tenant whose chain is not locked');
    const head = { tenant_id: tenantId, position, hash: hash.toString('base64url') };
    return { tenantId, position, token: signHead(key.signing, head, now) };
  });
}

/** Works sequentially, and yields to the event loop at intervals. */
async function mapYielding<Item, Result>(
  all: readonly Item[],
  work: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const candidate of all) {
    if (results.length % IN_A_ROW === IN_A_ROW - 1) await nextTurn();
    results.push(work(candidate));
  }
  return results;
}
