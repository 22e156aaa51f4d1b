import type { TenantId } from '@keywright/contract/ids';
import { Cache } from '../../../platform/cache/cache.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { SigningKey } from '../../../platform/crypto/jws.ts';
import { batched } from '../../../platform/db/calls.ts';
import { zlib } from '../../../platform/zlib.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { KeyRing } from '../signing-keys/index.ts';
import {
  type StatusChange,
  byList,
  type SignedList,
  type ListContent,
  periodOf,
  signList,
} from './status-format.ts';
import { findChanges, findList, type ChangeRow, type ListRow, LIST_BITS } from './status-store.ts';
import { listOf, REVOKED_BIT } from './token-bits.ts';

/** Older results are refreshed before they are used: notifications can be lost. */
const FRESH_MS = 1000;
const MAX_TENANTS = 5000;

/** The revocations in all tenants, as read by this node. */
export class Revocations {
  readonly #gate: Gate;
  readonly #recent = new Cache<TenantId, TenantStatus>(MAX_TENANTS);
  readonly #followed = new Map<TenantId, TenantStatus>();
  readonly #refresh: (status: TenantStatus) => Promise<undefined>;

  constructor(gate: Gate) {
    this.#gate = gate;
    this.#refresh = batched((all: readonly TenantStatus[]) => refreshAll(gate, all), {
      size: 500,
      flights: 2,
    });
  }

  of(tenantId: TenantId): TenantStatus {
    const present = this.#followed.get(tenantId) ?? this.#recent.get(tenantId);
    if (present) return present;
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

  unfollow({ tenantId }: TenantStatus): void {
    this.#followed.delete(tenantId);
  }

  /** Records a notification that something has changed in the tenant. */
  announce(tenantId: TenantId): void {
    this.of(tenantId).announcedAt = performance.now();
  }

  /** Queries the changes in a tenant. Concurrent queries of several tenants share a statement. */
  async refresh(status: TenantStatus): Promise<void> {
    await this.#refresh(status);
  }

  /** Queries the changes in a tenant unless the last query is recent. */
  async freshen(status: TenantStatus): Promise<void> {
    const { queriedAt, announcedAt } = status;
    if (queriedAt <= announcedAt || performance.now() - queriedAt > FRESH_MS) {
      await this.refresh(status);
    }
  }

  /** Returns a list of the tenant in its current state; undefined if no token refers to it. */
  async findList(status: TenantStatus, list: number): Promise<ReadList | undefined> {
    await this.freshen(status);
    for (;;) {
      const cached = status.find(list);
      if (cached) return cached;
      const row = await findList(this.#gate, status.tenantId, list);
      if (!row) return undefined;
      // Rejected if changes were read meanwhile; then the list is read again.
      status.accept(list, row);
    }
  }

  /** Returns the changes after any version. All readers of a failed node need the same changes, and share a query. */
  findSince(status: TenantStatus, version: number): Promise<StatusChange> {
    const pending = status.missed.get(version);
    if (pending) return pending;
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

async function refreshAll(gate: Gate, all: readonly TenantStatus[]): Promise<undefined[]> {
  const queriedAt = performance.now();
  const statuses = [...new Set(all)];
  const places = statuses.map(({ tenantId, version }) => ({ tenantId, after: version }));
  const rows = await findChanges(gate, places);
  for (const [index, status] of statuses.entries()) {
    const row = rows[index];
    if (row) status.apply(places[index]?.after, row);
    status.queriedAt = Math.max(status.queriedAt, queriedAt);
  }
  return all.map(() => undefined);
}

/** Maximum number of cached lists per tenant. */
const MAX_LISTS = 1024;
/** Readers of a failed node usually resume from the same version. */
const MAX_MISSED = 4;

/** A list as read by this node. */
interface ReadList {
  readonly bits: BitList;
  /** The version at which the list was read. */
  readonly version: number;
  /** The list as last signed, with the compressed bits and the claims that were signed. */
  signed?: { readonly list: SignedList; readonly packed: Buffer; readonly of: string };
}

/** The revocations in one tenant, as read by this node. */
export class TenantStatus {
  readonly tenantId: TenantId;
  /** The version up to which every change is known; undefined before the first query. */
  version: number | undefined;
  /** When the last answered query was sent, and the last notification received, by the monotonic clock. */
  queriedAt = -Infinity;
  announcedAt = -Infinity;
  /** Receives each change, in order. */
  onChange: ((change: StatusChange) => void) | undefined;
  /** Queried changes that are not in the log, by the preceding version. */
  readonly missed = new Cache<number, Promise<StatusChange>>(MAX_MISSED);
  readonly #log = new ChangeLog();
  #lists = new Cache<number, ReadList>(MAX_LISTS);

  constructor(tenantId: TenantId) {
    this.tenantId = tenantId;
  }

  find(list: number): ReadList | undefined {
    return this.#lists.get(list);
  }

  /** Stores a list after it was read. Returns false if the list is older than the changes that were read. */
  accept(list: number, { version, bits }: ListRow): boolean {
    if (version < (this.version ?? 0)) return false;
    this.version ??= version;
    const set = list === listOf(REVOKED_BIT) ? [REVOKED_BIT, ...bits] : bits;
    this.#lists.set(list, { bits: new BitList(set), version });
    return true;
  }

  /** Applies changes. @param after the version that the query started from; undefined for the first query */
  apply(after: number | undefined, row: ChangeRow): void {
    const before = this.version;
    if (before === undefined) {
      this.version = row.version;
      return;
    }
    if (row.version <= before) return;
    // Concurrent results can overlap; setting a bit twice is harmless.
    const bits = after === undefined ? undefined : row.bits;
    const change: StatusChange = { from: after ?? before, version: row.version, bits };
    this.version = row.version;
    this.#log.add(change);
    this.#set(bits);
    this.onChange?.(change);
  }

  /** The changes after a version, if they are still cached. */
  since(version: number): StatusChange | undefined {
    return this.#log.since(version);
  }

  #set(bits: readonly number[] | undefined): void {
    if (bits === undefined) {
      this.#lists = new Cache<number, ReadList>(MAX_LISTS);
      return;
    }
    for (const [list, ofList] of byList(bits)) this.#lists.get(list)?.bits.add(ofList);
  }
}

const MAX_BITS = 10_000;
const MAX_CHANGES = 1000;

/** The latest changes of a tenant, for readers who missed some. */
class ChangeLog {
  #changes: StatusChange[] = [];
  #bits = 0;

  add(change: StatusChange): void {
    if (change.bits === undefined) {
      this.#changes = [];
      this.#bits = 0;
      return;
    }
    this.#changes.push(change);
    this.#bits += change.bits.length;
    while (this.#bits > MAX_BITS || this.#changes.length > MAX_CHANGES) {
      this.#bits -= this.#changes.shift()?.bits?.length ?? 0;
    }
  }

  /** All changes after a version, combined; undefined if the log does not contain all of them. */
  since(version: number): StatusChange | undefined {
    const missed = this.#changes.filter((change) => change.version > version);
    const [first, last] = [missed[0], missed.at(-1)];
    if (!first || !last || first.from > version) return undefined;
    const bits = missed.flatMap((change) => change.bits ?? []);
    return { from: first.from, version: last.version, bits };
  }
}

/** The bits of one list in the compressed format of responses: 16 KiB usually compress to a few hundred bytes. */
class BitList {
  #packed: Buffer;
  /** Bits that were set since the list was packed. */
  #added: number[] = [];

  /** @param set the bits that are set */
  constructor(set: readonly number[]) {
    this.#packed = pack(Buffer.alloc(LIST_BITS / 8), set);
  }

  add(bits: readonly number[]): void {
    for (const bit of bits) this.#added.push(bit);
  }

  /** Returns the list in zlib format, where bit 0 is the lowest of the first byte (draft-ietf-oauth-status-list §4). */
  get packed(): Buffer {
    if (this.#added.length > 0) {
      this.#packed = pack(zlib().inflateSync(this.#packed), this.#added);
      this.#added = [];
    }
    return this.#packed;
  }
}

function pack(bytes: Buffer, set: readonly number[]): Buffer {
  for (const bit of set) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (1 << (bit & 7));
  const { constants, deflateSync } = zlib();
  // Nearly all redundancy is runs of the same byte, and searching for only those is ten times as fast.
  return deflateSync(bytes, { strategy: constants.Z_RLE });
}

/** The signed lists of tenants. */
export class SignedLists {
  readonly #revocations: Revocations;
  readonly #keys: KeyRing;
  readonly #clock: Clock;

  constructor(revocations: Revocations, keys: KeyRing, clock: Clock) {
    this.#revocations = revocations;
    this.#keys = keys;
    this.#clock = clock;
  }

  /**
   * Returns a signed list. It is signed again if anything has changed in its tenant, or half of its lifetime is over.
   * Undefined if no token refers to the list.
   */
  async find({ id, issuer }: Tenant, list: number): Promise<SignedList | undefined> {
    const status = this.#revocations.of(id);
    const read = await this.#revocations.findList(status, list);
    if (!read) return undefined;
    const key = await this.#keys.signer(id);
    const version = Math.max(read.version, status.version ?? 0);
    return this.#sign(key, { issuer, list, version, packed: read.bits.packed }, read);
  }

  #sign(key: SigningKey, content: ListContent, read: ReadList): SignedList {
    const now = this.#clock.now();
    const { issuer, version, packed } = content;
    const of = `${issuer} ${key.kid} ${version} ${periodOf(now)}`;
    const { signed } = read;
    // Verifiers without a stream poll every second: a repeated request costs neither a signature nor a hash.
    if (signed?.packed === packed && signed.of === of) return signed.list;
    const list = signList(key, content, now);
    read.signed = { list, packed, of };
    return list;
  }
}
