import type { AuditEntry } from '@keywright/contract/records/audit-entry';
import type { Finding } from './findings.ts';

/** The records of an audit log, in order. */
export type Line =
  | { readonly kind: 'entry'; readonly entry: AuditEntry }
  | { readonly kind: 'checkpoint'; readonly token: string }
  /** A missing entry; without a position, one that was waiting to be sealed. */
  | { readonly kind: 'lost'; readonly position: number | null; readonly entryId: string }
  /** An entry waiting to be sealed. */
  | { readonly kind: 'waiting'; readonly entry: AuditEntry }
  /** An entry that is neither sealed nor waiting. */
  | { readonly kind: 'stray'; readonly entry: AuditEntry }
  | { readonly kind: 'unreadable'; readonly number: number };

/** The result for one tenant. */
export interface Verdict {
  readonly tenant_id: string | null;
  readonly is_intact: boolean;
  readonly entries: number;
  /** The end of the chain. */
  readonly position: number;
  /** How far a signed checkpoint vouches for it. */
  readonly signed_position: number;
  /** Entries that are not in the chain yet. */
  readonly waiting: number;
  /** Whether the MACs of entries were checked, which only the installation itself can do. */
  readonly macs_checked: boolean;
  readonly findings: readonly Finding[];
  /** How many there are; not all are listed. */
  readonly findings_total: number;
}

/** Verifies MACs of the service. */
export interface MacCheck {
  /** Undefined: the key that would tell is gone, or does not open. */
  readonly isAuthentic: ((entry: AuditEntry) => boolean) | undefined;
}
