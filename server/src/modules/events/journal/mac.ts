import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AuditAction, Outcome, TargetKind } from '@keywright/contract/audit';
import type { TenantId } from '@keywright/contract/ids';
import type { AuditDetails, AuditEntry } from '@keywright/contract/records/audit-entry';
import { canonicalJson } from '@keywright/contract/canonical-json';
import type { AuditKey } from '../../../tenancy/audit-keys.ts';
import type { ActorColumns } from './actor.ts';

/** The columns of an entry that is to be written. */
export interface NewEntry extends ActorColumns {
  readonly id: string;
  readonly created_at: string;
  readonly action: AuditAction;
  readonly target_kind: TargetKind;
  readonly target_id: string | null;
  readonly outcome: Outcome;
  readonly count: number;
  readonly details: AuditDetails;
}

/** Text that PostgreSQL rejects: NUL, and lone surrogates (which JSON.stringify escapes). */
const NOT_KEPT = /\\u(?:0000|d[89a-f])/i;

/**
 * Entries as written: a list in canonical JSON, each with its MAC. The MAC covers the text passed to the database, so
 * that it also fits what the database returns.
 */
export function authenticated(
  key: AuditKey,
  tenantId: TenantId,
  entries: readonly NewEntry[],
): string {
  const texts = entries.map((entry) => {
    const text = keptText(entry);
    const mac = hmacOf(key, tenantId, text).digest('hex');
    return `${text.slice(0, -1)},"mac":"\\\\x${mac}"}`;
  });
  return `[${texts.join(',')}]`;
}

function keptText(entry: NewEntry): string {
  const text = canonicalJson(entry);
  return NOT_KEPT.test(text) ? canonicalJson(JSON.parse(text, wellFormed)) : text;
}

function wellFormed(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\u{FFFD}') : value;
}

/** The same list without MACs. */
export function asJson(list: readonly object[]): string {
  const json = JSON.stringify(list);
  return NOT_KEPT.test(json) ? JSON.stringify(list, wellFormed) : json;
}

/** Whether the service wrote exactly this entry, for this tenant. False without a MAC. */
export function isAuthentic(key: AuditKey, { mac, ...entry }: AuditEntry): boolean {
  if (mac === undefined) return false;
  const given = Buffer.from(mac, 'base64url');
  const right = hmacOf(key, entry.tenant_id, canonicalJson(columnsOf(entry))).digest();
  return given.length === right.length && timingSafeEqual(given, right);
}

/** The text passed to the database, where its position in the chain is not yet known. */
function columnsOf({ actor, target, ...entry }: Omit<AuditEntry, 'mac'>): NewEntry {
  const { id, created_at, action, outcome, address, request_id, count, details } = entry;
  return {
    id,
    created_at,
    actor_kind: actor.kind,
    actor_id: actor.id,
    on_behalf_of: actor.on_behalf_of,
    credential: actor.credential,
    action,
    target_kind: target.kind,
    target_id: target.id,
    outcome,
    address,
    request_id,
    count,
    details,
  };
}

function hmacOf(key: AuditKey, tenantId: string, text: string) {
  return createHmac('sha256', key).update(`entry\n${tenantId}\n${text}`);
}
