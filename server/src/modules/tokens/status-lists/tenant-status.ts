import type { TenantId } from '@keywright/contract/ids';
import { createCache } from '../../../platform/cache/cache.ts';
import { BitList } from './bit-list.ts';
import { ChangeLog, type StatusChange } from './changes.ts';
import { byList, listOf, REVOKED_BIT } from './reference.ts';
import type { SignedList } from './signed.ts';
import type { ChangeRow, ListRow } from './store.ts';

/** Lists of one tenant that are kept at a time. */
const MAX_LISTS = 1024;

/** One list as this node knows it. */
export interface KnownList {
  readonly bits: BitList;
  /** Up to where every change was in it when it was read. */
  readonly version: number;
  /** As it was signed last, and of what: the bits as they are sent, and what else is in it. */
  signed?: { readonly list: SignedList; readonly packed: Buffer; readonly of: string };
}

/** What this node knows of the revocations in one tenant. */
export class TenantStatus {
  readonly tenantId: TenantId;
  /** Up to where every change is known; nothing before the first answer of the database. */
  version: number | undefined;
  /** When the question was asked that was answered last, and when a change was last announced: by the monotonic clock. */
  askedAt = -Infinity;
  announcedAt = -Infinity;
  /** Told of each change, in their order. */
  onChange: ((change: StatusChange) => void) | undefined;
  readonly #log = new ChangeLog();
  #lists = createCache<number, KnownList>(MAX_LISTS);

  constructor(tenantId: TenantId) {
    this.tenantId = tenantId;
  }

  find(list: number): KnownList | undefined {
    return this.#lists.get(list);
  }

  /** Takes in a list that was read; false when it is behind what is known already. */
  accept(list: number, { version, bits }: ListRow): boolean {
    if (version < (this.version ?? 0)) return false;
    this.version ??= version;
    const set = list === listOf(REVOKED_BIT) ? [REVOKED_BIT, ...bits] : bits;
    this.#lists.set(list, { bits: new BitList(set), version });
    return true;
  }

  /** Takes in what has changed. @param after what was asked for: nothing when it was the first question */
  apply(after: number | undefined, row: ChangeRow): void {
    const known = this.version;
    if (known === undefined) {
      this.version = row.version;
      return;
    }
    if (row.version <= known) return;
    // Two answers at a time may overlap; a bit that is set twice is set.
    const bits = after === undefined ? undefined : row.bits;
    const change: StatusChange = { from: after ?? known, version: row.version, bits };
    this.version = row.version;
    this.#log.add(change);
    this.#set(bits);
    this.onChange?.(change);
  }

  /** What came after a version, where it is still at hand. */
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
