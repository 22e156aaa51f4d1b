import type { TenantId } from '@keywright/contract/ids';
import { createCache } from '../../../platform/cache/cache.ts';
import { BitList } from './bit-list.ts';
import { ChangeLog, type StatusChange } from './changes.ts';
import { byList, listOf, REVOKED_BIT } from './reference.ts';
import type { SignedList } from './signed.ts';
import type { ChangeRow, ListRow } from './store.ts';

/** Cached lists of one tenant. */
const MAX_LISTS = 1024;
/** Readers of a failed node usually resume from the same version. */
const MAX_MISSED = 4;

/** One list as this node knows it. */
export interface KnownList {
  readonly bits: BitList;
  /** The version that it was read at. */
  readonly version: number;
  /** The last signed form, with the compressed bits and claims that it has. */
  signed?: { readonly list: SignedList; readonly packed: Buffer; readonly of: string };
}

/** The revocations in one tenant, as this node has read them. */
export class TenantStatus {
  readonly tenantId: TenantId;
  /** The version up to which every change is known; undefined before the first query. */
  version: number | undefined;
  /** When the last answered query was sent, and the last notification received, by the monotonic clock. */
  askedAt = -Infinity;
  announcedAt = -Infinity;
  /** Receives each change, in order. */
  onChange: ((change: StatusChange) => void) | undefined;
  /** Queried changes that are not in the log, by the version before them. */
  readonly missed = createCache<number, Promise<StatusChange>>(MAX_MISSED);
  readonly #log = new ChangeLog();
  #lists = createCache<number, KnownList>(MAX_LISTS);

  constructor(tenantId: TenantId) {
    this.tenantId = tenantId;
  }

  find(list: number): KnownList | undefined {
    return this.#lists.get(list);
  }

  /** Stores a list that was read; false when it is older than what is known. */
  accept(list: number, { version, bits }: ListRow): boolean {
    if (version < (this.version ?? 0)) return false;
    this.version ??= version;
    const set = list === listOf(REVOKED_BIT) ? [REVOKED_BIT, ...bits] : bits;
    this.#lists.set(list, { bits: new BitList(set), version });
    return true;
  }

  /** Applies changes. @param after the version queried from: undefined in the first query */
  apply(after: number | undefined, row: ChangeRow): void {
    const known = this.version;
    if (known === undefined) {
      this.version = row.version;
      return;
    }
    if (row.version <= known) return;
    // Concurrent answers may overlap; setting a bit twice is harmless.
    const bits = after === undefined ? undefined : row.bits;
    const change: StatusChange = { from: after ?? known, version: row.version, bits };
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
      this.#lists = createCache<number, KnownList>(MAX_LISTS);
      return;
    }
    for (const [list, own] of byList(bits)) this.#lists.get(list)?.bits.add(own);
  }
}
