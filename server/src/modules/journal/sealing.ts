import type { TenantId } from '@keywright/contract/ids';
import type { SigningKey } from '../../platform/crypto/jws.ts';
import type { Log } from '../../platform/log.ts';
import type { Gate, TenantTx } from '../../tenancy/gate.ts';
import type { SystemData } from '../../tenancy/system.ts';
import type { EntryRow } from './audit-store.ts';
import { hashOf, signHead } from './chain.ts';
import { presentEntry } from './present.ts';
import {
  findHead,
  findUnsealed,
  insertSealed,
  listTenantsToSeal,
  lockChain,
  type SealedEntry,
} from './sealing-store.ts';

const EVERY_MS = 1000;
/** Entries that are sealed in one transaction. */
const BATCH = 1000;

/** Puts entries of the audit log into the chain of their tenant. */
export interface Sealing {
  /** Seals what is committed of one tenant; waits for another node that does. @returns how many entries. */
  seal(tenantId: TenantId): Promise<number>;
  /** The same for every tenant, but for those that another node is at. */
  sweep(): Promise<number>;
  /** Sweeps from now on, each second. */
  start(): void;
  /** Resolves when nothing is under way any more. What is left is sealed by another node, or at the next start. */
  stop(): Promise<void>;
}

interface Parts {
  readonly gate: Gate;
  readonly system: SystemData;
  /** The key that new checkpoints of a tenant are signed with. */
  readonly signer: (tenantId: TenantId) => Promise<SigningKey>;
}

/** Any node may seal, any number of them at a time. */
export function createSealing({ gate, system, signer }: Parts, log: Log): Sealing {
  async function sealAll(tenantId: TenantId, mayWait: boolean): Promise<number> {
    const key = await signer(tenantId);
    let total = 0;
    for (;;) {
      const sealed = await gate.into(tenantId).transaction((tx) => sealSome(tx, key, mayWait));
      total += sealed;
      if (sealed < BATCH) return total;
    }
  }

  async function sweep(): Promise<number> {
    let total = 0;
    for (const tenantId of await system.upkeep('look for entries to seal', listTenantsToSeal)) {
      // A tenant without a signing key, or one that is being deleted, must not keep the others waiting.
      total += await sealAll(tenantId, false).catch((error: unknown) => {
        log.warn({ err: error, tenant: tenantId }, 'the audit log was not sealed');
        return 0;
      });
    }
    return total;
  }

  let underWay: Promise<unknown> = Promise.resolve();
  let isBusy = false;
  function sweepInBackground(): void {
    if (isBusy) return;
    isBusy = true;
    underWay = sweep()
      .catch((error: unknown) => log.warn({ err: error }, 'audit logs were not sealed'))
      .finally(() => {
        isBusy = false;
      });
  }
  let timer: NodeJS.Timeout | undefined;
  return {
    seal: (tenantId) => sealAll(tenantId, true),
    sweep,
    start() {
      timer = setInterval(sweepInBackground, EVERY_MS).unref();
    },
    async stop() {
      clearInterval(timer);
      await underWay;
    },
  };
}

async function sealSome(tx: TenantTx, key: SigningKey, mayWait: boolean): Promise<number> {
  if (!(await lockChain(tx, mayWait))) return 0;
  const head = await findHead(tx);
  const sealed = chained(await findUnsealed(tx, BATCH), head);
  const last = sealed.at(-1);
  if (!last) return 0;
  const hash = last.hash.toString('base64url');
  const token = signHead(key, { tenant_id: tx.tenantId, position: last.position, hash }, tx.now);
  await insertSealed(tx, sealed, token);
  return sealed.length;
}

/** The entries, each with its place behind the one before it. */
function chained(
  rows: readonly EntryRow[],
  head: { readonly position: number; readonly hash: Buffer } | undefined,
): SealedEntry[] {
  let position = head?.position ?? 0;
  let previous = head?.hash ?? null;
  return rows.map((row) => {
    position += 1;
    const place = { position, previous_hash: previous };
    const hash = hashOf(presentEntry(row, place));
    previous = hash;
    return { ...place, hash, entryId: row.id };
  });
}
