import type { TenantId } from '@keywright/contract/ids';
import { createCache } from '../../../platform/cache/cache.ts';
import { batched } from '../../../platform/db/batch.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { StatusChange } from './changes.ts';
import { findChanges, findList } from './store.ts';
import { type KnownList, TenantStatus } from './tenant-status.ts';

/** Older answers are refreshed before they are sent: notifications may be lost. */
const FRESH_MS = 1000;
const MAX_TENANTS = 5000;

/** This node's knowledge of revocations, in all tenants. */
export class Revocations {
  readonly #gate: Gate;
  readonly #recent = createCache<TenantId, TenantStatus>(MAX_TENANTS);
  readonly #followed = new Map<TenantId, TenantStatus>();
  readonly #ask: (status: TenantStatus) => Promise<undefined>;

  constructor(gate: Gate) {
    this.#gate = gate;
    this.#ask = batched((all: readonly TenantStatus[]) => askFor(gate, all), {
      size: 500,
      flights: 2,
    });
  }

  of(tenantId: TenantId): TenantStatus {
    const known = this.#followed.get(tenantId) ?? this.#recent.get(tenantId);
    if (known) return known;
    const status = new TenantStatus(tenantId);
    this.#recent.set(tenantId, status);
    return status;
  }

  /** Keeps a tenant cached until it is released. */
  follow(tenantId: TenantId): TenantStatus {
    const status = this.of(tenantId);
    this.#followed.set(tenantId, status);
    return status;
  }

  letGo({ tenantId }: TenantStatus): void {
    this.#followed.delete(tenantId);
  }

  /** Something has changed in the tenant. */
  announce(tenantId: TenantId): void {
    this.of(tenantId).announcedAt = performance.now();
  }

  /** Queries what has changed. Concurrent queries of several tenants share a statement. */
  async refresh(status: TenantStatus): Promise<void> {
    await this.#ask(status);
  }

  /** Queries what has changed, unless that is known. */
  async freshen(status: TenantStatus): Promise<void> {
    const { askedAt, announcedAt } = status;
    if (askedAt <= announcedAt || performance.now() - askedAt > FRESH_MS) {
      await this.refresh(status);
    }
  }

  /** A list of the tenant in its current state; undefined when no token names it. */
  async findList(status: TenantStatus, list: number): Promise<KnownList | undefined> {
    await this.freshen(status);
    for (;;) {
      const known = status.find(list);
      if (known) return known;
      const row = await findList(this.#gate, status.tenantId, list);
      if (!row) return undefined;
      // Older than what is known: changes came while it was read.
      status.accept(list, row);
    }
  }

  /** The changes after a version, however old. When a node fails, all of its readers need the same: they share a query. */
  findSince(status: TenantStatus, version: number): Promise<StatusChange> {
    const known = status.missed.get(version);
    if (known) return known;
    const finding = this.#findSince(status, version);
    status.missed.set(version, finding);
    const forget = () => status.missed.delete(version);
    finding.then((change) => change.version === version && forget(), forget);
    return finding;
  }

  async #findSince({ tenantId }: TenantStatus, version: number): Promise<StatusChange> {
    const [row] = await findChanges(this.#gate, [{ tenantId, after: version }]);
    if (!row) return { from: version, version, bits: [] };
    return { from: version, version: row.version, bits: row.bits };
  }
}

async function askFor(gate: Gate, all: readonly TenantStatus[]): Promise<undefined[]> {
  const askedAt = performance.now();
  const statuses = [...new Set(all)];
  const places = statuses.map(({ tenantId, version }) => ({ tenantId, after: version }));
  const rows = await findChanges(gate, places);
  for (const [index, status] of statuses.entries()) {
    const row = rows[index];
    if (row) status.apply(places[index]?.after, row);
    status.askedAt = Math.max(status.askedAt, askedAt);
  }
  return all.map(() => undefined);
}
